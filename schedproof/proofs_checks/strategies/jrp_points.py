"""Hypothesis strategies for linear programs (jrp): prices, and points of LP_I."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Share
from schedproof.core.data.reading import Count
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.strategies import jrp as tiny
from schedproof.proofs_checks.strategies.jrp import AMPLE, OfInstance, Priced, build
from schedproof.reference.jrp import ONE, ZERO, Table, storage_only
from schedproof.reference.jrp_linear import lp_i, split_free
from schedproof.reference.jrp_load import JobKind, Load, Node, load_of
from schedproof.reference.jrp_model import levels, value

# --- prices ----------------------------------------------------------------------------------------------------------


@st.composite
def _tangents(pick: Any) -> Priced:
    """Prices of tangents to the cone, plus a share of the prices of a linear optimum."""
    instance = pick(st.one_of(tiny.instances(), tiny.deadline_instances(odd=False)))
    rows = []
    for linear_prices in split_free(instance).prices:
        mu = pick(st.sampled_from([ZERO, Fraction(1, 16), Fraction(1, 4), ONE]))
        theta = pick(st.sampled_from([Fraction(1, 2), ONE, Fraction(2)]))
        kept = pick(st.sampled_from([ZERO, Fraction(1, 2), ONE]))
        sigma, p, q = (kept * price for price in linear_prices)
        rows.append((sigma, p + mu * theta, q + mu / theta))
    return Priced(instance, tuple(rows))


@st.composite
def _just_met(pick: Any) -> Priced:
    instance, theta = pick(tiny.just_enough())
    mu = pick(st.sampled_from([Fraction(1, 64), Fraction(1, 16)]))
    return Priced(instance, ((ZERO, mu * theta, mu / theta),))


def priced_cases() -> Any:
    return st.one_of(_tangents(), _just_met())


# --- points of LP_I with storage alone -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point(OfInstance):
    """An instance without deadlines, and a feasible point of its LP_I as an x table.

    Raises
    ------
    ValueError
        For an instance with deadlines, or an infeasible point.
    """

    rows: tuple[tuple[Count, Count, Count, Share], ...]

    def __post_init__(self) -> None:
        if any(job.deadline is not None for job in self.instance.jobs):
            raise ValueError("expected no deadlines")
        value(self.instance, self.rows, storage_only)


@dataclass(frozen=True)
class OptimalPoint(Point):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.optimum != value(self.instance, self.rows, storage_only):
            raise ValueError("expected an optimal point")

    @property
    def optimum(self) -> Fraction:
        return lp_i(self.instance).value


@dataclass(frozen=True)
class EqualNodes(Point):
    """A feasible point for jobs of one data node each, all of one size."""

    def __post_init__(self) -> None:
        super().__post_init__()
        sizes = {node.size for job in self.instance.jobs for node in job.nodes}
        if not all(len(job.nodes) == 1 for job in self.instance.jobs) or len(sizes) != 1 or not min(sizes):
            raise ValueError("expected jobs of one data node each, all of one size")

    @property
    def loads(self) -> list[Load]:
        return loads(self.instance, self.rows)


def loads(instance: Instance, rows: Table) -> list[Load]:
    """The load of each server that has candidates.

    Raises
    ------
    ValueError
        If PRUNE would remove a candidate, or x exceeds (7).
    """
    chance = {(k, i, j): x for k, i, j, x in rows}
    y, result = levels(instance, rows), []
    for server in instance.servers:
        jobs = []
        for k, job in enumerate(instance.jobs):
            nodes = [(i, node) for i, node in enumerate(job.nodes) if server.index in node.servers]
            own = tuple(Node(node.size, chance.get((k, i, server.index), ZERO)) for i, node in nodes)
            jobs += [JobKind(y[k], 1, own)] if own else []
        result += [load_of(server.storage, jobs)] if jobs else []
    return result


def with_optimum(instance: Instance) -> OptimalPoint:
    return OptimalPoint(instance, lp_i(instance).rows)


def knapsack(storage: int, *jobs: Sequence[int]) -> OptimalPoint:
    return with_optimum(build([(0, 0, [(d, (0,)) for d in sizes]) for sizes in jobs], [(storage, AMPLE, AMPLE)]))


def pairs(jobs: int, nodes: int) -> OptimalPoint:
    """Any two of the jobs share one server, and no other job uses it.

    Each job alone fills the server with the given number of data nodes of 1 GB.
    """
    shared = [(a, b) for a in range(jobs) for b in range(a + 1, jobs)]
    rows = [[(1, (j,)) for j, pair in enumerate(shared) if k in pair for _ in range(nodes)] for k in range(jobs)]
    return with_optimum(build([(0, 0, own) for own in rows], [(nodes, AMPLE, AMPLE)] * len(shared)))


@st.composite
def knapsacks(draw: Any) -> OptimalPoint:
    """One server and two or three jobs of equal data nodes each.

    The server holds at least the largest job.
    """
    jobs = [[draw(st.sampled_from((1, 1, 2, 3)))] * draw(st.integers(1, 4)) for _ in range(draw(st.integers(2, 3)))]
    return knapsack(max(map(sum, jobs)) + draw(st.integers(0, 2)), *jobs)


def points() -> Any:
    several = st.builds(pairs, st.integers(2, 3), st.integers(1, 4))
    return st.one_of(knapsacks(), knapsacks(), tiny.storage_instances(odd=False).map(with_optimum), several)


def spread(storages: Sequence[int], size: int, reaches: Sequence[Sequence[int]]) -> EqualNodes:
    """Jobs of one data node of the given size on given servers, with equal x.

    x is as large as the storages allow.
    """
    instance = build([(0, 0, [(size, own)]) for own in reaches], [(storage, AMPLE, AMPLE) for storage in storages])
    wanted = {j: sum(Fraction(size, len(own)) for own in reaches if j in own) for own in reaches for j in own}
    chances = {j: min(ONE, instance.servers[j].storage / mean) for j, mean in wanted.items()}
    return EqualNodes(instance, tuple((k, 0, j, chances[j] / len(own)) for k, own in enumerate(reaches) for j in own))


@st.composite
def spreads(draw: Any) -> EqualNodes:
    """Up to three servers that hold one to four data nodes, and up to a dozen jobs.

    Some servers hold half a data node more.
    """
    count, size = draw(st.integers(1, 3)), 2
    half = draw(st.sampled_from((0, 0, 1)))
    storages = [size * draw(st.integers(1, 4)) + half * draw(st.integers(0, 1)) for _ in range(count)]
    reach = st.lists(st.integers(0, count - 1), min_size=1, max_size=count, unique=True)
    return spread(storages, size, draw(st.lists(reach, min_size=1, max_size=12)))
