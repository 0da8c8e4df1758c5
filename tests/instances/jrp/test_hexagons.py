from __future__ import annotations

from itertools import islice, pairwise

import pytest

from schedproof.instances.jrp.hexagons import Cell, around, centre, spiral, within


def steps_away(cell: Cell) -> int:
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


@pytest.mark.parametrize("rings", [0, 1, 2, 3, 9])
def test_the_spiral_names_the_cells_ring_by_ring(rings: int) -> None:
    cells = within(rings)
    everywhere = range(-rings, rings + 1)
    assert sorted(cells) == sorted((q, r) for q in everywhere for r in everywhere if steps_away((q, r)) <= rings)
    assert [steps_away(cell) for cell in cells] == [0] + [n for n in range(1, rings + 1) for _ in range(6 * n)]
    assert cells == list(islice(spiral(), len(cells)))


def test_within_a_ring_each_cell_is_next_to_its_predecessor() -> None:
    cells = within(5)
    for one, other in pairwise(cells):
        assert other in around(one) or steps_away(other) > steps_away(one)


def test_neighbours_are_six_mutual_and_one_width_apart() -> None:
    for cell in within(3):
        near = around(cell)
        assert len({*near, cell}) == 7 and all(cell in around(other) for other in near)
        x, y = centre(cell)
        for other in near:
            u, v = centre(other)
            assert (x - u) ** 2 + (y - v) ** 2 == pytest.approx(1)


def test_no_two_cells_overlap() -> None:
    middles = [complex(*centre(cell)) for cell in within(4)]
    assert all(abs(one - other) > 0.999 for n, one in enumerate(middles) for other in middles[:n])
