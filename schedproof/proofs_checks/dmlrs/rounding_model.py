"""Randomized rounding, said again for the claims: exact probabilities by plain enumeration of all outcomes.

A case is a covering and packing program with a fractional point. Columns that are alike are written once, with their
number in ``times``: how many of them are rounded up is then binomial. ``copies`` such blocks may stand side by side,
which makes m and r that many times as large. G, with its logarithms and roots, is enclosed between two rationals of
four decimals. A draw grows with G, coordinate by coordinate (floor(x' + U) with the same U), so that the chance that a
row sum is large is at least its value at the lower end, and the chance that it is small at least that at the upper end:
what is found here to violate a statement does so for the real G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import comb, floor, prod
from typing import Any

from schedproof.core.claim import Case, Finding
from schedproof.core.numbers import ceil
from schedproof.proofs_checks.dmlrs.enclosures import Interval, exactly, logarithm, minus, plus, square_root, times

GRAIN = 10_000
Units = tuple[int, ...]  # what the columns of each group hold together
Event = Callable[[Units], bool]
Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class Block:
    """min c x, A x >= a, B x <= b with its point; ``times[j]`` columns are alike, ``copies`` blocks side by side."""

    cover: Matrix
    demand: tuple[Fraction, ...]
    packing: Matrix
    room: tuple[Fraction, ...]
    costs: tuple[Fraction, ...]
    point: tuple[Fraction, ...]
    times: tuple[int, ...]
    copies: int
    delta: Fraction

    @property
    def rows(self) -> tuple[int, int]:
        """m and r."""
        return self.copies * len(self.cover), self.copies * len(self.packing)

    @property
    def cover_width(self) -> Fraction:
        """W_a."""
        return _width(self.cover, self.demand)

    @property
    def packing_width(self) -> Fraction:
        """W_b."""
        return _width(self.packing, self.room)

    @property
    def cost(self) -> Fraction:
        """c x of one block."""
        return self.sum(self.costs, [x * n for x, n in zip(self.point, self.times, strict=True)])

    def sum(self, row: Sequence[Fraction], units: Sequence[Fraction | int]) -> Fraction:
        """A row's sum when the groups hold so much."""
        return sum((entry * held for entry, held in zip(row, units, strict=True) if entry and held), Fraction(0))

    def chance(self, gain: Fraction, event: Event) -> Fraction:
        """The probability of an event of one block when x' = G x is rounded."""
        outcomes, total = _outcomes(self.point, self.times, gain)
        return Fraction(sum(weight for units, weight in outcomes if event(units)), total)

    def above(self, share: Fraction | int = 1) -> list[Event]:
        """For each packing row: its sum exceeds that share of its room."""
        return [partial(self._exceeds, row, share * b) for row, b in zip(self.packing, self.room, strict=True)]

    def below(self, share: Fraction | int = 1) -> list[Event]:
        """For each cover row: its sum is at most that share of its demand."""
        return [partial(self._reaches_only, row, share * a) for row, a in zip(self.cover, self.demand, strict=True)]

    def _exceeds(self, row: Sequence[Fraction], side: Fraction, units: Units) -> bool:
        return self.sum(row, units) > side

    def _reaches_only(self, row: Sequence[Fraction], side: Fraction, units: Units) -> bool:
        return self.sum(row, units) <= side

    def dear(self, gain: Interval, ratio: Fraction) -> Event:
        """The cost exceeds ratio G times that of the point, for every G of the interval."""
        return lambda units: self.sum(self.costs, units) > ratio * gain[1] * self.cost


def each_row(block: Block, gain: Fraction, events: Sequence[Event], what: str) -> Finding:
    """The likeliest of some rows' events should have probability at most delta/(3 rows)."""
    claimed = block.delta / (3 * block.copies * len(events))
    measured = lower(max(block.chance(gain, event) for event in events))
    return Finding(measured, claimed, "at most", f"Pr({what}), each row")


def any_row(block: Block, gain: Fraction, events: Sequence[Event], what: str, rows: int = 1) -> Finding:
    """Some row's event should happen, in some block, with probability at most delta/(3 rows)."""
    chance = block.chance(gain, lambda units: any(event(units) for event in events))
    measured = lower(1 - (1 - chance) ** block.copies)
    return Finding(measured, block.delta / (3 * rows), "at most", f"Pr({what}), some row")


def read(case: Case) -> Block | None:
    """The block of a case; None where the statements do not speak of it: sides not positive, or a point not optimal."""
    data = case.data
    block = Block(
        cover=tuple(map(_numbers, data["cover"])),
        demand=_numbers(data["demand"]),
        packing=tuple(map(_numbers, data["packing"])),
        room=_numbers(data["room"]),
        costs=_numbers(data["costs"]),
        point=_numbers(data["point"]),
        times=tuple(data["times"]),
        copies=data["copies"],
        delta=Fraction(data["delta"]),
    )
    fine = min(block.demand + block.room, default=1) > 0 and 0 < block.delta <= 1
    return block if fine and _optimal(block, data["cover_prices"], data["packing_prices"]) else None


def _numbers(values: Sequence[Any]) -> tuple[Fraction, ...]:
    return tuple(Fraction(value) for value in values)


def _optimal(block: Block, cover_prices: Sequence[Any], packing_prices: Sequence[Any]) -> bool:
    """Whether the point is feasible and costs what multipliers that are feasible for the dual are worth."""
    held = [x * n for x, n in zip(block.point, block.times, strict=True)]
    covers = list(zip(block.cover, block.demand, cover_prices, strict=True))
    packs = list(zip(block.packing, block.room, packing_prices, strict=True))
    worth = sum((a * u for _, a, u in covers), Fraction(0)) - sum((b * v for _, b, v in packs), Fraction(0))
    reduced = [
        c - sum(row[j] * u for row, _, u in covers) + sum(row[j] * v for row, _, v in packs)
        for j, c in enumerate(block.costs)
    ]
    feasible = all(block.sum(row, held) >= a for row, a, _ in covers)
    feasible &= all(block.sum(row, held) <= b for row, b, _ in packs)
    signs = min([*block.point, *cover_prices, *packing_prices, *reduced]) >= 0
    return feasible and signs and worth == block.cost


def _width(matrix: Matrix, side: tuple[Fraction, ...]) -> Fraction:
    return min(b / entry for row, b in zip(matrix, side, strict=True) for entry in row if entry)


@lru_cache(maxsize=256)
def _outcomes(
    point: tuple[Fraction, ...], times: tuple[int, ...], gain: Fraction
) -> tuple[list[tuple[Units, int]], int]:
    """All outcomes of one block with whole weights, and the sum of those."""
    groups = [list(_group(gain * x, n)) for x, n in zip(point, times, strict=True)]
    outcomes = [(tuple(u for u, _ in pick), prod(w for _, w in pick)) for pick in product(*groups)]
    return outcomes, sum(weight for _, weight in outcomes)


def _group(x: Fraction, n: int) -> Iterator[tuple[int, int]]:
    """What n columns at x' hold together, with weights: k of them are rounded up, which is binomial."""
    up = x - floor(x)
    for k in range(n + 1 if up else 1):
        yield n * floor(x) + k, comb(n, k) * up.numerator**k * (up.denominator - up.numerator) ** (n - k)


def neat(value: Interval) -> Interval:
    """The enclosing interval with ends of four decimals."""
    return Fraction(floor(value[0] * GRAIN), GRAIN), Fraction(ceil(value[1] * GRAIN), GRAIN)


def lower(value: Fraction) -> Fraction:
    """A number rounded down to twelve decimals: hand-sized witnesses have fewer, those of many columns thousands."""
    return Fraction(floor(value * 10**12), 10**12)


def gain_below(width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G of Lemma 1 and (29): 1 + h - sqrt(h^2 + 2 h) with h = 3 ln(3 rows/delta)/(2 W)."""
    h = times(Fraction(3, 2) / width, logarithm(3 * rows / delta))
    return neat(minus(plus(exactly(1), h), square_root((h[0] ** 2 + 2 * h[0], h[1] ** 2 + 2 * h[1]))))


def gain_above(width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G of Lemma 2 and (30): 1 + q + sqrt(q^2 + 2 q) with q = ln(3 rows/delta)/W."""
    q = times(1 / width, logarithm(3 * rows / delta))
    return neat(plus(exactly(1), q, square_root((q[0] ** 2 + 2 * q[0], q[1] ** 2 + 2 * q[1]))))


def gain1(block: Block) -> Interval:
    """G of Lemma 1 for a block."""
    return gain_below(block.packing_width, block.rows[1], block.delta)


def gain2(block: Block) -> Interval:
    """G of Lemma 2 for a block."""
    return gain_above(block.cover_width, block.rows[0], block.delta)


def deviation(factor: int, gain: Interval, width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G times eps, with eps = sqrt(factor ln(3 rows/delta)/(G W))."""
    log = logarithm(3 * rows / delta)
    return neat(square_root((factor * log[0] * gain[0] / width, factor * log[1] * gain[1] / width)))


def proven_gain(width: Fraction, rows: int, delta: Fraction) -> Fraction:
    """The largest G of four decimals below 1 with W (G - 1 - ln G) >= ln(3 rows/delta); 0 where there is none."""
    needed = logarithm(3 * rows / delta)[1] / width
    low, high = 0, GRAIN  # G - 1 - ln G falls from infinity to 0
    while high - low > 1:
        middle = (low + high) // 2
        value = Fraction(middle, GRAIN)
        low, high = (middle, high) if value - 1 - logarithm(value)[1] >= needed else (low, middle)
    return Fraction(low, GRAIN)
