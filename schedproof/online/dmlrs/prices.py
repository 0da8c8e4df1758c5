"""Prices of machine-slots that grow exponentially with use (12), as logarithms.

    ln p = ln L + (rho / ((1 - x) C)) ln(U^r / L)

rho is the used or reserved amount of a resource of a machine in a slot, C its capacity, and x the largest share of a
machine-slot that a job may take (x = 0 in the printed price). U^r / L can be e^hundreds. So a job receives the prices
divided by the largest price, and the logarithm of the largest price.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np

from schedproof.instances.dmlrs.extremes import Extremes
from schedproof.instances.dmlrs.grid import Grid


class Prices:
    """The prices of every machine-slot; accepted jobs raise them.

    Parameters
    ----------
    extremes
        ln U^r and ln L. A resource that no job uses costs nothing; if no job has utility, all resources cost nothing.
    share
        The share x, in [0, 1).
    """

    def __init__(self, grid: Grid, horizon: int, extremes: Extremes, share: Fraction) -> None:
        self.capacity = grid.capacity
        self.used = np.broadcast_to(grid.capacity, (horizon, *grid.capacity.shape)) - np.stack(
            [grid.at(t) for t in range(horizon)]
        )
        self._low = extremes.log_lowest
        self._priced = np.array([name in extremes.log_highest and self._low is not None for name in grid.resources])
        low = 0.0 if self._low is None else self._low
        rise = np.array([extremes.log_highest.get(name, low) - low for name in grid.resources])
        scale = np.maximum(grid.capacity, 1) * float(1 - share)  # a resource without capacity is never taken
        self._rise = rise / scale
        self._per_unit = np.log(np.array([float(n) for n in grid.per_unit]))
        self.max_workers = np.array(
            [[int(share * c) for c in row] for row in grid.capacity.tolist()] if share else grid.capacity
        )

    def free(self, slot: int) -> np.ndarray:
        """Return the amounts that a job may take in a slot, in units, (H, R), int64."""
        return np.minimum(self.capacity - self.used[slot], self.max_workers)

    def seen_from(self, slot: int) -> tuple[np.ndarray, float]:
        """Return the scaled prices of all slots from ``slot`` on, and the scale's log.

        Returns
        -------
        tuple
            Prices per unit divided by the largest price, shape (T - slot, H, R), float64 in [0, 1]; its logarithm, 0 if
            all prices are 0.
        """
        if self._low is None or not self._priced.any():
            return np.zeros(self.used[slot:].shape), 0.0
        logs = self._low - self._per_unit + self.used[slot:] * self._rise
        largest = float(logs[..., self._priced].max())
        return np.where(self._priced, np.exp(np.minimum(logs - largest, 0.0)), 0.0), largest

    def take(self, slot: int, machine: int, amounts: np.ndarray) -> None:
        """Take amounts (R,) of a machine-slot, in units; a full resource blocks jobs."""
        self.used[slot, machine] += amounts


def scale_costs(cost: np.ndarray, log_scale: float) -> np.ndarray:
    """Multiply costs by e^log_scale; inf on overflow, never nan."""
    if log_scale < 700:
        return cost * exp(log_scale)
    return np.where(cost > 0, np.inf, cost)
