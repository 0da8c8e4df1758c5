"""Exact probabilities of randomised rounding (27)-(28), by convolution.

A coordinate is floor(x'_j) + 1 with probability x'_j - floor(x'_j) and floor(x'_j) otherwise, independently. The joint
law of all row sums is built coordinate by coordinate: the law so far, and the same shifted. Sums that have met their
demand are merged, and sums beyond a capacity are dropped, so that few states remain.
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
    """Return the probability that a draw satisfies every row within a cost bound."""
    packing: list[Row] = list(zip(program.packing, program.capacity, strict=True))
    if cost_at_most is not None:
        packing.append((program.costs, cost_at_most))
    return joint_probability(scale(point, gain), list(zip(program.cover, program.demand, strict=True)), packing)


def uncovered_probabilities(
    program: Program, point: Numbers, gain: Fraction | float, share: Fraction | int = 1
) -> list[Fraction]:
    at = scale(point, gain)
    return [
        1 - joint_probability(at, [(row, share * a)], []) for row, a in zip(program.cover, program.demand, strict=True)
    ]


def overfull(program: Program, point: Numbers, gain: Fraction | float, share: Fraction | int = 1) -> list[Fraction]:
    """Return each packing row's probability of a sum above ``share`` of its capacity."""
    at = scale(point, gain)
    return [
        1 - joint_probability(at, [], [(row, share * b)])
        for row, b in zip(program.packing, program.capacity, strict=True)
    ]


def cost_above(program: Program, point: Numbers, gain: Fraction | float, bound: Number) -> Fraction:
    return 1 - joint_probability(scale(point, gain), [], [(program.costs, bound)])


def scale(point: Numbers, gain: Fraction | float) -> list[Fraction]:
    """Return x' = G x as rationals; doubles are taken exactly."""
    return [Fraction(x) * Fraction(gain) for x in point]


def joint_probability(point: Sequence[Fraction], at_least: Sequence[Row], at_most: Sequence[Row]) -> Fraction:
    """Return the probability that rounded x' satisfies all rows.

    Rows are ``entries . x >= side`` and ``entries . x <= side``.

    Parameters
    ----------
    point
        x', nonnegative.
    at_least, at_most
        Nonnegative entries, and sides, of any rational kind.
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
    entries = [Fraction(v) for v in np.asarray(row[0], dtype=object).tolist()]
    side = Fraction(row[1])
    unit = common_denominator([*entries, side])
    base = sum((entry * floor(x) for entry, x in zip(entries, point, strict=True)), Fraction(0)) - side
    return [sign * int(entry * unit) for entry in entries], sign * int(base * unit)


def _prune(law: dict[tuple[int, ...], int], covers: int) -> dict[tuple[int, ...], int]:
    kept: dict[tuple[int, ...], int] = {}
    for state, weight in law.items():
        if min(state[covers:], default=0) >= 0:
            seen = tuple(min(s, 0) for s in state[:covers]) + state[covers:]
            kept[seen] = kept.get(seen, 0) + weight
    return kept
