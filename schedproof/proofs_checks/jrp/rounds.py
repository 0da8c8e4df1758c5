"""One iteration as a case: an instance, an optimal vertex of its LP_I after PRUNE, and prices that prove it optimal.

The vertex is a table ``x`` of rows (job, node, server, x); y follows from (6), and r^c and r^b are what (16) and (17)
ask for. That a vertex of the program in x and y is one of LP_I, with suitable r^c and r^b: the solutions of LP_I above
it are a face.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from schedproof.core.claim import Case, Regime
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.linear import Edge, amounts, priced, used
from schedproof.proofs_checks.jrp.literal import draws, present, prune
from schedproof.proofs_checks.jrp.model import ONE, ZERO, Row, Table, accepted, split, value

Numbers = Sequence[Fraction]


class Round(NamedTuple):
    """PRUNE's instance, x^ as rows and as a table by edge, y^ by job."""

    instance: Instance
    rows: tuple[Row, ...]
    y: list[Fraction]

    @property
    def top(self) -> int:
        """The job of the highest priority, the first of equals."""
        return max(present(self.instance), key=lambda k: (self.y[k], -k))

    def chance(self, event: Callable[[dict[tuple[int, int], int]], bool], rows: Table | None = None) -> Fraction:
        """The exact probability of an event of the draws."""
        return sum((p for p, drawn in draws(self.rows if rows is None else rows) if event(drawn)), ZERO)


def read(case: Case) -> Round | None:
    """The iteration of a case; None where P is empty after PRUNE, or x is no optimal vertex of LP_I."""
    rows = tuple((k, i, j, Fraction(x)) for k, i, j, x in case.data["x"])
    return _read(case.instance, rows, tuple(tuple(map(Fraction, row)) for row in case.data["prices"]))


@lru_cache(maxsize=64)
def _read(given: Instance, rows: tuple[Row, ...], prices: tuple[tuple[Fraction, ...], ...]) -> Round | None:
    instance, share = prune(given), given.communication_share
    if not present(instance) or min((p for row in prices for p in row), default=ZERO) < 0:
        return None
    try:
        reached = value(instance, rows, split)
    except ValueError:
        return None
    if reached != priced(instance, prices, 1 - share, share) or not corner(instance, rows):
        return None
    return Round(instance, rows, accepted(instance, rows))


# --- vertices --------------------------------------------------------------------------------------------------------


def corner(instance: Instance, rows: Table) -> bool:
    """Whether a solution is a vertex: what holds with equality admits no other values of the x that are not 0."""
    edges = [(k, i, j) for k, i, j, x in rows if x]
    y = accepted(instance, rows)
    tight = [row for row, side in _server_rows(instance, edges) if _dot(row, [x for *_, x in rows if x]) == side]
    return _rank([*tight, *_job_rows(edges, {k for k, level in enumerate(y) if level == 1})]) == len(edges)


def unique(case: Case) -> bool:
    """Whether LP_I has one optimum: what the prices say of every optimum admits one solution.

    By complementary slackness each optimum uses cheapest edges only, of jobs that cost at most 1, has y = 1 where a job
    costs less than 1, and fills what has a price above 0.
    """
    instance, prices = prune(case.instance), case.data["prices"]
    costs = {edge: _dot(prices[edge[2]], used(instance, edge)) for edge in _edges(instance)}
    cheapest = {node: min(c for edge, c in costs.items() if edge[:2] == node) for node in {e[:2] for e in costs}}
    dear = {k: sum((c for node, c in cheapest.items() if node[0] == k), ZERO) for k in present(instance)}
    edges = [edge for edge, c in costs.items() if c == cheapest[edge[:2]] and dear[edge[0]] <= 1]
    bought = [p > 0 for row in prices for p in row]
    filled = [row for (row, _), tight in zip(_server_rows(instance, edges), bought, strict=True) if tight]
    return _rank([*filled, *_job_rows(edges, {k for k, c in dear.items() if c < 1})]) == len(edges)


def _edges(instance: Instance) -> list[Edge]:
    return [(job.index, node.index, j) for job in instance.jobs for node in job.nodes for j in node.servers]


def _server_rows(instance: Instance, edges: Sequence[Edge]) -> list[tuple[list[Fraction], Fraction]]:
    """Storage, compute and bandwidth of each server in turn: what each edge takes of it, and what there is."""
    share = instance.communication_share
    return [
        ([used(instance, edge)[n] * (edge[2] == server.index) for edge in edges], side)
        for server in instance.servers
        for n, side in enumerate(amounts(server, 1 - share, share))
    ]


def _job_rows(edges: Sequence[Edge], whole: set[int]) -> list[list[Fraction]]:
    """(6): the data nodes of a job add up to the same; to 1, for some jobs."""
    nodes = sorted({edge[:2] for edge in edges})
    lead = {k: next(node for node in nodes if node[0] == k) for k, _ in nodes}
    pairs = [[ONE * (e[:2] == node) - ONE * (e[:2] == lead[node[0]]) for e in edges] for node in nodes]
    return [*pairs, *([ONE * (e[:2] == lead[k]) for e in edges] for k in sorted(whole & set(lead)))]


def _dot(one: Numbers, other: Numbers) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), ZERO)


def _rank(rows: list[list[Fraction]]) -> int:
    """By elimination."""
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


# --- regimes ---------------------------------------------------------------------------------------------------------


def of_round(name: str, reached: Callable[[Round], Any]) -> Regime:
    """A regime of the iteration of a case."""

    def met(case: Case) -> bool:
        found = read(case)
        return found is not None and bool(reached(found))

    return Regime(name, met)


def _levels(found: Round) -> list[Fraction]:
    return [found.y[k] for k in present(found.instance)]


TOP_BELOW_1 = of_round("no job has y = 1", lambda r: max(_levels(r)) < 1)
TOP_AT_1 = of_round("a job has y = 1", lambda r: max(_levels(r)) == 1)
FRACTION = of_round("a y is a fraction", lambda r: any(y.denominator > 1 for y in r.y))
TIE = of_round("two jobs with the same fraction", lambda r: len(f := [y for y in r.y if 0 < y < 1]) > len(set(f)))
SEVERAL_NODES = of_round("a job with several data nodes", lambda r: any(i for _, i, _, _ in r.rows))
SEVERAL_SERVERS = of_round("several servers in use", lambda r: len({j for _, _, j, _ in r.rows}) > 1)
SPREAD = of_round("a data node drawn between servers", lambda r: len({row[:2] for row in r.rows}) < len(r.rows))
REJECTED = of_round("PRUNE rejects a job", lambda r: len(present(r.instance)) < len(r.instance.jobs))
ONE_OPTIMUM = Regime("the optimum is unique", lambda case: read(case) is not None and unique(case))
ROUNDS = (TOP_BELOW_1, TOP_AT_1, FRACTION, TIE, SEVERAL_NODES, SEVERAL_SERVERS, REJECTED, ONE_OPTIMUM)
