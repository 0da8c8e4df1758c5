"""Lemma 10: the effect of one job on a price (12), also for steps that are large."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Outside, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import PriceStep
from schedproof.reference.dmlrs_enclosures import logarithm, neatly_up, power

ONE, TENTH = Fraction(1), Fraction(1, 10)
SMALL_WORKER: Premise[PriceStep] = Premise("alpha, beta <= C/10", lambda case: case.worker <= TENTH)
WITHIN_CAPACITY: Premise[PriceStep] = Premise("a job takes at most C", lambda case: case.share <= 1)
SMALL_JOB: Premise[PriceStep] = Premise("a job takes at most C/10", lambda case: case.share <= TENTH)
WITHIN_CAP: Premise[PriceStep] = Premise("no job takes more than x C", lambda case: case.share <= case.cap)

STEPS = Domain.of(
    PriceStep,
    draw.price_steps(),
    {
        "U/L below e": lambda c: c.ratio < 3,
        "U/L large": lambda c: c.ratio > 100,
        "one worker": lambda c: c.workers == 1,
        "many workers": lambda c: c.workers >= 10,
    },
)

LEMMA10 = Claim(
    "dmlrs.lemma10",
    YU22.at("Appendix C, Lemma 10"),
    "eps = ln(U/L) and the price function (12) satisfy the differential allocation-cost relationship.",
    STEPS,
)


DIFFERENTIAL_PROOF = """
The derivative is dp/d rho = p ln(U/L)/C. So (C/eps) dp = (ln(U/L)/eps) p d rho, which is p d rho for eps = ln(U/L) > 0
and less for a larger eps. (The chord from rho - y C to rho has slope p (1 - (U/L)^-y)/(y C). As p is convex, this slope
is below dp/d rho, and it tends to dp/d rho.)
Coq, core: admission.v lemma10. Outside: (12) and the differential relationship as definitions. Here (12) is L exp(rho/C
ln(U/L)), and the relationship is p d rho >= (C/eps) dp.
- *The check uses only chords.* Each chord is below the derivative, so it cannot contradict the statement. Short chords
contradict the false variant.
- *Does Definition 2 have delta/3G?* The printed definition does not. With 3G/delta < 1 it would fail, because p d rho =
(C/eps) dp exactly for eps = ln(U/L).
"""


@LEMMA10.reading("U > L", "C > 0 and U > L, so that eps > 0.", DIFFERENTIAL_PROOF)
@LEMMA10.false_variant("a third of ln(U/L)", share=Fraction(1, 3))
def differential(case: PriceStep, share: Fraction = ONE) -> Finding:
    """p d rho >= (C/eps) dp for eps = ln(U/L) and the price (12), on chords.

    On chords the inequality is (1 - (U/L)^-y)/y <= eps for y > 0.
    """
    ratio, y = case.ratio, case.share
    chord = (1 - power(ratio, -y)[1]) / y
    return Finding(chord, share * logarithm(ratio)[1], "at most", f"U/L = {ratio}, step {y} C")


LEMMA10_FINITE = Claim(
    "dmlrs.lemma10_finite",
    YU22.at("Appendix C, proof of Theorems 5 and 6"),
    "Since demands are much smaller than capacities, the differential relationship implies Definition 1 "
    "with eps = max(1, ln(U/L)).",
    STEPS,
    severity="false proof step",
)
REPAIRED = LEMMA10_FINITE.repair(
    "If no job takes more than x C, Definition 1 holds with 3G/delta = 1 and eps = max(1, ((U/L)^(x/k) "
    "- 1)/x), where the price L (U/L)^(rho/(k C)) reaches U at k C."
)


@LEMMA10_FINITE.reading(
    "one worker small, theta exact",
    "alpha, beta <= C/10, a job takes at most C; 3G/delta = 1.",
    where=(SMALL_WORKER, WITHIN_CAPACITY),
)
@LEMMA10_FINITE.reading(
    "one worker small",
    "alpha, beta <= C/10, a job takes at most C; any G and delta.",
    exact=False,
    where=(SMALL_WORKER, WITHIN_CAPACITY),
)
@LEMMA10_FINITE.reading(
    "one job small",
    "alpha, beta <= C/10, and a job takes at most C/10.",
    exact=False,
    where=(SMALL_WORKER, SMALL_JOB),
)
@REPAIRED.false_variant("eps = ln(U/L)")
def definition1(case: PriceStep, exact: bool = True) -> Finding:
    """Definition 1 for one step of a price (12), with eps = max(1, ln(U/L)).

    The definition is p_old (rho_new - rho_old) >= (delta/3G)(C/eps)(p_new - p_old); both sides are divided by p_old C.

    Parameters
    ----------
    exact
        Whether theta is exact, 3G/delta = 1.
    """
    factor = ONE if exact else 3 * case.gain / case.delta
    rise = power(case.ratio, case.share)[0] - 1
    most_rise = factor * max(ONE, logarithm(case.ratio)[1]) * case.share
    return Finding(rise, neatly_up(most_rise), "at most", f"{case.workers} workers")


NEARLY_PROOF = """
Let z = y ln(U/L) >= 0 and divide Definition 1 by p_old C. The left side is y, and the right side is (e^z - 1)/eps. As
1 - e^-z <= z, e^z - 1 <= e^z z = e^z y ln(U/L) <= (U/L)^y eps y. For U/L fixed the factor (U/L)^y tends to 1 with y.
- *Is this the statement?* It is the best possible meaning of '<<'. For any y > 0 and ln(U/L) >= 1, e^z - 1 > z. So
Definition 1 itself fails by some factor for every step.
- *How small is small?* y ln(U/L) must be small. ln(U/L) is 64 to 430 on section 5's draws, and a machine holds 18
workers: (U/L)^y is above 30 for one of them.
"""


@LEMMA10_FINITE.reading(
    "in the limit",
    "3G/delta = 1, up to a factor (U/L)^y, where the job takes y C. The factor tends to 1 as y tends to 0.",
    NEARLY_PROOF,
)
def nearly(case: PriceStep) -> Finding:
    rise = power(case.ratio, case.share)
    limit = rise[1] * max(ONE, logarithm(case.ratio)[1]) * case.share
    return Finding(rise[0] - 1, limit, "at most", f"{case.workers} workers")


FINITE_PROOF = """
A job that takes y C, 0 < y <= x, raises p_old to p_old (U/L)^(y/k). So C (p_new - p_old) = p_old y C ((U/L)^(y/k) -
1)/y. As U >= L, the quotient is the slope of a chord from 0 of a convex function of y. So it does not decrease in y and
is at most ((U/L)^(x/k) - 1)/x <= eps.
Coq: dmlrs.v lemma10_finite. Objects: price12, eps12. In words: k is 1 - x for the repaired price and 1 for (12);
Definition 1 is its inequality.
- *U = L?* Then the price is constant; the two sides are 0 and p y C.
- *Why max(1, ...)?* Lemma 8 and 9 need eps >= 1; the bound itself does not.
"""


@REPAIRED.reading("repaired price", "The price is the repaired one, with k = 1 - x.", FINITE_PROOF, where=(WITHIN_CAP,))
@REPAIRED.reading(
    "printed price", "The price is (12), so k = 1.", FINITE_PROOF, repaired_price=False, where=(WITHIN_CAP,)
)
@LEMMA10_FINITE.false_variant("a third of eps", repaired_price=False, share=Fraction(1, 3))
@REPAIRED.false_variant("a third of eps", share=Fraction(1, 3))
def finite(case: PriceStep, repaired_price: bool = True, share: Fraction = ONE) -> Answer:
    y, x = case.share, case.cap
    if y > x:
        return Outside(WITHIN_CAP)
    k = 1 - x if repaired_price else ONE
    limit = max(ONE, (power(case.ratio, x / k)[1] - 1) / x)
    return Finding(power(case.ratio, y / k)[0] - 1, share * limit * y, "at most", f"{y} C of at most {x} C")
