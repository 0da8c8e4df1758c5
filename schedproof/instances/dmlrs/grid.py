"""Amounts of resources as integers: each resource has a unit of which every capacity and demand is a multiple.

Whether a placement fits is then decided by integer arithmetic, the same in a compiled kernel and in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.numbers import common_denominator
from schedproof.instances.dmlrs.instance import Instance, Job

LARGEST = 2**40  # units; times the most workers that a job can have it stays within 62 bits


@dataclass(frozen=True, eq=False)
class Grid:
    """The instance's amounts in units.

    Attributes
    ----------
    resources
        Their names, R of them.
    per_unit
        Units in one of the resource's own unit (1 GB, say), shape (R,), Python integers.
    capacity
        Shape (H, R), int64.
    free
        Capacity less what is reserved, shape (T, H, R) or (1, H, R) where nothing is, int64.
    """

    resources: tuple[str, ...]
    per_unit: tuple[int, ...]
    capacity: np.ndarray
    free: np.ndarray

    def at(self, slot: int) -> np.ndarray:
        """What is free in a slot, shape (H, R); not to be changed."""
        return self.free[min(slot, len(self.free) - 1)]

    def worker(self, job: Job) -> np.ndarray:
        """alpha, shape (R,), int64."""
        return self._demand(job.worker)

    def ps(self, job: Job) -> np.ndarray:
        """beta, shape (R,), int64."""
        return self._demand(job.ps)

    def _demand(self, amounts: object) -> np.ndarray:
        pairs = zip(self.resources, self.per_unit, strict=True)
        return np.array([int(amounts.get(r, 0) * n) for r, n in pairs], dtype=np.int64)  # type: ignore[attr-defined]


def grid(instance: Instance) -> Grid:
    """The grid of an instance."""
    columns = list(zip(instance.resources, units(instance), strict=True))
    capacity = np.array(
        [[int(m.capacity.get(name, 0) * unit) for name, unit in columns] for m in instance.machines], dtype=np.int64
    ).reshape(len(instance.machines), len(columns))
    free = np.repeat(capacity[None], instance.horizon if instance.reserved else 1, axis=0)
    at = {name: (r, unit) for r, (name, unit) in enumerate(columns)}
    for (slot, machine, name), amount in instance.reserved.items():
        r, unit = at[name]
        free[slot, machine, r] -= int(amount * unit)
    return Grid(instance.resources, tuple(unit for _, unit in columns), capacity, free)


def units(instance: Instance) -> tuple[int, ...]:
    """How many units one of each resource is: the least common denominator of its amounts.

    Raises
    ------
    InputError
        When a resource's amounts have so many digits between them that no common unit keeps them small.
    """
    names = instance.resources
    amounts: dict[str, set[Fraction]] = {name: set() for name in names}
    for row in (*(m.capacity for m in instance.machines), *(d for j in instance.jobs for d in (j.worker, j.ps))):
        for name, amount in row.items():
            amounts[name].add(amount)
    for (_, _, name), amount in instance.reserved.items():
        amounts[name].add(amount)
    result = tuple(common_denominator(amounts[name]) for name in names)
    for name, unit in zip(names, result, strict=True):
        if max(amounts[name], default=0) * unit > LARGEST:
            raise InputError(
                f"expected amounts of '{name}' with fewer digits:"
                f" in their common unit, 1/{unit}, they exceed {LARGEST}",
                path="resources",
            )
    return result
