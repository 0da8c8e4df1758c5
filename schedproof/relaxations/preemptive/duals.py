"""The printed duals (6), (9) and (11) as programs, row for row.

A row of the dual exists exactly where a column of (4) does: for t >= r_j + Delta_js. The papers print the rows for
every t >= r_j; the group ``..._as_printed`` has these rows. The columns z of parameter servers are not dualised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.data.options import pick
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.formulations.preemptive.index import (
    HALVES,
    charge,
    chunks,
    lifetime,
    list_indices,
    slots,
    window,
    workers,
    workers_in,
)
from schedproof.instances.preemptive import Instance, Job


@group("variables", "(6b)", r"\alpha_{jd} \ge 0")
def chunk_value(block: Any, instance: Instance) -> None:
    """The value of training a chunk."""
    block.alpha = pyo.Var(chunks(instance), domain=pyo.NonNegativeReals)


@group(
    "variables",
    "(6b)",
    r"\beta_{sw}(t) \ge 0 \quad \forall s \ne s_{\mathrm{c}}; \; \beta_{sw}(t) = 0 \quad \forall s = s_{\mathrm{c}}",
)
def worker_rent(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """The rent of a worker's slot; 0 in the cloud, which has a worker for every chunk."""
    places = [w for q in instance.classes for w in workers(q)]
    block.beta = pyo.Var(
        list_indices((*w, t) for w in places for t in _slots(instance, speed)), domain=pyo.NonNegativeReals
    )


@group("variables", "(9b)", r"\eta_s(t) \ge 0 \quad \forall U_s < \infty; \; \eta_s(t) = 0 \quad \forall U_s = \infty")
def storage_rent(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """The rent of a GB of a server's storage in a slot."""
    limited = [s.name for s in instance.edges if s.storage is not None]
    block.eta = pyo.Var(
        list_indices((s, t) for s in limited for t in _slots(instance, speed)), domain=pyo.NonNegativeReals
    )


def _slots(instance: Instance, speed: Fraction) -> range:
    return range(max((instance.last_slot(job, mixed=True, speed=speed) for job in instance.jobs), default=-1) + 1)


@group("objective", "(6)", r"\max \textstyle\sum_{j,d} \alpha_{jd}")
def value_of_chunks(block: Any, instance: Instance, chunk_value: Any) -> Any:
    """The total value of the chunks."""
    return pyo.quicksum(chunk_value.alpha.values())


@group("objective", "(6)", r"- \textstyle\sum_{s,w,t} \beta_{sw}(t)")
def rent_of_workers(block: Any, instance: Instance, worker_rent: Any) -> Any:
    """Minus the workers' rents, without breaks."""
    free = workers_in(instance)
    return -pyo.quicksum(beta for (s, _, _, t), beta in worker_rent.beta.items() if free(s, t, 1))


@group("objective", "(9)", r"- \textstyle\sum_{s,t: U_s < \infty} \eta_s(t)\, U_s")
def rent_of_storage(block: Any, instance: Instance, storage_rent: Any) -> Any:
    """Minus the rents of the storage."""
    limit = {s.name: scalar(s.storage) for s in instance.edges if s.storage is not None}
    return -pyo.quicksum(limit[s] * eta for (s, _), eta in storage_rent.eta.items())


def _columns(instance: Instance) -> Iterator[tuple[Job, int, tuple[Any, ...], int, bool]]:
    """Yield (job, chunk, place, upload delay, at the cloud's rate) for columns of (4).

    The cloud has no rent and two rates, so it is two places.
    """
    for job in instance.jobs:
        for d in range(job.chunks):
            for q, delay in instance.qualified(job):
                yield from ((job, d, w, delay, False) for w in workers(q))
    for job in instance.jobs:
        if (upload := instance.cloud_delay(job)) is not None:
            for place, in_cloud in (("cloud_at_edge_rate", False), ("cloud", True)):
                yield from ((job, d, (place,), upload, in_cloud) for d in range(job.chunks))


def _rows(
    instance: Instance,
    alpha: Any,
    beta: Any,
    eta: Any,
    reading: str,
    speed: Fraction,
    cost: str,
    *,
    from_arrival: bool = False,
) -> dict[Any, Any]:
    """Return the rows alpha n/(EB) <= n/(EDB) (t - r) + beta (+ eta u).

    There is a row for each slot t >= r_j (+ Delta_js)."""
    rows = {}
    for job, d, place, delay, in_cloud in _columns(instance):
        takes = slots(job, in_cloud, reading, speed)
        printed = lifetime(instance, job, speed, mixed=True)
        for t in printed if from_arrival else window(instance, job, delay, speed, mixed=True):
            edge = len(place) == 3
            rent = beta[(*place, t)] if edge else 0
            kept = scalar(job.chunk_size) * eta[place[0], t] if edge and (place[0], t) in eta else 0
            waits = scalar(charge(job, t, takes, cost))
            rows[job.name, d, *place, t] = scalar(1 / takes) * alpha[job.name, d] <= waits + rent + kept
    return rows


WAITS = r"(t - r_j)"
WAITS_AND_HALF = r"\bigl(t - r_j + \tfrac12 (\tfrac{E_j B_j}{n_{jsw}} + 1)\bigr)"
ROW = r"\alpha_{jd} \tfrac{n_{jsw}}{E_j B_j} \le \tfrac{n_{jsw}}{E_j D_j B_j} (t - r_j) + \beta_{sw}(t)"


@group("constraints", "(6a)", ROW + r" \quad \forall n_{jsw} > 0, t \ge r_j + \Delta_{js}")
def dual_rows(
    block: Any, instance: Instance, chunk_value: Any, worker_rent: Any, *, reading: str, speed: Fraction, cost: str
) -> Any:
    """A chunk's value is at most the charge, with rent, of any slot of any worker."""
    return _rows(instance, chunk_value.alpha, worker_rent.beta, {}, reading, speed, cost)


@group("constraints", "(6a) as printed", ROW + r" \quad \forall n_{jsw} > 0, t \ge r_j")
def dual_rows_as_printed(
    block: Any, instance: Instance, chunk_value: Any, worker_rent: Any, *, reading: str, speed: Fraction, cost: str
) -> Any:
    """The rows (6a), also for slots before the upload ends, where (4) has no column."""
    return _rows(instance, chunk_value.alpha, worker_rent.beta, {}, reading, speed, cost, from_arrival=True)


@group("constraints", "(9a)", ROW + r" + \eta_s(t)\, u_j \quad \forall n_{jsw} > 0, t \ge r_j + \Delta_{js}")
def dual_rows_with_storage(
    block: Any,
    instance: Instance,
    chunk_value: Any,
    worker_rent: Any,
    storage_rent: Any,
    *,
    reading: str,
    speed: Fraction,
    cost: str,
) -> Any:
    """A chunk's value is at most a slot's charge, including the chunk's storage."""
    return _rows(instance, chunk_value.alpha, worker_rent.beta, storage_rent.eta, reading, speed, cost)


ROWS = {"columns": dual_rows, "printed": dual_rows_as_printed}


def _charging(rows: Group, cost: str) -> Group:
    if not pick("cost", cost, HALVES):
        return rows
    return replace(rows, source=f"{rows.source} + half", latex=rows.latex.replace(WAITS, WAITS_AND_HALF))


def dual6(
    *, cost: str = "printed", rows: str = "columns", reading: str = "ceil_chunk", speed: Fraction = Fraction(1)
) -> Program:
    return Program(
        id="preemptive.dual6",
        sense="maximize",
        groups=(value_of_chunks, rent_of_workers, _charging(pick("rows", rows, ROWS), cost), chunk_value, worker_rent),
        integer=False,
        parameters={"reading": reading, "speed": speed, "cost": cost},
    )


def dual9(*, cost: str = "printed", reading: str = "ceil_chunk", speed: Fraction = Fraction(1)) -> Program:
    return Program(
        id="preemptive.dual9",
        sense="maximize",
        groups=(
            value_of_chunks,
            rent_of_workers,
            rent_of_storage,
            _charging(dual_rows_with_storage, cost),
            chunk_value,
            worker_rent,
            storage_rent,
        ),
        integer=False,
        parameters={"reading": reading, "speed": speed, "cost": cost},
    )


def dual11(*, eps: Fraction, cost: str = "printed", rows: str = "columns") -> Program:
    return replace(dual6(cost=cost, rows=rows, reading="fluid", speed=1 / (1 + eps)), id="preemptive.dual11")
