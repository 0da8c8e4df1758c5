from __future__ import annotations

import random
from fractions import Fraction
from math import exp, inf

import pytest

from schedproof.check import bound as checker
from schedproof.core.programs.exact.cones import BITS, Cone, Kind
from tests.support import size

CONES = (Cone("second_order", (0,)), Cone("second_order", (0, 1, 2)), Cone("exponential", (0, 1, 2)))
MORE = Fraction(1, 1 << 40)


def wild(rng: random.Random, count: int) -> list[Fraction]:
    return [Fraction(rng.randrange(-40, 40), rng.randrange(1, 9)) for _ in range(count)]


def point(rng: random.Random, kind: Kind, count: int) -> list[float]:
    if kind == "second_order":
        tail = [rng.uniform(-3, 3) for _ in range(count - 1)]
        return [sum(x**2 for x in tail) ** 0.5 * rng.choice((1, 1.5)), *tail]
    x, y = rng.uniform(-5, 5), rng.uniform(0.2, 3)
    return [x, y, y * exp(x / y) * rng.choice((1, 1.5))]


@pytest.mark.parametrize("cone", CONES, ids=lambda cone: f"{cone.kind} {len(cone.rows)}")
def test_membership_in_the_dual_cone_equals_its_definition(cone: Cone) -> None:
    rng, seen = random.Random(1), set[bool]()
    for _ in range(size(100, 100, 5000)):
        multipliers = wild(rng, len(cone.rows))
        lowest = inf
        for _ in range(200):
            values = point(rng, cone.kind, len(cone.rows))
            length = sum(map(abs, values)) or 1.0
            lowest = min(lowest, sum(float(y) * x / length for y, x in zip(multipliers, values, strict=True)))
        if cone.pays(multipliers):
            assert lowest >= -1e-9
            seen.add(True)
        else:
            seen.add(lowest < 0)
        assert cone.pays(multipliers) == checker.pays(cone.kind, multipliers)
    assert True in seen


@pytest.mark.parametrize("cone", CONES, ids=lambda cone: f"{cone.kind} {len(cone.rows)}")
def test_projected_multipliers_are_exactly_on_the_boundary(cone: Cone) -> None:
    rng = random.Random(2)
    for _ in range(size(100, 400, 5000)):
        multipliers = wild(rng, len(cone.rows))
        pushed = cone.push(multipliers, MORE)
        assert cone.pays(pushed) and checker.pays(cone.kind, list(pushed))
        place = cone.rows.index(cone.raised)
        if pushed[place] > max(multipliers[place], 0):
            short = [*pushed]
            short[place] = short[place] * (1 - 3 * MORE) - Fraction(2, 1 << BITS)  # what it was rounded up by
            assert not cone.pays(short) and not checker.pays(cone.kind, short)


def test_rational_boundary_points_of_the_exponential_cone_are_decided() -> None:
    cone = CONES[2]
    for multipliers, pays in (((-1, -1, 1), True), ((-2, -2, 2), True), ((-2, -2, Fraction(199, 100)), False)):
        row = [Fraction(y) for y in multipliers]
        assert cone.pays(row) == checker.pays("exponential", row) == pays
    assert cone.pays([Fraction(0), Fraction(1), Fraction(0)]) and not cone.pays(
        [Fraction(0), Fraction(-1), Fraction(9)]
    )


def test_an_exponential_cone_has_three_rows() -> None:
    for kind, rows in (("exponential", (0, 1)), ("second_order", ())):
        with pytest.raises(ValueError, match="expected the rows of a"):
            Cone(kind, rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("cone", CONES, ids=lambda cone: f"{cone.kind} {len(cone.rows)}")
def test_points_of_the_cone_are_accepted_and_points_outside_rejected(cone: Cone) -> None:
    rng = random.Random(2)
    for _ in range(size(100, 400, 5000)):
        values = [Fraction(x) for x in point(rng, cone.kind, len(cone.rows))]
        raised = 0 if cone.kind == "second_order" else 2
        far = abs(values[raised]) / 10**6 + Fraction(1, 10**6)
        inside, outside = list(values), list(values)
        inside[raised] += far
        outside[raised] -= abs(values[raised]) / 2 + far
        assert cone.contains(inside)
        assert not cone.contains(outside)


def test_points_at_the_edge_of_the_exponential_cone() -> None:
    cone = CONES[2]
    assert all(cone.contains(list(map(Fraction, edge))) for edge in ((0, 1, 1), (0, 2, 2), (-3, 0, 0), (0, 0, 5)))
    beside = ((0, 1, Fraction(99, 100)), (1, 0, 5), (0, -1, 1), (-1, 0, -1), (0, 0, -1))
    assert not any(cone.contains(list(map(Fraction, point))) for point in beside)
