"""Hypothesis strategies for iterations of Algorithm 1 (jrp): crowded servers.

Each case has an optimal vertex of LP_I. Each server has about the demand of the most demanding job in each resource,
so PRUNE leaves most jobs in place and LP_I cannot serve them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Share
from schedproof.core.data.reading import Count
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.strategies.jrp import AMPLE, OfInstance, Prices, build
from schedproof.reference import jrp as reference
from schedproof.reference.jrp import ZERO, Fits, Node, Row, Table, draws, job_by_job, present, prune, split, storage
from schedproof.reference.jrp_linear import dual_bound, lp_i
from schedproof.reference.jrp_model import levels, value
from schedproof.reference.jrp_vertices import is_vertex

Drawn = dict[Node, int]
Ties = Callable[[Node], tuple[int, ...]]
SPARE = (4, 4, 4, 5, 6, 8, 3, 3, 2)  # quarters of the most that one job could ask of a server


@dataclass(frozen=True)
class Iteration(OfInstance):
    """One iteration: an instance, x^ of an optimal vertex of LP_I, and prices.

    LP_I is solved after PRUNE, and the prices prove x^ optimal. y follows from (6), and r^c and r^b are the
    requirements of (16) and (17). A vertex of the program in x and y gives a vertex of LP_I for suitable r^c and r^b:
    the solutions of LP_I with this x and y are a face.

    Raises
    ------
    ValueError
        If x is not an optimal vertex of LP_I.
    """

    x: tuple[tuple[Count, Count, Count, Share], ...]
    prices: Prices

    def __post_init__(self) -> None:
        if min(p for row in self.prices for p in row) < 0:
            raise ValueError("expected prices >= 0")
        share = self.instance.communication_share
        if value(self.pruned, self.x, split) != dual_bound(self.pruned, self.prices, 1 - share, share):
            raise ValueError("expected an optimal x")
        if not is_vertex(self.pruned, self.x):
            raise ValueError("expected a vertex x")

    @cached_property
    def pruned(self) -> Instance:
        return prune(self.instance)

    @cached_property
    def present(self) -> list[int]:
        """The set P of jobs that PRUNE leaves."""
        return present(self.pruned)

    @cached_property
    def y(self) -> list[Fraction]:
        return levels(self.pruned, self.x)

    @property
    def top(self) -> int:
        """The job of the highest priority; of equal priorities, the first job."""
        return max(self.present, key=lambda k: (self.y[k], -k))

    def kept(self, drawn: Drawn, ties: Ties = job_by_job, fits: Fits = storage) -> Drawn:
        """Return the data nodes that servers keep of a draw, by lines 9-15."""
        return reference.keep_prefixes(self.pruned, drawn, self.y, ties, fits)

    def accepted(self, drawn: Drawn, ties: Ties = job_by_job, fits: Fits = storage) -> set[int]:
        return set(reference.accepted_jobs(self.pruned, self.kept(drawn, ties, fits)))

    def following(self, drawn: Drawn) -> tuple[list[int], Instance]:
        """Return the jobs that are not accepted, and the next instance, by line 24."""
        gone = self.accepted(drawn)
        return [k for k in range(len(self.y)) if k not in gone], reference.residual_instance(
            self.pruned, self.kept(drawn)
        )

    def drawn_surely(self, jobs: Iterable[int]) -> tuple[Row, ...]:
        """Return x^ with x^/y^ for some jobs, so that all their data nodes are drawn."""
        sure = set(jobs)
        return tuple((k, i, j, x / self.y[k] if k in sure else x) for k, i, j, x in self.x)

    def chance(self, event: Callable[[Drawn], bool], rows: Table | None = None) -> Fraction:
        return sum((p for p, drawn in draws(self.x if rows is None else rows) if event(drawn)), ZERO)


def has_vertex(instance: Instance) -> bool:
    """Whether PRUNE leaves a job, and the optimum found is a vertex of LP_I.

    The simplex method may give a data node more than y. If x is then reduced to satisfy (6), it may not be a vertex.
    """
    rest = prune(instance)
    return bool(present(rest)) and is_vertex(rest, lp_i(rest).rows)


def vertex_iteration(instance: Instance) -> Iteration:
    result = lp_i(prune(instance))
    return Iteration(instance, result.rows, result.prices)


@st.composite
def contention(draw: Any, jobs: int = 3, servers: int = 2, nodes: int = 2) -> Instance:
    """An instance with contention for storage, for compute and bandwidth, or for all.

    Parameters
    ----------
    jobs, servers, nodes
        The largest numbers of jobs and servers, and of data nodes per job.
    """
    places = range(draw(st.integers(1, servers)))
    timed, stored = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
    reach = st.lists(st.sampled_from(places), min_size=1, unique=True).map(sorted)
    node = st.tuples(st.sampled_from([1, 2, 2, 3, 0]), reach)
    rate = st.sampled_from([1, 2, 3, 0]) if timed else st.just(0)
    job = st.tuples(rate, rate, st.lists(node, min_size=1, max_size=nodes))
    rows = draw(st.lists(job, min_size=2, max_size=jobs))
    if draw(st.booleans()):  # a second job like the first, with its two rates the other way round
        a, b, own = rows[0]
        rows[1] = (b, a, own)
    boxes = []
    for j in places:
        loads = [(a, b, sum(size for size, servers in own if j in servers)) for a, b, own in rows]
        limit = max(d for *_, d in loads), 2 * max(a * d for a, _, d in loads), 2 * max(b * d for _, b, d in loads)
        amounts = [Decimal(amount * draw(st.sampled_from(SPARE))) / 4 for amount in limit]
        boxes.append((amounts[0] if stored else AMPLE, amounts[1] if timed else 0, amounts[2] if timed else 0))
    return build(rows, boxes)


@st.composite
def mirror_images(draw: Any) -> Instance:
    """Two jobs with equal data nodes and swapped rates.

    One server can serve only one of them.
    """
    a, b = draw(st.sampled_from([(1, 2), (1, 3), (2, 3), (0, 1), (2, 2)]))
    nodes = [(size, (0,)) for size in draw(st.lists(st.sampled_from([1, 1, 2]), min_size=1, max_size=2))]
    load = sum(size for size, _ in nodes)
    amount = 2 * max(a, b) * load
    return build([(a, b, nodes), (b, a, nodes)], [(draw(st.sampled_from([load, 2 * load])), amount, amount)])


@st.composite
def wide(draw: Any) -> Instance:
    """Jobs of one large data node each that may go to any of two servers.

    Storage is the only resource.
    """
    sizes = draw(st.lists(st.sampled_from([2, 2, 3]), min_size=2, max_size=3))
    return build([(0, 0, [(size, (0, 1))]) for size in sizes], [(draw(st.sampled_from([2, 3, 3])), 0, 0), (3, 0, 0)])


@st.composite
def many(draw: Any) -> Instance:
    """Up to two servers with room for about half of up to nine small jobs."""
    places = range(draw(st.integers(1, 2)))
    reach = st.lists(st.sampled_from(places), min_size=1, unique=True).map(sorted)
    node = st.tuples(st.sampled_from([1, 1, 2, 3, 5]), reach)
    timed = draw(st.booleans())
    rate = st.sampled_from([1, 2, 3, 0]) if timed else st.just(0)
    rows = draw(st.lists(st.tuples(rate, rate, st.lists(node, min_size=1, max_size=2)), min_size=4, max_size=9))
    boxes = []
    for j in places:
        loads = [(a, b, sum(size for size, servers in own if j in servers)) for a, b, own in rows]
        kinds = [[d for *_, d in loads], [2 * a * d for a, _, d in loads], [2 * b * d for _, b, d in loads]]
        boxes.append(tuple(max(*amounts, sum(amounts) * draw(st.integers(2, 6)) // 8) for amounts in kinds))
    return build(rows, boxes)


@st.composite
def last_place(draw: Any) -> Instance:
    """Small jobs on one server, and a large job that lacks 1 GB.

    The large job is the only fractional job, and nearly whole.
    """
    count, large = draw(st.integers(1, 4)), draw(st.sampled_from([2, 5, 20, 40]))
    return build([*([(0, 0, [(1, (0,))])] * count), (0, 0, [(large, (0,))])], [(large + count - 1, 0, 0)])


@st.composite
def between(draw: Any) -> Instance:
    """A large data node with half on each of two servers, filled by small jobs."""
    count = draw(st.integers(2, 5))
    small = [(0, 0, [(1, (j,))]) for j in (0, 1) for _ in range(count)]
    return build([(0, 0, [(2 * count, (0, 1))]), *small], [(2 * count, 0, 0)] * 2)


def vertices() -> Any:
    """Iterations with many jobs for few servers, of `last_place` and of `between`."""
    drawn = st.one_of(many(), many(), last_place(), between())
    return drawn.filter(has_vertex).map(vertex_iteration)


def rounds(**settings: Any) -> Any:
    drawn = st.one_of(contention(**settings), mirror_images(), wide())
    return drawn.filter(has_vertex).map(vertex_iteration)


def prune_instances(jobs: int = 2, servers: int = 3, nodes: int = 3) -> Any:
    """Crowded instances for PRUNE: few jobs with many data nodes, or one of `alike`."""
    return st.one_of(contention(jobs=jobs, servers=servers, nodes=nodes), alike(servers))


@st.composite
def alike(draw: Any, servers: int = 3) -> Instance:
    """One job with at most one data node per server.

    Servers have 1 GB. Data nodes have 1 GB, or 2 GB, which fit on no server.
    """
    places = range(draw(st.integers(1, servers)))
    reach = st.one_of(st.just(places), st.lists(st.sampled_from(places), min_size=1, unique=True).map(sorted))
    nodes = draw(st.lists(st.tuples(st.sampled_from([1] * 7 + [2]), reach), min_size=1, max_size=len(places)))
    return build([(0, 0, nodes)], [(1, 0, 0)] * len(places))
