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


@DUAL_VALUE.reading("binary x", "R-DMLRS as it is, an integer program.")
def ilp_is_dual(case: Priced) -> Finding:
    """No real solution of R-DMLRS exceeds the integer optimum.

    Then no optimum of its dual does either.
    """
    optimum = best_packing(case.instance)
    return Finding(fractional(case), optimum, "at most", "a real solution, and OPT", optimum=optimum)


LP_IS_DUAL_PROOF = """
Pi_i is finite up to PSs and workers that no row needs, so that both programs are finite linear programs, each
the dual of the other. x = 0 solves the first and (9) bounds it; so both have an optimum, and by strong duality
it is the same number.
- *Pi_i may be infinite: nobody bounds the parameter servers.* A schedule with more of them than it needs has the same
utility and uses no less: its column is dominated, its row of (11) implied, as p >= 0. The others are finitely many, as
w <= F.
- *The paper has lambda_i > 0.* A strict sign would leave the dual without an optimum; >= 0, as (11) prints it below, is
meant.
"""


@DUAL_VALUE.reading("real x", "R-DMLRS with its integrality relaxed, as section 4.2 dualises it.", LP_IS_DUAL_PROOF)
@DUAL_VALUE.false_variant("a third of the dual", kept=Fraction(1, 3))
def lp_is_dual(case: Priced, kept: Fraction = ONE) -> Finding:
    return Finding(fractional(case), kept * dual_point(case), "at most", "a real solution, a solution of the dual")


WEAK_DUALITY_PROOF = """
Take a binary solution x, and lambda, p that satisfy (11). Summed over the chosen schedules, sum u <= sum
lambda_i + sum of p times what they use. Each job is chosen at most once (9) and lambda >= 0; what they use is
at most C (8) and p >= 0. So the sum is at most sum lambda + sum p C.
Coq: prices.v weak_duality. Objects: plan, solution, value, rows11, dual_value. In words: a spot is a resource of a
machine in a slot; a solution chooses a schedule or none for each job.
- *x may be 0 for every job.* Then OPT's value is 0 and the dual's sum is not negative.
"""


@REPAIRED.reading("binary x", "Against the integer optimum.", WEAK_DUALITY_PROOF)
@REPAIRED.false_variant("a third of the dual", kept=Fraction(1, 3))
def weak_duality(case: Priced, kept: Fraction = ONE) -> Finding:
    return Finding(best_packing(case.instance), kept * dual_point(case), "at most", "OPT, a solution of the dual")


def fractional(case: Priced) -> Fraction:
    """The value of a real solution of R-DMLRS: equal parts of the best schedules.

    By weak duality it is a lower bound on the optimum of D-R-DMLRS.
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
