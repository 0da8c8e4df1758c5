"""Ski rental with a prediction and the parameter lambda is (1 + 1/lambda)-competitive for every prediction.

Source: Purohit, Svitkina and Kumar, NeurIPS (2018).

The source covers all prices and lambda in (0, 1); here prices up to 12 are proven.
"""

from fractions import Fraction

from predicted_ski import PredictedSki


def theory(price, lambda_):
    return 1 + 1 / lambda_


SYSTEM = PredictedSki
SIZES = tuple({"price": b, "lambda_": Fraction(1, n)} for b, n in ((6, 2), (6, 3), (12, 4)))
RELATION = "<="
KNOWN = "proven for these sizes"
