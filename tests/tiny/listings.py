"""Tiny linear programs of ten kinds, with results by Fourier-Motzkin elimination."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from schedproof.core.programs.exact.entries import Column, Row, Side
from schedproof.core.programs.exact.listing import Listing

KINDS = (
    "boxed",
    "free",
    "equality",
    "degenerate",
    "fixed",
    "unbounded",
    "infeasible",
    "barely infeasible",
    "tiny",
    "huge",
)
Inequality = tuple[tuple[Fraction, ...], Fraction]  # a, b of a x <= b


def draw(kind: str, seed: int) -> Listing:
    """A program of at most three columns and four rows, probably of the named kind."""
    rng = random.Random(f"{kind} {seed}")
    extreme = {"tiny": -1, "huge": 1}.get(kind, 0)

    def number() -> Fraction:
        power = extreme * rng.randint(7, 12) if extreme and rng.random() < 0.4 else 0
        return rng.randint(-4, 4) * Fraction(10) ** power / rng.choice([1, 1, 1, 3])

    def ends(share: float) -> tuple[Side, Side]:
        low, high = sorted((number(), number()))
        return (low if rng.random() < share else None), (high if rng.random() < share else None)

    share = {"boxed": 1.0, "free": 0.0, "unbounded": 0.4}.get(kind, 0.7)
    columns = [Column(f"x{j}", *ends(share), number()) for j in range(rng.randint(1, 3))]
    if kind == "fixed":
        value = number()
        columns[0] = Column("x0", value, value, number())
    rows = []
    for i in range(rng.randint(1, 4)):
        terms = {j: a for j in range(len(columns)) if (a := number())}
        low, high = ends(0.5)
        if kind == "equality" and i == 0:
            low = high = number()
        if kind == "degenerate":
            low, high = (None if low is None else Fraction(0)), (None if high is None else Fraction(0))
        rows.append(Row(f"r{i}", low, high, terms))
    if "infeasible" in kind:
        gap = Fraction(1, 10**8) if kind == "barely infeasible" else Fraction(rng.randint(1, 3))
        rows += [Row("above", gap, None, rows[0].terms), Row("below", None, Fraction(0), rows[0].terms)]
    return Listing(rng.choice(["minimize", "maximize"]), number(), tuple(columns), tuple(rows))


def end(listing: Listing) -> tuple[Literal["optimal", "infeasible", "unbounded"], Fraction | None]:
    """Return a program's status and optimum by elimination of all other columns."""
    wide = len(listing.columns)
    unit = {j: {j: Fraction(1)} for j in range(wide)}
    sides = [(unit[j], c.lower, c.upper) for j, c in enumerate(listing.columns)]
    sides += [(row.terms, row.lower, row.upper) for row in listing.rows]
    goal = {wide: Fraction(1)} | {j: -c.cost for j, c in enumerate(listing.columns)}
    sides.append((goal, listing.constant, listing.constant))
    left: set[Inequality] = set()
    for terms, lower, upper in sides:
        row = tuple(Fraction(terms.get(j, 0)) for j in range(wide + 1))
        left |= {(row, upper)} if upper is not None else set()
        left |= {(tuple(-a for a in row), -lower)} if lower is not None else set()
    for j in range(wide):
        left = eliminated(left, j)
    if any(b < 0 for row, b in left if not row[wide]):
        return "infeasible", None
    above = [b / row[wide] for row, b in left if row[wide] > 0]
    below = [b / row[wide] for row, b in left if row[wide] < 0]
    if above and below and max(below) > min(above):
        return "infeasible", None
    if not (below if listing.sense == "minimize" else above):
        return "unbounded", None
    return "optimal", max(below) if listing.sense == "minimize" else min(above)


def eliminated(rows: Iterable[Inequality], j: int) -> set[Inequality]:
    """Project the inequalities onto the other columns."""
    parts: dict[int, list[Inequality]] = {-1: [], 0: [], 1: []}
    for row, b in rows:
        a = abs(row[j]) or Fraction(1)
        parts[(row[j] > 0) - (row[j] < 0)].append((tuple(x / a for x in row), b / a))
    sums = {(tuple(x + y for x, y in zip(up, down, strict=True)), b + c) for up, b in parts[1] for down, c in parts[-1]}
    return {*parts[0], *sums}
