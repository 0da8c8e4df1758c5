"""Algorithm 1 by the letter, in rationals; what the print leaves open is a parameter.

PRUNE answers with an instance of the same jobs and data nodes, with the servers that are left to each: of a job that it
rejects, no data node keeps a server, so that LP_I gives it y = 0. eta of (16) and (19) is read as lambda.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain, groupby, permutations, product
from math import prod
from typing import Literal, TypeVar

from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Table, data, rates, split

T = TypeVar("T")
Sets = tuple[tuple[int, ...], ...]  # A_i of each data node of one job
Node = tuple[int, int]  # job, position among its data nodes
Weight = Callable[[int, int, int], Fraction]  # x_i^j of (19) and (20), by job, data node, server
Fits = Callable[[Instance, int, Sequence[Node]], bool]  # whether a server takes these data nodes


def whole(job: int, node: int, server: int) -> Fraction:
    """x = 1 in (19) and (20): all candidates of a group are there at once."""
    return ONE


def unknown(job: int, node: int, server: int) -> Fraction:
    """x = 0 in (19) and (20), as before any LP is solved: (18) alone decides."""
    return ZERO


# --- PRUNE, lines 26-38 ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Letter:
    """What PRUNE leaves open.

    Attributes
    ----------
    degrees
        Those of the instance as given, those that line 27 leaves, or those that stand when a server has its turn.
    free
        Whether equal degrees may be ordered in any way, and with standing degrees the servers' turns, too; by file
        position otherwise.
    """

    degrees: Literal["given", "left", "standing"] = "left"
    free: bool = False


def prune(instance: Instance, letter: Letter = Letter(), x: Weight = whole) -> Instance:
    """What the first outcome of PRUNE leaves: of a job that is rejected, nothing."""
    sets = [next(outcomes(instance, k, letter, x)) for k in range(len(instance.jobs))]
    return with_sets(instance, [job if all(job) else ((),) * len(job) for job in sets])


def with_sets(instance: Instance, sets: Sequence[Sets]) -> Instance:
    """The instance with other A_i, job by job."""
    jobs = (
        replace(job, nodes=tuple(replace(node, servers=s) for node, s in zip(job.nodes, found, strict=True)))
        for job, found in zip(instance.jobs, sets, strict=True)
    )
    return replace(instance, jobs=tuple(jobs))


def present(instance: Instance) -> list[int]:
    """P after PRUNE: the jobs whose data nodes all have a server left."""
    return [job.index for job in instance.jobs if all(node.servers for node in job.nodes)]


def outcomes(instance: Instance, k: int, letter: Letter = Letter(), x: Weight = whole) -> Iterator[Sets]:
    """What lines 27-35 may leave of the A_i of a job, before line 36; one outcome unless the letter is free."""
    servers, nodes = instance.servers, instance.jobs[k].nodes
    given = tuple(node.servers for node in nodes)
    left = tuple(tuple(j for j in node.servers if node.size <= servers[j].storage) for node in nodes)  # 27, 28
    standing = letter.degrees == "standing"
    for turns in permutations(range(len(servers))) if standing and letter.free else [range(len(servers))]:
        reached = {left}
        for j in turns:
            start = {"given": given, "left": left}
            reached = {
                cut for a in reached for cut in _cuts(instance, k, j, a, start.get(letter.degrees, a), letter, x)
            }
        yield from sorted(reached)


def _cuts(instance: Instance, k: int, j: int, sets: Sets, counted: Sets, letter: Letter, x: Weight) -> Iterator[Sets]:
    """Lines 30-35 for one server: the longest prefix of its group stays."""
    group = [i for i, servers in enumerate(sets) if j in servers]
    for order in _orders(group, lambda i: len(counted[i]), letter.free):
        kept = prefix(order, lambda some: copes(instance, k, j, some, x))
        yield tuple(tuple(s for s in servers if s != j or i in kept) for i, servers in enumerate(sets))


def _orders(group: Sequence[int], rank: Callable[[int], int], free: bool) -> Iterator[Sequence[int]]:
    """In non-decreasing rank; equals by position, or in every order."""
    classes = [list(equals) for _, equals in groupby(sorted(group, key=rank), key=rank)]
    return (list(chain(*pick)) for pick in product(*(permutations(c) if free else [c] for c in classes)))


def copes(instance: Instance, k: int, j: int, nodes: Iterable[int], x: Weight = whole) -> bool:
    """(18)-(20) for some data nodes of a job on a server."""
    server, job, share = instance.servers[j], instance.jobs[k], instance.communication_share
    sizes = [(job.nodes[i].size, x(k, i, j)) for i in nodes]
    drawn, (a, b) = sum((d * weight for d, weight in sizes), ZERO), rates(job)
    within = b * drawn <= share * server.bandwidth and a * drawn <= (1 - share) * server.compute
    return within and sum(d for d, _ in sizes) <= server.storage


def prefix(order: Sequence[T], fits: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """The longest beginning that fits, every shorter one fitting, too."""
    count = next((n for n in range(len(order)) if not fits(order[: n + 1])), len(order))
    return order[:count]


# --- one iteration, lines 8-22 ---------------------------------------------------------------------------------------


def draws(rows: Table) -> Iterator[tuple[Fraction, dict[Node, int]]]:
    """Line 8: every outcome of the independent draws with its probability; data nodes that go nowhere are left out."""
    laws: dict[Node, list[tuple[int | None, Fraction]]] = {}
    for k, i, j, x in rows:
        laws.setdefault((k, i), []).append((j, x))
    for law in laws.values():
        law.append((None, ONE - sum((x for _, x in law), ZERO)))
    for pick in product(*([(j, x) for j, x in law if x] for law in laws.values())):
        drawn = {node: j for node, (j, _) in zip(laws, pick, strict=True) if j is not None}
        yield prod((x for _, x in pick), start=ONE), drawn


def storage(instance: Instance, j: int, nodes: Sequence[Node]) -> bool:
    """(21)."""
    return sum(instance.jobs[k].nodes[i].size for k, i in nodes) <= instance.servers[j].storage


def all_three(instance: Instance, j: int, nodes: Sequence[Node]) -> bool:
    """(21), and the two sides of the split (16)-(17): the test repaired."""
    held = data(instance, [(k, i, j, ONE) for k, i in nodes])[j]
    return storage(instance, j, nodes) and split(instance, instance.servers[j], held)


def job_by_job(node: Node) -> tuple[int, ...]:
    """Equal priorities in the order of the file: jobs, then their data nodes."""
    return node


def node_by_node(node: Node) -> tuple[int, ...]:
    """Equal priorities by the data nodes' own numbers: the first ones of all jobs, then the second ones."""
    return node[::-1]


def first(job: int) -> Callable[[Node], tuple[int, ...]]:
    """Equal priorities with one job before the others."""
    return lambda node: (node[0] != job, *node)


def kept(
    instance: Instance,
    drawn: Mapping[Node, int],
    y: Sequence[Fraction],
    ties: Callable[[Node], tuple[int, ...]] = job_by_job,
    fits: Fits = storage,
) -> dict[Node, int]:
    """Lines 9-15: on each server the longest prefix, by non-increasing priority, that passes the test."""
    order = sorted(drawn, key=lambda node: (-y[node[0]], ties(node)))
    stay: dict[Node, int] = {}
    for j in sorted(set(drawn.values())):
        here = [node for node in order if drawn[node] == j]
        stay |= dict.fromkeys(prefix(here, partial(fits, instance, j)), j)
    return stay


def accepted(instance: Instance, stay: Mapping[Node, int]) -> list[int]:
    """Line 17: the jobs whose data nodes are all kept; one without data nodes is among them."""
    return [job.index for job in instance.jobs if all((job.index, i) in stay for i in range(len(job.nodes)))]


def after(instance: Instance, stay: Mapping[Node, int]) -> Instance:
    """Line 24: the jobs that are not accepted, and what the accepted ones leave with (16) and (17) as equalities.

    A server of which they take too much has nothing left.
    """
    gone, share = accepted(instance, stay), instance.communication_share
    left = [[server.storage, server.compute, server.bandwidth] for server in instance.servers]
    for (k, i), j in stay.items():
        if k in gone:
            size, (a, b) = instance.jobs[k].nodes[i].size, rates(instance.jobs[k])
            for n, amount in enumerate((size, a * size / (1 - share), b * size / share)):
                left[j][n] = max(ZERO, left[j][n] - amount)
    rest = [job.index for job in instance.jobs if job.index not in gone]
    return instance.part(rest, [(s, c, b) for s, c, b in left])
