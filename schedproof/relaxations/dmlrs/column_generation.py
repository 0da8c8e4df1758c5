"""R-DMLRS's LP by column generation: the best-schedule oracle prices the master's multipliers out.

Every round gives a value (the master's, from below) and proves a bound (`Pricing`, from above). The master's prices
jump about; those that are tried lie between them and the prices of the best bound (Wentges), and are the master's own
when that finds no improving schedule. Progress is counted coarsely until that finds nothing more, and then finely.

Where machines differ, the rows of all machines of a slot are first taken together: the bound of that relaxation is
close and found fast, and its prices are where the search for the machines' own begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter

import numpy as np

from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs import pool
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.pricing import Priced, Wish
from schedproof.relaxations.dmlrs.search import Search

MERGED_GAP, MERGED_TIME = 1e-3, 0.5  # gap, and part of the time, up to which all machines are taken together
SAVED_EVERY = 20.0  # seconds


@dataclass(frozen=True)
class Round:
    """How far column generation has come.

    Attributes
    ----------
    value, bound
        The LP's optimum lies between them; while all machines are taken together the value says nothing.
    columns
        Schedules generated.
    seconds
        Since the beginning.
    """

    number: int
    value: float
    bound: float
    columns: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"round {self.number}: {self.columns} schedules, LP {self.value:.6g}, bound {self.bound:.6g}, "
            f"gap {self.gap:.2%}, {self.seconds:.0f} s"
        )

    @property
    def gap(self) -> float:
        """(bound - value) / bound."""
        return max(0.0, self.bound - self.value) / self.bound if self.bound > 0 else 0.0


Report = Callable[[Round], None]


@dataclass(frozen=True, eq=False)
class Generated:
    """What column generation found.

    Attributes
    ----------
    last
        The last round.
    best
        The prices that prove the best bound.
    plans
        The generated schedules: columns for the program ``dmlrs.rdmlrs``.
    ended
        ``gap``: it is as small as it should be; ``converged``: no schedule improves the LP at this fineness; ``time``;
        ``solver``: the master could not be solved.
    """

    last: Round
    best: Priced
    plans: list[Plan] = field(repr=False)
    ended: str


def column_generation(
    instance: Instance,
    *,
    time_limit: float | None = None,
    gap: float = 0.0,
    fineness: Wish = "auto",
    resume: Path | None = None,
    progress: Report = lambda _: None,
) -> Generated:
    """Generate columns until the gap is small enough, nothing improves, or time is up; one round at least.

    Parameters
    ----------
    resume
        A file to which the state is written now and then and in the end, even when interrupted; if it is there already,
        generation goes on from it.
    progress
        Told of every round.
    """
    started, number = perf_counter(), 0
    classes = MachineClasses.of_instance(instance)
    own = Search(instance, classes, fineness)
    limit = inf if time_limit is None else time_limit
    stages = [(own, gap, started + limit)]
    if resume is not None and resume.exists():
        own.start(*pool.read(resume, instance, classes.capacity.shape))
    if own.several:
        together = Search(instance, classes.merged(), fineness)
        together.start(own.master.plans, together.master.prices)
        stages.insert(0, (together, max(gap, MERGED_GAP), started + MERGED_TIME * limit))
    state = _State(instance, [search for search, _, _ in stages], resume)
    try:
        for search, goal, until in stages:
            if search is not state.searches[0]:
                own.start(together.master.plans, state.prices())
            ended = ""
            while not ended:
                ended, number = search.round(until), number + 1
                seconds, columns = perf_counter() - started, len(search.master.plans)
                last = Round(number, own.master.value, state.best().bound, columns, seconds)
                progress(last)
                state.save(SAVED_EVERY)
                if search.gap <= goal:
                    ended = "gap"
                elif perf_counter() >= until:
                    ended = "time"
    finally:
        state.save()
    return Generated(last, own.best, own.master.plans, ended)


class _State:
    """What the searches have found, and the file that keeps it."""

    def __init__(self, instance: Instance, searches: list[Search], path: Path | None) -> None:
        self.instance, self.searches, self.path = instance, searches, path
        self.saved = perf_counter()

    def best(self) -> Search:
        """The search with the best bound."""
        return min(self.searches, key=lambda search: search.bound)

    def prices(self) -> np.ndarray:
        """Those of the best bound, for the finest of the searches' classes."""
        return np.broadcast_to(self.best().best.doubles, self.searches[-1].master.prices.shape)

    def save(self, after: float = 0.0) -> None:
        """Write the file, if so many seconds have gone by since the last time."""
        if self.path is None or perf_counter() - self.saved < after:
            return
        plans = [plan for search in self.searches for plan in search.master.plans]
        pool.write(self.path, self.instance, plans, self.prices())
        self.saved = perf_counter()
