"""Covering and packing programs with a known fractional optimum, and strategies.

The point and the multipliers are drawn first. Right-hand sides and costs are then chosen so that the point and the
multipliers prove each other optimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.claims.cases import Amount, PositiveAmount, PositiveShare
from schedproof.core.data.reading import Positive

Numbers = tuple[Fraction, ...]
Amounts = tuple[Amount, ...]
Matrix = tuple[Numbers, ...]


def fractions(text: str) -> Numbers:
    return tuple(map(Fraction, text.split()))


ZERO, ONE = Fraction(0), Fraction(1)
DELTAS = fractions("1 1/2 1/10 1/100 1/1000 1/100000")
ENTRIES = fractions("0 1 1 1 2 1/2")
PARTS = fractions("0 1/10 1/4 1/2 1/2 1 3/2 2 10/3")
PRICES = fractions("0 1 1 2")
SLACKS = fractions("0 1/2 1 10 60 120")


@dataclass(frozen=True)
class Program:
    """A program min c x, A x >= a, B x <= b with a point; A, B, c are nonnegative.

    Equal columns are written once, with their number.

    Attributes
    ----------
    cover, demand, packing, room, costs, point
        A, a, B, b, c and x.
    times
        The number of equal columns per group.
    """

    cover: tuple[Amounts, ...]
    demand: Numbers
    packing: tuple[Amounts, ...]
    room: Numbers
    costs: Amounts
    point: Amounts
    times: tuple[Positive, ...]

    @property
    def group_sums(self) -> Numbers:
        return tuple(x * n for x, n in zip(self.point, self.times, strict=True))

    @property
    def cost(self) -> Fraction:
        return dot(self.costs, self.group_sums)

    @property
    def feasible(self) -> bool:
        covered = all(dot(row, self.group_sums) >= a for row, a in zip(self.cover, self.demand, strict=True))
        return covered and all(dot(row, self.group_sums) <= b for row, b in zip(self.packing, self.room, strict=True))


@dataclass(frozen=True)
class Block(Program):
    """A program with positive right-hand sides, an optimal point, and delta in (0, 1].

    ``copies`` is the number of equal blocks.

    Attributes
    ----------
    cover_prices, packing_prices
        Multipliers that prove the point optimal.
    """

    copies: Positive
    cover_prices: Amounts
    packing_prices: Amounts
    delta: PositiveShare

    def __post_init__(self) -> None:
        if min(self.demand + self.room, default=1) <= 0 or not 0 < self.delta <= 1:
            raise ValueError("expected positive right-hand sides, and delta in (0, 1]")
        if not any(map(any, self.packing)):
            raise ValueError("expected a packing entry above 0, as W_b is undefined otherwise")
        proven = _costs(self.cover, self.cover_prices, self.packing, self.packing_prices)
        reduced = [c - p for c, p in zip(self.costs, proven, strict=True)]
        value = dot(self.demand, self.cover_prices) - dot(self.room, self.packing_prices)
        signs = min(*self.point, *self.cover_prices, *self.packing_prices, *reduced) >= 0
        if not (self.feasible and signs and value == self.cost):
            raise ValueError("point: expected a feasible point whose cost is the multipliers' bound")

    @property
    def rows(self) -> tuple[int, int]:
        return self.copies * len(self.cover), self.copies * len(self.packing)

    @property
    def cover_width(self) -> Fraction:
        """The width W_a of the covering rows: the least quotient of demand and entry."""
        return min(a / entry for row, a in zip(self.cover, self.demand, strict=True) for entry in row if entry)

    @property
    def packing_width(self) -> Fraction:
        """The width W_b of the packing rows: the least quotient of room and entry."""
        return min(b / entry for row, b in zip(self.packing, self.room, strict=True) for entry in row if entry)


@dataclass(frozen=True)
class TwoStates:
    """Three programs, a gain G, and S draws.

    The first program belongs to the first state. The others belong to the second state, after success and after failure
    of the first.
    """

    programs: tuple[Block, Block, Block]
    gain: PositiveAmount
    draws: Positive


def dot(row: Sequence[Fraction], values: Sequence[Fraction | int]) -> Fraction:
    return sum((entry * value for entry, value in zip(row, values, strict=True) if entry and value), ZERO)


def _costs(cover: Matrix, cover_prices: Numbers, packing: Matrix, packing_prices: Numbers) -> Numbers:
    signed = [(row, u) for row, u in zip(cover, cover_prices, strict=True)]
    signed += [(row, -v) for row, v in zip(packing, packing_prices, strict=True)]
    return tuple(sum((row[j] * price for row, price in signed), ZERO) for j in range(len(cover[0])))


@st.composite
def programs(draw: st.DrawFn, wide: bool = False) -> Block:
    """A block of a few groups of columns, with one or two rows of either kind.

    One block in three has a sliver: a cheap column that its packing row limits to far below one.

    Parameters
    ----------
    wide
        Whether rooms and delta are so large that Lemma 1's G is at least 1/2; then there is no sliver.
    """
    sliver = not wide and draw(st.integers(0, 2)) == 0
    point, times, cover, packing = _sliver(draw) if sliver else _any(draw)
    cover_prices = tuple(draw(st.sampled_from(fractions("1 2") if sliver else PRICES)) for _ in cover)
    packing_prices = tuple(ONE if sliver else draw(st.sampled_from(PRICES)) for _ in packing)
    slacks = SLACKS[-2:] if wide else SLACKS
    if min(_costs(cover, cover_prices, packing, packing_prices)) < 0:
        packing_prices = (ZERO,) * len(packing)
    held = [x * k for x, k in zip(point, times, strict=True)]
    extra = [0 if x else draw(st.integers(0, 1)) for x in point]
    costs = _costs(cover, cover_prices, packing, packing_prices)
    sums = [(dot(row, held), u) for row, u in zip(cover, cover_prices, strict=True)]
    tops = [(dot(row, held), v) for row, v in zip(packing, packing_prices, strict=True)]
    return Block(
        cover=cover,
        demand=tuple(a if u else a / draw(st.integers(1, 2)) for a, u in sums),
        packing=packing,
        room=tuple(b if v else b + draw(st.sampled_from(slacks)) for b, v in tops),
        costs=tuple(c + e for c, e in zip(costs, extra, strict=True)),
        point=point,
        times=times,
        copies=draw(st.sampled_from((1, 1, 1, 1, 1, 1, 2, 40))),
        cover_prices=cover_prices,
        packing_prices=packing_prices,
        delta=draw(st.sampled_from(DELTAS[:3] if wide else DELTAS)),
    )


Drawn = tuple[Numbers, tuple[int, ...], Matrix, Matrix]


def _any(draw: st.DrawFn) -> Drawn:
    n = draw(st.integers(1, 3))
    scale = draw(st.sampled_from((1, 1, 1, 8, 30)))
    point = [scale * draw(st.sampled_from(PARTS)) for _ in range(n)]
    if not any(point):
        point[0] = Fraction(1, 2)
    times = tuple(draw(st.integers(1, 12 if n == 1 else 3)) for _ in range(n))
    return tuple(point), times, _matrix(draw, point), _matrix(draw, point)


def _sliver(draw: st.DrawFn) -> Drawn:
    small = Fraction(1, draw(st.sampled_from((50, 200, 1000))))
    return (small, Fraction(draw(st.sampled_from((1, 10, 100))))), (1, 1), ((ONE, ONE),), ((ONE, ZERO),)


def _matrix(draw: st.DrawFn, point: Sequence[Fraction]) -> Matrix:
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        row = tuple(draw(st.sampled_from(ENTRIES)) for _ in point)
        rows.append(row if dot(row, point) else (ONE,) * len(point))
    return tuple(rows)


@st.composite
def crowds(draw: st.DrawFn) -> Block:
    """A hundred rows that each demand a few of hundreds of equal columns.

    The room is twice the demand.
    """
    columns, demand = draw(st.sampled_from((300, 500, 1000))), draw(st.integers(60, 80))
    return replace(
        _one_column(demand, 2 * demand, Fraction(demand, columns), columns, price=ONE),
        copies=100,
        delta=draw(st.sampled_from(DELTAS[:2])),
    )


def programs_and_crowds() -> st.SearchStrategy[Block]:
    return st.integers(0, 7).flatmap(lambda n: programs() if n else crowds())


@st.composite
def pairs(draw: st.DrawFn, above_one: bool) -> TwoStates:
    first, after, otherwise = (
        _coins(draw) if draw(st.booleans()) else replace(draw(programs()), copies=1) for _ in range(3)
    )
    gains = fractions("1 11/10 3/2" if above_one else "1 9/10 1/2")
    return TwoStates((first, after, otherwise), draw(st.sampled_from(gains)), draw(st.integers(1, 3)))


def _coins(draw: Any) -> Block:
    columns = draw(st.integers(2, 4))
    return _one_column(1, draw(st.integers(columns - 1, columns)), Fraction(1, 2), columns, price=ZERO)


def _one_column(demand: int, room: int, x: Fraction, times: int, price: Fraction) -> Block:
    return Block(
        cover=((ONE,),),
        demand=(Fraction(demand),),
        packing=((ONE,),),
        room=(Fraction(room),),
        costs=(price,),
        point=(x,),
        times=(times,),
        copies=1,
        cover_prices=(price,),
        packing_prices=(ZERO,),
        delta=ONE,
    )
