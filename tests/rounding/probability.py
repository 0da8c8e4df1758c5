"""Exact probabilities of randomized rounding (27)-(28), by convolution.

A coordinate is floor(x'_j) + 1 with probability x'_j - floor(x'_j) and floor(x'_j) otherwise, and coordinates are
independent: coordinate after coordinate, the law of all row sums together is the law so far, and the same shifted. Sums
that have met their demand are all alike, and what has passed a capacity never comes back, so that few states remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

import numpy as np

from schedproof.core.base.numbers import common_denominator
from schedproof.rounding.covering import Program

Number = int | float | Fraction
Numbers = Sequence[Number] | np.ndarray
Row = tuple[Numbers, Number]  # entries and side


def feasible(program: Program, point: Numbers, gain: Fraction | float, cost_at_most: Number | None = None) -> Fraction:
    """The probability that one draw meets every row, and costs at most ``cost_at_most`` where that is given."""
    packing: list[Row] = list(zip(program.packing, program.capacity, strict=True))
    if cost_at_most is not None:
        packing.append((program.costs, cost_at_most))
    return joint_probability(scale(point, gain), list(zip(program.cover, program.demand, strict=True)), packing)


def uncovered_probabilities(
    program: Program, point: Numbers, gain: Fraction | float, share: Fraction | int = 1
) -> list[Fraction]:
    """For each cover row the probability that a draw leaves it below ``share`` times its demand."""
    at = scale(point, gain)
    return [
        1 - joint_probability(at, [(row, share * a)], []) for row, a in zip(program.cover, program.demand, strict=True)
    ]


def overfull(program: Program, point: Numbers, gain: Fraction | float, share: Fraction | int = 1) -> list[Fraction]:
    """For each packing row the probability that a draw takes more than ``share`` times its capacity."""
    at = scale(point, gain)
    return [
        1 - joint_probability(at, [], [(row, share * b)])
        for row, b in zip(program.packing, program.capacity, strict=True)
    ]


def cost_above(program: Program, point: Numbers, gain: Fraction | float, bound: Number) -> Fraction:
    """The probability that a draw costs more than a bound."""
    return 1 - joint_probability(scale(point, gain), [], [(program.costs, bound)])


def scale(point: Numbers, gain: Fraction | float) -> list[Fraction]:
    """x' = G x as rationals; a double is the rational that it is."""
    return [Fraction(x) * Fraction(gain) for x in point]


def joint_probability(point: Sequence[Fraction], at_least: Sequence[Row], at_most: Sequence[Row]) -> Fraction:
    """The probability that x', rounded, meets rows ``entries . x >= side`` and ``entries . x <= side``, all of them.

    Parameters
    ----------
    point
        x', not negative.
    at_least, at_most
        Entries that are not negative, and sides, of any rational kind.
    """
    rows = [_integer_steps(row, point, 1) for row in at_least] + [_integer_steps(row, point, -1) for row in at_most]
    steps = [steps for steps, _ in rows]
    start = tuple(need for _, need in rows)
    covers = len(at_least)
    law = _prune({start: 1}, covers)
    total = 1
    for j, x in enumerate(point):
        part = x - floor(x)
        if not part:
            continue
        total *= part.denominator
        up, down = part.numerator, part.denominator - part.numerator
        shift = [row[j] for row in steps]
        after: dict[tuple[int, ...], int] = {}
        for state, weight in law.items():
            moved = tuple(map(int.__add__, state, shift))
            after[state] = after.get(state, 0) + weight * down
            after[moved] = after.get(moved, 0) + weight * up
        law = _prune(after, covers)
    met = sum(weight for state, weight in law.items() if min(state[:covers], default=0) >= 0)
    return Fraction(met, total)


def _integer_steps(row: Row, point: Sequence[Fraction], sign: int) -> tuple[list[int], int]:
    """A row as whole steps, and where its state starts: the floors' sum less the side; it is to end >= 0."""
    entries = [Fraction(v) for v in np.asarray(row[0], dtype=object).tolist()]
    side = Fraction(row[1])
    unit = common_denominator([*entries, side])
    base = sum((entry * floor(x) for entry, x in zip(entries, point, strict=True)), Fraction(0)) - side
    return [sign * int(entry * unit) for entry in entries], sign * int(base * unit)


def _prune(law: dict[tuple[int, ...], int], covers: int) -> dict[tuple[int, ...], int]:
    """The law without what has passed a capacity, and with everything that has met its demand counted as just met."""
    kept: dict[tuple[int, ...], int] = {}
    for state, weight in law.items():
        if min(state[covers:], default=0) >= 0:
            seen = tuple(min(s, 0) for s in state[:covers]) + state[covers:]
            kept[seen] = kept.get(seen, 0) + weight
    return kept
