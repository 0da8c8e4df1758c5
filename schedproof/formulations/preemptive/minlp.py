"""The exact program (2), and (7) with storage: total JCT over whole jobs, without the bilinear rate.

The rate n_j depends on the placement (1), so it is two numbers: ``all_in_cloud`` says that a job is in the cloud as a
whole, where nothing is contended and its completion is a constant; every other job trains at the edge rate everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schedproof.core.group import group
from schedproof.core.lazy import pyo
from schedproof.core.options import pick
from schedproof.core.program import Program
from schedproof.formulations.preemptive.brute_force import by_brute_force
from schedproof.formulations.preemptive.index import cloud_jobs, collect, slots, window, workers
from schedproof.formulations.preemptive.second_route import by_cpsat
from schedproof.formulations.preemptive.serving import (
    parameter_server,
    parameter_server_capacity,
    running_slots,
    served_while_running,
)
from schedproof.formulations.preemptive.to_schedule import floating_schedule, pinned_schedule
from schedproof.instances.preemptive import Instance


@group("variables", "(2k)", r"\zeta_j \in \{0,1\}")
def placement(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """A job is in the cloud as a whole or not (zeta_j); only where it would complete within the horizon."""
    in_time = [
        job.name
        for job in cloud_jobs(instance)
        if job.arrival + (instance.cloud_delay(job) or 0) + job.slots(in_cloud=True, speed=speed) <= instance.horizon
    ]
    block.speed = speed  # kept for reading a schedule off the solved model
    block.all_in_cloud = pyo.Var([job.name for job in instance.jobs], domain=pyo.Binary)
    for job in instance.jobs:
        if job.name not in in_time:
            block.all_in_cloud[job.name].fix(0)


@group("variables", "(2k)", r"\mathbb{1}[\textstyle\sum_{s,w} y_{jsw}(t) > 0] \in \{0,1\}")
def running(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """A job outside the cloud runs in a slot or not."""
    block.runs = pyo.Var(running_slots(instance, speed, mixed=False), domain=pyo.Binary)


@group("variables", "(2j)", r"c_j \in [T]", needs=("running",))
def completion(block: Any, instance: Instance) -> None:
    """A job is alive until its last running slot; its completion time is where it stops being alive."""
    block.alive = pyo.Var(list(block.model().running.runs), domain=pyo.Binary)
    block.jct = pyo.Var([job.name for job in instance.jobs], domain=pyo.NonNegativeReals)


@group("variables", "III-A", r"y_{jsw}(t) \in \{0,1\}, \; N_{jsw} \in \mathbb{Z}_{\ge 0}")
def pinned_workers(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """Each worker holds a number of a job's chunks, which never move, and trains one of them in a slot or none."""
    edge = {
        (job.name, *w, t): None
        for job in instance.jobs
        for q, delay in instance.qualified(job)
        for w in workers(q)
        for t in window(instance, job, delay, speed)
    }
    _worker_variables(block, instance, speed, edge, {w: 1 for q in instance.classes for w in workers(q)}, pyo.Binary)
    block.holds = pyo.Var(list(collect(edge, slice(0, 4))), domain=pyo.NonNegativeIntegers)
    block.holds_far = pyo.Var([job.name for job in cloud_jobs(instance)], domain=pyo.NonNegativeIntegers)


@group("variables", "(2k)", r"\textstyle\sum_{w \in q} y_{jsw}(t) \in \mathbb{Z}_{\ge 0}")
def floating_workers(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """As (2) prints it, only the number of a class's workers that a job uses in a slot counts; chunks may move."""
    edge = {
        (job.name, q.server.name, q.type, t): None
        for job in instance.jobs
        for q, delay in instance.qualified(job)
        for t in window(instance, job, delay, speed)
    }
    capacity = {(q.server.name, q.type): q.count for q in instance.classes}
    _worker_variables(block, instance, speed, edge, capacity, pyo.NonNegativeIntegers)


def _worker_variables(block: Any, instance: Instance, speed: Fraction, edge: Any, capacity: Any, domain: Any) -> None:
    far = [
        (job.name, t)
        for job in cloud_jobs(instance)
        for t in window(instance, job, instance.cloud_delay(job) or 0, speed)
    ]
    block.capacity = capacity  # place -> how many jobs may use it in a slot
    block.edge = pyo.Var(list(edge), domain=domain)
    block.far = pyo.Var(far, domain=pyo.NonNegativeIntegers)  # workers in the cloud of a job that is not all there


def _workers(block: Any) -> Any:
    """The variables of whichever reading of the chunks the program has."""
    model = block.model()
    return model.component("pinned_workers") or model.component("floating_workers")


WORKERS = "pinned_workers|floating_workers"


@group("objective", "(2)", r"\min \textstyle\sum_j (c_j - r_j)", needs=("completion",))
def total_jct(block: Any, instance: Instance) -> None:
    """The total job completion time."""
    block.term = pyo.quicksum(block.model().completion.jct.values())


@group(
    "constraints",
    "(2b)",
    r"\textstyle\sum_{t,s,w} y_{jsw}(t)\, n_j \ge E_j D_j B_j",
    needs=("floating_workers", "placement"),
)
def job_work(block: Any, instance: Instance, *, reading: str, speed: Fraction) -> None:
    """A job gets enough worker slots in all: its chunks rounded up one by one, or together."""
    use, cloud = block.model().floating_workers, block.model().placement.all_in_cloud
    edge, far = collect(use.edge, 0), collect(use.far, 0)

    def need(job: Any) -> int:
        if reading == "ceil_job":
            return int(-(-(job.chunks * job.chunk_time / speed) // 1))
        return int(job.chunks * slots(job, False, reading, speed))

    block.reading = reading  # kept for reading a schedule off the solved model
    demand = {job.name: need(job) for job in instance.jobs}
    block.row = pyo.Constraint(
        list(demand),
        rule=lambda _, j: (
            sum(use.edge[k] for k in edge.get(j, ())) + sum(use.far[k] for k in far.get(j, ()))
            >= demand[j] * (1 - cloud[j])
        ),
    )


@group("constraints", "III-A", r"\textstyle\sum_{s,w} N_{jsw} = D_j", needs=("pinned_workers", "placement"))
def chunks_dispatched(block: Any, instance: Instance) -> None:
    """Every chunk of a job that is not all in the cloud is dispatched to one worker."""
    use, cloud = block.model().pinned_workers, block.model().placement.all_in_cloud
    held = collect(use.holds, 0)
    far = dict(use.holds_far.items())
    block.row = pyo.Constraint(
        [job.name for job in instance.jobs],
        rule=lambda _, j: (
            sum(use.holds[k] for k in held.get(j, ())) + far.get(j, 0) == _chunks(instance)[j] * (1 - cloud[j])
        ),
    )


@group("constraints", "(2b), III-A", r"\textstyle\sum_t y_{jsw}(t)\, n_j = E_j B_j N_{jsw}", needs=("pinned_workers",))
def chunk_work(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """A worker trains each chunk that it holds for that chunk's slots."""
    use = block.model().pinned_workers
    need = {job.name: job.slots(speed=speed) for job in instance.jobs}
    at = collect(use.edge, slice(0, 4))
    far = collect(use.far, 0)
    block.edge = pyo.Constraint(
        list(at), rule=lambda _, *w: sum(use.edge[k] for k in at[w]) == need[w[0]] * use.holds[w]
    )
    block.far = pyo.Constraint(
        list(use.holds_far), rule=lambda _, j: sum(use.far[k] for k in far.get(j, ())) == need[j] * use.holds_far[j]
    )


@group("constraints", "III-A", r"y_{js_cw}(t) \le N_{js_c}", needs=("pinned_workers",))
def far_chunks_run_one_by_one(block: Any, instance: Instance) -> None:
    """In the cloud too, a chunk is on one worker at a time."""
    use = block.model().pinned_workers
    block.row = pyo.Constraint(list(use.far), rule=lambda _, j, t: use.far[j, t] <= use.holds_far[j])


@group(
    "constraints", "(2c)", r"\textstyle\sum_{s,w} v_{jsw} y_{jsw}(t) \le D_j", needs=(WORKERS, "running", "placement")
)
def at_most_one_worker_per_chunk(block: Any, instance: Instance) -> None:
    """A job uses at most D_j workers in a slot, and none unless it runs outside the all-cloud mode."""
    use, runs, cloud = _workers(block), block.model().running.runs, block.model().placement.all_in_cloud
    edge, far, most = collect(use.edge, 0, -1), collect(use.far, 0, 1), _chunks(instance)
    block.row = pyo.Constraint(
        list(runs),
        rule=lambda _, j, t: (
            sum(use.edge[k] for k in edge.get((j, t), ())) + sum(use.far[k] for k in far.get((j, t), ()))
            <= most[j] * runs[j, t]
        ),
    )
    block.outside = pyo.Constraint(list(runs), rule=lambda _, j, t: runs[j, t] <= 1 - cloud[j])


@group("constraints", "(2d)", r"\textstyle\sum_j v_{jsw} y_{jsw}(t) \le 1", needs=(WORKERS,))
def one_job_per_worker(block: Any, instance: Instance) -> None:
    """A worker trains at most one job in a slot."""
    use = _workers(block)
    at = collect(use.edge, slice(1, None))
    block.row = pyo.Constraint(list(at), rule=lambda _, *p: sum(use.edge[k] for k in at[p]) <= use.capacity[p[:-1]])


@group(
    "constraints", "(2j)", r"c_j = \arg\max_t \{\textstyle\sum_{s,w} y_{jsw}(t) > 0\}", needs=("completion", "running")
)
def completes_after_its_last_slot(block: Any, instance: Instance) -> None:
    """A job is alive from its arrival to its last running slot, and its JCT counts those slots."""
    runs, alive, jct = block.model().running.runs, block.model().completion.alive, block.model().completion.jct
    block.alive = pyo.Constraint(list(runs), rule=lambda _, j, t: alive[j, t] >= runs[j, t])
    later = [(j, t) for j, t in runs if (j, t + 1) in runs]
    block.once = pyo.Constraint(later, rule=lambda _, j, t: alive[j, t] >= alive[j, t + 1])
    of = collect(runs, 0)
    block.jct = pyo.Constraint(list(of), rule=lambda _, j: jct[j] >= sum(alive[k] for k in of[j]))


@group(
    "constraints",
    "(2g)",
    r"c_j - r_j = \Delta_{js_c} + E_j B_j / n_j \text{ if } \zeta_j = 1",
    needs=("completion", "placement"),
)
def completes_in_cloud(block: Any, instance: Instance, *, speed: Fraction) -> None:
    """A job that is in the cloud as a whole completes one upload and one chunk's time after its arrival."""
    jct, cloud = block.model().completion.jct, block.model().placement.all_in_cloud
    takes = {job.name: (instance.cloud_delay(job) or 0) + job.slots(True, speed) for job in cloud_jobs(instance)}
    block.row = pyo.Constraint(list(takes), rule=lambda _, j: jct[j] >= takes[j] * cloud[j])


def _chunks(instance: Instance) -> dict[str, int]:
    return {job.name: job.chunks for job in instance.jobs}


PINNED = (
    total_jct,
    chunks_dispatched,
    chunk_work,
    far_chunks_run_one_by_one,
    at_most_one_worker_per_chunk,
    one_job_per_worker,
    served_while_running,
    parameter_server_capacity,
    completes_in_cloud,
    completes_after_its_last_slot,
    placement,
    running,
    completion,
    pinned_workers,
    parameter_server,
)
FLOATING = (
    total_jct,
    job_work,
    *(
        g
        for g in PINNED
        if g not in (chunks_dispatched, chunk_work, far_chunks_run_one_by_one, pinned_workers, total_jct)
    ),
    floating_workers,
)
CHUNKS = {"pinned": (PINNED, pinned_schedule), "floating": (FLOATING, floating_schedule)}


def minlp2(*, chunks: str = "pinned", reading: str = "ceil_chunk", speed: Fraction = Fraction(1)) -> Program:
    """MINLP (2): the least total JCT, exactly."""
    groups, to_schedule = CHUNKS[chunks]
    if chunks == "pinned":
        pick("reading of pinned chunks", reading, {"ceil_chunk": None})
    return Program(
        id="preemptive.minlp2",
        sense="minimize",
        groups=groups,
        parameters={"chunks": chunks, "reading": reading, "speed": speed},
        routes={"cpsat": by_cpsat, "brute": by_brute_force},
        to_schedule=to_schedule,
    )
