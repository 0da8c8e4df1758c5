"""Paper 003 in rationals: what a server can do, the optimum by enumeration, an x table checked line by line.

An x table is a sequence of rows (job, node, server, x): file positions, and x_i^j where it is not 0. ``held`` is the
data of each job on one server, D_j^k of (1), in GB. A rule says whether a server can work off what it holds by the
deadlines: `cone` by (8)-(10) themselves, `split` by (16)-(17) with lambda where (16) prints eta, `storage_only` always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from schedproof.instances.jrp import Instance, Job, Schedule, Server
from schedproof.instances.jrp.schedule import Assignment, Grant, Placement
from schedproof.proofs_checks.jrp.radicals import sign

Held = Mapping[int, Fraction]  # job -> GB on one server
Rule = Callable[[Instance, Server, Held], bool]
Row = tuple[int, int, int, Fraction]  # job, node, server, x
Table = Sequence[Sequence]  # rows, also as JSON reads them
Need = tuple[Fraction, Fraction]  # (a D, b D)
ZERO, ONE = Fraction(0), Fraction(1)


def rates(job: Job) -> Need:
    """a = T g/(f tau) in GFLOP/s and b = T h/(lambda f tau) in Gbit/s, per GB; 0 where there is no deadline."""
    if job.deadline is None:
        return ZERO, ZERO
    batches = job.epochs / (job.minibatch_size * job.deadline)
    return batches * job.minibatch_work, batches * job.parameter_size / job.sync_period


def needs(instance: Instance, held: Held) -> list[Need]:
    """(a D, b D) of each job on a server."""
    return [(a * gb, b * gb) for k, gb in held.items() for a, b in [rates(instance.jobs[k])]]


# --- what a server can do --------------------------------------------------------------------------------------------


def in_time(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need]) -> bool:
    """Whether there are resources (8)-(9) that meet (10): (C - A)(B - sum b D) >= (sum sqrt(a D b D))^2, neither < 0.

    The claim server_test has the proof.
    """
    spare, room = compute - sum(c for c, _ in wanted), bandwidth - sum(b for _, b in wanted)
    if spare < 0 or room < 0:
        return False
    return sign([(ONE, spare * room), *((-ONE, c * b) for c, b in wanted)]) >= 0


def storage_only(instance: Instance, server: Server, held: Held) -> bool:
    """No deadline counts."""
    return True


def cone(instance: Instance, server: Server, held: Held) -> bool:
    """(8)-(10)."""
    return in_time(server.compute, server.bandwidth, needs(instance, held))


def split(instance: Instance, server: Server, held: Held) -> bool:
    """(8), (9), (16) and (17) with the instance's share of communication."""
    return split_at(instance.communication_share)(instance, server, held)


def split_at(share: Fraction) -> Rule:
    """The rule (8), (9), (16) and (17) at a given share of communication."""

    def rule(instance: Instance, server: Server, held: Held) -> bool:
        wanted = needs(instance, held)
        within = sum(c for c, _ in wanted) <= (1 - share) * server.compute
        return within and sum(b for _, b in wanted) <= share * server.bandwidth

    return rule


def meets(job: Job, data: Fraction, compute: Fraction, bandwidth: Fraction) -> bool:
    """(10) with (2)-(4), and (13), of so much data of a job."""
    a, b = rates(job)
    return in_time_with((a * data, b * data), (compute, bandwidth))


def in_time_with(want: Need, given: Need) -> bool:
    """(10) as a D/r^c + b D/r^b <= 1, and (13); what there is nothing of takes no time."""
    if min(given) < 0 or any(w and not r for w, r in zip(want, given, strict=True)):
        return False
    return sum((w / r for w, r in zip(want, given, strict=True) if w), ZERO) <= 1


# --- the optimum by enumeration --------------------------------------------------------------------------------------


def ways(instance: Instance, k: int) -> Iterator[tuple[int, ...]]:
    """Every choice of a server for each data node of a job: within A_i, (6)."""
    return product(*(node.servers for node in instance.jobs[k].nodes))


@lru_cache(maxsize=1024)
def best(instance: Instance, rule: Rule = cone) -> tuple[Row, ...]:
    """An optimum of (5)-(7) with a rule for the servers, as the rows of its data nodes: every way is tried.

    More data never help a server, so that a set of jobs which does not fit is not tried with more of them.
    """
    found: list[tuple[Row, ...]] = [()]
    most = -1
    held: list[dict[int, Fraction]] = [{} for _ in instance.servers]

    def fits(j: int) -> bool:
        server = instance.servers[j]
        return sum(held[j].values(), ZERO) <= server.storage and rule(instance, server, held[j])

    def branch(k: int, accepted: int, rows: tuple[Row, ...]) -> None:
        nonlocal most
        if accepted + len(instance.jobs) - k <= most:
            return
        if k == len(instance.jobs):
            most, found[0] = accepted, rows
            return
        for way in ways(instance, k):
            for node, j in zip(instance.jobs[k].nodes, way, strict=True):
                held[j][k] = held[j].get(k, ZERO) + node.size
            if all(fits(j) for j in set(way)):
                branch(k + 1, accepted + 1, (*rows, *((k, i, j, ONE) for i, j in enumerate(way))))
            for j in set(way):
                del held[j][k]
        branch(k + 1, accepted, rows)

    branch(0, 0, ())
    return found[0]


def optimum(instance: Instance, rule: Rule = cone) -> int:
    """The optimum's value: how many jobs can be accepted; those without data nodes are among them."""
    rows = best(instance, rule)
    return sum(not job.nodes for job in instance.jobs) + len({k for k, *_ in rows})


# --- tables and schedules --------------------------------------------------------------------------------------------


def data(instance: Instance, rows: Table) -> list[dict[int, Fraction]]:
    """D_j^k of (1), server by server."""
    held: list[dict[int, Fraction]] = [{} for _ in instance.servers]
    for k, i, j, x in rows:
        held[j][k] = held[j].get(k, ZERO) + x * instance.jobs[k].nodes[i].size
    return held


def accepted(instance: Instance, rows: Table) -> list[Fraction]:
    """y_k of an x table: what (6) says it is.

    Raises
    ------
    ValueError
        Where two data nodes of a job add up to different y_k, one goes to a server that is not its own, or some x or y
        is not in [0, 1].
    """
    sums = [[ZERO] * len(job.nodes) for job in instance.jobs]
    for k, i, j, x in rows:
        if j not in instance.jobs[k].nodes[i].servers or not 0 <= x <= 1:
            raise ValueError(f"x = {x} of data node {i} of job {k} on server {j}")
        sums[k][i] += x
    for k, row in enumerate(sums):
        if len(set(row)) > 1 or not all(0 <= y <= 1 for y in row):
            raise ValueError(f"the data nodes of job {k} add up to {[str(y) for y in row]}")
    return [row[0] if row else ONE for row in sums]


def value(instance: Instance, rows: Table, rule: Rule = cone) -> Fraction:
    """sum y of an x table that satisfies (6), (7) and the rule on every server.

    Raises
    ------
    ValueError
        Where it does not.
    """
    throughput = sum(accepted(instance, rows), ZERO)
    for server, held in zip(instance.servers, data(instance, rows), strict=True):
        if sum(held.values(), ZERO) > server.storage or not rule(instance, server, held):
            raise ValueError(f"{server.name} cannot serve what it holds")
    return throughput


def shown(instance: Instance, rows: Table, grants: Table) -> Fraction:
    """The throughput of a schedule: rows (job, node, server, 1), and grants (job, server, compute, bandwidth).

    Raises
    ------
    ValueError
        When the instance's own checker rejects it.
    """
    placements = [Placement(k, i, j) for k, i, j, _ in rows]
    given = [Grant(k, j, Fraction(c), Fraction(b)) for k, j, c, b in grants]
    schedule = Schedule.of(Assignment(placements, given), instance, "shown")
    if wrong := schedule.violations(instance):
        raise ValueError(f"the schedule is not feasible: {wrong[0]}")
    return schedule.objective(instance)
