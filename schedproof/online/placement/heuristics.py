"""The two heuristics of section V-A: any task of the pending set, with any or with the least allocation.

Beside the rules of `clusters`:

============================================  ==========================================================================
section V-A says                              done here
============================================  ==========================================================================
"randomly choose a task from the pending      each cluster, uniformly among those that fit now; so many of them, k, that
set"                                          its score in (11) is 1/k
"a random ... but valid amount"               uniformly among the allocations of the task that fit now, in the order of
                                              their amounts
"a ... minimum but valid amount"              the least of them by the amount of the first resource, then the second and
                                              so on: the task's minimum wherever that has a duration
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
    """A cluster chooses any task that fits now."""

    def __init__(self, *, window: int = 10, context: Context = USUAL) -> None:
        super().__init__(window=window)
        self.seed = context.seed

    def choose(self, view: View, n: int, candidates: Sequence[Shown]) -> Choice:
        """One of the candidates."""
        task = candidates[self.draw(view.slot, n, TASK, len(candidates))]
        allocation = self.allocation(view.slot, n, view.fitting(task, n))
        return Choice(task, Fraction(1, len(candidates)), allocation)

    def draw(self, slot: int, n: int, purpose: int, size: int) -> int:
        """A whole number from 0 to size - 1."""
        state = dice.mix(0, self.seed)
        for number in (slot, n, purpose):
            state = dice.mix(state, number)
        return dice.below(state, size)

    @abstractmethod
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        """Which of the allocations that fit."""


class Random(AnyTask):
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        """Any of them."""
        return sorted(fitting)[self.draw(slot, n, ALLOCATION, len(fitting))]


class Minimum(AnyTask):
    def allocation(self, slot: int, n: int, fitting: Sequence[Amounts]) -> Amounts:
        """The least of them."""
        return min(fitting)
