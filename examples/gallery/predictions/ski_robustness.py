"""Ski rental with the trust t in a prediction is (1 + 1/t)-competitive for every prediction.

Source: Purohit, Svitkina and Kumar, NeurIPS (2018).

The source covers all prices and trusts; here prices up to 12 are proven.
"""

from fractions import Fraction

from predicted_ski import PredictedSki


def theory(price, trust):
    return 1 + 1 / trust


SYSTEM = PredictedSki
SIZES = tuple({"price": b, "trust": Fraction(1, t)} for b, t in ((6, 2), (6, 3), (12, 4)))
RELATION = "<="
KNOWN = "proven for these sizes"
