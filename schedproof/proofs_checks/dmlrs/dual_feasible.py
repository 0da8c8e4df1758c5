"""Appendix C: feasibility of the final prices and payoffs for the dual (11)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.competitive import (
    FLAT,
    SMALL_JOB,
    SMALL_WORKER,
)
from schedproof.proofs_checks.dmlrs.shared.optimum import FEW, packing_value
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_FINISH, ONE, PRICED, PRICED_REPAIRED, limits
from schedproof.proofs_checks.dmlrs.shared.regimes import PRINTED_RUNS, outcome, rows_of_11
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies import dmlrs_ratio as ratio_draw
from schedproof.proofs_checks.strategies.dmlrs import Capped, OfInstance
from schedproof.reference.dmlrs import Bounds, Outcome
from schedproof.reference.dmlrs_enclosures import neatly_up

DUAL_FEASIBLE = Claim(
    "dmlrs.dual_feasible",
    YU22.at("Appendix C (weak duality in the proof of Lemma 8), (11)"),
    "lambda and the final prices of Algorithm 1 (0 < L <= U^r) satisfy (11), so that D_I >= OPT.",
    PRINTED_RUNS.but(strategy=PRINTED_RUNS.strategy | ratio_draw.small_crowds()),
    severity="false proof step",
)
REPAIRED = DUAL_FEASIBLE.repair(
    "If no job takes more than x C of a resource in a slot, x < 1, U^r is max u_i(ceil(V c_i/F)) over "
    "the smallest positive one of alpha, beta, 0 < L <= U^r, and the price is L (U^r/L)^(rho/((1-x) C)), then "
    "lambda and the final prices satisfy (11).",
    domain=Domain(Capped, draw.within_caps(), regimes.REPAIRED_RUNS),
)

REPAIRED_ROWS_PROOF = """
Prices only rise, so consider the prices that job i meets. Suppose that a schedule pi of the job does not fit the free
capacity. Then somewhere rho > C - a >= (1 - x) C, where a <= x C is the use of pi there. So the price there is above
U^r. Hence pi already pays U^r a >= u_i(pi) there (price_blocks_repaired). So the right-hand side is not positive, while
lambda_i >= 0. Suppose now that pi fits. The schedule that Algorithm 2 takes for the same completion time costs at most
psi times as much as pi. lambda_i is at least the payoff of that schedule, so lambda_i >= u_i(pi) - psi p a_pi.
Coq, core: dmlrs.v dual_feasible_repaired. Outside: that no schedule earns more than U^r for each unit of r that it uses
(price_blocks_repaired). Algorithm 2 with Theta within psi is the rule of `run`.
- *The row uses the final prices, lambda_i the prices at its time.* Prices only rise, which lowers the right-hand side
of (11).
- *A schedule may fail to fit in many places.* One place is enough: the schedule pays U^r a >= u_i(pi) there, and all
other terms are nonnegative.
- *Does a schedule of more than x C satisfy (11)?* The claim makes no statement on it; OPT is compared within x C only.
"""


@DUAL_FEASIBLE.reading(
    "rows",
    "(11) holds for every schedule that fits the full capacity, and theta is exact.",
    where=(PRICED, CAN_FINISH),
)
@DUAL_FEASIBLE.false_variant("at a third of the prices", share=Fraction(1, 3))
@REPAIRED.reading(
    "rows",
    "Every schedule within x C; theta within a factor psi, prices times psi.",
    REPAIRED_ROWS_PROOF,
    bounds="repaired",
    where=(PRICED_REPAIRED, CAN_FINISH),
)
@REPAIRED.false_variant("with the printed prices")
@REPAIRED.false_variant("at a third of the prices", bounds="repaired", share=Fraction(1, 3))
def dual_rows(case: OfInstance, bounds: Bounds = "printed", share: Fraction = ONE) -> Answer:
    """Feasibility of lambda and the final prices in (11), for all schedules."""
    out = outcome(case, bounds)
    if not isinstance(out, Outcome):
        return out
    cap, slack = limits(case)
    rows = rows_of_11(out, cap, share * slack)
    return worst(Finding(right[0], payoff[1], "at most", where) for right, payoff, where in rows)


@DUAL_FEASIBLE.reading("worth", "D_I >= OPT.", where=(PRICED,))
@DUAL_FEASIBLE.reading(
    "worth, one job small",
    "D_I >= OPT, if alpha, beta <= C/10 and a job takes at most C/10 in a slot.",
    where=(PRICED, SMALL_WORKER, SMALL_JOB),
)
def dual_worth(case: OfInstance) -> Answer:
    out = outcome(case)
    if not isinstance(out, Outcome):
        return out
    value, few = packing_value(case.instance), len(case.instance.jobs) <= FEW
    return Finding(value, neatly_up(out.dual[1]), "at most", "OPT, D_I", optimum=value if few else None)


@DUAL_FEASIBLE.reading(
    "rows, in the limit",
    "(11) with a right-hand side larger by a third, if alpha, beta <= C/10 and (U^r/L)^x <= 4/3. x C is the most "
    "that a job takes in a slot. This is the limit of '<<'.",
    where=(PRICED, SMALL_WORKER, FLAT, CAN_FINISH),
)
def dual_rows_in_the_limit(case: OfInstance) -> Answer:
    return dual_rows(case, share=Fraction(4, 3))
