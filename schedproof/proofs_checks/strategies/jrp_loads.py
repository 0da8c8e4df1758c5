"""Hypothesis strategies for one server's random load.

A load has jobs with data nodes, probabilities and priorities, and the server's storage, such that PRUNE removes no
candidate and (7) holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Inside
from schedproof.core.data.reading import Count
from schedproof.reference.jrp_load import JobKind, Load, Node, load_of

GB = (1, 1, 2, 3, 8, 8, 20, 0, Fraction(1, 2))
UNIT = (1, 1, 1, Fraction(1, 2), Fraction(1, 10), 0)
SHARES = (
    1,
    Fraction(1, 2),
    Fraction(1, 2),
    Fraction(1, 3),
    Fraction(3, 4),
    Fraction(1, 10),
    Fraction(1, 20),
    Fraction(9, 10),
    0,
)
MARGINS = (0, Fraction(1, 2), 1, 2, 10)
KINDS = ("filled", "even", "any", "any", "none")
Sizes = list[list[Fraction]]  # each job's sizes


@dataclass(frozen=True)
class ServerLoad:
    """One server, and the jobs with candidates there; draws are independent.

    Attributes
    ----------
    elsewhere
        The most data nodes that fit together on some other server, or 0.

    Raises
    ------
    ValueError
        For a load that the paper excludes: without candidates, with a candidate that PRUNE would remove (18), with x
        above y, or with x that violates (7).
    """

    storage: Fraction
    elsewhere: Count
    jobs: tuple[JobKind, ...]

    def __post_init__(self) -> None:
        if not self.load:
            raise ValueError("expected a load")

    @cached_property
    def load(self) -> Load:
        return load_of(self.storage, self.jobs, self.elsewhere)


@dataclass(frozen=True)
class Tail(ServerLoad):
    delta: Inside


@st.composite
def loads(draw: Any, full: bool | None = None, sizes: tuple[Any, ...] = GB, most: int = 4) -> ServerLoad:
    """A server with up to ``most`` kinds of jobs, of one to three candidates each.

    The probabilities are those of a fractional knapsack (*filled*: 1 in the order of the case until the storage is
    used up), all equal (*even*), the same for each job's nodes (*any*), or 0 (*none*).

    Parameters
    ----------
    full
        Whether mu_j = r_j^s; drawn if None, and then mu_j may also be 0.
    sizes
        The range of the data nodes' sizes; one case in three has equal sizes.
    """
    alike = [draw(st.sampled_from([d for d in sizes if d]))] if not draw(st.integers(0, 2)) else sizes
    counts = draw(st.lists(st.sampled_from((1, 1, 2, 3)), min_size=1, max_size=most))
    jobs = [[Fraction(draw(st.sampled_from(alike))) for _ in range(count)] for count in counts]
    times = [draw(st.sampled_from((1, 1, 2, 3, 6))) for _ in jobs]
    if not any(map(any, jobs)):
        jobs[0][0] = Fraction(1)
    lowest, total = max(map(sum, jobs)), sum(n * sum(own) for own, n in zip(jobs, times, strict=True))
    storage = lowest + draw(st.sampled_from(MARGINS)) if draw(st.integers(0, 3)) else total
    storage = Fraction(min(storage, total))
    kind = draw(st.sampled_from(KINDS[:2] if full else KINDS))
    if kind == "filled":
        rows = _fill(jobs, times, storage)
    else:
        shares = [storage / total] * len(jobs)
        if kind != "even":
            shares = [Fraction(0 if kind == "none" else draw(st.sampled_from(SHARES))) for _ in jobs]
        mean = sum(y * n * sum(own) for y, own, n in zip(shares, jobs, times, strict=True))
        scale = min(Fraction(1), storage / mean) if mean else Fraction(1)
        rows = [_row(scale * y, own, n) for y, own, n in zip(shares, jobs, times, strict=True)]
    extra = 0 if full or (full is None and draw(st.booleans())) else draw(st.sampled_from(MARGINS))
    elsewhere = draw(st.sampled_from((0, 0, 1, 5, 100)))
    return ServerLoad(storage + extra, elsewhere, tuple(rows))


@st.composite
def crowds(draw: Any) -> ServerLoad:
    """A full server with twenty to sixty small data nodes and up to two large ones.

    The small data nodes come first or last; the large data nodes fill the server, or half of it.
    """
    count = draw(st.integers(20, 60))
    chance = draw(st.sampled_from((Fraction(1, 2), Fraction(1, 4), Fraction(1, 10))))
    large = draw(st.integers(0, 2))
    share = Fraction(draw(st.sampled_from((1, 2, 3))), 4)
    storage = count * chance / (1 - (share if large else 0))
    priorities = draw(st.sampled_from(((1, share), (chance, 1))))
    rows = [_row(chance, [Fraction(1)], count, priorities[0])]
    if large:
        rows.append(_row(share, [storage / large], large, priorities[1]))
    return ServerLoad(storage, draw(st.sampled_from((0, 200))), tuple(rows))


@st.composite
def full_servers(draw: Any) -> ServerLoad:
    """A full server whose small, certain data nodes leave too little for a large node.

    The load is a fractional knapsack.
    """
    count = draw(st.integers(1, 4))
    large, fitting = draw(st.sampled_from((5, 8, 20, 40))), draw(st.integers(0, count - 1))
    storage = Fraction(large + fitting)
    rows = [_row(Fraction(1), [Fraction(1)], count), _row((storage - count) / large, [Fraction(large)], 1)]
    return ServerLoad(storage, 0, tuple(rows))


def any_loads(**settings: Any) -> Any:
    others = (crowds(), full_servers())
    return st.integers(0, 7).flatmap(lambda n: others[n] if n < 2 else loads(**settings))


def tails(**settings: Any) -> Any:
    deltas = st.sampled_from([Fraction(n, 20) for n in (1, 5, 10, 12, 15, 18, 19)])
    return st.builds(lambda on, delta: Tail(on.storage, on.elsewhere, on.jobs, delta), any_loads(**settings), deltas)


def _fill(jobs: Sizes, times: list[int], storage: Fraction) -> list[JobKind]:
    rows, rest = [], storage
    for own in (own for own, n in zip(jobs, times, strict=True) for _ in range(n)):
        y = min(Fraction(1), rest / sum(own)) if sum(own) else Fraction(1)
        rest -= y * sum(own)
        rows.append(_row(y, own, 1))
    return rows


def _row(chance: Fraction, sizes: list[Fraction], times: int, priority: Fraction | None = None) -> JobKind:
    return JobKind(chance if priority is None else Fraction(priority), times, tuple(Node(d, chance) for d in sizes))
