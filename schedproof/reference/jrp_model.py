"""The optimum by enumeration, and exact checks of x tables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from schedproof.instances.jrp import Instance, Job
from schedproof.reference.jrp import ONE, ZERO, Need, Row, Rule, Table, cone, data, rates, takes


def meets(job: Job, data: Fraction, compute: Fraction, bandwidth: Fraction) -> bool:
    """Return whether (10) with (2)-(4), and (13), hold for an amount of a job's data."""
    a, b = rates(job)
    return in_time_with((a * data, b * data), (compute, bandwidth))


def in_time_with(want: Need, given: Need) -> bool:
    """Return whether a D/r^c + b D/r^b <= 1 (10) and (13); a need of 0 takes no time."""
    if min(given) < 0 or any(w and not r for w, r in zip(want, given, strict=True)):
        return False
    return sum((w / r for w, r in zip(want, given, strict=True) if w), ZERO) <= 1


# --- the optimum by enumeration --------------------------------------------------------------------------------------


def ways(instance: Instance, k: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of servers for a job's data nodes, within A_i (6)."""
    return product(*(node.servers for node in instance.jobs[k].nodes))


@lru_cache(maxsize=1024)
def best(instance: Instance, rule: Rule = cone) -> tuple[Row, ...]:
    """Return an optimum of (5)-(7) with a server rule, by enumeration, as rows.

    More data never help a server, so that no superset of an infeasible set of jobs is tried.
    """
    rows_of_best: list[tuple[Row, ...]] = [()]
    highest = -1
    held: list[dict[int, Fraction]] = [{} for _ in instance.servers]

    def branch(k: int, accepted: int, rows: tuple[Row, ...]) -> None:
        nonlocal highest
        if accepted + len(instance.jobs) - k <= highest:
            return
        if k == len(instance.jobs):
            highest, rows_of_best[0] = accepted, rows
            return
        for way in ways(instance, k):
            for node, j in zip(instance.jobs[k].nodes, way, strict=True):
                held[j][k] = held[j].get(k, ZERO) + node.size
            if all(takes(instance, j, held[j], rule) for j in set(way)):
                branch(k + 1, accepted + 1, (*rows, *((k, i, j, ONE) for i, j in enumerate(way))))
            for j in set(way):
                del held[j][k]
        branch(k + 1, accepted, rows)

    branch(0, 0, ())
    return rows_of_best[0]


def optimum(instance: Instance, rule: Rule = cone) -> int:
    """Return how many jobs can be accepted, including those without data nodes."""
    rows = best(instance, rule)
    return sum(not job.nodes for job in instance.jobs) + len({k for k, *_ in rows})


# --- tables ----------------------------------------------------------------------------------------------------------


def levels(instance: Instance, rows: Table) -> list[Fraction]:
    """Return y_k of an x table by (6).

    Raises
    ------
    ValueError
        If two data nodes of a job have different sums, a server is not in A_i, or some x or y is not in [0, 1].
    """
    sums = [[ZERO] * len(job.nodes) for job in instance.jobs]
    for k, i, j, x in rows:
        if j not in instance.jobs[k].nodes[i].servers or not 0 <= x <= 1:
            raise ValueError(
                f"expected a server of A_i and 0 <= x <= 1: x = {x} of data node {i} of job {k} on server {j}"
            )
        sums[k][i] += x
    for k, row in enumerate(sums):
        if len(set(row)) > 1 or not all(0 <= y <= 1 for y in row):
            raise ValueError(f"job {k}: expected equal totals of its data nodes, found {[str(y) for y in row]}")
    return [row[0] if row else ONE for row in sums]


def value(instance: Instance, rows: Table, rule: Rule = cone) -> Fraction:
    """Return sum y of an x table that satisfies (6), (7) and the rule on every server.

    Raises
    ------
    ValueError
        If the table violates (6), (7) or the rule.
    """
    throughput = sum(levels(instance, rows), ZERO)
    for j, held in enumerate(data(instance, rows)):
        if not takes(instance, j, held, rule):
            raise ValueError(f"server {instance.servers[j].name} cannot serve the data that it stores")
    return throughput
