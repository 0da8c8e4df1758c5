"""Parameter servers of (2), (4), (7) and (8): one per running job and slot."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.data.options import pick
from schedproof.core.programs.group import Group, group
from schedproof.formulations.preemptive.index import lifetime, list_indices, sums
from schedproof.instances.preemptive import Instance


@group("variables", "(2k)", r"z_{jsp}(t) \in \{0,1\} \quad \forall o_{jsp} = 1, t \ge r_j")
def parameter_server(block: Model, instance: Instance, running: Model) -> None:
    """Whether a parameter server of a type on a server serves a job in a slot."""
    types = {job.name: _open_types(instance, job) for job in instance.jobs}
    block.serves = pyo.Var([(j, s, kind, t) for j, t in running.runs for s, kind in types[j]], domain=pyo.Binary)


def _open_types(instance: Instance, job: AnyFamily) -> list[tuple[str, str]]:
    edge = [(s.name, kind) for s in instance.edges for kind in s.parameter_servers if job.opens(s, kind)]
    cloud = instance.cloud
    return edge if cloud is None or job.delay(cloud) is None else [*edge, (cloud.name, "*")]


@group("constraints", "(2e), (4c)", r"\textstyle\sum_{s,p} o_{jsp} z_{jsp}(t) = \rho_j(t)")
def served_while_running(block: Model, instance: Instance, running: Model, parameter_server: Model) -> Model:
    """A job has exactly one parameter server in every slot in which it runs."""
    servers = sums(parameter_server.serves, "jspt", "jt")
    return {index: servers[index] == runs for index, runs in running.runs.items()}


@group(
    "constraints", "(2f), (4d)", r"\textstyle\sum_{j} o_{jsp} z_{jsp}(t) \le P_{sp} \quad \forall s \ne s_{\mathrm{c}}"
)
def parameter_server_capacity(block: Model, instance: Instance, parameter_server: Model) -> Model:
    """A parameter server serves at most one job: a row for each type and server."""
    count = {(s.name, kind): n for s in instance.edges for kind, n in s.parameter_servers.items()}
    busy = sums(parameter_server.serves, "jspt", "spt")
    return {(s, p, t): jobs <= count[s, p] for (s, p, t), jobs in busy.items() if (s, p) in count}


@group("constraints", "(2i), (4h)", r"z_{jsp}(t) = 0 \quad \forall t < r_j + \Delta_{js}")
def parameter_server_has_landed(block: Model, instance: Instance, parameter_server: Model) -> Model:
    """A parameter server serves a job only after the job's upload to its server."""
    lands = {(j.name, s.name): j.arrival + (j.delay(s) or 0) for j in instance.jobs for s in instance.servers}
    return {key: z == 0 for key, z in parameter_server.serves.items() if key[-1] < lands[key[:2]]}


def under_release(ps_release: str, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """Return a program's groups, without (2i) if parameter servers need not wait."""
    printed = pick("ps_release", ps_release, {"printed": True, "none": False})
    return tuple(g for g in groups if printed or g is not parameter_server_has_landed)


def running_slots(instance: Instance, speed: Fraction, mixed: bool, stays: bool = False) -> list[tuple[str, int]]:
    """List the (job, slot) pairs in which a job may run."""
    return list_indices((job.name, t) for job in instance.jobs for t in lifetime(instance, job, speed, mixed, stays))


def alive_until_done(alive: Model, runs: Model) -> dict[str, Model]:
    """Rows: a job is alive while it runs and, once not alive, stays so."""
    return {
        "alive": {index: alive[index] >= run for index, run in runs.items()},
        "once": {(j, t): alive[j, t] >= alive[j, t + 1] for j, t in runs if (j, t + 1) in runs},
    }
