"""Many utilities (54) at once in plain doubles: values, first and second derivatives, and what is best at a price."""

from __future__ import annotations

import numpy as np

from schedproof.instances.multiserver.utility import VALUES, Rule

SLOPES: tuple[Rule, ...] = (
    lambda a, y: a + 0 * y,
    lambda a, y: a / (1 + y),
    lambda a, y: (y + a) ** -2.0,
    lambda a, y: a / (2 * np.sqrt(1 + y)),
)
CURVATURES: tuple[Rule, ...] = (
    lambda a, y: 0 * y,
    lambda a, y: a * (1 + y) ** -2.0,
    lambda a, y: 2 * (y + a) ** -3.0,
    lambda a, y: a / 4 * (1 + y) ** -1.5,
)
BEST: tuple[Rule, ...] = (
    lambda a, price: np.where(price < a, np.inf, 0.0),
    lambda a, price: a / price - 1,
    lambda a, price: price**-0.5 - a,
    lambda a, price: (a / (2 * price)) ** 2 - 1,
)


class Utilities:
    """An array of utilities; every method takes and gives arrays of its shape."""

    def __init__(self, kind: np.ndarray, alpha: np.ndarray) -> None:
        masks = [(code, kind == code) for code in range(len(VALUES))]
        self.groups = [(code, mine, alpha[mine]) for code, mine in masks if mine.any()]

    def values(self, amounts: np.ndarray) -> np.ndarray:
        """f."""
        return self._each(VALUES, amounts)

    def slopes(self, amounts: np.ndarray) -> np.ndarray:
        """f'."""
        return self._each(SLOPES, amounts)

    def curvatures(self, amounts: np.ndarray) -> np.ndarray:
        """-f''."""
        return self._each(CURVATURES, amounts)

    def best(self, prices: np.ndarray, most: np.ndarray) -> np.ndarray:
        """The y in [0, most] with the largest f(y) - price y; of several the least, or the most."""
        with np.errstate(divide="ignore", over="ignore"):  # of what is free one takes without end
            return np.clip(self._each(BEST, prices), 0, most)

    def _each(self, rules: tuple[Rule, ...], arguments: np.ndarray) -> np.ndarray:
        out = np.empty_like(arguments)
        for code, mine, alpha in self.groups:
            out[mine] = rules[code](alpha, arguments[mine])
        return out
