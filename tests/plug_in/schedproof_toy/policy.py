"""A policy that takes items of sufficient density, its game, and its picture."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.runtime.context import Context
from schedproof.core.simulation.pictures import axes
from schedproof.core.simulation.policy import ArrivalPolicy, DecidedBy, Decisions, Hidden, drive_arrivals
from schedproof.instances.arriving import arrivals
from schedproof_toy.sack import Item, Packing, Sack


def drive(policy: ArrivalPolicy, sack: Sack, decided_by: DecidedBy, context: Context) -> Packing:
    """Show the items slot by slot; taken items stay in the sack."""
    decided = drive_arrivals(policy, Hidden(capacity=sack.capacity), arrivals(sack.items), context)
    return Packing.by(decided_by, sack, tuple(decided.job.tolist()))


class Threshold:
    def __init__(self, *, density: Fraction) -> None:
        self.density = density

    def start(self, system: Hidden) -> None:
        self.left: Fraction = system.capacity
        self.taken: list[tuple[int, int]] = []

    def arrive(self, time: int, jobs: Sequence[Item]) -> None:
        """Decide on each item at once."""
        for item in jobs:
            if item.weight <= self.left and item.value >= self.density * item.weight:
                self.left -= item.weight
                self.taken.append((time, item.index))

    def advance(self, until: int) -> Decisions:
        rows, self.taken = np.array(self.taken, dtype=np.int64).reshape(-1, 2), []
        return Decisions(rows[:, 0], rows[:, 1], {})


def draw(packing: Packing, sack: Sack, ax: Any = None) -> Any:
    """Draw the weights of the taken items."""
    ax, items = axes(ax, (3, 2)), [sack.items[i] for i in packing.items]
    ax.bar([item.name for item in items], [float(item.weight) for item in items])
    return ax
