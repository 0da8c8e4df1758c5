"""Independent exact checker of jrp schedules: one function per constraint.

It shares no code with any model or policy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

from schedproof.core.data import checking
from schedproof.core.data.checking import Rule, Violation, violation
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Schedule


def violations(schedule: Schedule, instance: Instance) -> list[Violation]:
    """Return every broken constraint, or only the malformed rows if there are some."""
    return checking.violations(schedule, instance, well_formed, RULES)


def well_formed(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Jobs, data nodes and servers exist; a job has one grant per server."""
    jobs, servers = len(instance.jobs), len(instance.servers)
    for row in schedule.placements:
        if not 0 <= row.job < jobs or not 0 <= row.node < len(instance.jobs[row.job].nodes):
            yield violation("node_exists", f"data node number {row.node} of job number {row.job}")
        if not 0 <= row.server < servers:
            yield violation("server_exists", f"server number {row.server}")
    for (job, server), count in sorted(Counter((g.job, g.server) for g in schedule.grants).items()):
        where = f"job number {job} on server number {server}"
        if not 0 <= job < jobs or not 0 <= server < servers:
            yield violation("grant_exists", where)
        elif count > 1:
            yield violation("one_grant_each", where, count - 1)


def one_server_each(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(6), (11), (12) A data node goes to at most one server."""
    for (k, i), count in sorted(Counter((row.job, row.node) for row in schedule.placements).items()):
        if count > 1:
            job = instance.jobs[k]
            yield violation("one_server_each", f"{job.nodes[i].name} of {job.name}", count - 1)


def assignable(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(6) A data node goes to a server of its A_i."""
    for k, i, j in schedule.placements:
        job = instance.jobs[k]
        if j not in job.nodes[i].servers:
            yield violation("assignable", f"{job.nodes[i].name} of {job.name} on {instance.servers[j].name}")


def all_or_none(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(6) Either all data nodes of a job have a server, or none has."""
    placed: dict[int, set[int]] = defaultdict(set)
    for row in schedule.placements:
        placed[row.job].add(row.node)
    for k, nodes in sorted(placed.items()):
        job = instance.jobs[k]
        if len(nodes) < len(job.nodes):
            yield violation("all_or_none", job.name, len(job.nodes) - len(nodes))


def storage(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(7) A server's data fit its storage."""
    held: dict[int, Fraction] = defaultdict(Fraction)
    for k, i, j in schedule.placements:
        held[j] += instance.jobs[k].nodes[i].size
    for j, amount in sorted(held.items()):
        server = instance.servers[j]
        if amount > server.storage:
            yield violation("storage", server.name, amount - server.storage)


def not_negative(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(13) No grant is negative."""
    for grant in schedule.grants:
        least = min(grant.compute, grant.bandwidth)
        if least < 0:
            where = f"{instance.jobs[grant.job].name} on {instance.servers[grant.server].name}"
            yield violation("not_negative", where, -least)


def compute(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(8) A server's grants are within its compute."""
    return _grants("compute", schedule, instance)


def bandwidth(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(9) A server's grants are within its bandwidth."""
    return _grants("bandwidth", schedule, instance)


def _grants(resource: str, schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    given: dict[int, Fraction] = defaultdict(Fraction)
    for grant in schedule.grants:
        given[grant.server] += getattr(grant, resource)
    for j, amount in sorted(given.items()):
        limit = getattr(instance.servers[j], resource)
        if amount > limit:
            yield violation(resource, instance.servers[j].name, amount - limit)


def completion(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(10) With (2)-(4): training ends by the deadline on each of the job's servers.

    A job without work needs no compute; a job without parameters needs no bandwidth.
    """
    held: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for k, i, j in schedule.placements:
        held[k, j] += instance.jobs[k].nodes[i].size
    got = {(grant.job, grant.server): (grant.compute, grant.bandwidth) for grant in schedule.grants}
    for (k, j), data in sorted(held.items()):
        job = instance.jobs[k]
        if job.deadline is None:
            continue
        where = f"{job.name} on {instance.servers[j].name}"
        speed, link = got.get((k, j), (Fraction(0), Fraction(0)))
        iterations = job.epochs * data / job.minibatch_size
        work, sent = iterations * job.minibatch_work, iterations / job.sync_period * job.parameter_size
        if (work and speed <= 0) or (sent and link <= 0):
            yield violation("completion", f"{where}, which has no grant of a resource it needs")
            continue
        time = (work / speed if work else 0) + (sent / link if sent else 0)
        if time > job.deadline:
            yield violation("completion", where, time - job.deadline)


RULES: tuple[Rule, ...] = (
    one_server_each,
    assignable,
    all_or_none,
    storage,
    not_negative,
    compute,
    bandwidth,
    completion,
)
