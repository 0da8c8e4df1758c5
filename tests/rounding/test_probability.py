from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, floor, prod, sqrt

import numpy as np

from schedproof.rounding.covering import Program, round_best
from tests.rounding.probability import cost_above, feasible, overfull, scale, uncovered_probabilities
from tests.rounding.test_covering import some_program
from tests.support import size


def outcomes(point: list[Fraction]) -> list[tuple[list[int], Fraction]]:
    found = []
    for ups in product((0, 1), repeat=len(point)):
        parts = [x - floor(x) for x in point]
        weight = prod((p if up else 1 - p for p, up in zip(parts, ups, strict=True)), start=Fraction(1))
        found.append(([floor(x) + up for x, up in zip(point, ups, strict=True)], weight))
    return found


def total(row: np.ndarray, x: list[int]) -> Fraction:
    return sum((Fraction(e) * n for e, n in zip(row.tolist(), x, strict=True)), Fraction(0))


def test_the_convolution_is_the_sum_over_all_outcomes():
    rng = np.random.default_rng(0)
    nontrivial = 0
    for _ in range(size(40, 40, 1500)):
        program = some_program(rng, 5)
        point = [Fraction(int(n), int(d)) for n, d in zip(rng.integers(0, 9, 5), rng.integers(1, 7, 5), strict=True)]
        gain, share = Fraction(int(rng.integers(1, 8)), 4), Fraction(int(rng.integers(1, 5)), 3)
        most = Fraction(int(rng.integers(0, 30)), 2)
        all_of_it = outcomes([gain * x for x in point])
        good = [
            (x, p)
            for x, p in all_of_it
            if all(total(row, x) >= a for row, a in zip(program.cover, program.demand, strict=True))
            and all(total(row, x) <= b for row, b in zip(program.packing, program.capacity, strict=True))
        ]
        chance = sum((p for _, p in good), Fraction(0))
        assert feasible(program, point, gain) == chance
        cheap = sum((p for x, p in good if total(program.costs, x) <= most), Fraction(0))
        assert feasible(program, point, gain, cost_at_most=most) == cheap
        assert cost_above(program, point, gain, most) == sum(p for x, p in all_of_it if total(program.costs, x) > most)
        for row, a, found in zip(
            program.cover, program.demand, uncovered_probabilities(program, point, gain, share), strict=True
        ):
            assert found == sum(p for x, p in all_of_it if total(row, x) < share * int(a))
        for row, b, found in zip(program.packing, program.capacity, overfull(program, point, gain, share), strict=True):
            assert found == sum(p for x, p in all_of_it if total(row, x) > share * int(b))
        nontrivial += 0 < cheap < chance < 1
    assert nontrivial > 3


def test_many_equal_columns_are_a_binomial():
    program = Program.of([1] * 60, [[1] * 60], [10], [[1] * 60], [40])
    third = [Fraction(1, 3)] * 60
    law = [comb(60, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (60 - k) for k in range(61)]
    assert feasible(program, third, 1) == sum(law[10:41])


def test_a_double_is_its_exact_rational():
    assert scale([0.1], 1) == [Fraction(0.1)] and scale([Fraction(1, 10)], 0.5) == [Fraction(1, 20)]


def test_samples_agree_with_the_exact_number():
    program = Program.of([1, 1, 1], [[1, 2, 1]], [2], [[1, 1, 1]], [2])
    point = [Fraction(1, 2), Fraction(3, 4), Fraction(1, 4)]
    draws = 20_000
    seen = round_best(program, point, 1, draws, np.random.default_rng(4)).feasible
    exact = float(feasible(program, point, 1))
    assert 0.1 < exact < 0.9 and abs(seen / draws - exact) < 6 * sqrt(exact * (1 - exact) / draws)
