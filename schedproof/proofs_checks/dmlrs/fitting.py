"""The dual fitting of Appendix C: claims dual_feasible, lemma8 and lemma9."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Assumption, Case, Claim, Finding, Planted, Reading, worst
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.enclosures import Interval, exactly, minus, plus, times
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.literal import Bounds, Outcome
from schedproof.proofs_checks.dmlrs.optimum import best_packing
from schedproof.proofs_checks.dmlrs.regimes import outcome
from schedproof.proofs_checks.dmlrs.schedules import plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, restricted, table

ONE = Fraction(1)

# --- (11) ------------------------------------------------------------------------------------------------------------


def rows_of_11(out: Outcome, cap: Fraction, slack: Fraction) -> list[tuple[Interval, Interval, str]]:
    """(right-hand side of (11) at the final prices times ``slack``, lambda_i, where) for every schedule."""
    return [
        (minus(exactly(plan.utility), times(slack, out.cost(plan.use))), step.payoff, f"{step.job.name}, {plan.rows()}")
        for step in out.steps
        for plan in plans(out.instance, step.job, cap)
    ]


def dual_rows(case: Case, bounds: Bounds = "printed", share: Fraction = ONE) -> Finding | None:
    """lambda and the final prices satisfy (11), for every schedule that fits the full capacity."""
    out = outcome(case, bounds)
    if out is None:
        return None
    cap, slack = (Fraction(case.data.get(name, 1)) for name in ("cap", "slack"))
    rows = rows_of_11(out, cap, share * slack)
    return worst(Finding(right[0], payoff[1], "at most", where) for right, payoff, where in rows)


def dual_worth(case: Case) -> Finding | None:
    """D_I, what lambda and the final prices are worth, is at least OPT: what Lemma 8 takes from them."""
    out = outcome(case)
    return None if out is None else Finding(best_packing(case.instance), out.dual[1], "at most", "OPT, D_I")


def repaired_rows(case: Case, share: Fraction = ONE) -> Finding | None:
    """With the repaired prices, lambda and psi times the final prices satisfy (11) for schedules within x C.

    psi >= 1 is the factor within which each Theta is the least cost; for an exact theta it is 1.

    Proof
    -----
    Prices only rise, so take those that job i meets. If a schedule pi of it does not fit what is left, some rho > C - a
    >= (1 - x) C, where a <= x C is what pi uses there: the price is above U^r, and pi alone pays U^r a >= u_i(pi) there
    (price_blocks_repaired), so that the right-hand side is not positive, and lambda_i >= 0. If pi fits, the schedule
    that Algorithm 2 takes for the same completion costs at most psi times as much as pi, and lambda_i is at least its
    payoff: lambda_i >= u_i(pi) - psi p a_pi.
    """
    return dual_rows(case, "repaired", share)


_RUNS = (*regimes.of_run("printed"), *regimes.SHAPES)
_REPAIRED_RUNS = (
    *regimes.of_run("repaired"),
    *regimes.SHAPES,
    regimes.RESERVED,
    of_data("theta within a factor", lambda d: d["slack"] > 1),
)
_PRINTED_CASES = st.one_of(draw.cases(reserved=False), draw.cases(reserved=False, roomy=True, scenes=("plain", "slow")))

FEASIBLE = Claim(
    id="dmlrs.dual_feasible",
    source="paper 001, Appendix C (weak duality in the proof of Lemma 8), (11)",
    statement="lambda and the final prices of Algorithm 1 satisfy (11), so that D_I >= OPT.",
    readings=(
        Reading("rows", "(11) for every schedule that fits the full capacity; theta exact.", dual_rows),
        Reading("worth", "D_I >= OPT.", dual_worth),
    ),
    regimes=_RUNS,
    strategy=_PRINTED_CASES,
    planted=(Planted("at a third of the prices", at(dual_rows, share=Fraction(1, 3))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.dual_feasible_repaired",
)
FEASIBLE_REPAIRED = Claim(
    id="dmlrs.dual_feasible_repaired",
    source="paper 001, Appendix C, repaired",
    statement=(
        "If no job takes more than x C of a resource in a slot, x < 1, U^r is max u_i(ceil(V c_i/F)) over the smallest "
        "positive one of alpha, beta, and the price is L (U^r/L)^(rho/((1-x) C)), then lambda and the final prices "
        "satisfy (11)."
    ),
    readings=(
        Reading("rows", "Every schedule within x C; theta within a factor psi, prices times psi.", repaired_rows),
    ),
    regimes=_REPAIRED_RUNS,
    strategy=draw.within_caps(),
    planted=(
        Planted("at a third of the prices", at(repaired_rows, share=Fraction(1, 3))),
        Planted("with the printed prices", dual_rows),
    ),
)

# --- Lemma 8 ---------------------------------------------------------------------------------------------------------


def increments(out: Outcome) -> Fraction:
    """The least 3 G eps/delta >= 1 with P_i - P_(i-1) >= (delta/3G)/eps (D_i - D_(i-1)) for all jobs, rounded up."""
    return max([ONE, *(out.growth(step)[1] / step.plan.utility for step in out.steps if step.plan)])


def competitive(case: Case, feasible: bool = False, share: Fraction = ONE) -> Finding | None:
    """If P grows by (delta/3G)/eps of D at least, and D_0 <= OPT/2, then OPT <= (6 G eps/delta) P_I."""
    out, opt = outcome(case), best_packing(case.instance)
    if out is None or out.start[1] > opt / 2:
        return None
    if feasible and any(right[1] > payoff[0] for right, payoff, _ in rows_of_11(out, ONE, ONE)):
        return None
    return Finding(opt, share * 2 * increments(out) * out.primal, "at most", "OPT, (6 G eps/delta) P_I")


def competitive_if_feasible(case: Case, share: Fraction = ONE) -> Finding | None:
    """The same where lambda and the final prices satisfy (11).

    Proof
    -----
    Then D_I >= OPT by weak duality. Summed over the jobs, P_I = P_I - P_0 >= (delta/3G)/eps (D_I - D_0) >= (delta/3G)/
    eps (OPT - OPT/2), which is OPT <= (6 G eps/delta) P_I.
    """
    return competitive(case, feasible=True, share=share)


_LEMMA8 = (*_RUNS, regimes.Regime("(11) holds", lambda c: competitive_if_feasible(c) is not None))

LEMMA8 = Claim(
    id="dmlrs.lemma8",
    source="paper 001, Appendix C, Lemma 8",
    statement=(
        "If P_i - P_(i-1) >= (delta/3G)/eps (D_i - D_(i-1)) for all i, P_0 = 0 and D_0 <= OPT/2, then Algorithm 1 is "
        "(6 G eps/delta)-competitive."
    ),
    readings=(
        Reading("as printed", "D_i is what lambda and the prices are worth after job i.", competitive),
        Reading(
            "feasible duals", "And they satisfy (11), as 'dual objective value' may be taken.", competitive_if_feasible
        ),
    ),
    regimes=_LEMMA8,
    strategy=_PRINTED_CASES,
    planted=(Planted("a quarter of the ratio", at(competitive_if_feasible, share=Fraction(1, 4))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.lemma8_repaired",
    small_repair=True,
)
LEMMA8_REPAIRED = Claim(
    id="dmlrs.lemma8_repaired",
    source="paper 001, Appendix C, Lemma 8, repaired",
    statement=f"If lambda and the final prices satisfy (11) and: {LEMMA8.statement[3:]}",
    readings=LEMMA8.readings[1:],
    regimes=_LEMMA8,
    strategy=_PRINTED_CASES,
    planted=LEMMA8.planted,
)

# --- Lemma 9 ---------------------------------------------------------------------------------------------------------


def one_job(case: Case, share: Fraction = ONE) -> Finding | None:
    """If Definition 1 holds for each step of an accepted job's prices, P grows by (delta/3G)/eps of D at least."""
    d = case.data
    factor = d["delta"] / (3 * d["gain"] * d["eps"])
    paid = [p * step for p, step in zip(d["old"], d["step"], strict=True)]
    rise = [c * (new - old) for c, new, old in zip(d["capacity"], d["new"], d["old"], strict=True)]
    if any(p < factor * r for p, r in zip(paid, rise, strict=True)):
        return None
    primal, dual = plus(exactly(d["payoff"]), *map(exactly, paid))[0], d["payoff"] + sum(rise)
    return Finding(share * primal, factor * dual, "at least", "P_i - P_(i-1), (delta/3G)/eps (D_i - D_(i-1))")


def factor_at_most_one(case: Case) -> bool:
    """delta <= 3 G eps.

    Proof
    -----
    The chosen schedule's row of (11) is tight: P_i - P_(i-1) = lambda_i + sum p d rho, and by Definition 1 the sum is
    at least f (D_i - D_(i-1) - lambda_i) with f = delta/(3 G eps). So P_i - P_(i-1) >= f (D_i - D_(i-1)) + (1 - f)
    lambda_i, and (1 - f) lambda_i >= 0 as f <= 1. (For a rejected job both sides are 0.)
    """
    d = case.data
    return bool(d["delta"] <= 3 * d["gain"] * d["eps"])


@st.composite
def _bills(pick: Any) -> Case:
    """What one accepted job pays and what it does to the prices of one or two resources."""
    fractions = st.sampled_from([Fraction(x) for x in ("1/2", "1", "2", "3")])
    rows = pick(st.integers(1, 2))
    old = [pick(fractions) for _ in range(rows)]
    growth = [pick(st.sampled_from([Fraction(x) for x in ("1", "11/10", "6/5", "3/2", "2", "4")])) for _ in old]
    row = {
        "old": old,
        "new": [p * g for p, g in zip(old, growth, strict=True)],
        "step": [pick(fractions) for _ in old],
        "capacity": [Fraction(pick(st.integers(3, 6))) for _ in old],
        "payoff": pick(fractions),
        "delta": pick(st.sampled_from((Fraction(1), Fraction(1, 2)))),
        "gain": pick(st.sampled_from([Fraction(x) for x in ("1/10", "1/4", "1/3", "1", "3/2")])),
        "eps": pick(st.sampled_from([Fraction(x) for x in ("1", "3/2", "4")])),
    }
    return Case(None, row)


LEMMA9 = Claim(
    id="dmlrs.lemma9",
    source="paper 001, Appendix C, Lemma 9",
    statement=(
        "If the allocation-cost relationship holds for eps >= 1, G > 0 and delta in (0, 1], then P_i - P_(i-1) >= "
        "(delta/3G)/eps (D_i - D_(i-1))."
    ),
    readings=(Reading("any G > 0", "One accepted job, any rising prices.", one_job),),
    regimes=(
        of_data("delta above 3 G eps", lambda d: d["delta"] > 3 * d["gain"] * d["eps"]),
        of_data("delta at most 3 G eps", lambda d: d["delta"] <= 3 * d["gain"] * d["eps"]),
        of_data("two resources", lambda d: len(d["old"]) > 1),
        of_data("prices stay", lambda d: d["old"] == d["new"]),
    ),
    strategy=_bills(),
    planted=(Planted("a third of it", at(one_job, share=Fraction(1, 3))),),
    witnesses=WITNESSES,
    assumption=Assumption("factor at most 1", "delta <= 3 G eps", factor_at_most_one, factor_at_most_one),
    repaired_by="dmlrs.lemma9_repaired",
)
LEMMA9_REPAIRED = restricted(LEMMA9, regimes=LEMMA9.regimes[1:], witnesses=None)

CLAIMS = table(FEASIBLE, FEASIBLE_REPAIRED, LEMMA8, LEMMA8_REPAIRED, LEMMA9, LEMMA9_REPAIRED)
