"""Random prices per unit of the grid, and reference costs of schedules."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np

from schedproof.instances.dmlrs import Instance, Job
from schedproof.reference.dmlrs_given_prices import cost
from schedproof.reference.dmlrs_schedules import Use, placements


def drawn_prices(instance: Instance, rng: random.Random, slots: int, largest: int = 9) -> list[np.ndarray]:
    """Whole prices per unit, some 0; some slots repeat an earlier one's."""
    rows: list[np.ndarray] = []
    shape = (len(instance.machines), len(instance.resources))
    for _ in range(slots):
        fresh = np.array([rng.choice([0, rng.randrange(1, largest)]) for _ in range(shape[0] * shape[1])], dtype=float)
        rows.append(rng.choice(rows) if rows and rng.random() < 0.3 else fresh.reshape(shape))
    return rows


def by_spot(instance: Instance, slot: int, prices: np.ndarray) -> Use:
    """The prices (H, R) of a slot by (slot, machine, resource), per unit."""
    units = instance.grid.per_unit
    named = [(r, name, units[r]) for r, name in enumerate(instance.resources)]
    return {
        (slot, h, name): Fraction(float(prices[h, r])) * unit
        for h in range(len(instance.machines))
        for r, name, unit in named
    }


def cheapest(instance: Instance, job: Job, prices: list[np.ndarray]) -> list[Fraction | None]:
    """The least cost of completion within 1, 2, ... slots of the arrival, or None.

    ``prices[i]`` has shape (H, R), for slot arrival + i, per unit.
    """
    reach: dict[Fraction, Fraction] = {Fraction(0): Fraction(0)}  # samples trained -> cheapest cost
    found: list[Fraction | None] = []
    for slot, row in enumerate(prices, job.arrival):
        given, ways = by_spot(instance, slot, row), {Fraction(0): Fraction(0)}
        for placed in placements(instance, job, slot):
            gain, paid = placed.samples(job), cost(placed.use, given)
            ways[gain] = min(paid, ways.get(gain, paid))
        after: dict[Fraction, Fraction] = {}
        for (done, paid), (gain, more) in product(reach.items(), ways.items()):
            total = min(done + gain, Fraction(job.work))
            after[total] = min(paid + more, after.get(total, paid + more))
        reach = after
        found.append(reach.get(Fraction(job.work)))
    return found
