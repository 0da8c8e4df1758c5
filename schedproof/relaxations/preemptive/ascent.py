"""Prices for bounds at trace size, from a relaxed run and subgradient steps.

1. A preemptive run in weighted shortest processing time order gives each slot the density of the job that one more
   worker would speed up. A slot's price sums densities over later slots (`ascent_kernels.sum_densities`). With one
   class of workers and jobs of any parallelism these are optimal prices of the LP.
2. The price of a slot rises where the jobs together use more workers than there are, and falls elsewhere
   (`schedproof.core.programs.generation.ascent`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from schedproof.core.base.numbers import dyadic
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import read_bound
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.programs.generation.ascent import Ascent
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import Context
from schedproof.formulations.preemptive.index import require_no_breaks
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.ascent_kernels import NEVER, Market, marginal_densities, sum_densities
from schedproof.relaxations.preemptive.kinds import kinds_and_ways
from schedproof.relaxations.preemptive.prices import (
    BITS,
    LARGEST_PRODUCT,
    MOST_ENTRIES,
    NoRoom,
    Prices,
    require_memory,
)

LARGEST_PRICE = 2.0**30
SLOT_BYTES = 80.0  # bytes per slot of a chunk while its best slots are selected
OF_EACH_JOB = ("arrival", "chunks", "takes", "takes_in_cloud", "cloud", "length")
PIECE = 1000  # jobs between two checks for an interrupt


def market(instance: Instance, speed: Fraction) -> tuple[Market, np.ndarray]:
    """Return the instance as arrays and each class's kind, (classes,).

    Raises
    ------
    ProgramError
        If a job has no slot in which it could be trained, the jobs have too many slots, or the instance has breaks.
    """
    require_no_breaks(instance, "a price ascent or flow", "use the bound lp4 with prices=lp, or the method matrix")
    kind, ways_of = kinds_and_ways(instance)
    count = np.bincount(kind, [q.count for q in instance.classes]).astype(np.int64)
    delays_to_cloud = (instance.cloud_delay(job) for job in instance.jobs)
    columns = [
        [job.arrival for job in instance.jobs],
        [job.chunks for job in instance.jobs],
        [job.slots(speed=speed) for job in instance.jobs],
        [job.slots(in_cloud=True, speed=speed) for job in instance.jobs],
        [NEVER if delay is None else delay for delay in delays_to_cloud],
        [max(0, instance.last_slot(job, speed=speed) - job.arrival + 1) for job in instance.jobs],
        np.cumsum([0, *map(len, ways_of)]),
        [k for ways in ways_of for k, _ in ways],
        [delay for ways in ways_of for _, delay in ways],
    ]
    _require_countable(instance, speed)
    result = Market(count, *(np.array(column, dtype=np.int64) for column in columns))
    _require_room(instance, result)
    return result, kind


def _require_countable(instance: Instance, speed: Fraction) -> None:
    work = sum(job.chunks * job.slots(speed=speed) for job in instance.jobs)
    if (work + instance.horizon) << BITS >= LARGEST_PRODUCT:
        raise ProgramError(f"the jobs' {work} worker-slots are too many for exact prices; use prices=free")
    require_memory(instance, speed, SLOT_BYTES)


def _require_room(instance: Instance, market: Market) -> None:
    for job in instance.jobs:
        j, (first, last) = job.index, market.first[job.index : job.index + 2]
        landed = market.delay[first:last].min(initial=NEVER)
        on_edge = max(0, min(market.length[j], market.cloud[j]) - landed)
        in_cloud = max(0, market.length[j] - market.cloud[j])
        if on_edge * market.takes_in_cloud[j] + in_cloud * market.takes[j] < market.takes[j] * market.takes_in_cloud[j]:
            raise NoRoom(job)


def from_a_run(market: Market, horizon: int) -> np.ndarray:
    """Return prices (kinds, up to twice the run's slots) from a run by density."""
    horizon = min(horizon, MOST_ENTRIES // max(1, market.count.size))
    owner = np.repeat(np.arange(market.arrival.size), np.diff(market.first))
    leaves = np.flatnonzero(market.cloud < NEVER)
    time = np.concatenate([market.arrival[owner] + market.delay, market.arrival[leaves] + market.cloud[leaves]])
    events = np.stack([time, np.concatenate([owner, leaves])], axis=1)
    events = events[np.argsort(time, kind="stable")]
    order = np.argsort(market.chunks * market.takes, kind="stable")
    prices: np.ndarray = marginal_densities(market, order, events, horizon)
    sum_densities(prices)
    later = min(horizon, 2 * prices.shape[1]) - prices.shape[1]
    return np.pad(prices, ((0, 0), (0, later)))


def lowest_by_kind(units: np.ndarray, market: Market, kinds: np.ndarray) -> np.ndarray:
    """Reduce class prices (classes, slots) to each kind's lowest, (kinds, slots)."""
    lowest = [units[kinds == kind].min(axis=0) for kind in range(market.count.size)]
    return np.array(lowest, dtype=units.dtype).reshape(market.count.size, units.shape[1])


def first_prices(instance: Instance, market: Market, kinds: np.ndarray, start: Path | None) -> np.ndarray:
    """Initial prices (kinds, slots), from a certificate's file or a run.

    Raises
    ------
    InputError
        For a file that is not a price certificate of this instance.
    """
    of_run = from_a_run(market, instance.horizon)
    if start is None:
        return of_run
    result = getattr(read_bound(start, instance).witness, "prices", None)
    if not isinstance(result, Prices):
        raise InputError("expected a bound proven by prices: preemptive.lp4 or a configuration_lp", file=str(start))
    given = np.ldexp(lowest_by_kind(result.units, market, kinds).astype(float), -BITS)
    return np.pad(given, ((0, 0), (0, max(0, of_run.shape[1] - given.shape[1]))))


def in_pieces(market: Market) -> list[tuple[slice, Market]]:
    """Yield the jobs in pieces, each with its restricted market."""
    result = []
    for begin in range(0, market.arrival.size, PIECE):
        jobs = slice(begin, begin + PIECE)
        columns = {name: getattr(market, name)[jobs] for name in OF_EACH_JOB}
        result.append((jobs, market._replace(**columns, first=market.first[begin : begin + PIECE + 1])))
    return result


def _end(array: np.ndarray) -> int:
    """Return the number of columns up to the last one that is not 0."""
    return int(np.flatnonzero(array.any(axis=0)).max(initial=-1)) + 1


Use = Callable[[np.ndarray, np.ndarray], float]  # prices, workers used (added to) -> the total cost of all jobs


def best_bound(
    use: Use, market: Market, prices: np.ndarray, steps: int, prove: Callable[[np.ndarray], Bound], context: Context
) -> Bound:
    """Return the best bound of the ascent's steps; some intermediate bounds are kept.

    Parameters
    ----------
    prices
        Initial prices, (kinds, slots).
    prove
        Computes the bound from prices of the kinds in units of 2^-BITS.
    """

    width = _end(prices)  # columns up to the last price above 0 and the last worker used so far

    def function(prices: np.ndarray) -> tuple[float, np.ndarray]:
        nonlocal width
        excess = np.zeros(prices.shape)
        value = use(prices, excess) - float(market.count @ prices.sum(axis=1))
        width = max(width, _end(excess))
        return value, excess[:, :width] - market.count[:, None]

    def certify() -> Bound:
        bound = prove(dyadic(ascent.prices, BITS))
        bound.details["steps"] = ascent.step
        return bound

    ascent = Ascent(function, prices, steps, LARGEST_PRICE)
    bound, _ = generate(ascent, certify, context)
    return bound
