"""The rounded slot problem (23), and strategies that draw it with a point.

In (23) as printed no row requires parameter servers, so s = 0 is optimal. The rest is a fractional knapsack, which
takes the cheapest workers first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.cases import PositiveAmount, PositiveShare
from schedproof.core.data.reading import Positive
from schedproof.core.errors import expect
from schedproof.proofs_checks.strategies.covering import DELTAS, PRICES, ZERO, Amounts, Numbers, Program, dot, fractions

WORKLOADS = fractions("1 2 3 4 1/2 5/2")
CAPACITIES = fractions("1 2 3 4 6 10 1/2 1/200 1/1000")


@dataclass(frozen=True)
class Slot:
    """One job in one slot.

    Attributes
    ----------
    workload, batch, workers_per_ps
        W_1 = V c_e, F and gamma.
    worker, ps
        alpha and beta.
    free, prices
        Each machine's free capacity, and the prices of the capacity.
    point
        The workers on each machine in a point of (23).
    draws
        S.
    """

    workload: PositiveAmount
    batch: Positive
    workers_per_ps: PositiveAmount
    worker: Amounts
    ps: Amounts
    free: tuple[Amounts, ...]
    prices: tuple[Amounts, ...]
    point: Amounts
    delta: PositiveShare
    draws: Positive

    def __post_init__(self) -> None:
        resources, machines = {len(row) for row in (self.worker, *self.free, *self.prices)}, len(self.free)
        fit = resources == {len(self.ps)} and machines == len(self.prices) == len(self.point) > 0
        expect(fit, "expected a number for each machine and each resource", "point")

    @property
    def rows(self) -> int:
        """The number H R + 1 of packing rows."""
        return len(self.free) * len(self.worker) + 1

    @property
    def width(self) -> Fraction:
        """The width W_2 = min(F, C/alpha, C/beta) over machines and resources."""
        demands = [(r, d) for row in (self.worker, self.ps) for r, d in enumerate(row) if d]
        return min(Fraction(self.batch), *(free[r] / d for free in self.free for r, d in demands))

    @property
    def inside(self) -> bool:
        """Whether one machine holds all workers and PSs: Algorithm 4's internal case."""
        workers = ceil(self.workload)
        servers = ceil(workers / self.workers_per_ps)
        demand = [a * workers + b * servers for a, b in zip(self.worker, self.ps, strict=True)]
        return any(all(d <= c for d, c in zip(demand, row, strict=True)) for row in self.free)

    @property
    def servers(self) -> Numbers:
        """The parameter servers on each machine in the point: 0."""
        return (ZERO,) * len(self.free)

    def program(self) -> Program:
        """Workers and PSs as columns; rows (26), the missing row for PSs, (24) and (25)."""
        machines = range(len(self.free))
        ones, zeros = (Fraction(1),) * len(self.free), (ZERO,) * len(self.free)
        packing = [
            (*(a * (h == k) for k in machines), *(b * (h == k) for k in machines))
            for h in machines
            for a, b in zip(self.worker, self.ps, strict=True)
        ]
        return Program(
            cover=((*ones, *zeros), (*zeros, *ones)),
            demand=(self.workload, self.workload / self.workers_per_ps),
            packing=(*packing, (*ones, *zeros)),
            room=(*(c for row in self.free for c in row), Fraction(self.batch)),
            costs=(*machine_costs(self.worker, self.prices), *machine_costs(self.ps, self.prices)),
            point=(*self.point, *self.servers),
            times=(1,) * (2 * len(self.free)),
        )


@dataclass(frozen=True)
class PrintedSlot(Slot):
    """The slot problem with an optimal point of (23) as printed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        cost, limit = machine_costs(self.worker, self.prices), workers_held(self.worker, self.free)
        best = cheapest_first(cost, limit, self.workload)
        fits = all(0 <= x <= n for x, n in zip(self.point, limit, strict=True)) and sum(self.point) <= self.batch
        covers = sum(self.point) >= self.workload == sum(best) and self.width > 0
        if not (fits and covers and dot(cost, self.point) == dot(cost, best)):
            raise ValueError("expected an optimal point of (23)")


@dataclass(frozen=True)
class ServedSlot(Slot):
    """The slot problem with a point of (24)-(26) and the row sum s >= W_1/gamma.

    Attributes
    ----------
    ps_point
        The parameter servers on each machine.
    full
        Whether the point uses all of each resource.
    """

    ps_point: Amounts
    full: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.program().feasible and min(self.point + self.ps_point) >= 0 and self.width > 0):
            raise ValueError("expected a point of (24)-(26) with enough parameter servers")

    @property
    def servers(self) -> Numbers:
        return self.ps_point


def machine_costs(demand: Numbers, prices: Sequence[Numbers]) -> Numbers:
    """Return the price p^w_h or p^s_h of each machine."""
    return tuple(dot(row, demand) for row in prices)


def workers_held(worker: Numbers, free: Sequence[Numbers]) -> list[Fraction]:
    """The number of workers, possibly fractional, that each machine holds."""
    return [min(c / a for c, a in zip(row, worker, strict=True) if a) for row in free]


def cheapest_first(cost: Numbers, capacity: Sequence[Fraction], workload: Fraction) -> Numbers:
    """The workload on each machine, if the cheapest machines are filled first."""
    point, rest = [ZERO] * len(capacity), workload
    for h in sorted(range(len(capacity)), key=lambda h: cost[h]):
        point[h] = min(capacity[h], rest)
        rest -= point[h]
    return tuple(point)


@st.composite
def slots(draw: st.DrawFn, whole: bool = False) -> PrintedSlot:
    """The slot problem (23) of one job on up to three machines, with an optimal point.

    Parameters
    ----------
    whole
        Whether the workload is a whole number of workers, and machines are small.
    """
    machines, worker, ps = _demands(draw, 2 if whole else 1, fractions("0 1"))
    workload = Fraction(draw(st.integers(2, 4)) if whole else draw(st.sampled_from(WORKLOADS)))
    sizes = fractions("1 1 2 3") if whole else CAPACITIES
    free = [tuple(draw(st.sampled_from(sizes)) for _ in worker) for _ in range(machines)]
    while sum(workers_held(worker, free)) < workload:
        largest = tuple(max(row[r] for row in free) for r in range(len(worker)))
        free.append(largest if whole else tuple(workload * (a + 1) for a in worker))
    prices = _prices(draw, free)
    return PrintedSlot(
        workload=workload,
        batch=draw(st.sampled_from((4, 8, 20))),
        workers_per_ps=Fraction(draw(st.sampled_from((1, 2, 4)))),
        worker=worker,
        ps=ps,
        free=tuple(free),
        prices=prices,
        point=cheapest_first(machine_costs(worker, prices), workers_held(worker, free), workload),
        delta=draw(st.sampled_from(DELTAS)),
        draws=draw(st.sampled_from((1, 2, 20))),
    )


@st.composite
def served_slots(draw: st.DrawFn) -> ServedSlot:
    """The slot problem with workers and PSs placed.

    The free capacity is at least their use.
    """
    machines, worker, ps = _demands(draw, 1, fractions("0 1 1/2"))
    scale = draw(st.sampled_from((1, 1, 20)))
    parts = fractions("0 1/100 1/3 1/2 1 2")
    point = [scale * draw(st.sampled_from(parts)) for _ in range(machines)]
    ps_point = [scale * draw(st.sampled_from(parts)) for _ in range(machines)]
    point[0], ps_point[0] = point[0] or Fraction(1, 2), ps_point[0] or Fraction(1, 2)
    slack = draw(st.sampled_from(fractions("0 0 1/100 2 40")))
    free = tuple(
        tuple(a * w + b * s + slack or Fraction(1) for a, b in zip(worker, ps, strict=True))
        for w, s in zip(point, ps_point, strict=True)
    )
    workload = sum(point, ZERO)
    return ServedSlot(
        workload=workload,
        batch=ceil(workload) + draw(st.sampled_from((0, 1, 100))),
        workers_per_ps=workload / sum(ps_point),
        worker=worker,
        ps=ps,
        free=free,
        prices=_prices(draw, free),
        point=tuple(point),
        ps_point=tuple(ps_point),
        full=not slack,
        delta=draw(st.sampled_from(DELTAS)),
        draws=1,
    )


def _demands(draw: Any, least_machines: int, servers: Numbers) -> tuple[int, Numbers, Numbers]:
    machines, resources = draw(st.integers(least_machines, 3)), draw(st.sampled_from((2, 1)))
    worker = (Fraction(1), *(draw(st.sampled_from(fractions("0 1 2"))) for _ in range(resources - 1)))
    return machines, worker, tuple(draw(st.sampled_from(servers)) for _ in range(resources))


def _prices(draw: Any, free: Sequence[Numbers]) -> tuple[Numbers, ...]:
    return tuple(tuple(draw(st.sampled_from(PRICES)) for _ in row) for row in free)
