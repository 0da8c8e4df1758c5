"""Vertices of LP_I in x and y, and uniqueness of an optimum, by ranks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from schedproof.instances.jrp import Instance
from schedproof.reference.jrp import ONE, ZERO, Table, present
from schedproof.reference.jrp_linear import Edge, Prices, amounts, edges_of, resource_use, uses
from schedproof.reference.jrp_model import levels
from schedproof.reference.simplex import dot


def is_vertex(instance: Instance, rows: Table) -> bool:
    """Return whether a solution is a vertex.

    A solution is a vertex if the tight rows determine the nonzero x.
    """
    edges = [(k, i, j) for k, i, j, x in rows if x]
    y = levels(instance, rows)
    tight = [row for row, side in _server_rows(instance, edges) if dot(row, [x for *_, x in rows if x]) == side]
    return _rank([*tight, *_job_rows(edges, {k for k, level in enumerate(y) if level == 1})]) == len(edges)


def tight_rows(instance: Instance, rows: Table) -> int:
    """Return the number of tight rows, three per server; unused rows do not count."""
    edges, x = [(k, i, j) for k, i, j, _ in rows], [x for *_, x in rows]
    return sum(any(row) and dot(row, x) == side for row, side in _server_rows(instance, edges))


def unique(instance: Instance, prices: Prices) -> bool:
    """Return whether LP_I has only one optimum, given optimal prices.

    By complementary slackness each optimum uses only the cheapest edges of each job, and only jobs that cost at most 1.
    It has y = 1 for jobs that cost less than 1, and exhausts resources with a positive price. The optimum is unique if
    only one point satisfies these conditions.
    """
    costs = {edge: dot(prices[edge[2]], resource_use(instance, edge)) for edge in edges_of(instance)}
    cheapest = {node: min(c for edge, c in costs.items() if edge[:2] == node) for node in {e[:2] for e in costs}}
    dear = {k: sum((c for node, c in cheapest.items() if node[0] == k), ZERO) for k in present(instance)}
    edges = [edge for edge, c in costs.items() if c == cheapest[edge[:2]] and dear[edge[0]] <= 1]
    bought = [p > 0 for row in prices for p in row]
    filled = [row for (row, _), tight in zip(_server_rows(instance, edges), bought, strict=True) if tight]
    return _rank([*filled, *_job_rows(edges, {k for k, c in dear.items() if c < 1})]) == len(edges)


def _server_rows(instance: Instance, edges: Sequence[Edge]) -> list[tuple[list[Fraction], Fraction]]:
    share = instance.communication_share
    sides = [side for server in instance.servers for side in amounts(server, 1 - share, share)]
    return list(zip(uses(instance, edges), sides, strict=True))


def _job_rows(edges: Sequence[Edge], whole: set[int]) -> list[list[Fraction]]:
    """Return the rows (6): equal sums of a job's data nodes, 1 for jobs in ``whole``."""
    nodes = sorted({edge[:2] for edge in edges})
    lead = {k: next(node for node in nodes if node[0] == k) for k, _ in nodes}
    pairs = [[ONE * (e[:2] == node) - ONE * (e[:2] == lead[node[0]]) for e in edges] for node in nodes]
    return [*pairs, *([ONE * (e[:2] == lead[k]) for e in edges] for k in sorted(whole & set(lead)))]


def _rank(rows: list[list[Fraction]]) -> int:
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((n for n in range(rank, len(rows)) if rows[n][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for n in range(rank + 1, len(rows)):
            times = rows[n][column] / rows[rank][column]
            rows[n] = [a - times * b for a, b in zip(rows[n], rows[rank], strict=True)]
        rank += 1
    return rank
