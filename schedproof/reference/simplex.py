"""Tiny linear programs in rationals: max c x, A x <= b, x >= 0, where b >= 0."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Vector = Sequence[Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def solve(gains: Vector, rows: Sequence[Vector], sides: Vector) -> tuple[list[Fraction], list[Fraction]]:
    """Return an optimal vertex and dual solution (simplex method, Bland's rule).

    The method starts from x = 0. Both solutions x and u are feasible, and sum c x = sum b u is checked, which proves
    optimality.

    Raises
    ------
    ArithmeticError
        If there is no optimum.
    """
    width, height = len(gains), len(rows)
    table = [
        [*row, *(ONE * (n == m) for m in range(height)), side]
        for n, (row, side) in enumerate(zip(rows, sides, strict=True))
    ]
    top = [*(-gain for gain in gains), *([ZERO] * (height + 1))]
    basis = list(range(width, width + height))
    while (entering := next((v for v, price in enumerate(top[:-1]) if price < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[n], n) for n, row in enumerate(table) if row[entering] > 0]
        if not ratios:
            raise ArithmeticError("the program has no optimum")
        leaving = min(ratios)[2]
        top = _pivot(table, top, leaving, entering)
        basis[leaving] = entering
    values = {v: row[-1] for v, row in zip(basis, table, strict=True)}
    point, multipliers = [values.get(v, ZERO) for v in range(width)], top[width:-1]
    if dot(gains, point) != dot(sides, multipliers):
        raise ArithmeticError("the multipliers do not prove the point optimal")
    return point, multipliers


def _pivot(table: list[list[Fraction]], top: list[Fraction], leaving: int, entering: int) -> list[Fraction]:
    chosen = [value / table[leaving][entering] if value else ZERO for value in table[leaving]]

    def without(row: list[Fraction]) -> list[Fraction]:
        times = row[entering]
        return [value - times * unit if unit else value for value, unit in zip(row, chosen, strict=True)]

    for n, row in enumerate(table):
        if row[entering] and n != leaving:
            table[n] = without(row)
    table[leaving] = chosen
    return without(top)


def dot(one: Vector, other: Vector) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), ZERO)
