"""The LP relaxation of (4) by classes, which counts equal chunks and workers.

D_j chunks of a job and W_q workers of a class (server, type) have the same columns, so averages over chunks and workers
have the same optimum: J x classes x slots columns instead of sum D x sum W x T. (4c), (4d), (4f), (4g) are dropped, as
in the paper before the dual, and so is z, because parameter servers restrict nothing in this LP. (4e) is kept.

Restarts of interrupted chunks have no rows. The bound also holds with restarts: without the slots without progress, a
schedule has no restarts, and no job completes later.

It also bounds (2) with floating chunks, if each chunk's slots are rounded up. Number a job's D_j p worker-slots in the
order of time, and assign unit n to chunk n modulo D_j: each chunk has p slots, on one worker in each, as with pinned
chunks. The only new case is a chunk at the edge for x slots and in the cloud for z, x + z = p, because the LP has p' <=
p for the cloud. If z >= p', count p' slots of the cloud. Otherwise count all z, and the first x' = p (1 - z/p') <= x at
the edge, the last of them in part. Let k = 1, 2, ... number the counted slots backwards. The LP charges at most C - r
if sum (k/p at the edge, k/p' in the cloud) >= (slots that count + 1)/2. The left side is least if the cloud slots are
last. It then exceeds the right side by at least x' (x - x') / 2p - f (1 - f) / 2p, where f is the part of x' beyond
whole slots. That is at least 0, because x - x' >= 1 - f and x' >= f where f > 0.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.data.options import pick
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import Route
from schedproof.core.solvers.flow import network_simplex
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.preemptive.index import (
    class_slots,
    cloud_slots,
    cloud_window,
    fractional_cost,
    slots,
    sums,
    workers_in,
)
from schedproof.instances.preemptive import Instance, Schedule
from schedproof.relaxations.preemptive.flow import by_flow


@group("variables", "(4h) relaxed", r"Y_{jq}(t) \ge 0 \quad \forall t \ge r_j + \Delta_{jq}")
def class_use(block: Any, instance: Instance, *, reading: str, speed: Fraction) -> None:
    """The workers of a class that train a job in a slot; the cloud has its own rate."""
    block.edge = pyo.Var(class_slots(instance, speed), domain=pyo.NonNegativeReals)
    block.cloud = pyo.Var(cloud_slots(instance, speed), domain=pyo.NonNegativeReals)
    takes = {job.name: slots(job, False, reading, speed) for job in instance.jobs}
    in_cloud = {job.name: slots(job, True, reading, speed) for job in instance.jobs}
    block.columns = ((block.edge, "jsqt", takes), (block.cloud, "jt", in_cloud))  # with their indices and p_jq


@group("objective", "(4)", r"\min \textstyle\sum_{j,q,t} \frac{1}{D_j p_{jq}} (t - r_j)\, Y_{jq}(t)")
def class_flow(block: Any, instance: Instance, class_use: Any) -> Any:
    """The jobs' average fractional flow times, as printed."""
    return fractional_cost(class_use, instance, "printed")


@group(
    "objective",
    "(4) + half",
    r"\min \textstyle\sum_{j,q,t} \frac{1}{D_j p_{jq}} \bigl(t - r_j + \tfrac{p_{jq} + 1}{2}\bigr) Y_{jq}(t)",
)
def class_half_processing(block: Any, instance: Instance, class_use: Any) -> Any:
    """Fractional flow plus half the processing time: at most the total JCT."""
    return fractional_cost(class_use, instance, "half")


@group("constraints", "(4a)", r"\textstyle\sum_{q,t} Y_{jq}(t) / p_{jq} \ge D_j", multiplier=r"\alpha_j")
def class_work(block: Any, instance: Instance, class_use: Any) -> Any:
    """All chunks of a job are trained in full."""
    columns = [(sums(y, letters, "j"), takes) for y, letters, takes in class_use.columns]
    chunks = {job.name: job.chunks for job in instance.jobs}
    return {j: sum(scalar(1 / takes[j]) * y[j] for y, takes in columns) >= count for j, count in chunks.items()}


@group(
    "constraints",
    "(4b)",
    r"\textstyle\sum_j Y_{jq}(t) \le W_q \quad \forall q \ne q_{\mathrm{c}}",
    multiplier=r"\beta_q(t)",
)
def class_capacity(block: Any, instance: Instance, class_use: Any) -> Any:
    """A class has W_q workers, none in a break; the cloud has one for every chunk."""
    count = {(q.server.name, q.type): q.count for q in instance.classes}
    busy, free = sums(class_use.edge, "jsqt", "sqt"), workers_in(instance)
    return {(s, q, t): use <= free(s, t, count[s, q]) for (s, q, t), use in busy.items()}


@group("constraints", "(4e)", r"\textstyle\sum_q Y_{jq}(t) \le D_j")
def chunks_at_once(block: Any, instance: Instance, class_use: Any) -> Any:
    """A job has at most D_j chunks in training in a slot."""
    columns = [sums(y, letters, "jt") for y, letters, _ in class_use.columns]
    some = dict.fromkeys(index for column in columns for index in column)
    chunks = {job.name: job.chunks for job in instance.jobs}
    return {(j, t): sum(y[j, t] for y in columns) <= chunks[j] for j, t in some}


COSTS = {"printed": class_flow, "half": class_half_processing}


def lp4(*, cost: str = "half", reading: str = "ceil_chunk", speed: Fraction = Fraction(1)) -> Program:
    return Program(
        id="preemptive.lp4",
        sense="minimize",
        groups=(pick("cost", cost, COSTS), class_work, class_capacity, chunks_at_once, class_use),
        integer=False,
        parameters={"reading": reading, "speed": speed, "cost": cost},
        to_point=to_point,
        routes={
            "matrix": Route(_by_matrix, "highs"),
            "flow": Route(by_flow, "min_cost_flow"),
            "network_simplex": Route(partial(by_flow, solve=network_simplex), "network_simplex"),
        },
    )


def _by_matrix(instance: Instance, **asked: Any) -> Outcome:
    # imported here: once Pyomo is loaded, scipy imports all of its parts
    from schedproof.relaxations.preemptive.matrix import by_matrix

    return by_matrix(instance, **asked)


def to_point(
    schedule: Schedule, instance: Instance, *, reading: str, speed: Fraction, **parameters: Any
) -> dict[str, dict[Any, int]]:
    """Return the workers of each class per job and slot, as far as chunks need them.

    A chunk trained after the job's last slot in the program counts in the cloud, at no more than its cost.
    """
    edge, cloud = Counter[tuple[str, str, str, int]](), Counter[tuple[str, int]]()
    left = {(job.index, d): Fraction(1) for job in instance.jobs for d in range(job.chunks)}
    rows = sorted(schedule.intervals.rows(), key=lambda row: row[5])
    ends = {(j, d): end for j, d, *_, end in rows}
    away = {job.name: list(window) for job, window in cloud_window(instance, speed)}
    for j, d, s, kind, worker, start, end in rows:
        job, server = instance.jobs[j], instance.servers[s]
        late = job.name in away and ends[j, d] - 1 > instance.last_slot(job, speed=speed)
        takes = slots(job, late or worker < 0, reading, speed)
        for t in away[job.name] if late else range(start, end):
            if left[j, d] <= 0:
                break
            if late or worker < 0:
                cloud[job.name, t] += 1
            else:
                edge[job.name, server.name, list(server.workers)[kind], t] += 1
            left[j, d] -= 1 / takes
    return {"class_use.edge": edge, "class_use.cloud": cloud}
