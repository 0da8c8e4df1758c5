"""The reformulation (4), and (8) with storage: average fractional flow time.

A waiting chunk costs t - r_j in every slot in which it is trained, spread over its work (3). The cloud has a worker
for every chunk, so its columns count workers. A chunk trains at the cloud's rate only if its whole job is there.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model
from schedproof.core.data.options import pick
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.formulations.preemptive.index import (
    chunks,
    cloud_window,
    fractional_cost,
    list_indices,
    require_no_restart,
    slots,
    sums,
    window,
    workers,
    workers_in,
)
from schedproof.formulations.preemptive.serving import (
    parameter_server,
    parameter_server_capacity,
    parameter_server_has_landed,
    running_slots,
    served_while_running,
    under_release,
)
from schedproof.formulations.preemptive.to_point import ilp4_point
from schedproof.instances.preemptive import Instance


@group("variables", "(4h)", r"y_{jdsw}(t) \in \mathbb{Z}_{\ge 0} \quad \forall n_{jsw} > 0, t \ge r_j + \Delta_{js}")
def training(block: Model, instance: Instance, *, reading: str, speed: Fraction, stays: bool) -> None:
    """Whether a worker trains a chunk in a slot; w_c trains at the all-cloud rate."""
    edge = list_indices(
        (job.name, d, *w, t)
        for job in instance.jobs
        for d in range(job.chunks)
        for q, delay in instance.qualified(job)
        for w in workers(q)
        for t in window(instance, job, delay, speed, mixed=True, stays=stays)
    )
    cloud = list_indices(
        (job.name, d, t)
        for job, window in cloud_window(instance, speed, mixed=True)
        for d in range(job.chunks)
        for t in window
    )
    block.edge = pyo.Var(edge, domain=pyo.NonNegativeIntegers)
    block.cloud_at_edge_rate = pyo.Var(cloud, domain=pyo.NonNegativeIntegers)
    block.cloud = pyo.Var(cloud, domain=pyo.NonNegativeIntegers)
    takes = {job.name: slots(job, False, reading, speed) for job in instance.jobs}
    in_cloud = {job.name: slots(job, True, reading, speed) for job in instance.jobs}
    block.columns = (  # with their indices, and E_j B_j / n_jsw in slots
        (block.edge, "jdsqwt", takes),
        (block.cloud_at_edge_rate, "jdt", takes),
        (block.cloud, "jdt", in_cloud),
    )


@group("variables", "(4h)", r"\rho_j(t) \in \{0,1\} \quad \forall t \ge r_j")
def running(block: Model, instance: Instance, *, speed: Fraction, stays: bool) -> None:
    """Whether a job that is not wholly in the cloud runs in a slot (rho = 1)."""
    block.runs = pyo.Var(running_slots(instance, speed, mixed=True, stays=stays), domain=pyo.Binary)


@group("variables", "(4h)", r"\zeta_j \in \{0,1\}")
def placement(block: Model, instance: Instance) -> None:
    """Whether a job is wholly in the cloud (zeta = 1)."""
    block.all_in_cloud = pyo.Var([job.name for job in instance.jobs], domain=pyo.Binary)


@group("objective", "(3), (4)", r"\min \textstyle\sum_{j,d,s,w,t} \frac{n_{jsw}}{E_j D_j B_j} (t - r_j)\, y_{jdsw}(t)")
def fractional_flow(block: Model, instance: Instance, training: Model) -> Model:
    """The fractional flow time, averaged over each job's chunks, as printed."""
    return fractional_cost(training, instance, "printed")


@group(
    "objective",
    "(4) + half",
    r"\min \textstyle\sum_{j,d,s,w,t} \frac{n_{jsw}}{E_j D_j B_j}"
    r" \bigl(t - r_j + \tfrac12 (\tfrac{E_j B_j}{n_{jsw}} + 1)\bigr)\, y_{jdsw}(t)",
)
def half_processing(block: Model, instance: Instance, training: Model) -> Model:
    """Fractional flow plus half the processing time, averaged over each job's chunks."""
    return fractional_cost(training, instance, "half")


@group(
    "constraints",
    "(4a)",
    r"\textstyle\sum_{t,s,w} \tfrac{n_{jsw}}{E_j B_j} y_{jdsw}(t) \ge 1",
    multiplier=r"\alpha_{jd}",
)
def chunk_work(block: Model, instance: Instance, training: Model) -> Model:
    """Every chunk is trained in full."""
    columns = [(sums(y, letters, "jd"), takes) for y, letters, takes in training.columns]
    return {(j, d): sum(scalar(1 / takes[j]) * y[j, d] for y, takes in columns) >= 1 for j, d in chunks(instance)}


@group(
    "constraints",
    "(4b)",
    r"\textstyle\sum_{j,d} y_{jdsw}(t) \le 1 \quad \forall s \ne s_{\mathrm{c}}",
    multiplier=r"\beta_{sw}(t)",
)
def worker_capacity(block: Model, instance: Instance, training: Model) -> Model:
    """A worker trains at most one chunk in a slot, none in a break."""
    free = workers_in(instance)
    return {
        place: chunks <= free(place[0], place[-1], 1) for place, chunks in sums(training.edge, "jdsqwt", "sqwt").items()
    }


@group("constraints", "(4e)", r"\textstyle\sum_{s,w} y_{jdsw}(t) \le 1")
def one_worker_per_chunk(block: Model, instance: Instance, training: Model) -> Model:
    """A chunk is trained by at most one worker in a slot."""
    columns = [sums(y, letters, "jdt") for y, letters, _ in training.columns]
    some = dict.fromkeys(index for column in columns for index in column)
    return {chunk: sum(y[chunk] for y in columns) <= 1 for chunk in some}


@group("constraints", "(4c)", r"y_{jdsw}(t) \le \rho_j(t) \quad \forall w \ne w_{\mathrm{c}}")
def runs_when_trained(block: Model, instance: Instance, training: Model, running: Model) -> Model:
    """A job runs (rho = 1) in every slot that trains a chunk at the edge rate."""
    runs, columns = running.runs, {"edge": training.edge, "cloud": training.cloud_at_edge_rate}
    return {name: {i: y <= runs[i[0], i[-1]] for i, y in use.items()} for name, use in columns.items()}


@group("constraints", "(4f)", r"y_{jdsw}(t) \le \zeta_j \quad \forall w = w_{\mathrm{c}}")
def cloud_rate_if_all_there(block: Model, instance: Instance, training: Model, placement: Model) -> Model:
    """A chunk trains at the all-cloud rate only if the whole job is in the cloud."""
    return {(j, d, t): y <= placement.all_in_cloud[j] for (j, d, t), y in training.cloud.items()}


@group("constraints", "(4g)", r"y_{jdsw}(t) \le 1 - \zeta_j \quad \forall w \ne w_{\mathrm{c}}")
def edge_rate_otherwise(block: Model, instance: Instance, training: Model, placement: Model) -> Model:
    """A chunk trains at the edge rate only if the job is not wholly in the cloud."""
    zeta, columns = placement.all_in_cloud, {"edge": training.edge, "cloud": training.cloud_at_edge_rate}
    return {name: {i: y <= 1 - zeta[i[0]] for i, y in use.items()} for name, use in columns.items()}


COSTS: dict[str, Group] = {"printed": fractional_flow, "half": half_processing}
COUPLING = (served_while_running, parameter_server_capacity, runs_when_trained, parameter_server_has_landed)
RATES = (cloud_rate_if_all_there, edge_rate_otherwise)
CONSTRAINTS = (chunk_work, worker_capacity, *COUPLING, one_worker_per_chunk, *RATES)
VARIABLES = (training, running, placement, parameter_server)
DECOUPLED = tuple(g.name for g in (*COUPLING, *RATES, *VARIABLES[1:]))  # dropped before the paper takes the dual


def ilp4(
    *, cost: str = "printed", reading: str = "ceil_chunk", ps_release: str = "printed", speed: Fraction = Fraction(1)
) -> Program:
    return Program(
        id="preemptive.ilp4",
        sense="minimize",
        groups=under_release(ps_release, (pick("cost", cost, COSTS), *CONSTRAINTS, *VARIABLES)),
        parameters={"reading": reading, "speed": speed, "stays": False},
        to_point=ilp4_point,
        require_solvable=require_no_restart,
    )
