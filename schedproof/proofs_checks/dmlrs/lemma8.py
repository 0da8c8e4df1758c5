"""Lemma 8: from the increments of primal and dual to the ratio."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, Outside, Premise, Regime
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.dmlrs.shared.premises import ONE, PRICED
from schedproof.proofs_checks.dmlrs.shared.regimes import PRINTED_RUNS, outcome, rows_of_11
from schedproof.proofs_checks.strategies.dmlrs import OfInstance
from schedproof.reference.dmlrs import Outcome


def starts_low(case: OfInstance) -> bool:
    """Whether D_0 <= OPT/2; true if there are no prices."""
    out = outcome(case)
    return not isinstance(out, Outcome) or out.start[1] <= best_packing(case.instance) / 2


def is_feasible(case: OfInstance) -> bool:
    """Whether the enclosures show that lambda and the final prices satisfy (11)."""
    out = outcome(case)
    return isinstance(out, Outcome) and all(right[1] <= payoff[0] for right, payoff, _ in rows_of_11(out))


SMALL_START: Premise[OfInstance] = Premise("D_0 <= OPT/2", starts_low)
FEASIBLE_DUALS: Premise[OfInstance] = Premise(
    "lambda and the final prices satisfy (11), as their enclosures show", is_feasible
)

STATEMENT = (
    "P_i - P_(i-1) >= (delta/3G)/eps (D_i - D_(i-1)) for all i, P_0 = 0 and D_0 <= OPT/2, then Algorithm 1 (0 < L <= "
    "U^r) is (6 G eps/delta)-competitive."
)

LEMMA8 = Claim(
    "dmlrs.lemma8",
    YU22.at("Appendix C, Lemma 8"),
    f"If {STATEMENT}",
    PRINTED_RUNS.but(regimes=(*PRINTED_RUNS.regimes, Regime[OfInstance]("(11) holds", is_feasible))),
    severity="false proof step",
)
REPAIRED = LEMMA8.repair(f"If lambda and the final prices satisfy (11) and: {STATEMENT}", small=True)

IF_FEASIBLE = """
By weak duality D_I >= OPT. Summed over the jobs, P_I = P_I - P_0 >= (delta/3G)/eps (D_I - D_0) >= (delta/3G)/eps (OPT -
OPT/2). This is OPT <= (6 G eps/delta) P_I.
Coq, core: admission.v lemma8; prices.v weak_duality. Outside: Algorithm 1, its duals D_i, and OPT <= D_I by weak
duality. With f = delta/(3 G eps), 2/f is 6 G eps/delta.
- *Is D_I >= OPT not 'by weak duality'?* Weak duality compares feasible solutions. By dual_feasible lambda and the
prices need not be feasible.
- *eps >= 1?* The proof does not use it; it uses G, eps, delta > 0.
"""


@LEMMA8.reading(
    "as printed",
    "D_i is the dual value of lambda and the prices after job i.",
    where=(PRICED, SMALL_START),
)
@LEMMA8.reading(
    "feasible duals",
    "lambda and the final prices satisfy (11), a possible meaning of 'dual objective value'.",
    IF_FEASIBLE,
    feasible=True,
    also=REPAIRED,
    where=(PRICED, SMALL_START, FEASIBLE_DUALS),
)
@LEMMA8.false_variant("a quarter of the ratio", feasible=True, share=Fraction(1, 4))
def competitive(case: OfInstance, feasible: bool = False, share: Fraction = ONE) -> Answer:
    out, opt = outcome(case), best_packing(case.instance)
    if not isinstance(out, Outcome):
        return out
    if not starts_low(case):
        return Outside(SMALL_START)
    if feasible and not is_feasible(case):
        return Outside(FEASIBLE_DUALS)
    return Finding(opt, share * 2 * increments(out) * out.primal, "at most", "OPT, (6 G eps/delta) P_I", optimum=opt)


def increments(out: Outcome) -> Fraction:
    """The least 3 G eps/delta >= 1 that all jobs' increments meet, rounded up.

    The condition is P_i - P_(i-1) >= (delta/3G)/eps (D_i - D_(i-1)).
    """
    return max([ONE, *(out.growth(step)[1] / step.plan.utility for step in out.steps if step.plan)])
