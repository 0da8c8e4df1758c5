"""Ski rental with the trust t in a prediction is (1 + t)-competitive for correct predictions.

Source: Purohit, Svitkina and Kumar, NeurIPS (2018).

The source covers all prices and trusts; here prices up to 12 are proven. With correct predictions only, a trust close
to 0 reaches the ratio 1.
"""

from fractions import Fraction

from predicted_ski import PredictedSki


class Consistency(PredictedSki):
    correct = True


def theory(price, trust):
    return 1 + trust


SYSTEM = Consistency
SIZES = tuple({"price": b, "trust": Fraction(1, t)} for b, t in ((6, 2), (6, 3), (12, 4)))
RELATION = "<="
KNOWN = "proven for these sizes"
