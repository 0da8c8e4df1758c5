from __future__ import annotations

import random
from math import sqrt
from typing import Any

import numba
import numpy as np
import pytest

from schedproof.instances.multiserver import Graph
from schedproof.online.multiserver import kernels
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.kernels import ALL, NOTHING, SLOT
from schedproof.online.multiserver.projection import Layout, limit_threads
from schedproof.reference.multiserver import Gain
from tests.online.multiserver.literal import Sizes, check_slots, cluster, untied
from tests.online.multiserver.test_projection import degenerate, is_projection
from tests.support import size

RULES: dict[int, Sizes] = {  # the same sizes, over what is measured
    NOTHING: lambda t, squares: 0.9**t,
    SLOT: lambda t, squares: 0.9**t / sqrt(squares[-1]) if squares[-1] else 0.0,
    ALL: lambda t, squares: 0.9**t / sqrt(sum(squares)) if sum(squares) else 0.0,
}


@pytest.mark.parametrize(("compiled", "operation", "neutral"), [("added", "fadd", 0.0), ("multiplied", "fmul", 1.0)])
def test_lanes_have_the_same_digits_in_python(
    compiled: str, operation: str, neutral: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = getattr(kernels, compiled)
    call = numba.njit(lambda work, begin, width: both(work, 1, begin, width))
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    in_python = kernels.lanes(operation, neutral)
    work = np.random.default_rng(0).lognormal(sigma=9, size=(2, 64))
    for begin, width in ((0, 0), (0, 8), (8, 48), (0, 64)):
        assert call(work, begin, width) == in_python(work, 1, begin, width)


def run(graph: Graph, present: np.ndarray, measures: int, gain: str = "node", threads: int = 1) -> Any:
    """Return allocations (T + 1, E, K), rewards, squared norms, and the final state."""
    layout = Layout.of(graph, gain)
    columns, slots = layout.rows.demand.shape[1], len(present)
    shape = (graph.shape[1], columns), graph.capacity.shape, 1
    state = kernels.State(*map(np.zeros, shape))
    out, rewards, norms = np.zeros((slots + 1, layout.size)), np.empty(slots), np.empty(slots)
    with limit_threads(threads, layout.size) as together:
        assert together == (threads > 1)
        compiled = kernels.play_together if together else kernels.play_alone
        compiled(layout.rows, state, present, 0.9 ** np.arange(slots), measures, out, rewards, norms)
    return layout.to_edges(out), rewards, norms, state


def arrivals(slots: int, ports: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return ((rng.random((slots, ports)) < 0.6) & (rng.random((slots, 1)) < 0.8)).astype(np.uint8)


@pytest.mark.parametrize("gain", ["node", "total"])
@pytest.mark.parametrize("measures", RULES)
@pytest.mark.parametrize("seed", range(size(1, 4, 60)))
def test_slots(seed: int, measures: int, gain: Gain) -> None:
    rng = random.Random(seed)
    instance = untied(seed, ports=rng.choice([1, 3, 6]), nodes=rng.choice([1, 4]), copies=2)
    present = arrivals(8, len(instance.graph.port), seed)
    allocations, *found, _ = run(instance.graph, present, measures, gain)
    wanted = check_slots(instance, present, allocations, RULES[measures], gain)
    assert np.allclose(found, wanted, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("gain", ["node", "total"])
def test_supergradient(gain: str) -> None:
    graph = cluster(9, 6, 0.7, 4)
    present = arrivals(20, 9, 4)
    allocations, _, norms, _ = run(graph, present, NOTHING, gain)
    for y, here, norm in zip(allocations[:-1], present, norms, strict=True):
        assert np.isclose((supergradient(graph, y, here, gain) ** 2).sum(), norm, rtol=1e-12)


@pytest.mark.parametrize("density", [1.0, 0.1])
@pytest.mark.parametrize("measures", RULES)
def test_threads(measures: int, density: float) -> None:
    graph = cluster(30, size(300, 300, 1000), density)
    present = arrivals(size(3, 6, 100), 30, 1)
    one, two = (run(graph, present, measures, threads=n) for n in (1, 2))
    assert len(Layout.of(graph).rows.block) > 2
    for a, b in zip((*one[:3], *one[3]), (*two[:3], *two[3]), strict=True):
        assert (a == b).all()


def test_in_place() -> None:
    graph = cluster(10, 5, 0.8)
    present = arrivals(30, 10, 2)
    allocations, rewards, norms, _ = run(graph, present, NOTHING)
    layout = Layout.of(graph)
    for length in (1, 2, 7):
        state = kernels.State(*(np.zeros_like(part) for part in run(graph, present, NOTHING)[3]))
        out, again, squares = np.zeros((length, layout.size)), np.empty(30), np.empty(30)
        kernels.play_alone(layout.rows, state, present, 0.9 ** np.arange(30), NOTHING, out, again, squares)
        assert (again == rewards).all()
        assert (squares == norms).all()
        for t in range(max(0, 31 - length), 30):
            assert (layout.to_edges(out[t % length]) == allocations[t]).all()


def test_slots_without_arrivals() -> None:
    # Without arrivals the state is constant and the reward 0, for any step.
    graph = cluster(6, 4, 1.0)
    present = np.zeros((6, 6), dtype=np.uint8)
    present[0] = 1
    for measures in RULES:
        allocations, rewards, norms, _ = run(graph, present, measures)
        assert allocations[1].any()
        assert (allocations[2:] == allocations[1]).all()
        assert not rewards[1:].any()
        assert not norms[1:].any()


def test_any_start() -> None:
    for seed in range(size(100, 180, 3000)):
        rng = random.Random(seed)
        case = degenerate(rng)
        n = len(case[0])
        width = -(-n // 8) * 8
        work = np.zeros((kernels.LINES, width))
        guess = 0.0
        for start in (0.0, rng.choice(case[0]), max(case[0]) * rng.random(), 1e30, 1e-30, None):
            work[kernels.POINT, :n], work[kernels.DEMAND, :n] = case[0], case[1]
            work[kernels.POINT, n:] = 0.0
            guess = kernels.project_row(work, width, case[2], guess if start is None else max(0.0, start))
            assert is_projection(work[kernels.KEPT, :n], case), (seed, start)
            assert not work[kernels.KEPT, n:].any()


def test_not_a_number() -> None:
    # A row with nan terminates with amounts 0.
    work = np.full((kernels.LINES, 8), np.nan)
    assert kernels.project_row(work, 8, 1.0, 0.0) == 0
    assert not work[kernels.KEPT].any()
