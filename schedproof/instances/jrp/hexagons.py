"""Hexagonal cells in a spiral: the middle cell is number 0, the six around it 1 to 6, the twelve around them 7 to 18.

Cells have axial coordinates (q, r); the neighbours of a cell are the six at (q, r) + `STEPS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from math import sqrt

Cell = tuple[int, int]
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def spiral() -> Iterator[Cell]:
    """All cells, ring after ring."""
    yield 0, 0
    for ring in count(1):
        q, r = 0, -ring
        for dq, dr in STEPS:
            for _ in range(ring):
                yield q, r
                q, r = q + dq, r + dr


def within(rings: int) -> list[Cell]:
    """The cells at most so many rings from the middle: 1 + 3 rings (rings + 1) of them."""
    return list(islice(spiral(), 1 + 3 * rings * (rings + 1)))


def around(cell: Cell) -> list[Cell]:
    """The six neighbours of a cell."""
    return [(cell[0] + dq, cell[1] + dr) for dq, dr in STEPS]


def centres(count: int) -> list[tuple[float, float]]:
    """Return the middles of the first ``count`` cells of the spiral, in widths of a cell."""
    return [centre(cell) for cell in islice(spiral(), count)]


def centre(cell: Cell) -> tuple[float, float]:
    """Where a cell's middle lies in the plane, in widths of a cell; hexagons stand on a corner."""
    return cell[0] + cell[1] / 2, -cell[1] * sqrt(3) / 2
