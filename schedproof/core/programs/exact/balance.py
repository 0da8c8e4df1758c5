"""Balance multipliers so that unbounded columns have reduced cost exactly 0.

For such a column the multipliers satisfy sum of a_ij y_i = c_j. One row of each column, preferably with a large
coefficient and outside cones, is changed by rational Gauss-Jordan elimination; the other multipliers stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from schedproof.core.programs.exact.entries import ZERO
from schedproof.core.programs.exact.listing import Listing

Equation = dict[int, Fraction]  # row -> coefficient


def balance(listing: Listing, proof: dict[int, Fraction], columns: Iterable[int]) -> dict[int, Fraction]:
    """Return nearby multipliers with reduced cost 0 for these columns, if possible."""
    left = listing.remaining_costs(proof)
    equations: dict[int, Equation] = {j: {} for j in columns}
    for i, row in enumerate(listing.rows):
        movable = proof.get(i) or i in listing.conic or (row.lower is not None and row.lower == row.upper)
        for j, coefficient in row.terms.items() if movable else ():
            if j in equations and coefficient:
                equations[j][i] = Fraction(coefficient)
    result = dict(proof)
    size = {i: abs(multiplier) for i, multiplier in proof.items()} | {
        cone.raised: Fraction(-1) for cone in listing.cones
    }
    for i, change in _solve(equations, left, size).items():
        result[i] = result.get(i, ZERO) + change
    return {i: multiplier for i, multiplier in result.items() if multiplier}


def _solve(equations: dict[int, Equation], left: list[Fraction], size: dict[int, Fraction]) -> Equation:
    """Return the change of each chosen row's multiplier, 0 for other rows."""
    rest = {j: left[j] for j in equations}
    users: dict[int, set[int]] = {}
    for j, equation in equations.items():
        for i in equation:
            users.setdefault(i, set()).add(j)
    chosen: dict[int, int] = {}  # column -> row
    for j in sorted(equations, key=lambda j: len(equations[j])):
        equation = equations[j]
        if not equation:
            continue
        row = max(equation, key=lambda i: (abs(equation[i]) * size.get(i, ZERO), -i))
        chosen[j] = row
        for other in users[row] - {j}:
            times = equations[other].pop(row) / equation[row]
            rest[other] -= times * rest[j]
            for i, coefficient in equation.items():
                if i != row:
                    value = equations[other].get(i, ZERO) - times * coefficient
                    (users[i].add if value else users[i].discard)(other)
                    equations[other][i] = value
                    if not value:
                        del equations[other][i]
        users[row] = {j}
    return {row: rest[j] / equations[j][row] for j, row in chosen.items()}
