"""One server's random load, exactly: what the draw puts there (22), what (21) keeps of it, and what eta may mean.

A case has the server's ``storage``; ``elsewhere``, the most data nodes that fit together on some other server (0 where
there is none); and ``jobs``, those with candidates there: ``times`` alike, each with its ``priority`` y_k and the
``nodes`` that it may have there, (size d_i, chance x_i^j). The data nodes are drawn independently of each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from schedproof.core.claim import Case

ZERO, ONE = Fraction(0), Fraction(1)
MOST_NODES = 200  # of a load whose distribution is computed
Table = Mapping[Fraction, Fraction]  # GB -> probability


class Node(NamedTuple):
    """A candidate: its size in GB, and the chance x_i^j that it is drawn to this server."""

    size: Fraction
    chance: Fraction


@dataclass(frozen=True)
class Load:
    """A server after PRUNE, with its candidates in non-increasing order of priority; ties as in the case.

    Attributes
    ----------
    heaviest
        d_max = max_k sum_(i in B_j^k) d_i: the most data that one job may have here.
    """

    storage: Fraction
    elsewhere: int
    nodes: tuple[Node, ...]
    heaviest: Fraction

    @cached_property
    def mean(self) -> Fraction:
        """mu_j = E(D_j)."""
        return sum((d * x for d, x in self.nodes), ZERO)

    @cached_property
    def variance(self) -> Fraction:
        """sigma_j^2 as (26) has it."""
        return sum((d**2 * x * (1 - x) for d, x in self.nodes), ZERO)

    @cached_property
    def largest(self) -> Fraction:
        """max d_i."""
        return max(d for d, _ in self.nodes)


def read(case: Case) -> Load | None:
    """The load of a case; None where the paper does not speak of it.

    That is: PRUNE would remove a candidate (18), x is not within y or more than (7) allows, or nothing is there.
    """
    data = case.data
    jobs = sorted(data["jobs"], key=lambda job: -job["priority"])
    alike = [(job["priority"], [Node(*map(Fraction, node)) for node in job["nodes"]], job["times"]) for job in jobs]
    nodes = [node for _, own, times in alike for _ in range(times) for node in own]
    if not nodes or not all(d >= 0 and 0 <= x <= y <= 1 for y, own, _ in alike for d, x in own):
        return None
    heaviest = max(sum((d for d, _ in own), ZERO) for _, own, _ in alike)
    load = Load(Fraction(data["storage"]), data["elsewhere"], tuple(nodes), heaviest)
    return load if load.storage > 0 and max(heaviest, load.mean) <= load.storage else None


# --- what eta may mean -----------------------------------------------------------------------------------------------


def how_many(sizes: Iterable[Fraction], storage: Fraction) -> int:
    """How many of the first of them fit together."""
    return sum(total <= storage for total in accumulate(sizes))


def most_here(load: Load) -> int:
    """The most candidates that fit together on this server: the smallest ones."""
    return how_many(sorted(node.size for node in load.nodes), load.storage)


def most_anywhere(load: Load) -> int:
    """The most data nodes that fit together on one server, this or another."""
    return max(most_here(load), load.elsewhere)


def candidates(load: Load) -> int:
    """|B_j|, the degree of the server."""
    return len(load.nodes)


def whichever(load: Load) -> int:
    """The most of which any fit together on this server, whichever they are: the largest ones. No reading has less."""
    return how_many(sorted((node.size for node in load.nodes), reverse=True), load.storage)


# --- what is drawn, and what is kept ---------------------------------------------------------------------------------


def _joined(table: Table, node: Node) -> Table:
    result: dict[Fraction, Fraction] = defaultdict(Fraction)
    for held, chance in table.items():
        for amount, share in ((held, 1 - node.chance), (held + node.size, node.chance)):
            if share:
                result[amount] += chance * share
    return result


def growing(load: Load, limit: Fraction | None = None) -> Iterator[Table]:
    """How likely each amount is before each node's turn, and at the end; amounts above the limit are left out."""
    table: Table = {ZERO: ONE}
    yield table
    for node in load.nodes:
        table = _joined(table, node)
        if limit is not None:
            table = {held: chance for held, chance in table.items() if held <= limit}
        yield table


@lru_cache(maxsize=64)
def drawn(load: Load) -> Table:
    """The distribution of D_j."""
    *_, last = growing(load)
    return last


class Kept(NamedTuple):
    """What (21) keeps.

    Attributes
    ----------
    mean
        E(D'_j).
    within
        E(D_j; D_j <= r), the integral of (24).
    overfull
        Pr(D_j > r).
    least
        The least D'_j of a draw with D_j > r; None where there is no such draw.
    """

    mean: Fraction
    within: Fraction
    overfull: Fraction
    least: Fraction | None


@lru_cache(maxsize=64)
def kept(load: Load) -> Kept:
    """The longest prefix that fits, in order of priority: a node is kept if it fits behind all drawn before it.

    D' is what lies before the first drawn node that does not fit; such a node exists exactly when D > r.
    """
    room = load.storage
    *tables, last = growing(load, room)
    mean, least = ZERO, []
    for (size, chance), table in zip(load.nodes, tables, strict=True):
        mean += size * chance * sum((p for held, p in table.items() if held + size <= room), ZERO)
        least += [held for held in table if chance and held + size > room]
    within = sum((held * p for held, p in last.items()), ZERO)
    return Kept(mean, within, 1 - sum(last.values(), ZERO), min(least, default=None))


def exact(case: Case) -> Load | None:
    """The load of a case that has few enough nodes for its distribution."""
    load = read(case)
    return load if load is not None and len(load.nodes) <= MOST_NODES else None


def row(priority: Any, *nodes: tuple[Any, Any], times: int = 1) -> dict[str, Any]:
    """A job of a case."""
    return {"priority": priority, "times": times, "nodes": [list(node) for node in nodes]}


def server(storage: Any, *jobs: dict[str, Any], elsewhere: int = 0, **more: Any) -> Case:
    """A case."""
    return Case(None, {"storage": storage, "elsewhere": elsewhere, "jobs": list(jobs), **more})
