"""Appendix C: the optimal value of the dual."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Priced
from schedproof.proofs_checks.strategies.dmlrs_ratio import rivals
from schedproof.reference.dmlrs_given_prices import capacity_value, cost
from schedproof.reference.dmlrs_schedules import Use, add_use, free, plans

DUAL_VALUE = Claim(
    "dmlrs.dual_value",
    YU22.at("Appendix C (before Lemma 8), and section 4.2"),
    "OPT, the optimum of R-DMLRS, is also the optimum of D-R-DMLRS.",
    Domain(
        Priced,
        draw.priced_cases() | draw.priced_cases() | rivals(),
        (
            regimes.FREE_OF_CHARGE,
            Regime("prices only", lambda c: min(c.price) > 0),
            regimes.RESERVED,
            *regimes.SHAPES,
            Regime[Priced]("an integrality gap", lambda c: fractional(c) > best_packing(c.instance)),
        ),
    ),
    severity="false proof step",
)
REPAIRED = DUAL_VALUE.repair("The optimum of D-R-DMLRS is at least OPT.", small=True)

ZERO, ONE = Fraction(0), Fraction(1)


@DUAL_VALUE.reading("binary x", "R-DMLRS is as printed, an integer program.")
def ilp_is_dual(case: Priced) -> Finding:
    """No real solution of R-DMLRS exceeds the integer optimum.

    Then the optimum of the dual does not exceed the integer optimum either.
    """
    optimum = best_packing(case.instance)
    return Finding(fractional(case), optimum, "at most", "a real solution, and OPT", optimum=optimum)


LP_IS_DUAL_PROOF = """
Pi_i is finite up to PSs and workers that no row needs. So both programs are finite linear programs, and each is the
dual of the other. x = 0 is feasible for the first program, and (9) bounds it. So both have an optimum, and by strong
duality their values are equal.
- *Pi_i may be infinite: no constraint bounds the parameter servers.* A schedule with more parameter servers than needed
has the same utility and uses no less. So its column is dominated, and its row of (11) is implied, as p >= 0. Without
these schedules finitely many remain, because w <= F.
- *The paper has lambda_i > 0.* With a strict sign the dual would have no optimum. The intended sign is >= 0, as printed
below (11).
"""


@DUAL_VALUE.reading("real x", "R-DMLRS has its integrality relaxed, as section 4.2 dualises it.", LP_IS_DUAL_PROOF)
@DUAL_VALUE.false_variant("a third of the dual", kept=Fraction(1, 3))
def lp_is_dual(case: Priced, kept: Fraction = ONE) -> Finding:
    return Finding(fractional(case), kept * dual_point(case), "at most", "a real solution, a solution of the dual")


WEAK_DUALITY_PROOF = """
Let x be a binary solution, and let lambda, p satisfy (11). Summed over the chosen schedules, sum u <= sum lambda_i +
the sum of p times their use. Each job is chosen at most once (9), and lambda >= 0. The use is at most C (8), and p >=
0. So the sum is at most sum lambda + sum p C.
Coq: prices.v weak_duality. Objects: plan, solution, value, rows11, dual_value. In words: a spot is a resource of a
machine in a slot; a solution chooses a schedule or none for each job.
- *x may be 0 for every job.* Then the value of x is 0, and the dual's sum is nonnegative.
"""


@REPAIRED.reading("binary x", "The dual is compared with the integer optimum.", WEAK_DUALITY_PROOF)
@REPAIRED.false_variant("a third of the dual", kept=Fraction(1, 3))
def weak_duality(case: Priced, kept: Fraction = ONE) -> Finding:
    return Finding(best_packing(case.instance), kept * dual_point(case), "at most", "OPT, a solution of the dual")


def fractional(case: Priced) -> Fraction:
    """The value of a real solution of R-DMLRS: equal parts of the best schedules.

    By weak duality the value is a lower bound on the optimum of D-R-DMLRS.
    """
    instance = case.instance
    chosen = [max(menu, key=lambda plan: plan.utility) for job in instance.jobs if (menu := plans(instance, job))]
    total: Use = {}
    for plan in chosen:
        total = add_use(total, plan.use)
    part = min([ONE, *(free(instance, spot) / amount for spot, amount in total.items())])
    return part * sum((plan.utility for plan in chosen), ZERO)


def dual_point(case: Priced) -> Fraction:
    """The dual objective at the case's prices and the least lambda that (11) allows."""
    given = case.prices
    total = capacity_value(case.instance, given)
    for job in case.instance.jobs:
        margins = [plan.utility - cost(plan.use, given) for plan in plans(case.instance, job)]
        total += max([ZERO, *margins])
    return total
