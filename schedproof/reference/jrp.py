"""Algorithm 1 of Wang et al. 2019 line by line, in rationals.

The open points of the printed algorithm are parameters. PRUNE returns an instance with the jobs and data nodes,
and each node's remaining servers. The data nodes of a rejected job have no servers, so that y = 0 in LP_I. eta
of (16) and (19) is read as lambda.

An x table is a sequence of rows (job, node, server, x) with file indices and nonzero x_i^j. ``held`` is the data of
each job on a server, D_j^k of (1), in GB. A rule decides whether a server can process its data by the deadlines:
`cone` by (8)-(10), `split` by (16)-(17) with lambda where (16) prints eta; `storage_only` always accepts.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, groupby, permutations, product
from math import prod
from typing import Literal, TypeVar

import msgspec

from schedproof.core.base.radicals import sign
from schedproof.instances.jrp import Instance, Job, Server

T = TypeVar("T")
Need = tuple[Fraction, Fraction]  # (a D, b D)
Held = Mapping[int, Fraction]  # job -> GB on a server
Rule = Callable[[Instance, Server, Held], bool]
Row = tuple[int, int, int, Fraction]  # job, node, server, x
Table = Sequence[Row]
Sets = tuple[tuple[int, ...], ...]  # A_i of each data node of a job
Node = tuple[int, int]  # job, position among its data nodes
Degrees = Literal["given", "left", "standing"]  # the degrees by which PRUNE orders
Weight = Callable[[int, int, int], Fraction]  # x_i^j of (19) and (20), by job, data node, server
Fits = Callable[[Instance, int, Sequence[Node]], bool]  # whether a server takes these data nodes
ZERO, ONE = Fraction(0), Fraction(1)

# --- what a server can do --------------------------------------------------------------------------------------------


def rates(job: Job) -> Need:
    """Return a = T g/(f tau) and b = T h/(lambda f tau); 0 without a deadline.

    The units are GFLOP/s per GB and Gbit/s per GB.
    """
    if job.deadline is None:
        return ZERO, ZERO
    batches = job.epochs / (job.minibatch_size * job.deadline)
    return batches * job.minibatch_work, batches * job.parameter_size / job.sync_period


def data(instance: Instance, rows: Table) -> list[dict[int, Fraction]]:
    """Return D_j^k of (1), by server."""
    held: list[dict[int, Fraction]] = [{} for _ in instance.servers]
    for k, i, j, x in rows:
        held[j][k] = held[j].get(k, ZERO) + x * instance.jobs[k].nodes[i].size
    return held


def needs(instance: Instance, held: Held) -> list[Need]:
    return [(a * gb, b * gb) for k, gb in held.items() for a, b in [rates(instance.jobs[k])]]


def in_time(compute: Fraction, bandwidth: Fraction, wanted: Sequence[Need]) -> bool:
    """Return whether there are amounts within (8)-(9) that satisfy (10).

    The test is (C - sum a D)(B - sum b D) >= (sum sqrt(a D b D))^2, both factors nonnegative; claim server_test has the
    proof.
    """
    u, v = compute - sum(c for c, _ in wanted), bandwidth - sum(b for _, b in wanted)
    return u >= 0 and v >= 0 and sign([(ONE, u * v), *((-ONE, c * b) for c, b in wanted)]) >= 0


def storage_only(instance: Instance, server: Server, held: Held) -> bool:
    return True


def cone(instance: Instance, server: Server, held: Held) -> bool:
    """Return whether (8)-(10) hold."""
    return in_time(server.compute, server.bandwidth, needs(instance, held))


def split(instance: Instance, server: Server, held: Held) -> bool:
    """Return whether (8), (9), (16), (17) hold at the instance's time share."""
    return split_at(instance.communication_share)(instance, server, held)


def split_at(share: Fraction) -> Rule:
    """Return the rule (8), (9), (16) and (17) at a given communication share."""

    def rule(instance: Instance, server: Server, held: Held) -> bool:
        wanted = needs(instance, held)
        within = sum(c for c, _ in wanted) <= (1 - share) * server.compute
        return within and sum(b for _, b in wanted) <= share * server.bandwidth

    return rule


def takes(instance: Instance, j: int, held: Held, rule: Rule) -> bool:
    """Return whether a server satisfies (7) and a rule with its data."""
    server = instance.servers[j]
    return sum(held.values(), ZERO) <= server.storage and rule(instance, server, held)


# --- PRUNE, lines 26-38 ----------------------------------------------------------------------------------------------


def x_all_one(job: int, node: int, server: int) -> Fraction:
    """Return x = 1 for (19) and (20): all candidates of a group are present at once."""
    return ONE


def x_all_zero(job: int, node: int, server: int) -> Fraction:
    """Return x = 0 for (19) and (20), so that PRUNE removes candidates by (18) only."""
    return ZERO


@dataclass(frozen=True)
class PruneInterpretation:
    """A reading of PRUNE.

    Attributes
    ----------
    degrees
        The degrees of the given instance, after line 27, or at each server's turn.
    free
        Whether equal degrees may have any order, and with current degrees also the servers' turns; otherwise they are
        by file index.
    """

    degrees: Degrees = "left"
    free: bool = False


AS_WRITTEN = PruneInterpretation()
STANDING = PruneInterpretation("standing")


def prune(instance: Instance, interpretation: PruneInterpretation = AS_WRITTEN, x: Weight = x_all_one) -> Instance:
    """Return the first outcome of PRUNE; a rejected job has no servers."""
    sets = [next(outcomes(instance, k, interpretation, x)) for k in range(len(instance.jobs))]
    return with_sets(instance, [job if all(job) else ((),) * len(job) for job in sets])


def with_sets(instance: Instance, sets: Sequence[Sets]) -> Instance:
    replace = msgspec.structs.replace
    jobs = (
        replace(job, nodes=tuple(replace(node, servers=s) for node, s in zip(job.nodes, found, strict=True)))
        for job, found in zip(instance.jobs, sets, strict=True)
    )
    return Instance(instance.communication_share, instance.servers, tuple(jobs))


def present(instance: Instance) -> list[int]:
    """Return P after PRUNE: the jobs whose data nodes all have a server."""
    return [job.index for job in instance.jobs if all(node.servers for node in job.nodes)]


def outcomes(
    instance: Instance, k: int, interpretation: PruneInterpretation = AS_WRITTEN, x: Weight = x_all_one
) -> Iterator[Sets]:
    """Yield the possible A_i of a job before line 36; several only with free ties."""
    servers, nodes = instance.servers, instance.jobs[k].nodes
    given = tuple(node.servers for node in nodes)
    rest = tuple(tuple(j for j in node.servers if node.size <= servers[j].storage) for node in nodes)  # 27, 28
    standing, free = interpretation.degrees == "standing", interpretation.free
    for turns in permutations(range(len(servers))) if standing and free else [range(len(servers))]:
        reached = {rest}
        for j in turns:
            start = {"given": given, "left": rest}
            reached = {
                cut for a in reached for cut in _cuts(instance, k, j, a, start.get(interpretation.degrees, a), free, x)
            }
        yield from sorted(reached)


def _cuts(instance: Instance, k: int, j: int, sets: Sets, counted: Sets, free: bool, x: Weight) -> Iterator[Sets]:
    group = [i for i, servers in enumerate(sets) if j in servers]
    for order in _orders(group, lambda i: len(counted[i]), free):
        kept = prefix(order, lambda some: satisfies_18_to_20(instance, k, j, some, x))
        yield tuple(tuple(s for s in servers if s != j or i in kept) for i, servers in enumerate(sets))


def _orders(group: Sequence[int], rank: Callable[[int], int], free: bool) -> Iterator[Sequence[int]]:
    classes = [list(equals) for _, equals in groupby(sorted(group, key=rank), key=rank)]
    return (list(chain(*pick)) for pick in product(*(permutations(c) if free else [c] for c in classes)))


def satisfies_18_to_20(instance: Instance, k: int, j: int, nodes: Iterable[int], x: Weight = x_all_one) -> bool:
    """Return whether data nodes of a job on a server satisfy (18)-(20)."""
    server, job, share = instance.servers[j], instance.jobs[k], instance.communication_share
    sizes = [(job.nodes[i].size, x(k, i, j)) for i in nodes]
    drawn, (a, b) = sum((d * weight for d, weight in sizes), ZERO), rates(job)
    within = b * drawn <= share * server.bandwidth and a * drawn <= (1 - share) * server.compute
    return within and sum(d for d, _ in sizes) <= server.storage


def prefix(order: Sequence[T], fits: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Return the longest prefix such that it and all shorter prefixes fit."""
    count = next((n for n in range(len(order)) if not fits(order[: n + 1])), len(order))
    return order[:count]


# --- one iteration, lines 8-24 ---------------------------------------------------------------------------------------


def draws(rows: Table) -> Iterator[tuple[Fraction, dict[Node, int]]]:
    """Yield every outcome of line 8 with its probability; undrawn nodes are omitted."""
    laws: dict[Node, list[tuple[int | None, Fraction]]] = {}
    for k, i, j, x in rows:
        laws.setdefault((k, i), []).append((j, x))
    for law in laws.values():
        law.append((None, ONE - sum((x for _, x in law), ZERO)))
    for pick in product(*([(j, x) for j, x in law if x] for law in laws.values())):
        drawn = {node: j for node, (j, _) in zip(laws, pick, strict=True) if j is not None}
        yield prod((x for _, x in pick), start=ONE), drawn


def storage(instance: Instance, j: int, nodes: Sequence[Node]) -> bool:
    """Return whether (21) holds."""
    return sum(instance.jobs[k].nodes[i].size for k, i in nodes) <= instance.servers[j].storage


def all_three(instance: Instance, j: int, nodes: Sequence[Node]) -> bool:
    """Return whether (21) and both parts of the split, (16) and (17), hold."""
    return takes(instance, j, data(instance, [(k, i, j, ONE) for k, i in nodes])[j], split)


def job_by_job(node: Node) -> tuple[int, ...]:
    """Order equal priorities by job in file order, then data node."""
    return node


def node_by_node(node: Node) -> tuple[int, ...]:
    """Order equal priorities by data node index, then job."""
    return node[::-1]


def first(job: int) -> Callable[[Node], tuple[int, ...]]:
    """Order equal priorities with the given job before the others."""
    return lambda node: (node[0] != job, *node)


def keep_prefixes(
    instance: Instance,
    drawn: Mapping[Node, int],
    y: Sequence[Fraction],
    ties: Callable[[Node], tuple[int, ...]] = job_by_job,
    fits: Fits = storage,
) -> dict[Node, int]:
    """Apply lines 9-15: each server keeps the longest prefix by priority that fits."""
    order = sorted(drawn, key=lambda node: (-y[node[0]], ties(node)))
    stay: dict[Node, int] = {}
    for j in sorted(set(drawn.values())):
        here = [node for node in order if drawn[node] == j]
        stay |= dict.fromkeys(prefix(here, partial(fits, instance, j)), j)
    return stay


def accepted_jobs(instance: Instance, stay: Mapping[Node, int]) -> list[int]:
    """Return the jobs of line 17."""
    return [job.index for job in instance.jobs if all((job.index, i) in stay for i in range(len(job.nodes)))]


def residual_instance(instance: Instance, stay: Mapping[Node, int]) -> Instance:
    """Return the instance of line 24: the other jobs, and the remaining amounts.

    Accepted jobs use (16) and (17) with equality. An overfilled server has 0 left.
    """
    gone, share = accepted_jobs(instance, stay), instance.communication_share
    remaining = [[server.storage, server.compute, server.bandwidth] for server in instance.servers]
    for (k, i), j in stay.items():
        if k in gone:
            size, (a, b) = instance.jobs[k].nodes[i].size, rates(instance.jobs[k])
            for n, amount in enumerate((size, a * size / (1 - share), b * size / share)):
                remaining[j][n] = max(ZERO, remaining[j][n] - amount)
    rest = [job.index for job in instance.jobs if job.index not in gone]
    return instance.part(rest, [(s, c, b) for s, c, b in remaining])


# --- the baselines of section V-A ------------------------------------------------------------------------------------


def smallest_first(instance: Instance) -> list[int]:
    """Return the order of jobs in the baselines: by data, ties in file order."""
    return sorted(range(len(instance.jobs)), key=lambda k: sum(node.size for node in instance.jobs[k].nodes))


def qualified_servers(instance: Instance, placed: Mapping[Node, int], node: Node, rule: Rule) -> list[int]:
    """Return the servers whose storage and deadlines still hold with a data node."""

    def serves(j: int) -> bool:
        rows = [(k, i, at, ONE) for (k, i), at in {**placed, node: j}.items()]
        return takes(instance, j, data(instance, rows)[j], rule)

    return list(filter(serves, instance.jobs[node[0]].nodes[node[1]].servers))


def greedy(instance: Instance, rule: Rule) -> dict[Node, int]:
    """Run greedy load balancing: the qualified server of least storage usage."""
    placed: dict[Node, int] = {}
    for k in smallest_first(instance):
        trial = dict(placed)
        for i in range(len(instance.jobs[k].nodes)):
            choice = qualified_servers(instance, trial, (k, i), rule)
            if not choice:
                break
            trial[k, i] = min(choice, key=lambda j: (_in_use(instance, trial, j), j))
        else:
            placed = trial
    return placed


def _in_use(instance: Instance, placed: Mapping[Node, int], j: int) -> Fraction:
    held = sum((instance.jobs[k].nodes[i].size for (k, i), at in placed.items() if at == j), ZERO)
    return held / instance.servers[j].storage if instance.servers[j].storage else ZERO
