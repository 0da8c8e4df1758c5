"""Certified lower bounds on the total completion time: generate starts, and prove what the best prices say."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from schedproof.core.bound import Bound, certified
from schedproof.core.context import USUAL, Context
from schedproof.core.errors import NoSolution
from schedproof.core.solving.linear_program import LinearProgram
from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.certificate import BITS, MOST_ENTRIES, StartPrices
from schedproof.relaxations.placement.first_schedule import first_schedule
from schedproof.relaxations.placement.matrix import StartLP, cheaper_starts, early_starts
from schedproof.relaxations.placement.modes import Ways, ways

SECONDS = 60.0  # for the linear programs
EARLY = 4  # slots from arrival on in which every mode may start at first
AGREEMENT = 1e-6  # of what is proven with the LP, relative


def lp_bound(instance: Instance, *, context: Context = USUAL) -> Bound:
    """A certified lower bound on `placement.exact`, from the time-indexed LP.

    Starts are added to the LP while there are some that cost less, at its prices, than their task is worth. Whatever
    ends that, the best prices so far prove a bound; prices of 0 prove what the tasks need alone.

    Raises
    ------
    NoSolution
        When a task can run on no cluster.
    """
    started = perf_counter()
    result = ways(instance)
    for task, here in zip(instance.tasks, result, strict=True):
        if not here:
            raise NoSolution(f"placement.lp: {task.name} can run on no cluster, so that there is no schedule to bound")
    best, limit, clock = StartPrices.free(instance), -1, context.with_default_limit(SECONDS)
    details: dict[str, Any] = {"rounds": 0, "ended": "out of time"}
    if context.limited:
        context.keep(certified("placement.lp", best, instance, details, started=started))
    if _entries(instance, result) > MOST_ENTRIES:
        details["ended"] = "the linear program would be too large"
        return certified("placement.lp", best, instance, details, started=started)
    first = first_schedule(instance, result)
    lp = StartLP(instance, int((first[:, 2] + first[:, 3]).max(initial=1)))
    starts = np.concatenate([first, early_starts(instance, result, EARLY)])
    solver = LinearProgram(lp.costs(starts), lp.columns(starts), *lp.sides)
    columns = len(starts)
    while not clock.over and (outcome := solver.solve(clock)).objective is not None:
        prices = lp.prices(solver.multipliers)
        if (units := prices.units(instance, result)) > limit:
            best, limit = prices, units
        details |= {"rounds": details["rounds"] + 1, "columns": columns, "lp_value": outcome.objective}
        if context.limited:
            context.keep(certified("placement.lp", best, instance, details, started=started))
        starts = cheaper_starts(instance, result, prices, solver.multipliers[: len(instance.tasks)])
        if not len(starts) or outcome.objective - limit / (1 << BITS) <= AGREEMENT * max(1.0, outcome.objective):
            details["ended"] = "no start is left out that matters"
            break
        solver.add_columns(lp.costs(starts), lp.columns(starts))
        columns += len(starts)
    return certified("placement.lp", best, instance, details, started=started)


def _entries(instance: Instance, found: Ways) -> int:
    """The entries of the first columns and of the prices, at most: the first schedule ends by ``instance.enough``."""
    slots = sum(int((1 + modes.slots).sum()) for here in found for _, modes in here)
    return (1 + len(instance.resources)) * (EARLY * slots + len(instance.clusters) * instance.enough)
