"""The slot problem (23) as the theorems about its rounding see it, from a case's plain numbers.

The prices of (23) as printed leave the parameter servers out (no row asks for any), so that s = 0 is optimal and the
rest is a fractional knapsack: the cheapest workers first. A case may also carry ``ps_point``, for (23) with the missing
row.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedproof.core.claim import Case
from schedproof.core.numbers import ceil
from schedproof.proofs_checks.dmlrs.rounding_model import Block, Event

Numbers = tuple[Fraction, ...]
NONE = Fraction(0)


@dataclass(frozen=True)
class Slot:
    """One job in one slot: W_1 = V c_e, F, gamma, demands, what is free and what it costs, and a point of (23)."""

    workload: Fraction
    batch: int
    workers_per_ps: Fraction
    worker: Numbers
    ps: Numbers
    free: tuple[Numbers, ...]
    prices: tuple[Numbers, ...]
    point: Numbers
    ps_point: Numbers
    delta: Fraction
    draws: int

    @property
    def rows(self) -> int:
        """H R + 1."""
        return len(self.free) * len(self.worker) + 1

    @property
    def width(self) -> Fraction:
        """W_2 = min(F, C/alpha, C/beta) over all machines and resources."""
        demands = [(r, d) for row in (self.worker, self.ps) for r, d in enumerate(row) if d]
        return min(Fraction(self.batch), *(free[r] / d for free in self.free for r, d in demands))

    @property
    def ps_workload(self) -> Fraction:
        """W_1/gamma, the parameter servers that the missing row asks for."""
        return self.workload / self.workers_per_ps

    def bill(self, demand: Numbers) -> Numbers:
        """p^w_h or p^s_h of each machine."""
        return tuple(sum((p * d for p, d in zip(row, demand, strict=True)), NONE) for row in self.prices)

    def block(self) -> Block:
        """Workers and parameter servers as columns; rows (26), the missing one, then (24) and (25)."""
        machines = range(len(self.free))
        ones, zeros = (Fraction(1),) * len(self.free), (NONE,) * len(self.free)
        packing = [
            (*(a * (h == k) for k in machines), *(b * (h == k) for k in machines))
            for h in machines
            for a, b in zip(self.worker, self.ps, strict=True)
        ]
        return Block(
            cover=((*ones, *zeros), (*zeros, *ones)),
            demand=(self.workload, self.ps_workload),
            packing=(*packing, (*ones, *zeros)),
            room=(*(c for row in self.free for c in row), Fraction(self.batch)),
            costs=(*self.bill(self.worker), *self.bill(self.ps)),
            point=(*self.point, *self.ps_point),
            times=(1,) * (2 * len(self.free)),
            copies=1,
            delta=self.delta,
        )

    def resource_rows(self, share: Fraction) -> list[Event]:
        """For each machine and resource: LHS(24) exceeds that share of what is free."""
        return self.block().above(share)[:-1]

    @property
    def inside(self) -> bool:
        """Whether one machine holds all workers and their parameter servers: Algorithm 4's internal case."""
        workers = ceil(self.workload)
        servers = ceil(workers / self.workers_per_ps)
        demand = [a * workers + b * servers for a, b in zip(self.worker, self.ps, strict=True)]
        return any(all(d <= c for d, c in zip(demand, row, strict=True)) for row in self.free)


def read(case: Case) -> Slot:
    """The slot problem of a case."""

    def numbers(row: Any) -> Numbers:
        return tuple(Fraction(v) for v in row)

    data = case.data
    return Slot(
        workload=Fraction(data["workload"]),
        batch=data["batch"],
        workers_per_ps=Fraction(data["workers_per_ps"]),
        worker=numbers(data["worker"]),
        ps=numbers(data["ps"]),
        free=tuple(numbers(row) for row in data["free"]),
        prices=tuple(numbers(row) for row in data["prices"]),
        point=numbers(data["point"]),
        ps_point=numbers(data.get("ps_point", [0] * len(data["free"]))),
        delta=Fraction(data["delta"]),
        draws=data["draws"],
    )


def printed(case: Case) -> Slot | None:
    """The slot problem when its point is an optimum of (23) as printed, else None."""
    slot = read(case)
    bill, left = slot.bill(slot.worker), slot.workload
    caps = [min(c / a for c, a in zip(row, slot.worker, strict=True) if a) for row in slot.free]
    best = NONE
    for h in sorted(range(len(caps)), key=lambda h: bill[h]):
        best += bill[h] * min(caps[h], left)
        left -= min(caps[h], left)
    block = slot.block()
    feasible = all(x <= cap for x, cap in zip(slot.point, caps, strict=True)) and min(slot.point) >= 0
    feasible &= slot.workload <= sum(slot.point) <= slot.batch and not any(slot.ps_point)
    return slot if feasible and slot.width > 0 and left == 0 and block.cost == best else None


def served(case: Case) -> Slot | None:
    """The slot problem when its point meets (24)-(26) and the row sum s >= W_1/gamma, else None."""
    slot = read(case)
    block = slot.block()
    covered = sum(slot.point) >= slot.workload and sum(slot.ps_point) >= slot.ps_workload
    packed = all(block.sum(row, block.point) <= b for row, b in zip(block.packing, block.room, strict=True))
    return slot if covered and packed and min(block.point) >= 0 and slot.width > 0 else None
