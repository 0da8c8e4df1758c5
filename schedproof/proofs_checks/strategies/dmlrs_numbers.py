"""Cases of the dmlrs claims without an instance, and their strategies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from hypothesis import strategies as st

from schedproof.core.claims.cases import AboveOne, Amount, AtLeastOne, Inside, PositiveAmount, PositiveShare, Share
from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect
from schedproof.proofs_checks.strategies.covering import Amounts, fractions


@dataclass(frozen=True)
class Links:
    """Workers and PSs per machine, the two bandwidths, and the message size."""

    workers: tuple[Count, ...]
    ps: tuple[Count, ...]
    internal: PositiveAmount = Fraction(2)
    external: PositiveAmount = Fraction(1)
    size: Count = 1

    def __post_init__(self) -> None:
        expect(len(self.workers) == len(self.ps), "expected a number for each machine", "ps", len(self.ps))


@dataclass(frozen=True)
class Batch:
    """A job on a cluster with room for some of its workers and their PSs at a time.

    The work is in worker-slots.
    """

    batch: Positive
    room: Positive
    work: Positive
    slots: Count
    gamma: PositiveAmount


@dataclass(frozen=True)
class UtilityTable:
    """Utilities by training time from 0 on.

    The case also has the slots that F co-located workers take, and the arrival, from 1 on.
    """

    values: tuple[Count, ...]
    slots: Positive
    arrival: Positive

    def __post_init__(self) -> None:
        falls = bool(self.values) and all(a >= b for a, b in pairwise(self.values))
        expect(falls, "expected utilities that never increase", "values")


@dataclass(frozen=True)
class AcceptedJob:
    """The payment of one accepted job, and its effect on some prices.

    Attributes
    ----------
    old, new
        The prices before and after the job.
    step
        The job's use of each resource.
    """

    old: Amounts
    new: Amounts
    step: Amounts
    capacity: Amounts
    payoff: Amount
    delta: PositiveShare
    gain: PositiveAmount
    eps: AtLeastOne

    def __post_init__(self) -> None:
        sizes = {len(self.old), len(self.new), len(self.step), len(self.capacity)}
        rise = len(sizes) == 1 and all(a <= b for a, b in zip(self.old, self.new, strict=True))
        expect(rise, "expected, for each resource, prices that never decrease", "new")


@dataclass(frozen=True)
class PriceStep:
    """A step of one price: U/L, a worker's share, the workers, and constants.

    Attributes
    ----------
    cap
        x, the largest share of the capacity that a job takes.
    """

    ratio: AboveOne
    worker: PositiveAmount
    workers: Positive
    cap: Inside
    delta: PositiveShare
    gain: PositiveAmount

    @property
    def share(self) -> Fraction:
        return self.workers * self.worker


@dataclass(frozen=True)
class PriceLevels:
    """L and U of a price, a factor above 1 on one of them, and the share in use."""

    low: PositiveAmount
    high: PositiveAmount
    factor: AboveOne
    share: Share

    def __post_init__(self) -> None:
        expect(self.low <= self.high, "expected U >= L", "high", self.high)


@dataclass(frozen=True)
class Gains:
    """The arguments of G in (29) or (30): W_b and r, or W_a and m, and two deltas.

    The smaller delta comes first.

    Attributes
    ----------
    cover
        Two values of W_a of (26), the smaller first.
    """

    width: PositiveAmount
    rows: Positive
    deltas: tuple[PositiveShare, PositiveShare]
    cover: tuple[PositiveAmount, PositiveAmount]

    def __post_init__(self) -> None:
        expect(self.deltas[0] < self.deltas[1], "expected the smaller one first", "deltas")
        expect(self.cover[0] <= self.cover[1], "expected the smaller one first", "cover")


MOST_GROWTH = 50


@dataclass(frozen=True)
class Growth:
    """A family of inputs that grow with n; steps are counted up to 4 n, slot by slot."""

    kind: str
    n: Positive

    def __post_init__(self) -> None:
        expect(self.n <= MOST_GROWTH, f"expected at most {MOST_GROWTH}, as the steps are counted", "n", self.n)


@dataclass(frozen=True)
class Size:
    """T slots, V = K E samples, H machines, R resources, S draws, and an LP's steps."""

    slots: Positive = 2
    samples: Positive = 1
    machines: Positive = 1
    resources: Positive = 1
    draws: Positive = 1
    lp: Positive = 1


@st.composite
def links(draw: st.DrawFn, slower: bool = False) -> Links:
    """Draw the workers and parameter servers of up to three machines, and link rates.

    With ``slower``, links are slower than machines and the message is not empty.
    """
    rate = st.sampled_from((Fraction(1), Fraction(2), Fraction(3)))
    count = draw(st.integers(1, 3))
    workers, ps = (tuple(draw(st.integers(0, 2)) for _ in range(count)) for _ in range(2))
    across, inside = draw(rate), draw(rate)
    inside = across + inside if slower else max(across, inside)
    return Links(workers, ps, inside, across, draw(st.integers(int(slower), 2)))


def batches() -> st.SearchStrategy[Batch]:
    gamma, small = st.sampled_from(fractions("1 1/2 2 3 3/2 1/3 5/2")), st.integers(1, 4)
    return st.builds(Batch, gamma=gamma, batch=small, room=small, work=small, slots=small)


@st.composite
def utility_tables(draw: st.DrawFn) -> UtilityTable:
    values = sorted(draw(st.lists(st.integers(0, 9), min_size=2, max_size=5)), reverse=True)
    return UtilityTable(tuple(values), draw(st.integers(1, 4)), draw(st.integers(1, 4)))


@st.composite
def accepted_jobs(draw: st.DrawFn) -> AcceptedJob:
    amounts = st.sampled_from(fractions("1/2 1 2 3"))
    rows = draw(st.integers(1, 2))
    old = tuple(draw(amounts) for _ in range(rows))
    growth = [draw(st.sampled_from(fractions("1 11/10 6/5 3/2 2 4"))) for _ in old]
    return AcceptedJob(
        old=old,
        new=tuple(p * g for p, g in zip(old, growth, strict=True)),
        step=tuple(draw(amounts) for _ in old),
        capacity=tuple(Fraction(draw(st.integers(3, 6))) for _ in old),
        payoff=draw(amounts),
        delta=draw(st.sampled_from(fractions("1 1/2"))),
        gain=draw(st.sampled_from(fractions("1/10 1/4 1/3 1 3/2"))),
        eps=draw(st.sampled_from(fractions("1 3/2 4"))),
    )


def price_steps() -> st.SearchStrategy[PriceStep]:
    return st.builds(
        PriceStep,
        ratio=st.sampled_from((*fractions("3/2 2 4 20 64 10000"), Fraction(2**100))),
        worker=st.sampled_from(fractions("1/10 1/20 1/100")),
        workers=st.sampled_from((1, 2, 5, 10, 20, 100)),
        cap=st.sampled_from(fractions("1/20 1/10 1/4 1/2 3/4")),
        delta=st.sampled_from(fractions("1 1/10")),
        gain=st.sampled_from(fractions("1/2 1 3/2 4")),
    )


def price_levels() -> st.SearchStrategy[PriceLevels]:
    return st.builds(
        PriceLevels,
        low=st.sampled_from(fractions("1/100 1/2 1")),
        high=st.sampled_from(fractions("1 4 1000")),
        factor=st.sampled_from(fractions("11/10 2 16")),
        share=st.sampled_from(fractions("0 1/4 1/2 9/10 1")),
    )


@st.composite
def gains(draw: st.DrawFn) -> Gains:
    width, cover = (draw(st.sampled_from(fractions("1/2 1 3 15 40 1000"))) for _ in range(2))
    small = draw(st.sampled_from(fractions("1/1000 1/50 1/20 1/10 1/2 9/10")))
    larger = draw(st.sampled_from(fractions("101/100 11/10 2 10")))
    more = draw(st.sampled_from(fractions("1 7/6 4/3 10")))
    return Gains(
        width, draw(st.sampled_from((1, 2, 401))), (small, min(small * larger, Fraction(1))), (cover, cover * more)
    )


def growths(kinds: tuple[str, ...]) -> st.SearchStrategy[Growth]:
    return st.builds(Growth, st.sampled_from(kinds), st.integers(2, 4))


def sizes() -> st.SearchStrategy[Size]:
    limit = {"slots": 6, "samples": 12, "machines": 9, "resources": 4, "draws": 20, "lp": 99}
    return st.builds(Size, **{name: st.integers(1, n) for name, n in limit.items()})
