"""Certified bounds on JRP: LP_I and its relaxation without a time split, exactly.

Each server has a row (sigma, p, q) of prices: of storage in 1/GB, of compute in 1/(GFLOP/s), of bandwidth in
1/(Gbit/s).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from schedproof.core.base.radicals import root_below
from schedproof.instances.jrp import Instance, Job, Server
from schedproof.reference import simplex
from schedproof.reference.jrp import ONE, ZERO, Row, rates

Prices = tuple[tuple[Fraction, Fraction, Fraction], ...]
Edge = tuple[int, int, int]  # job, node, server


class Solved(NamedTuple):
    """An optimum: its value, its x table, and prices that prove optimality."""

    value: Fraction
    rows: tuple[Row, ...]
    prices: Prices


def lp_i(instance: Instance) -> Solved:
    """Solve LP_I, (5)-(9) and (14)-(17) with lambda where (16) prints eta."""
    return at_share(instance, instance.communication_share)


def at_share(instance: Instance, share: Fraction) -> Solved:
    """Solve LP_I at a given communication share."""
    return linear(instance, 1 - share, share)


def split_free(instance: Instance) -> Solved:
    """Solve LP_I with (10) weakened to a D <= r^c and b D <= r^b.

    Compute and bandwidth may each use the whole time.
    """
    return linear(instance, ONE, ONE)


@lru_cache(maxsize=512)
def linear(instance: Instance, computing: Fraction, sending: Fraction) -> Solved:
    """Maximise sum y over real x, y subject to (6), (7) and server limits.

    The limits are sum a D <= computing C and sum b D <= sending B.
    """
    program = _program(instance)
    sides = [amount for server in instance.servers for amount in amounts(server, computing, sending)]
    point, multipliers = simplex.solve(program.gains, [*program.own, *program.uses], [*program.most, *sides])
    y = dict(zip(program.jobs, point[len(program.edges) :], strict=True))
    value = sum(y.values(), Fraction(len(instance.jobs) - len(y)))
    last = multipliers[len(program.own) :]
    prices = tuple((last[n], last[n + 1], last[n + 2]) for n in range(0, len(last), 3))
    solved = Solved(value, _scale(program.edges, point, y), prices)
    if dual_bound(instance, solved.prices, computing, sending) != value:
        raise ArithmeticError("LP_I: the prices do not prove the value")
    return solved


@lru_cache(maxsize=512)
def best_share(instance: Instance) -> tuple[Fraction, Fraction]:
    """Return the largest optimum of LP_I over communication shares, and this share.

    The share is one more column of the program, in [0, 1].
    """
    program = _program(instance)
    rows = [*([*row, ZERO] for row in program.own), [*([ZERO] * len(program.gains)), ONE]]
    sides = [*program.most, ONE]
    for n, row in enumerate(program.uses):
        server, kind = instance.servers[n // 3], n % 3
        rows.append([*row, (ZERO, server.compute, -server.bandwidth)[kind]])
        sides.append((server.storage, server.compute, ZERO)[kind])
    point, _ = simplex.solve([*program.gains, ZERO], rows, sides)
    free = len(instance.jobs) - len(program.jobs)
    return sum(point[len(program.edges) : -1], Fraction(free)), point[-1]


class _Program(NamedTuple):
    """LP columns x of the edges and y of the jobs with data nodes; rows (6), y <= 1.

    Further rows are the servers' limits. The x of a data node may sum to more than y; `_scale` reduces them to y.
    """

    jobs: list[int]
    edges: list[Edge]
    gains: list[Fraction]
    own: list[list[Fraction]]
    most: list[Fraction]
    uses: list[list[Fraction]]


def _program(instance: Instance) -> _Program:
    jobs = [job for job in instance.jobs if job.nodes]
    edges = edges_of(instance)
    nodes = [(job.index, node.index) for job in jobs for node in job.nodes]
    cover = [[*(-ONE * (edge[:2] == n) for edge in edges), *(ONE * (job.index == n[0]) for job in jobs)] for n in nodes]
    ones = [[*([ZERO] * len(edges)), *(ONE * (job is other) for other in jobs)] for job in jobs]
    rows = [[*row, *([ZERO] * len(jobs))] for row in uses(instance, edges)]
    gains, limit = [*([ZERO] * len(edges)), *([ONE] * len(jobs))], [*([ZERO] * len(cover)), *([ONE] * len(ones))]
    return _Program([job.index for job in jobs], edges, gains, [*cover, *ones], limit, rows)


def edges_of(instance: Instance) -> list[Edge]:
    return [(job.index, node.index, j) for job in instance.jobs for node in job.nodes for j in node.servers]


def uses(instance: Instance, edges: Sequence[Edge]) -> list[list[Fraction]]:
    """Return each edge's use of the storage, compute and bandwidth of each server."""
    taken = [resource_use(instance, edge) for edge in edges]
    return [
        [amounts[kind] * (edge[2] == server.index) for edge, amounts in zip(edges, taken, strict=True)]
        for server in instance.servers
        for kind in range(3)
    ]


def resource_use(instance: Instance, edge: Edge) -> tuple[Fraction, Fraction, Fraction]:
    """Return an edge's need of storage d, compute a d and bandwidth b d."""
    job = instance.jobs[edge[0]]
    size, (a, b) = job.nodes[edge[1]].size, rates(job)
    return size, a * size, b * size


def amounts(server: Server, computing: Fraction = ONE, sending: Fraction = ONE) -> tuple[Fraction, Fraction, Fraction]:
    return server.storage, computing * server.compute, sending * server.bandwidth


def _scale(edges: Sequence[Edge], point: Sequence[Fraction], y: dict[int, Fraction]) -> tuple[Row, ...]:
    sums: dict[tuple[int, int], Fraction] = {}
    for edge, x in zip(edges, point, strict=False):
        sums[edge[:2]] = sums.get(edge[:2], ZERO) + x
    rows = ((*edge, x * y[edge[0]] / sums[edge[:2]]) for edge, x in zip(edges, point, strict=False) if x)
    return tuple(row for row in rows if row[3])


def dual_bound(instance: Instance, prices: Prices, computing: Fraction = ONE, sending: Fraction = ONE) -> Fraction:
    """Return the linear program's upper bound for nonnegative prices."""
    return _bound(instance, prices, [[ZERO] * len(instance.jobs) for _ in prices], computing, sending)


def conic(instance: Instance, prices: Prices, stretched: Fraction = ONE, bits: int = 32) -> Fraction:
    """Return the conic relaxation's upper bound for nonnegative prices.

    The bound is `dual_bound` with an extra cost w D for D GB, w^2 <= 4 p q a b, where w is rounded down to ``bits``
    bits after the point. With ``stretched`` > 1 the result is no bound.
    """
    jobs = [rates(job) for job in instance.jobs]
    roots = [[stretched * root_below(4 * p * q * a * b, bits) for a, b in jobs] for _, p, q in prices]
    return _bound(instance, prices, roots, ONE, ONE)


def _bound(
    instance: Instance, prices: Prices, roots: Sequence[Sequence[Fraction]], computing: Fraction, sending: Fraction
) -> Fraction:
    """Return the total price of all servers, plus each job's remaining gain.

    A job's data nodes use their cheapest servers.
    """
    worth = ZERO
    for server, row in zip(instance.servers, prices, strict=True):
        worth += sum((p * amount for p, amount in zip(row, amounts(server, computing, sending), strict=True)), ZERO)
    return worth + sum((max(ZERO, 1 - _cost(instance, job, prices, roots)) for job in instance.jobs), ZERO)


def _cost(instance: Instance, job: Job, prices: Prices, roots: Sequence[Sequence[Fraction]]) -> Fraction:
    total = ZERO
    for node in job.nodes:
        if not node.servers:
            return ONE
        use = resource_use(instance, (job.index, node.index, 0))
        total += min(
            sum((p * u for p, u in zip(prices[j], use, strict=True)), roots[j][job.index] * node.size)
            for j in node.servers
        )
    return total
