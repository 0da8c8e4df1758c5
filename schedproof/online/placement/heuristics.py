"""The heuristics of section V-A: a random task with a random or least amount.

In addition to the rules of `clusters`:

============================================  ==========================================================================
section V-A says                              implemented
============================================  ==========================================================================
"randomly choose a task from the pending      each cluster, uniformly among the k tasks that fit; its score in (11) is
set"                                          1/k
"a random ... but valid amount"               uniformly among the task's fitting allocations, in ascending order
"a ... minimum but valid amount"              the least of them by the first resource, then the second and so on: the
                                              task's minimum if this has a duration
============================================  ==========================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.placement.drive import Shown, View
from schedproof.instances.placement.entities import Amounts
from schedproof.online.placement import dice
from schedproof.online.placement.clusters import ByCluster, Choice

TASK, ALLOCATION = 0, 1  # purposes of a random choice


class AnyTask(ByCluster):
    """A cluster chooses a random task that fits now."""

    supports_breaks = True

    def __init__(self, *, window: int = 10, context: Context = USUAL) -> None:
        super().__init__(window=window)
        self.seed = context.seed

    def choose(self, view: View, n: int, candidates: Sequence[Shown]) -> Choice:
        task = candidates[self.draw(view.slot, n, TASK, len(candidates))]
        allocation = self.allocation(view.slot, n, view.fitting(task, n))
        return Choice(task, Fraction(1, len(candidates)), allocation)

    def draw(self, slot: int, n: int, purpose: int, size: int) -> int:
        """Return a random integer from 0 to size - 1."""
        state = dice.mix(0, self.seed)
        for number in (slot, n, purpose):
            state = dice.mix(state, number)
        return dice.below(state, size)

    @abstractmethod
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        """Return one of the fitting allocations."""


class Random(AnyTask):
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        return sorted(fitting)[self.draw(slot, n, ALLOCATION, len(fitting))]


class Minimum(AnyTask):
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        return min(fitting)
