"""Resource amounts as integers, so that compiled kernels compare them exactly.

Each resource has a unit of which every capacity and demand is a multiple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import common_denominator
from schedproof.core.errors import InputError
from schedproof.instances.dmlrs.job import Job, Machine
from schedproof.instances.dmlrs.reserved import Reserved

LARGEST_AMOUNT = 2**40  # units; times the most workers of a job this stays within 62 bits


@dataclass(frozen=True, eq=False)
class Grid:
    """The instance's amounts in integer units.

    Attributes
    ----------
    resources
        The R names.
    per_unit
        Integer units in one unit of the resource (for example 1 GB), shape (R,), Python integers.
    capacity
        Shape (H, R), int64.
    free
        Unreserved capacity, int64: shape (T, H, R), or (1, H, R) without reservations.
    """

    resources: tuple[str, ...]
    per_unit: tuple[int, ...]
    capacity: np.ndarray
    free: np.ndarray

    def at(self, slot: int) -> np.ndarray:
        """Return the free amounts in a slot, shape (H, R); read only."""
        return self.free[min(slot, len(self.free) - 1)]

    def worker(self, job: Job) -> np.ndarray:
        """alpha, shape (R,), int64."""
        return _in_units(self.resources, self.per_unit, job.worker)

    def ps(self, job: Job) -> np.ndarray:
        """beta, shape (R,), int64."""
        return _in_units(self.resources, self.per_unit, job.ps)


def grid(
    horizon: int, resources: tuple[str, ...], machines: Sequence[Machine], jobs: Sequence[Job], reserved: Reserved
) -> Grid:
    per_unit = units(resources, machines, jobs, reserved)
    rows = [_in_units(resources, per_unit, machine.capacity) for machine in machines]
    capacity = np.array(rows, dtype=np.int64).reshape(len(machines), len(resources))
    free = np.repeat(capacity[None], horizon if reserved else 1, axis=0)
    at = {name: (r, unit) for r, (name, unit) in enumerate(zip(resources, per_unit, strict=True))}
    for (slot, machine, name), amount in reserved.items():
        r, unit = at[name]
        free[slot, machine, r] -= int(amount * unit)
    return Grid(resources, per_unit, capacity, free)


def units(
    resources: Sequence[str], machines: Sequence[Machine], jobs: Sequence[Job], reserved: Reserved
) -> tuple[int, ...]:
    """Return each resource's common denominator: integer units per original unit.

    Raises
    ------
    InputError
        If an amount in the resource's common unit exceeds `LARGEST_AMOUNT`.
    """
    amounts: dict[str, set[Fraction]] = {name: set() for name in resources}
    for row in (*(m.capacity for m in machines), *(d for j in jobs for d in (j.worker, j.ps))):
        for name, amount in row.items():
            amounts[name].add(amount)
    for (_, _, name), amount in reserved.items():
        amounts[name].add(amount)
    result = tuple(common_denominator(amounts[name]) for name in resources)
    for name, unit in zip(resources, result, strict=True):
        if max(amounts[name], default=0) * unit > LARGEST_AMOUNT:
            raise InputError(
                f"expected amounts of '{name}' with fewer digits:"
                f" in their common unit, 1/{unit}, they exceed {LARGEST_AMOUNT}",
                path="resources",
            )
    return result


def _in_units(resources: Sequence[str], per_unit: Sequence[int], amounts: Mapping[str, Fraction]) -> np.ndarray:
    pairs = zip(resources, per_unit, strict=True)
    return np.array([int(amounts.get(name, 0) * unit) for name, unit in pairs], dtype=np.int64)
