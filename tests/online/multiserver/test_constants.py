from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from schedproof.instances.multiserver import from_json
from schedproof.online.multiserver.constants import Coefficients, diameter_squared, doubles, rationals, steepest_squared
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.projection import project
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_ports

SEEDS = range(size(10, 30, 500))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gain", ["node", "total"])
def test_both_numbers(seed: int, gain: str) -> None:
    instance = tiny_ports(seed, copies=2)
    exact, near = rationals(instance, gain), doubles(instance.graph, gain)
    for square in (diameter_squared, steepest_squared):
        values = {name: square(exact, name) for name in ("printed", "sharper")}
        assert all(isinstance(value, Fraction | int) for value in values.values())
        assert 0 <= values["sharper"] <= values["printed"]
        for name, value in values.items():
            assert square(near, name) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_diameter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = tiny_ports(seed)
    graph = instance.graph
    ends = [project(10 * rng.normal(size=graph.shape), graph) for _ in range(10)]
    farthest = max(float(((y - z) ** 2).sum()) for y, z in product(ends, ends))
    assert farthest <= float(diameter_squared(rationals(instance)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("gain", ["node", "total"])
def test_steepest(seed: int, gain: str) -> None:
    rng = np.random.default_rng(seed)
    instance = tiny_ports(seed, copies=2)
    graph, numbers = instance.graph, rationals(instance, gain)
    movable = doubles(graph).most > 0
    everybody = np.ones(len(graph.port))
    for reach in (0.0, 0.01, 1.0, 10.0):
        y = project(reach * rng.random(graph.shape), graph)
        g = supergradient(graph, y, everybody, gain)
        slack = 1 + 1e-12  # the gradient is rounded
        assert ((g * movable) ** 2).sum() <= slack * float(steepest_squared(numbers, "sharper"))
        assert (g**2).sum() <= slack * float(steepest_squared(numbers, "printed"))


def simple(demand: int, capacity: int) -> Coefficients:
    return rationals(from_json(by_hand([[capacity]], [([demand], [0])] * 2, [[1, 1]], alpha=3, beta=1)))


def test_by_hand() -> None:
    # Attained: all to one port against all to the other; both ports at slope 3 - 1.
    numbers, roomy = simple(5, 5), simple(5, 20)
    assert diameter_squared(numbers) == 50 == diameter_squared(numbers, "printed")
    assert steepest_squared(numbers) == 8
    assert steepest_squared(numbers, "printed") == 2 * (1 + 9)
    assert (diameter_squared(roomy), diameter_squared(roomy, "printed")) == (50, 200)
    assert diameter_squared(simple(5, 0)) == 0 == steepest_squared(simple(0, 5))
