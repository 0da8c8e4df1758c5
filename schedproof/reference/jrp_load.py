"""A server's random load: distribution (22), part kept by (21), readings of eta."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

ZERO, ONE = Fraction(0), Fraction(1)
MOST_NODES = 200  # largest number of data nodes for which a distribution is computed
Distribution = Mapping[Fraction, Fraction]  # GB -> probability


class Node(NamedTuple):
    """A candidate: its size in GB, and its probability x_i^j on this server."""

    size: Fraction
    chance: Fraction


@dataclass(frozen=True)
class Load:
    """A server after PRUNE, with candidates by priority; ties as listed.

    Attributes
    ----------
    heaviest
        d_max = max_k sum_(i in B_j^k) d_i, the largest amount of data of a job on this server.
    """

    storage: Fraction
    elsewhere: int
    nodes: tuple[Node, ...]
    heaviest: Fraction

    @property
    def full(self) -> bool:
        """Return whether the expected load mu_j is the storage r_j^s."""
        return self.mean == self.storage

    @property
    def enumerable(self) -> bool:
        return len(self.nodes) <= MOST_NODES

    @cached_property
    def mean(self) -> Fraction:
        """The expected load mu_j = E(D_j)."""
        return sum((d * x for d, x in self.nodes), ZERO)

    @cached_property
    def variance(self) -> Fraction:
        """The variance sigma_j^2 of the load, by (26)."""
        return sum((d**2 * x * (1 - x) for d, x in self.nodes), ZERO)

    @cached_property
    def largest(self) -> Fraction:
        """The largest size d_i of a data node."""
        return max(d for d, _ in self.nodes)


@dataclass(frozen=True)
class JobKind:
    """Equal jobs with candidates on the server.

    Attributes
    ----------
    priority
        The priority y_k.
    nodes
        The data nodes that each of these jobs may have on the server.
    """

    priority: Fraction
    times: int
    nodes: tuple[Node, ...]


def load_of(storage: Fraction, jobs: Sequence[JobKind], elsewhere: int = 0) -> Load:
    """Return the load of a server with this storage.

    Raises
    ------
    ValueError
        If PRUNE would remove a candidate (18), x exceeds y, the mean load exceeds (7), or the list is empty.
    """
    ordered = sorted(jobs, key=lambda job: -job.priority)
    nodes = [node for job in ordered for _ in range(job.times) for node in job.nodes]
    if not nodes or not all(d >= 0 and 0 <= x <= job.priority <= 1 for job in jobs for d, x in job.nodes):
        raise ValueError("expected data nodes with sizes >= 0 and 0 <= x <= y <= 1")
    heaviest = max(sum((d for d, _ in job.nodes), ZERO) for job in jobs)
    load = Load(storage, elsewhere, tuple(nodes), heaviest)
    if storage <= 0 or max(heaviest, load.mean) > storage:
        raise ValueError("expected no candidate that PRUNE removes (18), and a mean load within the storage (7)")
    return load


# --- readings of eta -------------------------------------------------------------------------------------------------


def how_many(sizes: Iterable[Fraction], storage: Fraction) -> int:
    return sum(total <= storage for total in accumulate(sizes))


def server_limit(load: Load) -> int:
    """Return the largest number of candidates that fit together on this server."""
    return how_many(sorted(node.size for node in load.nodes), load.storage)


def largest_server_limit(load: Load) -> int:
    """Return the largest number of data nodes that fit together on any server."""
    return max(server_limit(load), load.elsewhere)


def candidates(load: Load) -> int:
    """Return the degree |B_j| of the server."""
    return len(load.nodes)


def worst_order_limit(load: Load) -> int:
    """Return the largest n such that any n candidates, so the n largest, fit."""
    return how_many(sorted((node.size for node in load.nodes), reverse=True), load.storage)


def of_largest(load: Load) -> int:
    """Return floor(r/max d)."""
    return load.storage // load.largest if load.largest else candidates(load)


ETAS = (
    ("most here", "eta: the most candidates that fit together on this server.", server_limit),
    ("most anywhere", "eta: the most data nodes that fit together on any one server.", largest_server_limit),
    ("all candidates", "eta = |B_j|, those that may be assigned to it.", candidates),
    (
        "whichever they are",
        "eta: the largest number such that any choice of candidates fits on this server.",
        worst_order_limit,
    ),
)

# --- drawn and kept data ---------------------------------------------------------------------------------------------


def _add_node(table: Distribution, node: Node) -> Distribution:
    result: dict[Fraction, Fraction] = defaultdict(Fraction)
    for held, chance in table.items():
        for amount, share in ((held, 1 - node.chance), (held + node.size, node.chance)):
            if share:
                result[amount] += chance * share
    return result


def growing(load: Load, limit: Fraction | None = None) -> Iterator[Distribution]:
    """Yield the distribution of the amount before each node's turn, and at the end.

    Amounts above the limit are omitted.
    """
    table: Distribution = {ZERO: ONE}
    yield table
    for node in load.nodes:
        table = _add_node(table, node)
        if limit is not None:
            table = {held: chance for held, chance in table.items() if held <= limit}
        yield table


@lru_cache(maxsize=64)
def load_distribution(load: Load) -> Distribution:
    *_, last = growing(load)
    return last


class Kept(NamedTuple):
    """The part kept by (21).

    Attributes
    ----------
    mean
        E(D'_j).
    within
        E(D_j; D_j <= r), the integral of (24).
    overfull
        Pr(D_j > r).
    least
        The least D'_j of a draw with D_j > r, or None.
    """

    mean: Fraction
    within: Fraction
    overfull: Fraction
    least: Fraction | None


@lru_cache(maxsize=64)
def kept_prefix(load: Load) -> Kept:
    """Return moments of the longest prefix, by priority, that fits.

    A node is kept if it fits in addition to all nodes drawn before. D' is the amount before the first drawn node that
    does not fit; such a node exists iff D > r.
    """
    storage = load.storage
    *tables, last = growing(load, storage)
    mean, least = ZERO, []
    for (size, chance), table in zip(load.nodes, tables, strict=True):
        mean += size * chance * sum((p for held, p in table.items() if held + size <= storage), ZERO)
        least += [held for held in table if chance and held + size > storage]
    within = sum((held * p for held, p in last.items()), ZERO)
    return Kept(mean, within, 1 - sum(last.values(), ZERO), min(least, default=None))
