"""The LP of (4) by classes as arrays, for size: the same columns and rows as the Pyomo program, built without a loop
over columns. A property test holds the two equal."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import sparse

from schedproof.core.solving.linear_program import LinearProgram
from schedproof.core.solving.status import Outcome
from schedproof.formulations.preemptive.index import slots
from schedproof.instances.preemptive import Instance

HALVES = {"printed": 0, "half": 1}


@dataclass(frozen=True)
class ClassLP:
    """The class LP as arrays: min costs Y, rows (work >=, capacity <=, chunks at once <=), Y >= 0.

    Attributes
    ----------
    job, worker_class, slot
        Of each column, shape (columns,); ``worker_class`` is -1 in the cloud.
    costs
        (t - r_j [+ (p + 1)/2]) / (D_j p), shape (columns,).
    matrix, lower, upper
        All rows, shape (rows, columns) and (rows,). A work row is multiplied by the job's p0.
    capacity_class, capacity_slot
        Of each capacity row, in row order after the J work rows.
    """

    job: np.ndarray
    worker_class: np.ndarray
    slot: np.ndarray
    costs: np.ndarray
    matrix: sparse.csc_array
    lower: np.ndarray
    upper: np.ndarray
    capacity_class: np.ndarray
    capacity_slot: np.ndarray

    @property
    def columns(self) -> int:
        """The number of columns."""
        return self.costs.size

    def prices(self, multipliers: np.ndarray, jobs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """beta_q(t) >= 0 from the row duals, as (class, slot, price) of the positive ones."""
        beta = np.maximum(0.0, -multipliers[jobs : jobs + self.capacity_class.size])
        keep = beta > 0
        return self.capacity_class[keep], self.capacity_slot[keep], beta[keep]


def class_lp(instance: Instance, cost: str, reading: str, speed: Fraction) -> ClassLP:
    """Build the class LP's arrays."""
    half = HALVES[cost]
    parts: list[tuple[int, int, int, int, float, float, float]] = []  # job, class, first, last, p, p0, weight
    for job in instance.jobs:
        p0, p1 = (float(slots(job, in_cloud, reading, speed)) for in_cloud in (False, True))
        last = instance.last_slot(job)
        for q, delay in instance.qualified(job):
            parts.append((job.index, q.index, job.arrival + delay, last, p0, p0, job.chunks))
        delay = instance.cloud_delay(job)  # type: ignore[assignment]
        if delay is not None:
            parts.append((job.index, -1, job.arrival + delay, last, p1, p0, job.chunks))
    table = np.array([row for row in parts if row[3] >= row[2]], dtype=float).reshape(-1, 7)
    lengths = (table[:, 3] - table[:, 2] + 1).astype(np.int64)
    owner = np.repeat(np.arange(lengths.size), lengths)
    offset = np.arange(owner.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    job, worker_class = (table[:, c].astype(np.int64)[owner] for c in (0, 1))
    slot = table[:, 2].astype(np.int64)[owner] + offset
    takes, scale, weight = (table[:, c][owner] for c in (4, 5, 6))
    arrival = np.array([j.arrival for j in instance.jobs], dtype=np.int64)
    costs = (slot - arrival[job] + half * (takes + 1) / 2) / (weight * takes)

    span = instance.horizon
    edge = np.flatnonzero(worker_class >= 0)
    capacity, capacity_row = np.unique(worker_class[edge] * span + slot[edge], return_inverse=True)
    at_once, at_once_row = np.unique(job * span + slot, return_inverse=True)
    jobs = len(instance.jobs)
    everything = np.arange(job.size)
    rows = np.concatenate([job, jobs + capacity_row, jobs + capacity.size + at_once_row])
    columns = np.concatenate([everything, edge, everything])
    values = np.concatenate([scale / takes, np.ones(edge.size + job.size)])
    matrix = sparse.csc_array((values, (rows, columns)), shape=(jobs + capacity.size + at_once.size, job.size))

    chunks = np.array([j.chunks for j in instance.jobs], dtype=float)
    demand = chunks * np.array([float(slots(j, False, reading, speed)) for j in instance.jobs])
    count = np.array([q.count for q in instance.classes], dtype=float)
    upper = np.concatenate(
        [np.full(jobs, np.inf), count[capacity // span] if capacity.size else [], chunks[at_once // span]]
    )
    lower = np.concatenate([demand, np.full(capacity.size + at_once.size, -np.inf)])
    return ClassLP(job, worker_class, slot, costs, matrix, lower, upper, capacity // span, capacity % span)


def by_matrix(
    instance: Instance,
    *,
    time_limit: float | None = None,
    reading: str = "ceil_chunk",
    speed: Fraction = Fraction(1),
    cost: str = "half",
) -> Outcome:
    """The optimum of the class LP, from arrays straight into HiGHS."""
    from dataclasses import replace

    lp = class_lp(instance, cost, reading, speed)
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    outcome = handle.solve(time_limit)
    if not outcome.has_point:
        return outcome
    used = np.flatnonzero(handle.point > 1e-9)
    places = [(q.server.name, q.type) for q in instance.classes]
    edge, cloud = {}, {}
    for n in used.tolist():
        name, q, t = instance.jobs[lp.job[n]].name, lp.worker_class[n], int(lp.slot[n])
        if q >= 0:
            edge[(name, *places[q], t)] = float(handle.point[n])
        else:
            cloud[name, t] = float(handle.point[n])
    return replace(outcome, values={"class_use.edge": edge, "class_use.cloud": cloud})
