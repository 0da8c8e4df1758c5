"""Exact probabilities of randomised rounding, by enumeration of all outcomes.

The module shares no code with ``schedproof.rounding``. The number of equal columns that are rounded up is binomial. G,
with its logarithms and roots, is enclosed between two rationals of four decimals. A draw grows with G coordinate by
coordinate (floor(x' + U) with the same U). So the probability of a large row sum is at least its value at the lower
end of G's interval. The probability of a small row sum is at least its value at the upper end. A violation found here
therefore holds for the true G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import comb, floor, prod

from schedproof.core.base.numbers import ceil
from schedproof.core.claims.claim import Finding
from schedproof.proofs_checks.strategies.covering import Block, Numbers, Program, dot
from schedproof.reference.dmlrs_enclosures import Interval, exactly, logarithm, minus, plus, square_root, times

GRAIN = 10_000
Units = tuple[int, ...]  # what the columns of each group hold together
Event = Callable[[Units], bool]


def chance(program: Program, gain: Fraction, event: Event) -> Fraction:
    outcomes, total = _outcomes(program.point, program.times, gain)
    return Fraction(sum(weight for units, weight in outcomes if event(units)), total)


def above(program: Program, share: Fraction | int = 1) -> list[Event]:
    """For each packing row, the event that its sum exceeds a share of its room."""
    return [partial(_exceeds, row, share * b) for row, b in zip(program.packing, program.room, strict=True)]


def below(program: Program, share: Fraction | int = 1) -> list[Event]:
    """For each cover row, the event that its sum is at most a share of its demand."""
    return [partial(_reaches_only, row, share * a) for row, a in zip(program.cover, program.demand, strict=True)]


def _exceeds(row: Numbers, side: Fraction, units: Units) -> bool:
    return dot(row, units) > side


def _reaches_only(row: Numbers, side: Fraction, units: Units) -> bool:
    return dot(row, units) <= side


def dear(program: Program, gain: Interval, ratio: Fraction) -> Event:
    """The event that the cost exceeds ``ratio`` G times the point's, for every G."""
    limit = ratio * gain[1] * program.cost
    return lambda units: dot(program.costs, units) > limit


def some(events: Sequence[Event]) -> Event:
    return lambda units: any(event(units) for event in events)


def each_row(block: Block, gain: Fraction, events: Sequence[Event], what: str) -> Finding:
    """Each row's event should have probability at most delta/(3 rows).

    The largest probability is measured.
    """
    claimed = block.delta / (3 * block.copies * len(events))
    measured = lower(max(chance(block, gain, event) for event in events))
    return Finding(measured, claimed, "at most", f"Pr({what}), each row")


def some_row(block: Block, gain: Fraction, events: Sequence[Event], what: str, rows: int = 1) -> Finding:
    """Some row's event, in some block, should have probability at most delta/(3 rows)."""
    measured = lower(1 - (1 - chance(block, gain, some(events))) ** block.copies)
    return Finding(measured, block.delta / (3 * rows), "at most", f"Pr({what}), some row")


@lru_cache(maxsize=256)
def _outcomes(
    point: tuple[Fraction, ...], times: tuple[int, ...], gain: Fraction
) -> tuple[list[tuple[Units, int]], int]:
    groups = [list(_group(gain * x, n)) for x, n in zip(point, times, strict=True)]
    outcomes = [(tuple(u for u, _ in pick), prod(w for _, w in pick)) for pick in product(*groups)]
    return outcomes, sum(weight for _, weight in outcomes)


def _group(x: Fraction, n: int) -> Iterator[tuple[int, int]]:
    up = x - floor(x)
    for k in range(n + 1 if up else 1):
        yield n * floor(x) + k, comb(n, k) * up.numerator**k * (up.denominator - up.numerator) ** (n - k)


def neat(value: Interval) -> Interval:
    return Fraction(floor(value[0] * GRAIN), GRAIN), Fraction(ceil(value[1] * GRAIN), GRAIN)


def lower(value: Fraction) -> Fraction:
    """The number rounded down to twelve decimals.

    Exact numbers have fewer digits in small witnesses, but thousands with many columns.
    """
    return Fraction(floor(value * 10**12), 10**12)


def printed_below(width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G of Lemma 1 and (29): 1 + h - sqrt(h^2 + 2 h), h = 3 ln(3 rows/delta)/(2 W)."""
    h = times(Fraction(3, 2) / width, logarithm(3 * rows / delta))
    return minus(plus(exactly(1), h), square_root((h[0] ** 2 + 2 * h[0], h[1] ** 2 + 2 * h[1])))


def printed_above(width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G of Lemma 2 and (30): 1 + q + sqrt(q^2 + 2 q) with q = ln(3 rows/delta)/W."""
    q = times(1 / width, logarithm(3 * rows / delta))
    return plus(exactly(1), q, square_root((q[0] ** 2 + 2 * q[0], q[1] ** 2 + 2 * q[1])))


def gain1(block: Block) -> Interval:
    return neat(printed_below(block.packing_width, block.rows[1], block.delta))


def gain2(block: Block) -> Interval:
    return neat(printed_above(block.cover_width, block.rows[0], block.delta))


def deviation(factor: int, gain: Interval, width: Fraction, rows: int, delta: Fraction) -> Interval:
    """G times eps, with eps = sqrt(factor ln(3 rows/delta)/(G W))."""
    log = logarithm(3 * rows / delta)
    return neat(square_root((factor * log[0] * gain[0] / width, factor * log[1] * gain[1] / width)))


def proven_gain(width: Fraction, rows: int, delta: Fraction) -> Fraction:
    """The largest G < 1 of four decimals with W (G - 1 - ln G) >= ln(3 rows/delta).

    0 if no G satisfies it.
    """
    needed = logarithm(3 * rows / delta)[1] / width
    low, high = 0, GRAIN  # G - 1 - ln G falls from infinity to 0
    while high - low > 1:
        middle = (low + high) // 2
        value = Fraction(middle, GRAIN)
        low, high = (middle, high) if value - 1 - logarithm(value)[1] >= needed else (low, middle)
    return Fraction(low, GRAIN)
