"""Theorem 3 from below: pools of jobs with a ratio of 1 + 2/eps in the limit.

The pools exist for every eps.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.preemptive import WANG22
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import fractional_cost, pieces, total_jct
from schedproof.proofs_checks.preemptive.shared.regimes import outcome
from schedproof.proofs_checks.strategies import preemptive_traps as draw
from schedproof.proofs_checks.strategies.preemptive_traps import Trap

LOWER_BOUND = Claim(
    "preemptive.theorem3_lower_bound",
    WANG22.at("section IV-E, next to Theorem 3; not printed"),
    "For every rational eps > 0 and every N >= 2 there are N jobs with D_j = 1 on which A_online at speed 1 + eps "
    "costs at least 1/(eps/(2 + eps) + 6 (1 + eps)/N) times the optimum at speed 1. So no ratio below 1 + 2/eps holds.",
    Domain.of(
        Trap,
        draw.traps(),
        {
            "eps below 1": lambda case: case.speed < 2,
            "eps = 1": lambda case: case.speed == 2,
            "eps above 1": lambda case: case.speed > 2,
            "eps not whole": lambda case: case.speed.denominator > 1,
            "above the printed ratio": lambda case: refutes(case),
        },
    ),
)
POOL_SUMMED = """
Let 1 + eps = a/b with integers a and b, M = N^3, L = b M, s = 1 + eps. Job i = 0..N-1 comes at i L. It takes f_i = b
(M + N - i) at speed 1 + eps and s f_i at speed 1. It may use the hub (delay 0) and a separate server (delay i f_i + 1).
A_online sends every job to the hub, by induction. When job i comes, the hub has run each job k < i for exactly L of its
f_k = L + b (N - k); the last of these runs has just ended. All these jobs are unfinished, and f_i is less than every
f_k. So (5) is f_i + i f_i on the hub, and larger by one on the separate server. Job i preempts and runs until job i + 1
comes. Landings are in order, so the JCTs add up to sum alpha = sum (1 + i) f_i (lemma 4), which is more than L N (N +
1)/2. Now consider an offline schedule at speed 1. Let A = floor(N s/(1 + s)). Of the first A jobs the l-th on the hub
is i = ceil(l s) - 1, for all l with l s <= A. The other jobs of the first A go to their separate servers. All later
jobs go to the hub, in order of arrival. Let L be the unit of time. Chunk times are at most s (1 + N/M) <= s (1 +
1/N^2), and N, A, i <= N. On the separate servers the JCT is at most i + s + (s + 2)/N. The i of these jobs add up to at
most A(A-1)/2 - sum_l (l s - 1). This is at most (eps/s) A^2/2 + A/s, as l has at least A/s - 1 values. Next consider
the first A jobs on the hub. The m-th ends by max over l <= m of (arrival of the l-th) + (m - l + 1) s (1 + N/M) <= (m +
1) s + m s N/M. The m-th job arrived at m s - 1 or later. So its JCT is at most s + 1 + 1/N, since m s <= A <= N. Last,
a later job i on the hub ends by A + s + A N/M + (i - A + 1) s (1 + N/M). So its JCT is at most (i - A) eps + 2 s + (2
s + 1)/N. The total is at most (eps/s) A^2/2 + eps (N - A)^2/2 + (2 s + 1)(N + 1). The sum of the two squares is least,
eps N^2/(2 (2 + eps)), at A = N s/(1 + s). Rounding A down adds at most eps. So the given schedule costs at most L (eps
N^2/(2 (2 + eps)) + 3 s (N + 1)), and the quotient is at least N (N + 1) / (eps N^2/(2 + eps) + 6 s (N + 1)), which is
at least 1/(eps/(2 + eps) + 6 s/N). The cost (3) of the same schedule is at most its total JCT. As N grows, the quotient
tends to (2 + eps)/eps = 1 + 2/eps.
- *The optimum may be lower than the given schedule.* Then the quotient to the optimum is larger still.
- *Is the rounding to slots the cause?* No: all chunk times are integers at both speeds. In fluid time the runs are the
same, and eps may be real.
- *Is the cause the tie-breaking, or the special delays of the separate servers?* No: the hub is cheaper by exactly 1.
With a margin of two or three the sums change as little.
- *Does the bound hold for the residual order too?* No: an almost finished job stays first and completes; see
theorem3_minlp_repaired.
"""


@LOWER_BOUND.reading("(2)", "The total JCT is compared with that of a schedule of (2).", POOL_SUMMED)
@LOWER_BOUND.reading(
    "(4)",
    "Sum alpha is compared with the cost (3) of a schedule of (4) with slots charged t + 1 - r_j.",
    POOL_SUMMED,
    relaxed=True,
)
@LOWER_BOUND.false_variant("1 + 2/eps from the first member on", limit_at_once=True)
@LOWER_BOUND.false_variant("2 (1 + eps)/N for 6 (1 + eps)/N", loss=2)
def far_above(case: Trap, relaxed: bool = False, loss: int = 6, limit_at_once: bool = False) -> Finding:
    """A_online's total JCT over the cost of a constructed schedule, and the bound.

    ``relaxed`` charges the schedule by (3), with slot t at t + 1 - r_j, the largest charge.
    """
    eps, shown = case.speed - 1, pieces(case.online, whole_slots=True)
    out = outcome(case.online)
    cost = fractional_cost(shown, Fraction(1, 2)) if relaxed else total_jct(shown)
    least = eps / (2 + eps) + (0 if limit_at_once else loss * case.speed / case.jobs)
    return Finding((out.alpha_total if relaxed else out.total_jct) / cost, 1 / least, "at least", "A_online, shown")


def refutes(case: Trap) -> bool:
    return far_above(case).measured > 1 + 1 / (case.speed - 1)
