"""Machine classes: machines that are alike in a slot share rows of the R-DMLRS LP.

Machines are alike in a slot when the same amounts are free on them. Adding up the rows (8) of alike machines preserves
the optimum of the LP:

*  The optimum does not decrease, because a sum of rows follows from the rows.
*  The optimum does not increase. Permutations of alike machines in each slot turn schedules into schedules with equal
   progress. Let x satisfy the added rows. The mean of x over all such permutations has the same value, and spreads the
   use evenly over alike machines, so it satisfies the rows one by one.

By duality the multipliers of the added rows are optimal prices, equal on alike machines. Adding up the rows of
machines that differ relaxes the LP. Prices of the relaxed LP still prove a bound and are found fast: at equal prices
all placements of a given number of workers cost the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedproof.instances.dmlrs import Instance


@dataclass(frozen=True, eq=False)
class MachineClasses:
    """The classes of each slot, numbered from 0; K is the largest number in a slot.

    Attributes
    ----------
    of
        The class of each machine, shape (T, H).
    count
        The number of machines of each class, shape (T, K); 0 beyond a slot's last class.
    capacity
        The free amount on all machines of a class together, in units of the grid, shape (T, K, R), int64.
    """

    of: np.ndarray
    count: np.ndarray
    capacity: np.ndarray

    @classmethod
    def of_instance(cls, instance: Instance) -> MachineClasses:
        parts = [np.unique(free, axis=0, return_inverse=True) for free in instance.grid.free]
        kinds = np.stack([which.ravel() for _, which in parts])
        count = np.stack([np.bincount(row, minlength=kinds.max() + 1) for row in kinds])
        free = np.zeros((*count.shape, instance.grid.free.shape[2]), dtype=np.int64)
        for row, (rows, _) in zip(free, parts, strict=True):
            row[: len(rows)] = rows
        slots = np.minimum(np.arange(instance.horizon), len(parts) - 1)  # one row for all slots, or a row for each
        return cls(kinds[slots], count[slots], (count[:, :, None] * free)[slots])

    def merge(self) -> MachineClasses:
        machines = self.count.sum(axis=1, keepdims=True)
        return MachineClasses(np.zeros_like(self.of), machines, self.capacity.sum(axis=1, keepdims=True))

    def by_machine(self, prices: np.ndarray) -> np.ndarray:
        """Expand class prices, (T, K, R), to machine prices, (T, H, R)."""
        return np.take_along_axis(prices, self.of[:, :, None], axis=1)
