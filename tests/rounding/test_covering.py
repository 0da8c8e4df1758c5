from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.rounding.covering import Program, draw, fractional_optimum, round_best
from tests.support import size

THIRD = Fraction(1, 3)


def some_program(rng: np.random.Generator, columns: int = 4) -> Program:
    cover, packing = (rng.integers(0, 4, (rng.integers(1, 3), columns)) for _ in range(2))
    cover[:, 0] += 1
    capacity = packing.sum(axis=1) * rng.integers(1, 4) + 1
    costs = [Fraction(int(c), 3) for c in rng.integers(1, 9, columns)]
    return Program.of(costs, cover / 2, rng.integers(1, 4, len(cover)), packing, capacity)


def test_a_draw_is_the_floor_or_the_next_number_and_right_on_average():
    scaled = np.array([0.0, 0.25, 1.5, 2.0, 3.9])
    draws = draw(scaled, 40_000, np.random.default_rng(0))
    assert draws.dtype == np.int64
    assert ((draws == np.floor(scaled)) | (draws == np.floor(scaled) + 1)).all()
    assert (draws[:, [0, 3]] == [0, 2]).all()
    assert np.abs(draws.mean(axis=0) - scaled).max() < 0.02  # six standard deviations are 0.015


def test_the_cheapest_feasible_draw_is_kept():
    rng, found = np.random.default_rng(1), 0
    for seed in range(size(40, 48, 1000)):
        program = some_program(rng)
        point = fractional_optimum(program)
        if point is None:
            continue
        result = round_best(program, point, Fraction(5, 4), 7, np.random.default_rng(seed))
        used = point > 0
        best, feasible = (inf, None), 0
        for x in draw(point[used] * 1.25, 7, np.random.default_rng(seed)):
            covered = all(row[used] @ x >= a for row, a in zip(program.cover, program.demand, strict=True))
            if covered and all(row[used] @ x <= b for row, b in zip(program.packing, program.capacity, strict=True)):
                feasible += 1
                bill = sum(c * int(n) for c, n in zip(program.costs[used], x, strict=True))
                best = min(best, (bill, x), key=lambda pair: pair[0])
        assert (result.cost, result.feasible, result.draws) == (best[0], feasible, 7)
        if best[1] is None:
            assert result.point is None
        else:
            assert (result.point[used] == best[1]).all() and not result.point[~used].any()
            found += 1
    assert found > 10


def test_it_ends_if_no_draw_can_be_feasible():
    program = Program.of([1], [[1]], [4], [[1]], [4])
    result = round_best(program, [4], Fraction(1, 2), 1000, np.random.default_rng(0))
    assert result.point is None and result.cost == inf and result.feasible == 0
    unmet = Program.of([1, 1], [[0, 1]], [1], [[1, 1]], [9])  # the column that the demand needs is not used
    assert round_best(unmet, [1, 0], 1, 5, np.random.default_rng(0)).cost == inf


def test_equal_seeds_give_equal_results():
    program = Program.of([1, 2, 3], [[1, 1, 1]], [2], [[1, 2, 1]], [4])
    one, two = (round_best(program, [0.5, 0.75, 0.9], 1, 20, np.random.default_rng(5)) for _ in range(2))
    assert (one.point == two.point).all() and (one.cost, one.feasible) == (two.cost, two.feasible)


def test_rows_equal_their_numbers():
    program = Program.of([1, THIRD], [[THIRD, 0.5]], [1], [[0.1, Fraction(1, 10)]], [3])
    assert program.cover.tolist() == [[2, 3]] and program.demand.tolist() == [6]
    first, second = program.packing[0]
    assert first > second  # the double 0.1 is a little more than 1/10
    assert Fraction(int(second), int(program.capacity[0])) == Fraction(1, 30)
    assert program.cover_width == 2 and program.packing_width == Fraction(3) / Fraction(0.1)


@pytest.mark.parametrize("scale", [1, 10**6, 10**15, 10**30])
def test_feasibility_is_exact_at_any_magnitude(scale):
    program = Program.of([1, 1], [[scale, 2 * scale]], [4 * scale], [[scale, scale]], [3 * scale])
    points = np.array([[0, 2], [2, 1], [1, 1], [4, 0], [0, 3], [0, 4]])
    assert program.feasible(points).tolist() == [True, True, False, False, True, False]
    near = Program.of([1, 1], [[scale, 2 * scale]], [4 * scale + 1], [[scale, scale]], [3 * scale - 1])
    assert near.feasible(points).tolist() == [False, False, False, False, False, False]


@pytest.mark.parametrize(
    "data",
    [
        ([-1], [[1]], [1], [[1]], [1]),
        ([1], [[-1]], [1], [[1]], [1]),
        ([1], [[1]], [1], [[1]], [-1]),
        ([1], [[1, 2]], [1], [[1]], [1]),
        ([1, 1], [[1, 1]], [1, 1], [[1, 1]], [1]),
    ],
    ids=["cost", "entry", "capacity", "columns", "sides"],
)
def test_wrong_data_is_refused(data):
    with pytest.raises(InputError, match="expected"):
        Program.of(*data)


def test_the_fractional_optimum():
    program = Program.of([1, 2], [[1, 1]], [1], [[1, 0]], [Fraction(1, 4)])
    assert fractional_optimum(program) == pytest.approx([0.25, 0.75])
    assert fractional_optimum(Program.of([1], [[1]], [2], [[1]], [1])) is None
