"""Appendix C: whether the prices at the end and the payoffs are feasible for the dual (11)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Outside,
    Proof,
    Reading,
    Repair,
    with_settings,
    worst,
)
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.optimum import best_packing
from schedproof.proofs_checks.dmlrs.shared.regimes import ONE, PRINTED_RUNS, limits, outcome, rows_of_11
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Capped, OfInstance
from schedproof.reference.dmlrs import Bounds


def dual_rows(case: OfInstance, bounds: Bounds = "printed", share: Fraction = ONE) -> Answer:
    """lambda and the final prices satisfy (11), for every schedule that fits the full capacity."""
    out = outcome(case, bounds)
    if out is None:
        return Outside("TODO")
    cap, slack = limits(case)
    rows = rows_of_11(out, cap, share * slack)
    return worst(Finding(right[0], payoff[1], "at most", where) for right, payoff, where in rows)


def dual_worth(case: OfInstance) -> Answer:
    """D_I, what lambda and the final prices are worth, is at least OPT: what Lemma 8 takes from them."""
    out = outcome(case)
    return Outside("TODO") if out is None else Finding(best_packing(case.instance), out.dual[1], "at most", "OPT, D_I")


def repaired_rows(case: Capped, share: Fraction = ONE) -> Answer:
    """With the repaired prices, lambda and psi times the final prices satisfy (11) for schedules within x C.

    psi >= 1 is the factor within which each Theta is the least cost; for an exact theta it is 1.
    """
    return dual_rows(case, "repaired", share)


REPAIRED_ROWS_PROOF = Proof(
    """
    Prices only rise, so take those that job i meets. If a schedule pi of it does not fit what is left, some rho > C - a
    >= (1 - x) C, where a <= x C is what pi uses there: the price is above U^r, and pi alone pays U^r a >= u_i(pi) there
    (price_blocks_repaired), so that the right-hand side is not positive, and lambda_i >= 0. If pi fits, the schedule
    that Algorithm 2 takes for the same completion costs at most psi times as much as pi, and lambda_i is at least its
    payoff: lambda_i >= u_i(pi) - psi p a_pi.
    """,
    answers={"TODO": "TODO"},
)


DUAL_FEASIBLE = Claim(
    id="dmlrs.dual_feasible",
    source=YU22.at("Appendix C (weak duality in the proof of Lemma 8), (11)"),
    statement="lambda and the final prices of Algorithm 1 satisfy (11), so that D_I >= OPT.",
    readings=(
        Reading("rows", "(11) for every schedule that fits the full capacity; theta exact.", dual_rows),
        Reading("worth", "D_I >= OPT.", dual_worth),
    ),
    domain=PRINTED_RUNS,
    false_variants=(FalseVariant("at a third of the prices", with_settings(dual_rows, share=Fraction(1, 3))),),
    repair=Repair(
        statement="If no job takes more than x C of a resource in a slot, x < 1, U^r is max u_i(ceil(V c_i/F)) over "
        "the smallest positive one of alpha, beta, and the price is L (U^r/L)^(rho/((1-x) C)), then lambda and the "
        "final prices satisfy (11).",
        readings=(
            Reading(
                "rows",
                "Every schedule within x C; theta within a factor psi, prices times psi.",
                repaired_rows,
                proof=REPAIRED_ROWS_PROOF,
            ),
        ),
        domain=Domain(Capped, draw.within_caps(), regimes.REPAIRED_RUNS),
        false_variants=(
            FalseVariant("at a third of the prices", with_settings(repaired_rows, share=Fraction(1, 3))),
            FalseVariant("with the printed prices", dual_rows),
        ),
    ),
)
