"""An ascent on prices: the steps of Polyak along subgradients of a concave function, which any prices >= 0 bound.

A step goes towards a target above the best value so far. The target comes closer when nothing is gained, and in the end
begins anew; directions remember the ones before.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from schedproof.core.runtime.context import Context, known_so_far

REMEMBERED = 0.7  # of the direction before
AIM = 0.05  # the first target, relative to the value
NEAR = 1e-5  # the last target, after which the first comes again
NOTABLE, PATIENCE = 0.05, 5  # a gain relative to what was aimed at; steps without one before the aim is halved

Concave = Callable[[np.ndarray], tuple[float, np.ndarray]]  # prices -> value, subgradient


class Ascent:
    """So many steps up a concave function of prices.

    Parameters
    ----------
    function
        The value at some prices, and a subgradient.
    prices
        To begin with.
    highest
        That a price may be.

    Attributes
    ----------
    worth, prices
        The best value so far, and where.
    step
        The number of the last step.
    """

    gap = inf  # what is reached from the other side is not known

    def __init__(self, function: Concave, prices: np.ndarray, steps: int, highest: float = inf) -> None:
        self._function, self._steps, self._highest = function, steps, highest
        self.worth, self.prices, self.step = -inf, prices, 0
        self._direction = np.zeros_like(prices)
        self._aim, self._idle = 0.0, 0
        self._look(prices)

    def __str__(self) -> str:
        return f"step {self.step} of {self._steps}: {known_so_far(None, self.worth)}"

    @property
    def done(self) -> float:
        """Which part of the steps is made."""
        return self.step / max(1, self._steps)

    def round(self, context: Context) -> str:
        """Make a step."""
        if self.step < self._steps:
            self._move()
            self.step += 1
        return "steps" if self.step >= self._steps else ""

    def _look(self, prices: np.ndarray) -> None:
        """Value and slope at some prices; the target, by whether something was gained."""
        self._at, (self._value, self._slope) = prices, self._function(prices)
        if self._aim <= NEAR * abs(self.worth):  # or at the beginning
            self._aim = AIM * max(1.0, abs(self._value))
        self._idle = 0 if self._value > self.worth + NOTABLE * self._aim else self._idle + 1
        if self._value > self.worth:
            self.worth, self.prices = self._value, prices

    def _move(self) -> None:
        """To the next prices."""
        direction = self._direction = REMEMBERED * self._direction + self._slope
        if self._idle == PATIENCE:
            self._aim, self._idle = self._aim / 2, 0
        direction[(self._at <= 0.0) & (direction < 0.0)] = 0.0
        prices, size = self._at, float(np.vdot(direction, direction))
        if size > 0.0:
            length = (self.worth + self._aim - self._value) / size
            prices = np.clip(prices + length * direction, 0.0, self._highest)
        self._look(prices)
