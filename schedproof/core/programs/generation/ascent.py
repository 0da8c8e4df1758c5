"""Polyak's subgradient ascent on prices: any prices >= 0 give a bound.

A step aims at a target above the best value. Without a gain the target moves closer to the best value; after the
closest target, the first distance is used again. Each direction includes a part of the previous direction.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from schedproof.core.runtime.context import Context, known_so_far

REMEMBERED = 0.7  # weight of the previous direction
AIM = 0.05  # the first target, relative to the value
NEAR = 1e-5  # the last target before the first one is used again
NOTABLE, PATIENCE = 0.05, 5  # a gain relative to the target; steps without one before the target is halved

Concave = Callable[[np.ndarray], tuple[float, np.ndarray]]  # prices -> value, subgradient


class Ascent:
    """Steps of ascent on a concave function of prices.

    Parameters
    ----------
    function
        Returns value and subgradient at some prices. The subgradient may omit last columns where all prices have been
        0 and all directions at most 0; it never gets narrower.
    prices
        Start.
    highest
        Upper limit of a price.

    Attributes
    ----------
    best_bound, prices
        The best value so far, and its prices.
    step
        The number of the last step.
    """

    gap = inf  # no primal value is known

    def __init__(self, function: Concave, prices: np.ndarray, steps: int, highest: float = inf) -> None:
        self._function, self._steps, self._highest = function, steps, highest
        self.best_bound, self.prices, self.step = -inf, prices, 0
        self._direction = np.zeros_like(prices)
        self._aim, self._idle = 0.0, 0
        self._look(prices)

    def __str__(self) -> str:
        return f"step {self.step} of {self._steps}: {known_so_far(None, self.best_bound)}"

    @property
    def done(self) -> float:
        """The fraction of the steps that are done."""
        return self.step / max(1, self._steps)

    def round(self, context: Context) -> str:
        """Make a step."""
        if self.step < self._steps:
            self._move()
            self.step += 1
        return "steps" if self.step >= self._steps else ""

    def _look(self, prices: np.ndarray) -> None:
        self._at, (self._value, self._slope) = prices, self._function(prices)
        if self._aim <= NEAR * abs(self.best_bound):  # also at the start
            self._aim = AIM * max(1.0, abs(self._value))
        self._idle = 0 if self._value > self.best_bound + NOTABLE * self._aim else self._idle + 1
        if self._value > self.best_bound:
            self.best_bound, self.prices = self._value, prices

    def _move(self) -> None:
        width = self._slope.shape[-1]
        at, direction = self._at[..., :width], self._direction[..., :width]
        direction *= REMEMBERED
        direction += self._slope
        if self._idle == PATIENCE:
            self._aim, self._idle = self._aim / 2, 0
        direction[(at <= 0.0) & (direction < 0.0)] = 0.0
        prices, size = self._at, float(np.vdot(self._direction, self._direction))
        if size > 0.0:
            length = (self.best_bound + self._aim - self._value) / size
            prices = np.zeros(prices.shape)
            np.clip(at + length * direction, 0.0, self._highest, out=prices[..., :width])
        self._look(prices)
