from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from schedproof.instances.multiserver import Instance, Schedule, from_json
from schedproof.instances.multiserver.inward import inward
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_multiserver, tiny_ports


def violations(instance: Instance, y: np.ndarray) -> list[object]:
    block = np.broadcast_to(y, (instance.horizon, *y.shape))
    return list(Schedule.of(block, instance, "test").violations(instance))


def test_any_point_becomes_feasible_and_a_feasible_one_stays() -> None:
    rng = np.random.default_rng(0)
    broken = 0
    for seed in range(size(20, 36, 2000)):
        instance = tiny_ports(seed, ports=5, horizon=1, copies=3)
        graph = instance.graph
        point = rng.normal(size=graph.shape) * 10.0 ** rng.integers(-3, 3)
        y = inward(graph, point)
        assert violations(instance, y) == [], seed
        broken += bool(violations(instance, point))
        half = y / 2
        assert (inward(graph, half) == half).all(), seed
    assert broken > size(20, 36, 2000) / 2


def test_rows_that_are_full_stay_nearly_full() -> None:
    for n in (2, 3, 7, 30):
        value = tiny_multiserver(0) | {
            "resources": ["gpu"],
            "nodes": [{"name": "n", "capacity": {"gpu": 1}}],
            "ports": [{"name": f"p{i}", "demand": {"gpu": 1}, "nodes": ["n"]} for i in range(n)],
            "utilities": {"gpu": {"kind": "linear", "alpha": 1}},
            "node_utilities": {},
            "overhead": {"gpu": 0},
            "arrivals": [[1] * n],
        }
        instance = from_json(value)
        rng = np.random.default_rng(n)
        for _ in range(50):
            shares = rng.random((n, 1))
            y = inward(instance.graph, shares / shares.sum())
            assert violations(instance, y) == []
            assert 1 - y.sum() < (n + 16) * 2.0**-51


@given(
    st.lists(st.floats(0, 1e18), min_size=1, max_size=40),
    st.floats(0, 1e18),
    st.sampled_from([1.0, 1 + 2.0**-52, 1 - 2.0**-53, 1e-3]),
)
def test_a_row_rounded_inward_fits_exactly(amounts: list[float], capacity: float, nearness: float) -> None:
    if nearness != 1e-3:
        capacity = min(1e18, sum(amounts) * nearness)
    demand = [max(a, 1e-18) for a in amounts]
    room = Fraction(capacity) if capacity >= 1e-18 else 0
    ports = [([Fraction(a)], [0]) for a in demand]
    instance = from_json(by_hand([[room]], ports, [[1] * len(amounts)]))
    graph = instance.graph
    found = inward(graph, np.array(amounts)[:, None])
    assert violations(instance, found) == []
    if sum(map(Fraction, amounts)) <= Fraction(graph.capacity[0, 0]) * (1 - Fraction(1, 2**40)):
        assert found[:, 0].tolist() == [a if a >= 2.0**-900 else 0 for a in np.minimum(amounts, demand).tolist()]
    elif sum(amounts) > 0:
        total = sum(map(Fraction, found[:, 0].tolist()))
        assert total >= min(Fraction(graph.capacity[0, 0]), sum(map(Fraction, amounts))) * (1 - Fraction(1, 2**40))
