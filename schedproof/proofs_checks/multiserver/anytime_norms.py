"""The any-time step: gradients that begin short cause more regret than norm G.

The comparison is with Theorem 1's gradients of norm G throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.base.balls import enclose
from schedproof.core.base.untyped import Ball
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.strategies import multiserver_norms as draw
from schedproof.proofs_checks.strategies.multiserver_norms import Rising, Slots

OURS = ZHAO24.at("section III-C, (53), for an unknown horizon; a statement of ours")
BITS = 40
HALF = Fraction(1, 2)

EXACT = Claim(
    "multiserver.anytime_norms_exact",
    OURS,
    "With eta_t = D/sqrt(2 sum_(s <= t) |g_s|^2) and gradients of norm G exactly, the regret of T >= 118 slots "
    "is at most D G (sqrt(2 T) - 1/2), on any closed convex set of diameter D.",
    Domain.of(
        Slots,
        draw.slots(),
        {"the first": lambda case: case.slots == 118, "many": lambda case: case.slots > 1000},
    ),
)
SUM_OF_STEPS = """
With D = G = 1 the proof of theorem1_anytime gives 1/(2 eta_T) + sum eta_t/2 = sqrt(T/2) + sum 1/(2 sqrt(2 t)), before
its last step. The sum of 1/sqrt(t) up to T = 118 is at most 2 sqrt(118) - sqrt(2), and each later term is at most 2
(sqrt(t) - sqrt(t - 1)); so the sum is at most 2 sqrt(T) - sqrt(2). The bound is then sqrt(T/2) + sqrt(T/2) - 1/2.
- *Why 118?* It is the first such T. The difference tends to -zeta(1/2)/(2 sqrt(2)) = 0.5163.
- *Must all norms be G?* In this proof yes: see anytime_norms.
"""


@EXACT.reading(
    "before the last step", "The bound in the proof of theorem1_anytime; numbers are enclosed.", SUM_OF_STEPS
)
@EXACT.false_variant("D G (sqrt(2 T) - 52/100)", less=Fraction(52, 100))
def at_most(case: Slots, less: Fraction = HALF) -> Finding:
    proved = enclose(lambda ball: by_norm_one(ball, case.slots), BITS)[1]
    claimed = enclose(lambda ball: ball(Fraction(2 * case.slots)).sqrt() - ball(less), BITS)[0]
    return Finding(proved, claimed, "at most", "the regret's bound, over D G")


SHORTER = Claim(
    "multiserver.anytime_norms",
    OURS,
    "With eta_t = D/sqrt(2 sum_(s <= t) |g_s|^2) and gradients of norm at most G the regret may be "
    "at least D G (sqrt(2 S) + 2/3 - (1 + H_k)/(4 sqrt(2) m) - 2/sqrt(2 S)), for all m, n >= 1, with k = "
    "2 m^2, S = m^2 + n and T = k + n + floor(sqrt(2 S)) slots, where H_k = 1 + 1/2 + ... + 1/k: D G "
    "(sqrt(2 T) - 1/3) less a term that tends to 0. So for large T it is more than the regret of "
    "gradients of norm G, which is at most D G (sqrt(2 T) - 1/2).",
    Domain.of(
        Rising,
        draw.rising(),
        {
            "every slot is looked at": lambda case: case.slots <= draw.FEW,
            "m = 1": lambda case: case.rise == 1,
            "more than norm G can cost": lambda case: beats(case),
        },
    ),
)
TO_AND_FRO = """
Let D = G = 1, and let y* = 0 be the best point in the plane. Phase A: y(t) is on the unit circle. g_t leads along a
chord of length eta_t |g_t| to the next point of the circle. It adds g_t (y* - y(t)) = eta_t |g_t|^2/2 to the regret.
Phase B: in the last r slots g_t has norm 1 and leads straight to y*. It adds the distance of y(t) from y*. Y is the
convex hull of all y(t) and y*. In A let the norms be |g_i|^2 = m^2 (2 i - 1)/k^2 < 1 in the slots i = 1..k, and 1 in n
more slots. So the sums of squares are m^2 i^2/k^2 and m^2 + j. No step is projected, and the diameter is 1, for this
reason. The squares of the chords are (2 i - 1)/(2 i^2), then 1/(2 (m^2 + j)), and do not grow. So y(t) moves forwards
and backwards on the arc of the first chord. This chord is sqrt(1/2), so its arc is less than 60 degrees. In B the
distance from y* stays >= 0, as r - 1 steps of at most 1/sqrt(2 S) are at most 1. A adds 1/(2 sqrt(2)) times the sum of
|g_t|^2/sqrt(S_t). The first k terms are (1/(2 m)) (2 - 1/i), in total 2 m - H_k/(2 m). As 1/sqrt(x) is convex, by the
trapezoidal rule the other terms are at least 2 sqrt(S) - 2 m - (1/m - 1/sqrt(S))/2. Let u = sqrt(2 S). A adds at least
u/2 - (1 + H_k)/(4 sqrt(2) m). In B, after i steps the distance is 1 - sum over j <= i of 1/sqrt(2 (S + j)), which is at
least 1 - sqrt(2) (sqrt(S + i) - sqrt(S)). As sqrt is concave, the sum of sqrt(S + i) over i < r is at most 2/3 ((S +
r)^(3/2) - S^(3/2)) - (sqrt(S + r) - sqrt(S))/2. Use (1 + x)^(3/2) <= 1 + 3 x/2 + 3 x^2/8 - x^3/16 + 3 x^4/128 and
sqrt(1 + x) >= 1 + x/2 - x^2/8 with x = r/S. B adds at least r - r^2/(2 u) + r^3/(6 u^3) - r^4/(8 u^5) + r/(2 u) -
r^2/(4 u^3). With u - 1 < r <= u this is at least u/2 + 2/3 - 2/u. The total is u + 2/3 - (1 + H_k)/(4 sqrt(2) m) - 2/u.
As S + r = T - m^2 and r <= u, u >= sqrt(2 (T - m^2)) - 1. With m = n^(1/6), for example, the total is sqrt(2 T) - 1/3 -
o(1). anytime_norms_exact has sqrt(2 T) - 1/2 for norms G.
- *Does it contradict theorem1_anytime?* No: theorem1_anytime has D sqrt(2 sum |g_t|^2), at most D G sqrt(2 T), for all
norms.
- *Why do short gradients do harm?* While the sum of squares is small the step is long. Gradients of norm G pass this
time in unit steps, which lose 0.52. Small gradients pass it as an integral, which loses no regret. They cost m^2 of the
T slots.
- *Is it the worst case?* Not known: between sqrt(2 T) - 1/3 - o(1) and sqrt(2 T).
- *Does such a Y belong to a system of (5)-(6)?* It is a set in the class of worst_case; on a given system the worst
regret may be less.
"""


@SHORTER.reading("closed form", "The contributions of A and B, enclosed, by sums of roots.", TO_AND_FRO)
@SHORTER.reading(
    "slot by slot",
    "Points and gradients are in the plane, enclosed in intervals.",
    TO_AND_FRO,
    where=(Premise(f"at most {draw.FEW} slots", lambda case: case.slots <= draw.FEW),),
    slot_by_slot=True,
)
@SHORTER.false_variant("D G (sqrt(2 S) + 2/3)", loss=0)
def at_least(case: Rising, slot_by_slot: bool = False, loss: int = 1) -> Finding:
    def claimed(ball: Callable[[Fraction], Ball]) -> Ball:
        m, u = Fraction(case.rise), ball(Fraction(2 * case.squares)).sqrt()
        lost = ball(1 + harmonic(case.first)) / (ball(4 * m) * ball(Fraction(2)).sqrt()) + 2 / u
        return u + ball(Fraction(2, 3)) - loss * lost

    regret = enclose(lambda ball: (in_the_plane if slot_by_slot else earned)(ball, case), BITS)[0]
    return Finding(regret, enclose(claimed, BITS)[1], "at least", "the regret over D G", relative=True)


def by_norm_one(ball: Callable[[Fraction], Ball], slots: int) -> Ball:
    """sqrt(T/2) + sum of 1/(2 sqrt(2 t)), the bound of theorem1_anytime for norm 1."""
    return (ball(Fraction(slots)).sqrt() + roots(ball, 1, slots, power=-HALF) / 2) / ball(Fraction(2)).sqrt()


def earned(ball: Callable[[Fraction], Ball], case: Rising) -> Ball:
    """The total rewards of A and B.

    The reward of B is the sum of 1 - (1/sqrt(S + 1) + ... + 1/sqrt(S + i))/sqrt(2) over i < r.
    """
    s, r, m = case.squares, case.straight, case.rise
    root2 = ball(Fraction(2)).sqrt()
    to_and_fro = ball(2 * m - harmonic(case.first) / (2 * m)) + roots(ball, m**2 + 1, s, power=-HALF)
    steps = (s + r) * roots(ball, s + 1, s + r - 1, power=-HALF) - roots(ball, s + 1, s + r - 1, power=HALF)
    return to_and_fro / (2 * root2) + r - steps / root2


def roots(ball: Callable[[Fraction], Ball], first: int, last: int, power: Fraction) -> Ball:
    from flint import acb

    exponent = acb(ball(-power))
    return (exponent.zeta(acb(first)) - exponent.zeta(acb(last + 1))).real


def in_the_plane(ball: Callable[[Fraction], Ball], case: Rising) -> Ball:
    """The sum of g_t (y* - y(t)), y* = 0, slot by slot.

    NaN if a point or a gradient breaks the rules.
    """
    from flint import arb

    one, angle, squares, regret = ball(Fraction(1)), arb(0), Fraction(0), arb(0)
    x, y = one, arb(0)
    for t, norm in enumerate(case.norms):  # squares of norms
        squares += norm
        step = 1 / ball(2 * squares).sqrt()
        if t < case.first + case.unit:
            turn = 2 * (step * ball(norm).sqrt() / 2).asin()
            angle = angle - turn if t % 2 else angle + turn
            gradient = ((angle.cos() - x) / step, (angle.sin() - y) / step)
        else:
            distance = (x * x + y * y).sqrt()
            gradient = (-x / distance, -y / distance)
        regret -= gradient[0] * x + gradient[1] * y
        x, y = x + step * gradient[0], y + step * gradient[1]
        inside = ball(-Fraction(1, 2**BITS)) < angle and angle < arb.pi() / 3
        if norm > 1 or not inside:
            return arb("nan")
    return regret


def harmonic(k: int) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, k + 1)), Fraction(0))


def beats(case: Rising) -> bool:
    """Whether a case's regret exceeds the proof's bound with norm G in each slot."""
    above = enclose(lambda ball: by_norm_one(ball, case.slots), BITS)[1]
    return enclose(lambda ball: earned(ball, case), BITS)[0] > above
