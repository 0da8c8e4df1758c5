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
    YU22.at("Theorems 5 and 6, compared with the best guarantee of any rule"),
    "Let k equal jobs fill the only machine, let utilities lie in [1, phi], phi > 1, and let each job be "
    "answered irrevocably before the next is seen. Then the least competitive ratio of a deterministic "
    "online policy is the r with (r m/k)(1 + r/k)^(k-m) = phi, m = ceil(k/r).",
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
The adversary offers k copies of 1, then k copies of each value of a rising grid up to phi, and stops at any time. The
policy is deterministic. So the number of copies of each value that it accepts while the offers continue describes it.
Let it be r-competitive. Let S_i be the sum of its first i acceptances, and s the largest quotient of neighbouring
values. If the adversary stops at 1, the policy has accepted m' copies of 1 with r m' >= k. So m' >= m = ceil(k/r). Let
the (i+1)-st acceptance have the value v, and let v' be the value before v. Then r S_i >= k v' >= k v/s, so S_(i+1) <=
S_i (1 + s r/k) for i >= m'. At the end k phi <= r S_k' for the number k' <= k of acceptances. So phi <= (r m'/k)(1 + s
r/k)^(k - m'). If m replaces m', the right side does not decrease: m' = m + 1 is at most m (1 + s r/k), because m r/k >=
1; for larger m' the step is repeated. For finer grids s tends to 1. The right side is continuous and rises with r; at r
= k/m the values m + 1 and m give the same. So no ratio below the r of the statement is possible.
- *Jobs could run later, or be stopped.* Algorithm 1 answers each job when it comes, irrevocably. If a policy may drop
jobs, the bound does not hold: a policy that keeps the k best jobs so far has the best jobs at the end. The paper has no
preemption.
- *A policy may see all jobs of a slot before it answers.* Then the adversary offers the jobs in different slots. Let M
be at least the number of jobs. Job i comes in slot i and earns only if it has a worker in each of the M slots from then
on. So no two admitted jobs run one after the other, and each job is answered before the next comes.
- *Does U/L of (13)-(14) know phi?* Here U = phi and L = 1/(2 k), so U/L = 2 k phi. The bound uses utilities for a unit
of resource, as the theorems do, with ln(U/L) = ln phi + ln 2k.
- *And randomised policies?* The bound does not cover them. PD-ORS of the theorems with exact theta is deterministic.
"""


@DETERMINISTIC_BOUND.reading(
    "none is better",
    "For every policy there are offers on which its ratio is at least this large.",
    NONE_IS_BETTER_PROOF,
)
@DETERMINISTIC_BOUND.false_variant("a tenth less spread", share=Fraction(9, 10))
def none_is_better(case: Game, share: Fraction = Fraction(1)) -> Finding:
    """The best ratio R on the rising offers: phi <= (R m/k) (1 + s R/k)^(k - m).

    s >= 1 is the largest quotient of neighbouring values, so the bound tends to the stated bound as s tends to 1. R is
    the best ratio of all policies. A policy chooses how many of the k copies of each value to accept, at most k in
    total.
    """
    k, values = case.size, case.rising
    best = min(ratio for counts in policies(k, len(values)) if (ratio := worst_stop(k, values, counts)))
    step = max(after / before for before, after in pairwise(values))
    return Finding(values[-1], share * spread(k, best, step), "at most", f"phi, the best ratio being {best}")


@DETERMINISTIC_BOUND.false_variant("all offers are seen before any is answered")
def best_of_all(case: Game) -> Finding:
    """A false variant: accepting the k best has ratio 1, which would imply phi <= 1."""
    return Finding(case.rising[-1], spread(case.size, Fraction(1)), "at most")


ONE_ATTAINS_IT_PROOF = """
The prices do not fall: (r/k) m >= 1, and each later price is (1 + r/k) times the price before. Their sum is S_k = m
(1 + r/k)^(k - m). Let the policy accept i jobs, of values a_j >= p_j. If i < k, let P = p_(i+1): every rejected value
is below P, so OPT <= sum_j max(a_j, P) + (k - i) P. Lowering each a_j to p_j lowers this by at most the earned utility,
and OPT is at least the earned utility. So the quotient is at most the quotient for a_j = p_j. It is at most k P/S_i = r
if i >= m. If i < m, no job was rejected, and the rule is optimal. If i = k, every value is at most phi. Then the
quotient is at most k phi/S_k = r by the choice of phi.
- *The sum of max(a_j, P) is not k P when some a_j > P.* Then both sums contain a_j itself. If a_j decreases to P, both
sums decrease by the same amount; below P only the smaller sum decreases. A quotient >= 1 does not fall by either step.
- *phi must be known.* Yes, as PD-ORS must know U and L. The bound of the other reading also holds for policies that
know phi.
"""


@DETERMINISTIC_BOUND.reading(
    "one attains it",
    "A rule with rising prices attains the ratio for utilities in [1, phi].",
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

    The result is None if the policy earns nothing.
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

    For step = 1 this is the largest phi for which ratio r is possible.
    """
    m = ceil(k / r)
    return r * m / k * (1 + step * r / k) ** (k - m)
