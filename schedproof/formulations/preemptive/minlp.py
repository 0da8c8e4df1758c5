"""The exact program (2), and (7) with storage: total JCT, linear in the rate.

The rate n_j depends on the placement (1) and takes two values. With ``all_in_cloud`` the whole job is in the cloud,
without contention, and the completion is a constant. Every other job trains at the edge rate everywhere.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import ceil
from schedproof.core.base.untyped import Model
from schedproof.core.data.options import pick
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.formulations.preemptive.brute_force import by_brute_force
from schedproof.formulations.preemptive.index import (
    class_slots,
    cloud_slots,
    cloud_window,
    list_indices,
    require_no_restart,
    slots,
    sums,
    window,
    workers,
    workers_in,
)
from schedproof.formulations.preemptive.second_route import by_cpsat
from schedproof.formulations.preemptive.serving import (
    alive_until_done,
    parameter_server,
    parameter_server_capacity,
    parameter_server_has_landed,
    running_slots,
    served_while_running,
    under_release,
)
from schedproof.formulations.preemptive.to_point import minlp2_point
from schedproof.formulations.preemptive.to_schedule import floating_schedule, pinned_schedule
from schedproof.instances.preemptive import Instance


@group(
    "variables",
    "(2k)",
    r"\zeta_j \in \{0,1\} \quad \forall \bar{\zeta}_j = 1; \; \zeta_j = 0 \quad \forall \bar{\zeta}_j = 0",
)
def placement(block: Model, instance: Instance, *, speed: Fraction) -> None:
    """Whether a job is wholly in the cloud; zeta-bar = 1 if it can complete there."""
    block.speed = speed  # kept for reading a schedule off the solved model
    block.all_in_cloud = pyo.Var([job.name for job in instance.jobs], domain=pyo.Binary)
    for job in instance.jobs:
        delay = instance.cloud_delay(job)
        if delay is None or job.arrival + delay + job.slots(in_cloud=True, speed=speed) > instance.horizon:
            block.all_in_cloud[job.name].fix(0)


@group("variables", "(2k)", r"\rho_j(t) \in \{0,1\} \quad \forall t \ge r_j")
def running(block: Model, instance: Instance, *, speed: Fraction) -> None:
    """Whether a job that is not wholly in the cloud runs in a slot (rho = 1)."""
    block.runs = pyo.Var(running_slots(instance, speed, mixed=False), domain=pyo.Binary)


@group("variables", "(2j)", r"c_j = r_j + \varphi_j, \; \varphi_j \ge 0; \; a_j(t) \in \{0,1\} \quad \forall t \ge r_j")
def completion(block: Model, instance: Instance, running: Model) -> None:
    """A job is alive (a = 1) until its last running slot; its JCT is phi slots."""
    block.alive = pyo.Var(list(running.runs), domain=pyo.Binary)
    block.jct = pyo.Var([job.name for job in instance.jobs], domain=pyo.NonNegativeReals)


@group(
    "variables",
    "III-A",
    r"y_{jsw}(t) \in \{0,1\} \quad \forall v_{jsw} = 1, s \ne s_{\mathrm{c}}, t \ge r_j + \Delta_{js};"
    r" \; y_{jsw}(t) \in \mathbb{Z}_{\ge 0} \quad \forall v_{jsw} = 1, s = s_{\mathrm{c}}, t \ge r_j + \Delta_{js};"
    r" \; N_{jsw} \in \mathbb{Z}_{\ge 0} \quad \forall v_{jsw} = 1, r_j + \Delta_{js} \le T_j",
)
def pinned_workers(block: Model, instance: Instance, *, speed: Fraction) -> None:
    """A worker holds N fixed chunks of a job; it trains them one at a time until T_j."""
    edge = list_indices(
        (job.name, *w, t)
        for job in instance.jobs
        for q, delay in instance.qualified(job)
        for w in workers(q)
        for t in window(instance, job, delay, speed)
    )
    block.letters, block.capacity = "jsqwt", {w: 1 for q in instance.classes for w in workers(q)}
    _worker_variables(block, instance, speed, edge, pyo.Binary)
    block.holds = pyo.Var(list(dict.fromkeys(key[:-1] for key in edge)), domain=pyo.NonNegativeIntegers)
    cloud = [job.name for job, times in cloud_window(instance, speed) if times]
    block.holds_in_cloud = pyo.Var(cloud, domain=pyo.NonNegativeIntegers)


@group("variables", "(2k)", r"y_{jsw}(t) \in \mathbb{Z}_{\ge 0} \quad \forall v_{jsw} = 1, t \ge r_j + \Delta_{js}")
def floating_workers(block: Model, instance: Instance, *, speed: Fraction) -> None:
    """As printed, how many workers of each class train a job; chunks may move."""
    block.letters, block.capacity = "jsqt", {(q.server.name, q.type): q.count for q in instance.classes}
    _worker_variables(block, instance, speed, class_slots(instance, speed), pyo.NonNegativeIntegers)


def _worker_variables(block: Model, instance: Instance, speed: Fraction, edge: list[Model], domain: Model) -> None:
    cloud = cloud_slots(instance, speed)
    block.edge = pyo.Var(edge, domain=domain)
    block.cloud_at_edge_rate = pyo.Var(cloud, domain=pyo.NonNegativeIntegers)


WORKERS = "pinned_workers|floating_workers"


@group("objective", "(2)", r"\min \textstyle\sum_j (c_j - r_j)")
def total_jct(block: Model, instance: Instance, completion: Model) -> Model:
    """The total job completion time."""
    return pyo.quicksum(completion.jct.values())


@group("constraints", "(2b)", r"\textstyle\sum_{t,s,w} y_{jsw}(t) \ge \lceil E_j D_j B_j / n_j \rceil (1 - \zeta_j)")
def job_work(
    block: Model, instance: Instance, floating_workers: Model, placement: Model, *, reading: str, speed: Fraction
) -> Model:
    """A job gets enough worker slots; each chunk or the whole job is rounded up."""
    use, zeta = floating_workers, placement.all_in_cloud
    edge, away = sums(use.edge, use.letters, "j"), sums(use.cloud_at_edge_rate, "jt", "j")
    block.reading = reading  # kept for reading a schedule off the solved model
    demand = {
        job.name: ceil(job.chunks * job.chunk_time / speed)
        if reading == "ceil_job"
        else int(job.chunks * slots(job, False, reading, speed))
        for job in instance.jobs
    }
    return {j: edge[j] + away[j] >= slots * (1 - zeta[j]) for j, slots in demand.items()}


@group("constraints", "III-A", r"\textstyle\sum_{s,w} N_{jsw} = D_j (1 - \zeta_j)")
def chunks_dispatched(block: Model, instance: Instance, pinned_workers: Model, placement: Model) -> Model:
    """Every chunk of a job that is not wholly in the cloud goes to one worker."""
    use, zeta = pinned_workers, placement.all_in_cloud
    edge, away = sums(use.holds, "jsqw", "j"), sums(use.holds_in_cloud, "j", "j")
    return {j: edge[j] + away[j] == chunks * (1 - zeta[j]) for j, chunks in _chunks(instance).items()}


@group("constraints", "(2b), III-A", r"\textstyle\sum_t y_{jsw}(t)\, n_j = E_j B_j N_{jsw}")
def chunk_work(block: Model, instance: Instance, pinned_workers: Model, *, speed: Fraction) -> Model:
    """A worker trains each of its chunks for the chunk's whole training time."""
    use, need = pinned_workers, {job.name: job.slots(speed=speed) for job in instance.jobs}
    edge, away = sums(use.edge, "jsqwt", "jsqw"), sums(use.cloud_at_edge_rate, "jt", "j")
    return {
        "edge": {i: slots == need[i[0]] * use.holds[i] for i, slots in edge.items()},
        "cloud": {j: away[j] == need[j] * held for j, held in use.holds_in_cloud.items()},
    }


@group("constraints", "III-A", r"y_{jsw}(t) \le N_{jsw} \quad \forall s = s_{\mathrm{c}}")
def far_chunks_run_one_by_one(block: Model, instance: Instance, pinned_workers: Model) -> Model:
    """A chunk in the cloud is on one worker at a time."""
    held = pinned_workers.holds_in_cloud
    return {(j, t): y <= held[j] for (j, t), y in pinned_workers.cloud_at_edge_rate.items()}


@group(
    "constraints",
    "(2c)",
    r"\textstyle\sum_{s,w} v_{jsw} y_{jsw}(t) \le D_j \rho_j(t), \; \rho_j(t) \le 1 - \zeta_j",
    needs=(WORKERS,),
)
def at_most_one_worker_per_chunk(
    block: Model,
    instance: Instance,
    running: Model,
    placement: Model,
    pinned_workers: Model = None,
    floating_workers: Model = None,
) -> Model:
    """A job uses at most D_j workers in a slot; only a running job uses any."""
    use, runs, zeta = pinned_workers or floating_workers, running.runs, placement.all_in_cloud
    edge, away, chunks = sums(use.edge, use.letters, "jt"), sums(use.cloud_at_edge_rate, "jt", "jt"), _chunks(instance)
    return {
        "row": {(j, t): edge[j, t] + away[j, t] <= chunks[j] * run for (j, t), run in runs.items()},
        "outside": {(j, t): run <= 1 - zeta[j] for (j, t), run in runs.items()},
    }


@group(
    "constraints",
    "(2d)",
    r"\textstyle\sum_j v_{jsw} y_{jsw}(t) \le W_{sw} \quad \forall s \ne s_{\mathrm{c}}",
    needs=(WORKERS,),
)
def one_job_per_worker(
    block: Model, instance: Instance, pinned_workers: Model = None, floating_workers: Model = None
) -> Model:
    """A worker trains at most one job in a slot, and none in a break."""
    use = pinned_workers or floating_workers
    busy, free = sums(use.edge, use.letters, use.letters[1:]), workers_in(instance)
    return {w: jobs <= free(w[0], w[-1], use.capacity[w[:-1]]) for w, jobs in busy.items()}


@group(
    "constraints", "(2j)", r"c_j - r_j \ge \textstyle\sum_t a_j(t), \; a_j(t) \ge \rho_j(t), \; a_j(t) \ge a_j(t + 1)"
)
def completes_after_its_last_slot(block: Model, instance: Instance, completion: Model, running: Model) -> Model:
    """A job is alive until its last running slot; its JCT counts the alive slots."""
    slots = sums(completion.alive, "jt", "j")
    last = {j: completion.jct[j] >= alive for j, alive in slots.items()}
    return {**alive_until_done(completion.alive, running.runs), "jct": last}


@group(
    "constraints",
    "(2g)",
    r"c_j - r_j \ge (\Delta_{js_{\mathrm{c}}} + \lceil E_j B_j / n_{js_{\mathrm{c}}} \rceil) \zeta_j"
    r" \quad \forall \Delta_{js_{\mathrm{c}}} < \infty",
)
def completes_in_cloud(
    block: Model, instance: Instance, completion: Model, placement: Model, *, speed: Fraction
) -> Model:
    """A job wholly in the cloud completes after one upload and one chunk's time."""
    jct, zeta = completion.jct, placement.all_in_cloud
    delays = [(job, instance.cloud_delay(job)) for job in instance.jobs]
    takes = {job.name: delay + job.slots(True, speed) for job, delay in delays if delay is not None}
    return {j: jct[j] >= slots * zeta[j] for j, slots in takes.items()}


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
    parameter_server_has_landed,
    completes_in_cloud,
    completes_after_its_last_slot,
    placement,
    running,
    completion,
    pinned_workers,
    parameter_server,
)
ONLY_PINNED = (total_jct, chunks_dispatched, chunk_work, far_chunks_run_one_by_one, pinned_workers)
FLOATING = (total_jct, job_work, *(g for g in PINNED if g not in ONLY_PINNED), floating_workers)
CHUNKS = {  # groups, schedule of a solved model, readings of a duration
    "pinned": (PINNED, pinned_schedule, ("ceil_chunk",)),
    "floating": (FLOATING, floating_schedule, ("ceil_chunk", "ceil_job")),
}


def minlp2(
    *, chunks: str = "pinned", reading: str = "ceil_chunk", ps_release: str = "printed", speed: Fraction = Fraction(1)
) -> Program:
    groups, to_schedule, readings = pick("chunks", chunks, CHUNKS)
    pick(f"reading of {chunks} chunks", reading, dict.fromkeys(readings))
    return Program(
        id="preemptive.minlp2",
        sense="minimize",
        groups=under_release(ps_release, groups),
        parameters={"chunks": chunks, "reading": reading, "ps_release": ps_release, "speed": speed},
        routes={"cpsat": Route(by_cpsat, "cpsat"), "brute": Route(by_brute_force, EXHAUSTIVE)},
        to_schedule=to_schedule,
        to_point=minlp2_point,
        require_solvable=require_no_restart,
        provable=True,
    )
