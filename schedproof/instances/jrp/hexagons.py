"""Hexagonal cells in a spiral: cell 0, then rings of 6, 12, ... cells.

Cells have axial coordinates (q, r); the six neighbours of a cell are at (q, r) + `STEPS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from math import sqrt

Cell = tuple[int, int]
STEPS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def spiral() -> Iterator[Cell]:
    """Yield all cells, ring by ring."""
    yield 0, 0
    for ring in count(1):
        q, r = 0, -ring
        for dq, dr in STEPS:
            for _ in range(ring):
                yield q, r
                q, r = q + dq, r + dr


def within(rings: int) -> list[Cell]:
    """Return the 1 + 3 n (n + 1) cells at most n = ``rings`` rings from the centre."""
    return list(islice(spiral(), 1 + 3 * rings * (rings + 1)))


def around(cell: Cell) -> list[Cell]:
    """Return the six neighbours of a cell."""
    return [(cell[0] + dq, cell[1] + dr) for dq, dr in STEPS]


def centres(count: int) -> list[tuple[float, float]]:
    """Return the centres of the spiral's first ``count`` cells, in widths of a cell."""
    return [centre(cell) for cell in islice(spiral(), count)]


def centre(cell: Cell) -> tuple[float, float]:
    """Return a cell's centre, in widths of a cell; a corner is at the bottom."""
    return cell[0] + cell[1] / 2, -cell[1] * sqrt(3) / 2
