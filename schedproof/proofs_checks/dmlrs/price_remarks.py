"""Section 4.2: "interesting insights" on the bounds U^r and L of the price (12)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import PriceLevels
from schedproof.reference.dmlrs_enclosures import power

PRICE_REMARKS_RATIO = Claim(
    "dmlrs.price_remarks_ratio",
    YU22.at("section 4.2, 'Second, the reason that ...'"),
    "The larger the ratio of U^r/L is, the greater the price will be.",
    Domain.of(
        PriceLevels,
        draw.price_levels(),
        {
            "a full resource": lambda c: c.share == 1,
            "an empty resource": lambda c: c.share == 0,
            "partly used": lambda c: 0 < c.share < 1,
        },
    ),
    severity="slip",
)
REPAIRED = PRICE_REMARKS_RATIO.repair("With L fixed, the larger U^r/L, the greater the price.", small=True)


@PRICE_REMARKS_RATIO.reading("U fixed", "U is fixed and L falls, which the text argues for.")
def smaller_lowest(case: PriceLevels) -> Finding:
    after, before = price(case.low / case.factor, case.high, case.share), price(case.low, case.high, case.share)
    return Finding(after[1], before[0], "at least", "price for the smaller L, and for L")


LARGER_HIGHEST_PROOF = """
With L fixed, the price L (U/L)^s, 0 <= s <= 1, is L^(1-s) U^s. It does not decrease in U.
Coq, core: admission.v price_remarks. Outside: the price (12). (12) is the price with s = rho/C.
- *Is this the subject of the text?* No: the text explains why L does not depend on r, that is, why L is smaller. Then
the price L^(1-s) U^s with the smaller L is lower, except at a full resource.
- *'Greater' strictly?* At s = 0 the price is L for every U. For s > 0 and a larger U it is greater.
"""


@PRICE_REMARKS_RATIO.reading("L fixed", "L is fixed and U grows.", LARGER_HIGHEST_PROOF, also=REPAIRED)
@PRICE_REMARKS_RATIO.false_variant("twice the price", more=Fraction(2), also=REPAIRED)
def larger_highest(case: PriceLevels, more: Fraction = Fraction(1)) -> Finding:
    after, before = price(case.low, case.high * case.factor, case.share), price(case.low, case.high, case.share)
    return Finding(after[1], more * before[0], "at least", "price for the larger U, and for U")


def price(low: Fraction, high: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    ends = power(high / low, share)
    return low * ends[0], low * ends[1]


PRICE_REMARKS_LOWEST: Claim[PriceLevels] = Claim(
    "dmlrs.price_remarks_lowest",
    YU22.at("section 4.2, the same paragraph"),
    "With L^r in place of L the logarithmic ratio of Theorem 5 still holds, and the empirical performance is worse.",
)

PRICE_REMARKS_LOWEST.open_reading(
    "L^r", "A lowest price for each resource.", "a formula of L^r: (14) divides by the sum over all r"
)
