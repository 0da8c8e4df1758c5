"""Parameter servers, shared by (2), (4), (7) and (8): one per running job and slot, within each server's count."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.lazy import pyo
from schedproof.core.base.untyped import AnyFamily, Model
from schedproof.core.data.options import pick
from schedproof.core.programs.group import Group, group
from schedproof.formulations.preemptive.index import lifetime, list_indices, sums
from schedproof.instances.preemptive import Instance


@group("variables", "(2k)", r"z_{jsp}(t) \in \{0,1\} \quad \forall o_{jsp} = 1, t \ge r_j", needs=("running",))
def parameter_server(block: Model, instance: Instance) -> None:
    """A parameter server of some type and server serves a job in a slot or not."""
    running = block.model().running.runs
    types = {job.name: _open_types(instance, job) for job in instance.jobs}
    block.serves = pyo.Var([(j, s, kind, t) for j, t in running for s, kind in types[j]], domain=pyo.Binary)


def _open_types(instance: Instance, job: AnyFamily) -> list[tuple[str, str]]:
    edge = [(s.name, kind) for s in instance.edges for kind in s.parameter_servers if job.opens(s, kind)]
    cloud = instance.cloud
    return edge if cloud is None or job.delay(cloud) is None else [*edge, (cloud.name, "*")]


@group(
    "constraints",
    "(2e), (4c)",
    r"\textstyle\sum_{s,p} o_{jsp} z_{jsp}(t) = \rho_j(t)",
    needs=("running", "parameter_server"),
)
def served_while_running(block: Model, instance: Instance) -> None:
    """A job has exactly one parameter server in every slot in which it runs."""
    runs, serves = block.model().running.runs, block.model().parameter_server.serves
    servers = sums(serves, "jspt", "jt")
    block.row = pyo.Constraint(list(runs), rule=lambda _, j, t: servers[j, t] == runs[j, t])


@group(
    "constraints",
    "(2f), (4d)",
    r"\textstyle\sum_{j} o_{jsp} z_{jsp}(t) \le P_{sp} \quad \forall s \ne s_{\mathrm{c}}",
    needs=("parameter_server",),
)
def parameter_server_capacity(block: Model, instance: Instance) -> None:
    """A parameter server serves at most one job; those of one type on one server are counted together."""
    serves = block.model().parameter_server.serves
    count = {(s.name, kind): n for s in instance.edges for kind, n in s.parameter_servers.items()}
    busy = sums(serves, "jspt", "spt")
    edge = [(s, p, t) for s, p, t in busy if (s, p) in count]
    block.row = pyo.Constraint(edge, rule=lambda _, s, p, t: busy[s, p, t] <= count[s, p])


@group(
    "constraints",
    "(2i), (4h)",
    r"z_{jsp}(t) = 0 \quad \forall t < r_j + \Delta_{js}",
    needs=("parameter_server",),
)
def parameter_server_has_landed(block: Model, instance: Instance) -> None:
    """A parameter server on a server serves a job only after the job's upload to that server."""
    serves = block.model().parameter_server.serves
    lands = {(j.name, s.name): j.arrival + (j.delay(s) or 0) for j in instance.jobs for s in instance.servers}
    early = [key for key in serves if key[-1] < lands[key[:2]]]
    block.row = pyo.Constraint(early, rule=lambda _, *key: serves[key] == 0)


def under_release(ps_release: str, groups: tuple[Group, ...]) -> tuple[Group, ...]:
    """A program's groups, without (2i) on parameter servers where they need not wait."""
    printed = pick("ps_release", ps_release, {"printed": True, "none": False})
    return tuple(g for g in groups if printed or g is not parameter_server_has_landed)


def running_slots(instance: Instance, speed: Fraction, mixed: bool, stays: bool = False) -> list[tuple[str, int]]:
    """(job, slot) pairs in which a job may run."""
    return list_indices((job.name, t) for job in instance.jobs for t in lifetime(instance, job, speed, mixed, stays))


def alive_until_done(block: Model, alive: Model, runs: Model) -> None:
    """A job is alive while it runs, and once it is not, never again."""
    block.alive = pyo.Constraint(list(runs), rule=lambda _, j, t: alive[j, t] >= runs[j, t])
    later = [(j, t) for j, t in runs if (j, t + 1) in runs]
    block.once = pyo.Constraint(later, rule=lambda _, j, t: alive[j, t] >= alive[j, t + 1])
