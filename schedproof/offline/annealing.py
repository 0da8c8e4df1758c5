"""What the searches share: steps at random, ever colder, until they are made, time is over or the user interrupts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import best_within
from schedproof.instances import read_schedule

GOES_ON = 10.0  # times as cold, a search that goes on with what one has found
PIECES = 100  # between which the best is kept and an interrupt is felt, at least
S = TypeVar("S")  # a schedule, as the search has it


def read_start(file: Path, instance: AnyFamily) -> AnyFamily:
    """The schedule in a file, for a search to go on from.

    Raises
    ------
    InputError
        When it is not feasible.
    """
    start: AnyFamily = read_schedule(file, instance)
    if violations := start.violations(instance):
        raise InputError(f"expected a feasible schedule to begin with (first: {violations[0]})", file=str(file))
    return start


class Annealing(ABC, Generic[S]):
    """A schedule while it is searched.

    Parameters
    ----------
    steps
        How many are tried in all.
    total
        What the schedule that the search begins with costs: its total JCT, or less than nothing where it earns.

    Attributes
    ----------
    best
        The best schedule so far, as `present` has it.
    total
        What the present one costs.
    """

    PIECE: ClassVar[int]  # steps between two moments at which an interrupt is felt, at most

    def __init__(self, steps: int, total: int | Fraction) -> None:
        self.best, self.total, self._least = self.present(), total, total
        self._steps, self._made = steps, 0

    def __str__(self) -> str:
        return f"total JCT {self._least}"

    @abstractmethod
    def present(self) -> S:
        """The present schedule, which later steps leave as it is."""

    @abstractmethod
    def anneal(self, count: int, part: float) -> int | Fraction:
        """Make so many steps, as cold as this part of all steps, or of the time; by how much the total changes."""

    @property
    def done(self) -> float:
        """Which part of the steps is made."""
        return self._made / self._steps if self._steps else 1.0

    def step(self, context: Context) -> None:
        """Make some steps, as cold as they, or the time, have come near their end."""
        part = self.done
        if context.limited and context.time_limit:
            part = max(part, 1 - (context.remaining or 0.0) / context.time_limit)
        count = min(self.PIECE, -(-self._steps // PIECES), self._steps - self._made)
        with np.errstate(over="ignore"):  # of draws, where kernels are not compiled
            self.total += self.anneal(count, part)
        self._made += count
        if self.total < self._least:
            self.best, self._least = self.present(), self.total
        context.progress(str(self), self.done)

    def best_within(self, context: Context) -> S:
        """The best schedule that the search finds.

        Raises
        ------
        Interrupted
            When the user has interrupted it, with the best so far.
        """

        def work(limited: Context) -> S:
            limited.keep(self.best)
            while self.done < 1 and not limited.over:
                self.step(limited)
                limited.keep(self.best)
            return self.best

        best = best_within(context, work)
        return self.best if best is None else best
