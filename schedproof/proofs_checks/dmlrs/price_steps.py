"""What one job's step does to a price (12): claims lemma10 and lemma10_finite."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.dmlrs.enclosures import logarithm, neatly_up, power
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, table

ONE = Fraction(1)


def differential(case: Case, share: Fraction = ONE) -> Finding:
    """p d rho >= (C/eps) dp for eps = ln(U/L) and the price (12), tried on chords: (1 - (U/L)^-y)/y <= eps for y > 0.

    Proof
    -----
    dp/d rho = p ln(U/L)/C, so (C/eps) dp = (ln(U/L)/eps) p d rho, which is p d rho for eps = ln(U/L) > 0 and less for a
    larger eps. (The chord from rho - y C to rho has slope p (1 - (U/L)^-y)/(y C), which is below dp/d rho, as p is
    convex, and tends to it.)
    """
    ratio, y = case.data["ratio"], case.data["share"]
    chord = (1 - power(ratio, -y)[1]) / y
    return Finding(chord, share * logarithm(ratio)[1], "at most", f"U/L = {ratio}, step {y} C")


def definition1(case: Case, exact: bool = True, most: Fraction = ONE) -> Finding | None:
    """Definition 1 for one step of a price (12): p_old (rho_new - rho_old) >= (delta/3G)(C/eps)(p_new - p_old).

    eps = max(1, ln(U/L)); both sides are divided by p_old C. One worker holds at most a tenth of the capacity.

    Parameters
    ----------
    exact
        Whether theta is exact, 3G/delta = 1.
    most
        The largest share of the capacity that a job may take.
    """
    d = case.data
    y = d["workers"] * d["worker"]
    if y > min(most, ONE) or d["worker"] > Fraction(1, 10):
        return None
    factor = ONE if exact else 3 * d["gain"] / d["delta"]
    rise = power(d["ratio"], y)[0] - 1
    most_rise = factor * max(ONE, logarithm(d["ratio"])[1]) * y
    return Finding(rise, neatly_up(most_rise), "at most", f"{d['workers']} workers")


def finite(case: Case, repaired_price: bool = True, share: Fraction = ONE) -> Finding | None:
    """Definition 1 with 3G/delta = 1 and eps = max(1, ((U/L)^(x/k) - 1)/x) for jobs that take at most x C; k = 1 - x.

    k is the share of the capacity at which the price reaches U: 1 for (12), 1 - x for the repaired price.

    Proof
    -----
    A job that takes y C, 0 < y <= x, raises p_old to p_old (U/L)^(y/k). So C (p_new - p_old) = p_old y C ((U/L)^(y/k) -
    1)/y. The quotient is the slope of a chord from 0 of a convex function of y, as U >= L: it does not decrease in y
    and is at most ((U/L)^(x/k) - 1)/x <= eps.
    """
    d = case.data
    y, x = d["workers"] * d["worker"], d["cap"]
    if y > x:
        return None
    room = 1 - x if repaired_price else ONE
    most = max(ONE, (power(d["ratio"], x / room)[1] - 1) / x)
    return Finding(power(d["ratio"], y / room)[0] - 1, share * most * y, "at most", f"{y} C of at most {x} C")


@st.composite
def _steps(pick: Any) -> Case:
    """A price's U/L, one worker's share of the capacity, how many workers a job brings, and the theorems' constants."""
    ratio = pick(st.sampled_from([Fraction(b) for b in ("3/2", "2", "4", "20", "64", "10000")] + [Fraction(2**100)]))
    row = {
        "ratio": ratio,
        "worker": pick(st.sampled_from([Fraction(1, n) for n in (10, 20, 100)])),
        "workers": pick(st.sampled_from((1, 2, 5, 10, 20, 100))),
        "cap": pick(st.sampled_from([Fraction(n, 20) for n in (1, 2, 5, 10, 15)])),
        "delta": pick(st.sampled_from((Fraction(1), Fraction(1, 10)))),
        "gain": pick(st.sampled_from([Fraction(g) for g in ("1/2", "1", "3/2", "4")])),
    }
    return Case(None, row | {"share": row["workers"] * row["worker"]})


_STEPS = (
    of_data("U/L below e", lambda d: d["ratio"] < 3),
    of_data("U/L large", lambda d: d["ratio"] > 100),
    of_data("one worker", lambda d: d["workers"] == 1),
    of_data("many workers", lambda d: d["workers"] >= 10),
)

LEMMA10 = Claim(
    id="dmlrs.lemma10",
    source="paper 001, Appendix C, Lemma 10",
    statement="eps = ln(U/L) and the price function (12) satisfy the differential allocation-cost relationship.",
    readings=(Reading("U > L", "C > 0 and U > L, so that eps > 0.", differential),),
    regimes=_STEPS,
    strategy=_steps(),
    planted=(Planted("a third of ln(U/L)", at(differential, share=Fraction(1, 3))),),
)

FINITE = Claim(
    id="dmlrs.lemma10_finite",
    source="paper 001, Appendix C, proof of Theorems 5 and 6",
    statement=(
        "Since demands are much smaller than capacities, the differential relationship implies Definition 1 with eps = "
        "max(1, ln(U/L))."
    ),
    readings=(
        Reading("one worker small, theta exact", "alpha, beta <= C/10, 3G/delta = 1.", definition1),
        Reading(
            "one worker small", "alpha, beta <= C/10, G and delta as in the theorems.", at(definition1, exact=False)
        ),
        Reading(
            "one job small",
            "What a job takes of a machine is at most C/10, too.",
            at(definition1, exact=False, most=Fraction(1, 10)),
        ),
    ),
    regimes=_STEPS,
    strategy=_steps(),
    planted=(Planted("a third of eps", at(finite, repaired_price=False, share=Fraction(1, 3))),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.lemma10_finite_repaired",
)
FINITE_REPAIRED = Claim(
    id="dmlrs.lemma10_finite_repaired",
    source="paper 001, Appendix C, proof of Theorems 5 and 6, repaired",
    statement=(
        "If no job takes more than x C, Definition 1 holds with 3G/delta = 1 and eps = max(1, ((U/L)^(x/k) - 1)/x), "
        "where the price L (U/L)^(rho/(k C)) reaches U at k C."
    ),
    readings=(
        Reading("repaired price", "k = 1 - x.", finite),
        Reading("printed price", "(12), k = 1.", at(finite, repaired_price=False)),
    ),
    regimes=_STEPS,
    strategy=_steps(),
    planted=(
        Planted("eps = ln(U/L)", definition1),
        Planted("a third of eps", at(finite, share=Fraction(1, 3))),
    ),
)

CLAIMS = table(LEMMA10, FINITE, FINITE_REPAIRED)
