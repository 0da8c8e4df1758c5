"""Certified lower bounds on the total completion time, by column generation."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from schedproof.core.certificates.bound import Bound, bound_of
from schedproof.core.errors import NoSolution
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.certificate import BITS, MOST_ENTRIES, StartPrices
from schedproof.relaxations.placement.first_schedule import first_schedule
from schedproof.relaxations.placement.matrix import StartLP, cheaper_starts, early_starts
from schedproof.relaxations.placement.modes import Ways, ways

SECONDS = 60.0  # for the linear programs
EARLY = 4  # initial columns: starts of every mode in so many slots from arrival on
AGREEMENT = 1e-6  # relative gap between bound and LP at which generation ends


def lp_bound(instance: Instance, *, context: Context = USUAL) -> Bound:
    """Column generation finds the prices.

    Starts are added to the LP while some start costs less, at the LP's prices, than the dual value of its task. The
    best prices so far always prove a bound; prices of 0 prove the sum of the tasks' shortest modes.

    Raises
    ------
    NoSolution
        When a task can run on no cluster.
    """
    started = perf_counter()
    result = ways(instance)
    for task, here in zip(instance.tasks, result, strict=True):
        if not here:
            raise NoSolution(f"placement.lp: task '{task.name}' can run on no cluster, so no schedule exists")
    search = Starts(instance, result)

    def prove() -> Bound:
        return bound_of("placement.lp", search.best, instance, search.details, started=started)

    if _entries(instance, result) > MOST_ENTRIES:
        bound, ended = prove(), "the linear program would be too large"
    else:
        search.begin()
        bound, ended = generate(search, prove, context.with_default_limit(SECONDS))
    return replace(bound, details=bound.details | search.details | ({"ended": ended} if ended != "time" else {}))


class Starts:
    """The linear program over generated starts, and the best prices of its rounds.

    Attributes
    ----------
    best, best_bound
        Prices, and their bound in units.
    """

    gap, done = inf, None

    def __init__(self, instance: Instance, found: Ways) -> None:
        self._instance, self._ways = instance, found
        self.best, self.best_bound = StartPrices.free(instance), -1
        self.details: dict[str, Any] = {"rounds": 0, "ended": "out of time"}

    def __str__(self) -> str:
        return f"round {self.details['rounds']}: bound {self.best_bound / (1 << BITS):.8g}"

    def begin(self) -> None:
        first = first_schedule(self._instance, self._ways)
        self._lp = StartLP(self._instance, int((first[:, 2] + first[:, 3]).max(initial=1)))
        starts = np.concatenate([first, early_starts(self._instance, self._ways, EARLY)])
        self._solver = LinearProgram(self._lp.costs(starts), self._lp.columns(starts), *self._lp.sides)
        self._columns = len(starts)

    def round(self, context: Context) -> str:
        outcome = self._solver.solve(context)
        if outcome.objective is None:
            return "time"
        prices = self._lp.prices(self._solver.multipliers)
        if (units := prices.units(self._instance, self._ways)) > self.best_bound:
            self.best, self.best_bound = prices, units
        self.details |= {"rounds": self.details["rounds"] + 1, "columns": self._columns, "lp_value": outcome.objective}
        multipliers = self._solver.multipliers[: len(self._instance.tasks)]
        starts = cheaper_starts(self._instance, self._ways, prices, multipliers)
        rest = outcome.objective - self.best_bound / (1 << BITS)
        if not len(starts) or rest <= AGREEMENT * max(1.0, outcome.objective):
            return "no missing start improves the LP"
        self._solver.add_columns(self._lp.costs(starts), self._lp.columns(starts))
        self._columns += len(starts)
        return ""


def _entries(instance: Instance, found: Ways) -> int:
    slots = sum(int((1 + modes.slots).sum()) for here in found for _, modes in here)
    return (1 + len(instance.resources)) * (EARLY * slots + len(instance.clusters) * instance.enough)
