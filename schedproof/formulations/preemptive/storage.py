"""Storage (7), (8): a chunk occupies one server while its job is in the system.

As printed, (7a)-(7d) store a chunk on every server at once. The group `stored_everywhere_as_printed` keeps that form;
the other groups have the meaning of the text.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from schedproof.core.base.lazy import pyo
from schedproof.core.base.numbers import scalar
from schedproof.core.base.untyped import Model
from schedproof.core.data.options import pick
from schedproof.core.programs.group import group
from schedproof.core.programs.program import Program
from schedproof.formulations.preemptive import ilp, minlp
from schedproof.formulations.preemptive.index import chunks, require_no_restart, sums
from schedproof.formulations.preemptive.serving import alive_until_done, under_release
from schedproof.formulations.preemptive.to_point import ilp4_point, minlp2_point
from schedproof.formulations.preemptive.to_schedule import pinned_schedule
from schedproof.instances.preemptive import Instance


def _capacities(instance: Instance) -> dict[str, Model]:
    return {s.name: scalar(s.storage) for s in instance.edges if s.storage is not None}


def _within_storage(instance: Instance, kept: Model, letters: str) -> Model:
    limit, size = _capacities(instance), {job.name: scalar(job.chunk_size) for job in instance.jobs}
    used = sums({key: size[key[0]] * entry for key, entry in kept.items()}, letters, "st")
    return {(s, t): sizes <= limit[s] for (s, t), sizes in used.items() if s in limit}


@group("variables", "(7e)", r"x_{js}(t) \ge 0 \quad \forall U_s < \infty, t \ge r_j")
def stored_chunks(block: Model, instance: Instance, completion: Model) -> None:
    """The number of a job's chunks that occupy a server's storage in a slot."""
    limited = [(j, s, t) for j, t in completion.alive for s in _capacities(instance)]
    block.stored = pyo.Var(limited, domain=pyo.NonNegativeReals)


@group("constraints", "(7a), (7c), (7d)", r"x_{js}(t) \ge \textstyle\sum_w N_{jsw} - D_j (1 - a_j(t))")
def stored_while_alive(
    block: Model, instance: Instance, stored_chunks: Model, pinned_workers: Model, completion: Model
) -> Model:
    """A server stores the chunks of its workers while their job is alive."""
    held, alive, stored = sums(pinned_workers.holds, "jsqw", "js"), completion.alive, stored_chunks.stored
    limit = {job.name: job.chunks for job in instance.jobs}
    return {(j, s, t): x >= held[j, s] - limit[j] * (1 - alive[j, t]) for (j, s, t), x in stored.items()}


@group("constraints", "(7b)", r"\textstyle\sum_j x_{js}(t)\, u_j \le U_s \quad \forall U_s < \infty")
def storage_capacity(block: Model, instance: Instance, stored_chunks: Model) -> Model:
    """The chunks stored on a server fit its storage (GB)."""
    return _within_storage(instance, stored_chunks.stored, "jst")


@group(
    "constraints",
    "(7b)-(7d) as printed",
    r"\textstyle\sum_j D_j u_j a_j(t) + \sum_{j: r_j \le t < r_j + \Delta_{js_{\mathrm{c}}}"
    r" + \lceil E_j B_j / n_{js_{\mathrm{c}}} \rceil} D_j u_j \zeta_j \le U_s \quad \forall U_s < \infty",
)
def stored_everywhere_as_printed(
    block: Model, instance: Instance, completion: Model, placement: Model, *, speed: Fraction
) -> Model:
    """As printed, (7c) stores every chunk on every server from arrival to completion."""
    alive, zeta = completion.alive, placement.all_in_cloud
    size = {job.name: job.chunks * scalar(job.chunk_size) for job in instance.jobs}
    ends = {
        job.name: job.arrival + (instance.cloud_delay(job) or 0) + job.slots(in_cloud=True, speed=speed)
        for job in instance.jobs
    }
    sizes = {(j, t): size[j] * (alive[j, t] + (zeta[j] if t < ends[j] else 0)) for j, t in alive}
    used = sums(sizes, "jt", "t")
    return {(s, t): used[t] <= limit for s, limit in _capacities(instance).items() for t in used}


STORED = {
    "one_server": (stored_chunks, stored_while_alive, storage_capacity),
    "as_printed": (stored_everywhere_as_printed,),
}


def minlp7(*, stored: str = "one_server", ps_release: str = "printed", speed: Fraction = Fraction(1)) -> Program:
    return Program(
        id="preemptive.minlp7",
        sense="minimize",
        groups=under_release(ps_release, (*minlp.PINNED, *pick("stored", stored, STORED))),
        parameters={"speed": speed},
        to_schedule=pinned_schedule,
        to_point=partial(minlp2_point, chunks="pinned"),
        require_solvable=require_no_restart,
    )


# --- (8): storage chunk by chunk ----------------------------------------------------------------------------------


@group(
    "variables",
    "(7e)",
    r"x_{jds} \in \{0,1\} \quad \forall \Delta_{js} < \infty; \; a_j(t) \in \{0,1\} \quad \forall t \ge r_j;"
    r" \; x_{jds}(t) \ge 0 \quad \forall \Delta_{js} < \infty, U_s < \infty, t \ge r_j",
)
def chunk_places(block: Model, instance: Instance, running: Model) -> None:
    """A chunk sits on one server; a job is alive from its arrival to its completion."""
    served = {job.name: [s.name for s in instance.servers if job.delay(s) is not None] for job in instance.jobs}
    block.on = pyo.Var([(j, d, s) for j, d in chunks(instance) for s in served[j]], domain=pyo.Binary)
    block.alive = pyo.Var(list(running.runs), domain=pyo.Binary)
    limited = [(j, d, s) for j, d, s in block.on if s in _capacities(instance)]
    block.occupies = pyo.Var(
        [(j, d, s, t) for j, d, s in limited for job, t in block.alive if job == j], domain=pyo.NonNegativeReals
    )


@group("constraints", "(7a)", r"y_{jdsw}(t) \le x_{jds}")
def trained_where_stored(block: Model, instance: Instance, chunk_places: Model, training: Model) -> Model:
    """A chunk is trained only on the server that stores it."""
    on, cloud = chunk_places.on, "" if instance.cloud is None else instance.cloud.name
    away = {"cloud_at_edge_rate": training.cloud_at_edge_rate, "cloud": training.cloud}
    return {
        "edge": {i: y <= on[i[:3]] for i, y in training.edge.items()},
        **{name: {(j, d, t): y <= on[j, d, cloud] for (j, d, t), y in use.items()} for name, use in away.items()},
    }


@group(
    "constraints",
    "(7c), (7d)",
    r"\textstyle\sum_s x_{jds} = 1, \; x_{jds}(t) \ge x_{jds} + a_j(t) - 1,"
    r" \; a_j(t) \ge \rho_j(t), \; a_j(t) \ge a_j(t + 1)",
)
def stored_on_one_server(block: Model, instance: Instance, chunk_places: Model, running: Model) -> Model:
    """A chunk sits on exactly one server from its job's arrival to its completion."""
    on, alive = chunk_places.on, chunk_places.alive
    return {
        "one": {chunk: servers == 1 for chunk, servers in sums(on, "jds", "jd").items()},
        **alive_until_done(alive, running.runs),
        "occupies": {
            (j, d, s, t): x >= on[j, d, s] + alive[j, t] - 1 for (j, d, s, t), x in chunk_places.occupies.items()
        },
    }


@group("constraints", "(7b)", r"\textstyle\sum_{j,d} x_{jds}(t)\, u_j \le U_s \quad \forall U_s < \infty")
def chunk_storage_capacity(block: Model, instance: Instance, chunk_places: Model) -> Model:
    """The chunks stored on a server fit its storage (GB)."""
    return _within_storage(instance, chunk_places.occupies, "jdst")


@group(
    "constraints",
    "(9), its primal",
    r"\textstyle\sum_{j,d,w} y_{jdsw}(t)\, u_j \le U_s \quad \forall U_s < \infty",
    multiplier=r"\eta_s(t)",
)
def stored_only_while_trained(block: Model, instance: Instance, training: Model) -> Model:
    """As in the dual (9): a chunk takes storage only while it is trained."""
    return _within_storage(instance, training.edge, "jdsqwt")


def ilp8(
    *, cost: str = "printed", reading: str = "ceil_chunk", ps_release: str = "printed", speed: Fraction = Fraction(1)
) -> Program:
    base = ilp.ilp4(cost=cost, reading=reading, ps_release=ps_release, speed=speed)
    return Program(
        id="preemptive.ilp8",
        sense="minimize",
        groups=(*base.groups, trained_where_stored, chunk_storage_capacity, stored_on_one_server, chunk_places),
        parameters={**base.parameters, "stays": True},
        to_point=ilp4_point,
        require_solvable=require_no_restart,
    )
