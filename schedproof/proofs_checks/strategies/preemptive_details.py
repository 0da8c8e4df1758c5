"""Cases of the preemptive claims about single lines, and their strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from schedproof.core.claims.cases import AboveOne, PositiveAmount
from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect

HALVES = st.integers(1, 8).map(lambda n: Fraction(n, 2))


@dataclass(frozen=True)
class Placement:
    workers: tuple[str, ...]
    parameter_server: str

    def __post_init__(self) -> None:
        expect(bool(self.workers), "expected at least one worker", "workers")

    @property
    def all_in_cloud(self) -> bool:
        return {*self.workers, self.parameter_server} == {"cloud"}

    @property
    def on_one_server(self) -> bool:
        return len({*self.workers, self.parameter_server}) == 1


def every_placement() -> Iterator[Placement]:
    for workers in (("cloud",), ("e0",), ("e0", "e1"), ("cloud", "e0")):
        for parameter_server in ("cloud", "e0", "e1"):
            yield Placement(workers, parameter_server)


def placements() -> st.SearchStrategy[Placement]:
    return st.sampled_from(list(every_placement()))


@dataclass(frozen=True)
class Entry:
    """An entry y_jdsw(t) = 1: a worker, qualified or not, before or after landing."""

    qualified: bool
    landed: bool


def every_entry() -> Iterator[Entry]:
    return (Entry(*row) for row in product((False, True), repeat=2))


def entries() -> st.SearchStrategy[Entry]:
    return st.sampled_from(list(every_entry()))


@dataclass(frozen=True)
class OneChunk:
    """A job of one chunk on some workers at a distance; ``speed`` is 1 + eps.

    The chunk's slots are at speed 1.
    """

    time: Positive
    delay: Count
    workers: Positive
    speed: AboveOne


def one_chunks() -> st.SearchStrategy[OneChunk]:
    speeds = st.sampled_from((Fraction(3, 2), Fraction(2)))
    return st.builds(OneChunk, st.integers(1, 3), st.integers(0, 2), st.integers(1, 2), speeds)


@dataclass(frozen=True)
class IdleWorkers:
    """A job whose chunks are placed on idle workers at given distances."""

    chunks: Positive
    time: Positive
    delays: tuple[Count, ...]

    def __post_init__(self) -> None:
        expect(bool(self.delays), "expected at least one worker", "delays")


def idle_workers() -> st.SearchStrategy[IdleWorkers]:
    delays = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(tuple)
    return st.builds(IdleWorkers, st.integers(1, 4), st.integers(1, 4), delays)


@dataclass(frozen=True)
class TwoRates:
    """A chunk's mini-batches and rate, another rate, and D_j and Delta of the job.

    The other rate is that of another job or of the cloud.
    """

    batches: PositiveAmount
    rate: PositiveAmount
    other_rate: PositiveAmount
    chunks: Positive = 1
    delay: Count = 0


def two_rates() -> st.SearchStrategy[TwoRates]:
    return st.builds(TwoRates, HALVES, HALVES, HALVES, st.integers(1, 3), st.integers(0, 4))
