"""A policy that takes what is worth its weight, the game that it plays, its regret and its picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.context import USUAL, Context
from schedproof.core.pictures import axes
from schedproof.core.policy import ArrivalPolicy, DecidedBy, Decisions, Hidden, drive_arrivals
from schedproof.core.run import Run
from schedproof.instances.arriving import arrivals
from schedproof_toy.sack import Item, Packing, Sack


def drive(policy: ArrivalPolicy, sack: Sack, decided_by: DecidedBy, context: Context) -> Packing:
    """Show the items slot by slot; what is taken stays in the sack."""
    log = drive_arrivals(policy, Hidden(capacity=sack.capacity), arrivals(sack.items), context)
    items = tuple(np.concatenate([decisions.job for decisions in log]).tolist())
    return Packing(items, sack.sha256, decided_by.policy, decided_by.options, decided_by.seed)


class Threshold:
    """Takes what fits and is worth its weight."""

    def __init__(self, *, density: Fraction = Fraction(1), order: str = "file", context: Context = USUAL) -> None:
        self.density, self.shuffled, self.rng = density, order == "shuffled", np.random.default_rng(context.seed)

    def start(self, system: Hidden) -> None:
        """An empty sack."""
        self.left: Fraction = system.capacity
        self.taken: list[tuple[int, int]] = []

    def arrive(self, time: int, jobs: Sequence[Item]) -> None:
        """Decide on each item at once."""
        for i in self.rng.permutation(len(jobs)) if self.shuffled else range(len(jobs)):
            if jobs[i].weight <= self.left and jobs[i].value >= self.density * jobs[i].weight:
                self.left -= jobs[i].weight
                self.taken.append((time, jobs[i].index))

    def advance(self, until: int) -> Decisions:
        """What was taken since."""
        rows, self.taken = np.array(self.taken, dtype=np.int64).reshape(-1, 2), []
        return Decisions(rows[:, 0], rows[:, 1], {})


@dataclass(frozen=True)
class Regret:
    """By how much the best single item exceeds the run."""

    value: Fraction

    def to_json(self) -> dict[str, Any]:
        """The result object of ``regret --json``."""
        return {"regret": float(self.value)}

    def lines(self) -> list[str]:
        """What is printed."""
        return [f"regret {float(self.value):g}"]


def regret(run: Run) -> Regret:
    """Against the best item alone."""
    return Regret(max(item.value for item in run.instance.items) - run.objective)


def draw(packing: Packing, sack: Sack, ax: Any = None) -> Any:
    """The weights of what was taken, one upon the other."""
    ax, height = axes(ax, (2, 3)), 0.0
    for i in packing.items:
        ax.bar([0], [float(sack.items[i].weight)], bottom=height)
        height += float(sack.items[i].weight)
    return ax
