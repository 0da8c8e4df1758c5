"""Simulated annealing, the common part of the local searches.

The annealing ends after all steps, at the time limit, or on the user's interrupt.
"""

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

GOES_ON = 10.0  # divides the first temperature of a search from a given schedule
PIECES = 100  # least number of times that the best schedule is stored and interrupts are tested
S = TypeVar("S")  # a schedule in the search's form


def read_start(file: Path, instance: AnyFamily) -> AnyFamily:
    """Return the schedule in a file, the initial schedule of a search.

    Raises
    ------
    InputError
        If the schedule is infeasible.
    """
    start: AnyFamily = read_schedule(file, instance)
    if violations := start.violations(instance):
        raise InputError(f"the initial schedule is infeasible (first violation: {violations[0]})", file=str(file))
    return start


class Annealing(ABC, Generic[S]):
    """A schedule during the search.

    Parameters
    ----------
    steps
        The total number of steps.
    total
        The cost of the initial schedule: its total JCT, or minus its utility.

    Attributes
    ----------
    best
        The best schedule so far, as returned by `present`.
    total
        The cost of the current schedule.
    """

    PIECE: ClassVar[int]  # largest number of steps between two tests for an interrupt

    def __init__(self, steps: int, total: int | Fraction) -> None:
        self.best, self.total, self._least = self.present(), total, total
        self._steps, self._made = steps, 0

    def __str__(self) -> str:
        return f"total JCT {self._least}"

    @abstractmethod
    def present(self) -> S:
        """Return the current schedule; later steps do not change the result."""

    @abstractmethod
    def anneal(self, count: int, part: float) -> int | Fraction:
        """Run ``count`` steps at the temperature of ``part``; return the cost change.

        ``part`` is the elapsed share of all steps, or of the time limit.
        """

    @property
    def done(self) -> float:
        """Return the share of the steps that have run."""
        return self._made / self._steps if self._steps else 1.0

    def step(self, context: Context) -> None:
        """Run some steps at the current temperature."""
        part = self.done
        if context.limited and context.time_limit:
            part = max(part, 1 - (context.remaining or 0.0) / context.time_limit)
        count = min(self.PIECE, -(-self._steps // PIECES), self._steps - self._made)
        with np.errstate(over="ignore"):  # random draws overflow if kernels are not compiled
            self.total += self.anneal(count, part)
        self._made += count
        if self.total < self._least:
            self.best, self._least = self.present(), self.total
        context.progress(str(self), self.done)

    def best_within(self, context: Context) -> S:
        """Return the best schedule that the search finds.

        Raises
        ------
        Interrupted
            On the user's interrupt, with the best schedule so far.
        """

        def work(limited: Context) -> S:
            limited.keep(self.best)
            while self.done < 1 and not limited.over:
                self.step(limited)
                limited.keep(self.best)
            return self.best

        best = best_within(context, work)
        return self.best if best is None else best
