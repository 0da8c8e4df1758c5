from __future__ import annotations

from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from dmlrs_rounding import Outcomes, draw_gains

from schedproof.rounding.covering import Program
from tests.rounding.probability import feasible, joint_probability, scale

POINT = (Fraction(3, 2), Fraction(2, 3), Fraction(1, 4))


def program() -> Program:
    return Program.of([1, 2, 3], [[1, 1, 0], [0, 1, 1]], [2, 1], [[2, 1, 1]], [5])


@pytest.mark.parametrize("gain", [Fraction(1, 2), Fraction(1), Fraction(5, 4), Fraction(3)])
def test_chances_are_those_of_the_convolution(gain: Fraction) -> None:
    rows = program()
    at = scale(POINT, gain)
    cover = list(zip(rows.cover, rows.demand, strict=True))
    packing = list(zip(rows.packing, rows.capacity, strict=True))
    expected = joint_probability(at, cover, []), joint_probability(at, [], packing), feasible(rows, POINT, gain)
    assert Outcomes.of(rows, POINT, float(gain)).chances == pytest.approx([float(x) for x in expected], abs=1e-12)


def test_the_cheapest_of_two_draws_by_hand() -> None:
    outcomes = Outcomes.of(Program.of([1], [[1]], [0], [[1]], [9]), [Fraction(1, 4)], 1.0)
    every = np.ones(2, dtype=bool)
    assert outcomes.cheapest(every, 1) == pytest.approx(1 / 4)
    assert outcomes.cheapest(every, 2) == pytest.approx(1 / 16)  # both draws must go up
    assert isnan(outcomes.cheapest(~every, 2))


def test_the_picture_has_the_chances_the_draws_and_the_costs() -> None:
    wide, near, cost = draw_gains(program(), POINT, optimum=4.0, draws=7).axes
    curves = {line.get_label(): line for line in wide.lines}
    assert set(curves) == {"demands met", "rooms kept", "both", "rooms: Lemma 1", "demands: Lemma 2"}
    assert (curves["both"].get_ydata() <= np.minimum(curves["demands met"].get_ydata(), 1) + 1e-12).all()
    labels = [line.get_label() for line in near.lines]
    assert labels == ["S = 1", "S = 7", "S = 1000"]
    one, seven, _ = (np.asarray(line.get_ydata()) for line in near.lines)
    assert seven == pytest.approx(1 - (1 - one) ** 7)
    assert cost.lines[0].get_ydata()[-1] == pytest.approx(1.3 * (3 / 2 + 4 / 3 + 3 / 4) / 4)
