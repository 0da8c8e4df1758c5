"""Certified lower bounds on the total completion time: solve the LP, take the prices, and look at more slots."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from schedproof.core.bound import Bound, certified
from schedproof.core.context import USUAL, Context
from schedproof.core.errors import NoSolution
from schedproof.core.solving.linear_program import LinearProgram
from schedproof.instances.placement import Instance
from schedproof.relaxations.placement.certificate import BITS, StartPrices
from schedproof.relaxations.placement.matrix import MOST_ENTRIES, entries, start_lp
from schedproof.relaxations.placement.modes import ways

SECONDS = 60.0  # for the linear programs
FIRST_WINDOW = 8  # slots
AGREEMENT = 1e-6  # of the certificate with the LP, relative; below it the LP knows all slots that matter


def lp_bound(instance: Instance, *, context: Context = USUAL) -> Bound:
    """A certified lower bound on `placement.exact`, from the time-indexed LP.

    A task's window of slots grows while a start beyond it would be cheaper at the LP's prices than those that it has.
    Whatever ends that, the best prices so far prove a bound; prices of 0 prove what the tasks need alone.

    Raises
    ------
    NoSolution
        When a task can run on no cluster.
    """
    started, limited = perf_counter(), context.limited
    found = ways(instance)
    for task, here in zip(instance.tasks, found, strict=True):
        if not here:
            raise NoSolution(f"placement.lp: {task.name} can run on no cluster, so that there is no schedule to bound")
    best, most = StartPrices.free(instance), -1
    details: dict[str, Any] = {"rounds": 0, "ended": "out of time"}
    windows, context = [FIRST_WINDOW] * len(instance.tasks), context.usually(SECONDS)
    while True:
        if limited:
            context.keep(certified("placement.lp", best, instance, details, started=started))
        if context.over:
            break
        if entries(instance, found, windows) > MOST_ENTRIES:
            details |= {"ended": "the linear program is too large"}
            break
        lp = start_lp(instance, found, windows)
        solver = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
        outcome = solver.solve(context)
        if outcome.objective is None:
            break
        prices = StartPrices.of(instance, *lp.prices(solver.multipliers))
        least = prices.least(instance, found)
        value = sum(least) - prices.rent(instance)
        if value > most:
            best, most = prices, value
        details |= {"rounds": details["rounds"] + 1, "columns": lp.matrix.shape[1], "lp_value": outcome.objective}
        worth = solver.multipliers[: len(windows)]
        agreed = AGREEMENT * max(1.0, outcome.objective)
        cheaper = [
            alpha - units / (1 << BITS) > agreed / len(windows) for alpha, units in zip(worth, least, strict=True)
        ]
        if outcome.objective - most / (1 << BITS) <= agreed or not any(cheaper):
            details |= {"ended": "no start is left out that matters"}
            break
        windows = [2 * width if grows else width for width, grows in zip(windows, cheaper, strict=True)]
    return certified("placement.lp", best, instance, details, started=started)
