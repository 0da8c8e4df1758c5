"""A lower bound on the ratio of deterministic online policies: rising utilities.

The policy decides on each job before it sees the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_game as draw
from schedproof.proofs_checks.strategies.dmlrs_game import Game

IN_RANGE: Premise[Game] = Premise(
    "utilities lie in [1, phi]", lambda case: all(1 <= offer <= spread(case.size, case.ratio) for offer in case.offers)
)

DETERMINISTIC_BOUND = Claim(
    "dmlrs.deterministic_bound",
    YU22.at("Theorems 5 and 6, beside what any rule could guarantee"),
    "If k equal jobs fill the only machine, utilities lie in [1, phi], phi > 1, and each job is answered, for good, "
    "before the next is seen, the least competitive ratio of a deterministic online policy is the r with "
    "(r m/k)(1 + r/k)^(k-m) = phi, m = ceil(k/r).",
    Domain.of(
        Game,
        draw.games(),
        {
            "one job fills the machine": lambda case: case.size == 1,
            "several jobs fit": lambda case: case.size > 2,
            "a fine grid": lambda case: max(b / a for a, b in pairwise(case.rising)) < Fraction(3, 2),
            "the machine is filled": lambda case: len(case.offers) >= 2 * case.size,
            "several copies of 1 must be taken": lambda case: case.ratio < case.size,
        },
    ),
)

NONE_IS_BETTER_PROOF = """
The adversary offers k copies of 1, then k of each value of a rising grid up to phi, and stops when it likes. The policy
is deterministic, so all that counts is how many copies of each value it accepts while the offers go on. Let it be
r-competitive, S_i the sum of its first i acceptances and s the largest quotient of neighbours. If the adversary stops
at 1, r m' >= k, where m' >= m = ceil(k/r) copies of 1 are accepted. When the (i+1)-st acceptance has the value v and v'
was the value before, r S_i >= k v' >= k v/s: so S_(i+1) <= S_i (1 + s r/k), for i >= m'. At the end k phi <= r S_k' for
the number k' <= k of acceptances. So phi <= (r m'/k)(1 + s r/k)^(k - m'); and with m for m' this is no less, since m' =
m + 1 is at most m (1 + s r/k) as m r/k >= 1, and so on. For finer grids s tends to 1. The right side is continuous and
rises with r (at r = k/m, m + 1 and m give the same), so no r below that of the statement will do.
- *Jobs could run later, or be stopped.* Algorithm 1 answers each job when it comes, irrevocably. Where a job may be
given up nothing is left of the bound: a policy that keeps the k best so far has the best at the end. The paper has no
preemption.
- *A policy may see all jobs of a slot before it answers.* Then it must not be asked in one slot. Let job i come in slot
i and be worth something only if it has a worker in each of the M slots from then on, M at least the number of jobs: no
two of those that are admitted follow each other, and each is answered before the next has come.
- *Does U/L of (13)-(14) know phi?* Here U = phi and L = 1/(2 k), so U/L = 2 k phi: the bound speaks of utilities for a
unit of resource, as the theorems do, with ln(U/L) = ln phi + ln 2k.
- *And randomised policies?* Is not bounded by this; the theorems' PD-ORS with exact theta draws none.
"""


@DETERMINISTIC_BOUND.reading(
    "none is better", "Every policy meets offers on which it does not do better.", NONE_IS_BETTER_PROOF
)
@DETERMINISTIC_BOUND.false_variant("a tenth less spread", share=Fraction(9, 10))
def none_is_better(case: Game, share: Fraction = Fraction(1)) -> Finding:
    """The best ratio R on the rising offers: phi <= (R m/k) (1 + s R/k)^(k - m).

    s >= 1 is the largest quotient of neighbouring values, so the bound tends to the stated one as s tends to 1. R is
    the best over all policies: how many of the k copies of each value to accept, at most k in total.
    """
    k, values = case.size, case.rising
    best = min(ratio for counts in policies(k, len(values)) if (ratio := worst_stop(k, values, counts)))
    step = max(after / before for before, after in pairwise(values))
    return Finding(values[-1], share * spread(k, best, step), "at most", f"phi, the best ratio being {best}")


@DETERMINISTIC_BOUND.false_variant("all offers are seen before any is answered")
def best_of_all(case: Game) -> Finding:
    """False: accepting the k best gives ratio 1, which would force phi <= 1."""
    return Finding(case.rising[-1], spread(case.size, Fraction(1)), "at most")


ONE_ATTAINS_IT_PROOF = """
The prices do not fall: (r/k) m >= 1, and each later one is (1 + r/k) times the one before. Their sum is S_k = m (1 +
r/k)^(k - m). Let i jobs be accepted, of values a_j >= p_j. If i < k, let P = p_(i+1): every rejected value is below P,
so OPT <= sum_j max(a_j, P) + (k - i) P. Lowering each a_j to p_j lowers this by at most the earned utility, and OPT is
at least the earned utility, so the quotient is at most that for a_j = p_j. It is at most k P/S_i = r if i >= m; if i <
m nothing was rejected, and the rule is optimal. If i = k, every value is at most phi: the quotient is at most k phi/S_k
= r by the choice of phi.
- *The sum of max(a_j, P) is not k P when some a_j > P.* Then both sums hold a_j itself: from a_j down to P the
difference is equal, below P only the lower sum falls, and a quotient >= 1 does not fall by either.
- *phi must be known.* As U and L must for PD-ORS; the bound of the other reading holds for those who know it.
"""


@DETERMINISTIC_BOUND.reading(
    "one attains it",
    "A rule of rising prices does, wherever utilities lie in [1, phi].",
    ONE_ATTAINS_IT_PROOF,
    where=(IN_RANGE,),
)
@DETERMINISTIC_BOUND.false_variant("a tenth less than r", share=Fraction(9, 10))
def one_attains_it(case: Game, share: Fraction = Fraction(1)) -> Finding:
    """Accepting the (i+1)-st job from price p_(i+1) on is r-competitive on [1, phi].

    p_1 = ... = p_m = 1 and p_(i+1) = (r/k) (p_1 + ... + p_i).
    """
    k, r = case.size, case.ratio
    prices: list[Fraction] = [Fraction(1)] * ceil(k / r)
    while len(prices) < k:
        prices.append(r / k * sum(prices))
    accepted: list[Fraction] = []
    for offer in case.offers:
        if len(accepted) < k and offer >= prices[len(accepted)]:
            accepted.append(offer)
    best = sum(sorted(case.offers, reverse=True)[:k], Fraction(0))
    return Finding(best, share * r * sum(accepted), "at most", "OPT, r times what is earned")


def policies(k: int, phases: int) -> Iterator[tuple[int, ...]]:
    """All numbers of acceptances in each phase, at most k in total."""
    if not phases:
        yield ()
        return
    for first in range(k + 1):
        for rest in policies(k - first, phases - 1):
            yield (first, *rest)


def worst_stop(k: int, values: tuple[Fraction, ...], counts: tuple[int, ...]) -> Fraction | None:
    """OPT over the utility earned, when the adversary stops after the worst phase.

    None if nothing is earned.
    """
    earned, worst = Fraction(0), Fraction(0)
    for value, count in zip(values, counts, strict=True):
        earned += count * value
        if not earned:
            return None
        worst = max(worst, k * value / earned)
    return worst


def spread(k: int, r: Fraction, step: Fraction = Fraction(1)) -> Fraction:
    """(r m/k) (1 + step r/k)^(k - m) with m = ceil(k/r).

    For step = 1 this is the spread phi that ratio r can withstand.
    """
    m = ceil(k / r)
    return r * m / k * (1 + step * r / k) ** (k - m)
