"""Rounding inward: what the exact checker accepts, next to the point that a solver found."""

from __future__ import annotations

import numpy as np

from schedproof.formulations.multiserver.to_schedule import inward
from schedproof.instances.multiserver import Instance, Schedule, from_json
from tests.formulations.multiserver.tiny import tiny, tiny_json
from tests.support import size


def violations(instance: Instance, y: np.ndarray) -> list[object]:
    block = np.broadcast_to(y, (instance.horizon, *y.shape))
    return list(Schedule.of(block, instance, "test").violations(instance))


def test_any_point_becomes_feasible_and_a_feasible_one_stays() -> None:
    rng = np.random.default_rng(0)
    broken = 0
    for seed in range(size(20, 60, 2000)):
        instance = tiny(seed, ports=5, horizon=1, most_jobs=3)
        graph = instance.graph
        point = rng.normal(size=graph.shape) * 10.0 ** rng.integers(-3, 3)
        y = inward(graph, point)
        assert violations(instance, y) == [], seed
        broken += bool(violations(instance, point))
        half = y / 2
        assert (inward(graph, half) == half).all(), seed
    assert broken > size(20, 60, 2000) / 2


def test_rows_that_are_full_stay_nearly_full() -> None:
    """Sums that round above the capacity, by less than their rounding can tell."""
    for n in (2, 3, 7, 30):
        value = tiny_json(0) | {
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
