"""Rigorous one-sided values of utilities (54) and their conjugates, in doubles.

Every operation is an addition, multiplication, division or square root. It has a relative error of at most u = 2^-53
and the same result on every machine; the logarithm is a series. No operation under- or overflows for alpha in [1e-18,
1e18], slopes in [2^-300, 2^300], and amounts that are 0 or in [2^-900, 1e18].
"""

from __future__ import annotations

import numpy as np

from schedproof.instances.multiserver.utility import LINEAR, LOG, POLY, RECIPROCAL

LN2 = 0.6931471805599453  # ln 2 with a relative error below u
TERMS = 12  # terms of the series; the rest is below 2^-58 of the first term
MORE, LESS = 1 + 2.0**-43, 1 - 2.0**-43
UP, DOWN = 1 + 2.0**-50, 1 - 2.0**-50  # compensate five roundings


def excess(t: np.ndarray) -> np.ndarray:
    """Return ln(1 + t) - t/(1 + t), t >= 0, with a relative error below 2^-44.

    With z = t/(2 + t) the value is t z/(1 + t) + 2 (z^3/3 + z^5/5 + ...): positive terms, about fifty roundings. This
    covers t < 1/2, where z < 1/5. For t >= 1/2, 1 + t = m 2^e with m in [0.7, 1.42], and ln m is the same series, |z| <
    0.18. The error is at most (5 ln(1 + t) + 20) u, and the result is at least 0.072. The relative error is largest at
    t = 1/2, below 2^9 u.
    """
    mantissa, exponent = np.frexp(1 + t)
    low = mantissa < 0.7
    mantissa, exponent = np.where(low, 2 * mantissa, mantissa), exponent - low
    near = t < 0.5
    z = np.where(near, t / (2 + t), (mantissa - 1) / (mantissa + 1))
    square, series = z * z, np.full_like(z, 1 / (2 * TERMS + 1))
    for n in range(TERMS - 1, 0, -1):
        series = series * square + 1 / (2 * n + 1)
    rest = 2 * z * square * series
    return np.where(near, t * z / (1 + t) + rest, exponent * LN2 + (2 * z + rest) - t / (1 + t))


def conjugates(kind: np.ndarray, alpha: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return upper bounds on max over y >= 0 of f(y) - slope y.

    ``alpha`` is at least that of the utility (reciprocal: at most). ``slope`` is > 0, and for a linear utility at least
    alpha, because the maximum is infinite for a smaller slope.
    """
    root = alpha * np.sqrt(slope) * DOWN
    rules = {
        LINEAR: np.zeros_like(slope),
        LOG: alpha * excess(np.maximum(alpha - slope, 0) / slope),
        RECIPROCAL: np.maximum(1 - root, 0) ** 2 / alpha,
        POLY: np.maximum(alpha / 2 - slope, 0) ** 2 / slope,
    }
    return np.select([kind == code for code in rules], list(rules.values())) * MORE


def least_values(kind: np.ndarray, alpha: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Return lower bounds on f; ``alpha`` is rounded down (reciprocal: up)."""
    rules = {
        LINEAR: alpha * amounts,
        LOG: alpha * (excess(amounts) + amounts / (1 + amounts)),
        RECIPROCAL: amounts / (alpha * (amounts + alpha)),
        POLY: alpha * amounts / (np.sqrt(1 + amounts) + 1),
    }
    return np.select([kind == code for code in rules], list(rules.values())) * LESS
