"""The LP of (4) by classes as a min-cost flow, if each job has one rate.

A job has one rate p if it may not use the cloud, may use only the cloud, or trains equally fast there. Then D p worker
slots flow from each job (4a),

    job  -- D at most (4e) -->  (kinds, slot)  -->  (kind, slot)  -- W at most (4b) -->  sink,

where equal classes are one kind, and (kinds, slot) combines the kinds at which a job has landed by this slot. For other
jobs the LP is not a flow. In its last slot a job with rates p and p' has an edge and a cloud column, with entries

    1/p   1/p'
     1     1

in the rows (4a) and (4e). Scaling preserves p'/p, the quotient of the two diagonals' products. A flow's matrix is
totally unimodular, so the quotient would be 1.

The flow lists a window of each job's slots, from its arrival on. A job may have any number of later slots at the cost
of the first one after its window: a relaxation, whose optimum and prices prove a bound. If no job uses such slots, the
flow is optimal in the LP. Otherwise the windows of those jobs grow.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

from schedproof.core.errors import NoSolution, ProgramError, SchedproofError
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import Context, known_so_far
from schedproof.core.solvers import flow
from schedproof.core.solvers.potentials import potentials
from schedproof.relaxations.preemptive.ascent import from_a_run
from schedproof.relaxations.preemptive.ascent_kernels import NEVER, Market, lp_use
from schedproof.relaxations.preemptive.prices import LARGEST_PRODUCT

ARC_BYTES = 250.0  # measured: 190
FIRST_WINDOW = 1.6  # factor on a job's longest wait at the prices of a relaxed run
ANYWHERE = -1  # the kinds of a cloud slot, which has a worker for every chunk
INSTEAD = "use prices=ascent"


def one_rate(market: Market) -> np.ndarray | None:
    """Return a chunk's slots, (jobs,), if each job has one rate; else None."""
    landed = np.full(market.arrival.size, NEVER)
    np.minimum.at(landed, np.repeat(np.arange(landed.size), np.diff(market.first)), market.delay)
    at_edge, in_cloud = landed < market.length, market.cloud < market.length
    if np.any(at_edge & in_cloud & (market.takes != market.takes_in_cloud)):
        return None
    return np.where(at_edge, market.takes, market.takes_in_cloud)


class Stretches(NamedTuple):
    """Stretches of a job's slots with the same kinds, counted from arrival."""

    job: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    kinds: np.ndarray


class SlotFlow:
    """Flows with windows that grow until no job uses a slot after its window.

    Parameters
    ----------
    rate
        The slots of a chunk, by job.
    half
        The number of halves of the processing time in a slot's cost, in addition to its wait.
    scale
        Costs are in multiples of 1/scale, rounded to nearest.
    solve
        The method for min-cost flows; `potentials` proves its flow.

    Attributes
    ----------
    value
        The optimum of the last flow, in slots, with rounded costs.
    cost
        The exact cost of that flow in the LP; at least the LP's optimum, if no job uses a slot after its window.
    prices
        Prices by kind and slot, int64, in multiples of 1/scale.
    columns, rounds
        The last flow's number of job slots; the number of flows.
    """

    gap, done = inf, None

    def __init__(
        self,
        market: Market,
        rate: np.ndarray,
        half: int,
        scale: int,
        horizon: int,
        solve: flow.Solver = flow.solve,
    ) -> None:
        self._solve = solve
        self._market, self._rate, self._half, self._scale = market, rate, half, scale
        self._stretches, self._members = _stretches(market)
        self._window = _first_windows(market, rate, half, horizon)
        self.best_bound, self.value, self.cost = -inf, Fraction(0), Fraction(0)
        self.prices = np.zeros((market.count.size, 0), dtype=np.int64)
        self.columns = self.rounds = 0

    def __str__(self) -> str:
        return f"flow {self.rounds}, {self.columns:,} columns: {known_so_far(None, self.best_bound)}"

    def round(self, context: Context) -> str:
        """Solve one flow, and grow windows.

        Raises
        ------
        NoSolution
            When the LP is infeasible.
        ProgramError
            If the flow exceeds the memory, or its numbers exceed 63 bits.
        """
        market, window, jobs = self._market, self._window, self._rate.size
        job, elapsed, kinds = self._columns(context)
        self.columns, self.rounds = job.size, self.rounds + 1
        span = int((market.arrival + window).max(initial=0))
        place = kinds * span + market.arrival[job] + elapsed  # node of a slot and the kinds that a job has in it
        shared, member = self._shares(np.unique(place[kinds >= market.count.size]), span)
        places = np.unique(np.concatenate([place[kinds != ANYWHERE], member]))
        own = places[: np.searchsorted(places, market.count.size * span)]  # node of a single kind
        behind = np.flatnonzero(window < market.length)
        sink, nodes = jobs, jobs + 1 + places.size

        def node(place: np.ndarray) -> np.ndarray:
            return jobs + 1 + np.searchsorted(places, place)

        nothing, amount = np.zeros(shared.size + own.size, dtype=np.int64), market.chunks * self._rate
        to_place = np.where(kinds == ANYWHERE, sink, node(place))
        tails = np.concatenate([job, node(shared), node(own), behind])
        heads = np.concatenate([to_place, node(member), np.full(own.size + behind.size, sink)])
        most = np.full(shared.size, int(amount.sum()))
        capacities = np.concatenate([market.chunks[job], most, market.count[own // span], amount[behind]])
        costs = np.concatenate([self._costs(job, elapsed), nothing, self._costs(behind, window[behind])])
        supplies = np.zeros(nodes, dtype=np.int64)
        supplies[:jobs], supplies[sink] = amount, -amount.sum()
        try:
            outcome, flows = self._solve(tails, heads, capacities, costs, supplies)
        except OverflowError as error:
            raise ProgramError(f"{error}; {INSTEAD}") from None
        if outcome.status == "infeasible":
            raise NoSolution("the horizon: expected enough slots for all jobs together")
        if outcome.exact is None:
            raise SchedproofError(f"the min-cost flow solver failed: {outcome.message}")
        self.value = outcome.exact / self._scale
        self.best_bound, self.cost = float(self.value), self._exact_cost(job, elapsed, flows[: job.size])
        potential = potentials(tails, heads, capacities, costs, flows, nodes)
        self.prices = np.zeros((market.count.size, span), dtype=np.int64)
        self.prices.ravel()[own] = np.maximum(potential[sink] - potential[node(own)], 0)
        wanted = behind[flows[flows.size - behind.size :] > 0]
        window[wanted] = np.minimum(market.length[wanted], window[wanted] + window[wanted] // 2 + 1)
        return "" if wanted.size else "optimal"

    def _columns(self, context: Context) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        job, begin, end, kinds = self._stretches
        lengths = np.maximum(np.minimum(end, self._window[job]) - begin, 0)
        memory.require("the flow", int(lengths.sum()), ARC_BYTES, INSTEAD, context.progress)
        owner = np.repeat(np.arange(lengths.size), lengths)
        return job[owner], begin[owner] + np.arange(owner.size) - (np.cumsum(lengths) - lengths)[owner], kinds[owner]

    def _shares(self, places: np.ndarray, span: int) -> tuple[np.ndarray, np.ndarray]:
        kinds, slot = np.divmod(places, span) if span else (places, places)
        members = [self._members[k] for k in kinds.tolist()]
        sizes = np.array([len(m) for m in members], dtype=np.int64)
        of_kind = np.array([k for m in members for k in m], dtype=np.int64)
        return np.repeat(places, sizes), of_kind * span + np.repeat(slot, sizes)

    def _costs(self, job: np.ndarray, elapsed: np.ndarray) -> np.ndarray:
        twice = 2 * elapsed + self._half * (self._rate[job] + 1)
        weight = self._market.chunks[job] * self._rate[job]
        if int(twice.max(initial=0)) * self._scale + int(weight.max(initial=0)) >= LARGEST_PRODUCT:
            raise ProgramError(f"the costs are too large for an exact min-cost flow; {INSTEAD}")
        costs: np.ndarray = (twice * self._scale + weight) // (2 * weight)
        return costs

    def _exact_cost(self, job: np.ndarray, elapsed: np.ndarray, flows: np.ndarray) -> Fraction:
        rate, twice = self._rate, np.zeros(self._rate.size, dtype=np.int64)
        np.add.at(twice, job, flows * (2 * elapsed + self._half * (rate[job] + 1)))
        terms = zip(twice.tolist(), (2 * self._market.chunks * rate).tolist(), strict=True)
        return sum((Fraction(a, b) for a, b in terms), Fraction(0))


def _stretches(market: Market) -> tuple[Stretches, list[tuple[int, ...]]]:
    numbers: dict[tuple[int, ...], int] = {(k,): k for k in range(market.count.size)}
    rows: list[tuple[int, int, int, int]] = []
    first, kind, delay = (column.tolist() for column in (market.first, market.kind, market.delay))
    for j, (cloud, length) in enumerate(zip(market.cloud.tolist(), market.length.tolist(), strict=True)):
        stop, landed = min(cloud, length), tuple[int, ...]()
        for w in range(first[j], first[j + 1]):  # by delay
            landed = (*landed, kind[w])
            end = min(stop, delay[w + 1] if w + 1 < first[j + 1] else stop)
            if delay[w] < end:
                rows.append((j, delay[w], end, numbers.setdefault(tuple(sorted(landed)), len(numbers))))
        if cloud < length:
            rows.append((j, cloud, length, ANYWHERE))
    return Stretches(*np.array(rows, dtype=np.int64).reshape(-1, 4).T), list(numbers)


def _first_windows(market: Market, rate: np.ndarray, half: int, horizon: int) -> np.ndarray:
    prices, values = from_a_run(market, horizon), np.zeros(rate.size)
    lp_use(prices, market, half, values, np.zeros_like(prices))
    waits = np.maximum(values * market.chunks - half * (rate + 1) / 2, 0)
    window: np.ndarray = np.minimum(market.length, (FIRST_WINDOW * waits).astype(np.int64) + 1)
    return window
