from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest

from schedproof.formulations.multiserver.optima import stationary
from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.utility import KINDS
from schedproof.relaxations.multiserver import extended, interior, solver
from schedproof.relaxations.multiserver.bounds import multipliers, stationary_bound
from schedproof.relaxations.multiserver.exact import Numbers
from schedproof.relaxations.multiserver.extended import Wide, in_more_digits
from schedproof.relaxations.multiserver.interior import Point
from schedproof.relaxations.multiserver.layout import Layout
from schedproof.relaxations.multiserver.solver import StationarySolver
from schedproof.workloads.multiserver import generate
from tests.relaxations.multiserver import literal
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_multiserver, tiny_ports

GAINS = ("node", "total")
GAP = 1e-6


@pytest.mark.parametrize("gain", GAINS)
def test_it_equals_the_programs_optimum(gain: str) -> None:
    for seed in range(size(5, 12, 300)):
        instance = tiny_ports(seed, copies=1 + seed % 3)
        other = stationary(gain=gain).solve(instance, "clarabel")
        bound = stationary_bound(instance, gain=gain)
        assert other.ended == "optimal", seed
        tolerance = 1e-7 * (1 + abs(other.objective))
        assert bound.value >= other.objective - tolerance, seed
        assert bound.value <= other.objective * (1 + GAP) + tolerance, seed
        assert bound.details["gap"] <= GAP and bound.verify(instance), seed


@pytest.mark.parametrize("gain", GAINS)
def test_allocations_are_feasible_and_have_the_stated_reward(gain: str) -> None:
    for seed in range(size(10, 15, 1000)):
        instance = tiny_ports(seed, copies=1 + seed % 3, ports=4)
        found = StationarySolver(instance.graph, gain).solve(instance.counts(), GAP)
        assert literal.feasible(instance, found.allocation), seed
        low, high = literal.earned(instance, instance.counts(), found.allocation, gain)
        assert float(low) == pytest.approx(found.value, rel=1e-9, abs=1e-9)
        numbers = Numbers(instance, gain)
        proven = multipliers(found, numbers, instance.counts()).bound(numbers, instance.counts())
        assert proven >= low, seed
        assert found.gap(low, proven) <= GAP, seed
        assert high - low < Fraction(1, 10**9)


MAGNITUDES = (1, 1, Decimal("1e-9"), Decimal("1e9"), Decimal("1e-12"), Decimal("1e12"))


@pytest.mark.parametrize("gain", GAINS)
def test_at_any_magnitude_it_is_feasible_and_below_its_bound(gain: str) -> None:
    for seed in range(size(10, 15, 500)):
        rng, value = np.random.default_rng(seed), tiny_multiserver(seed, copies=1 + seed % 2)
        for row in (*value["nodes"], *value["ports"]):
            amounts = row.get("capacity", row.get("demand"))
            for name in amounts:
                amounts[name] *= rng.choice(MAGNITUDES)
        instance = from_json(value)
        bound = stationary_bound(instance, gain=gain)
        found = StationarySolver(instance.graph, gain).solve(instance.counts(), GAP)
        assert bound.verify(instance) and literal.feasible(instance, found.allocation), seed
        assert literal.earned(instance, instance.counts(), found.allocation, gain)[1] <= bound.exact, seed
        assert bound.details["gap"] <= GAP, seed


def alone(kind: str, alpha: str, beta: str, demand: int, capacity: int, arrivals: list[int]) -> Instance:
    rows = [[x] for x in arrivals]
    return from_json(
        by_hand([[capacity]], [([demand], [0])], rows, kind=kind, alpha=Decimal(alpha), beta=Decimal(beta))
    )


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize(
    ("instance", "optimum"),
    [
        (alone("linear", "1.5", "0.5", 3, 2, [1, 0, 1]), 4.0),  # full: 2 slots, 2 units, 1 each
        (alone("linear", "0.5", "0.5", 3, 2, [1]), 0.0),  # whatever is allocated
        (alone("linear", "0.25", "0.5", 3, 2, [1]), 0.0),  # nothing
        (alone("log", "1", "0.5", 3, 2, [1]), log(2) - 0.5),  # y = alpha/beta - 1 = 1
        (alone("log", "1", "0.1", 3, 2, [1]), log(3) - 0.2),  # full
        (alone("log", "1", "0.5", 3, 2, [2]), 2 * (log(2) - 0.5)),  # two copies share: 1 each
        (alone("log", "1", "0", 3, 1, [3]), 3 * log(4 / 3)),  # three copies share one unit
        (alone("poly", "2", "0.5", 9, 9, [1]), 2 * 2 - 2 - 0.5 * 3),  # y + 1 = (alpha / 2 beta)^2 = 4
        (alone("reciprocal", "1", "0.25", 9, 9, [1, 1]), 2 * (1 - 0.5 - 0.25)),  # (y + alpha)^2 = 1/beta
    ],
)
def test_closed_forms(instance: Instance, optimum: float, gain: str) -> None:
    bound = stationary_bound(instance, gain=gain)
    assert bound.value == pytest.approx(optimum, rel=GAP, abs=1e-8)
    assert bound.exact >= Fraction(optimum) * (1 - Fraction(1, 10**14))


def test_the_readings_differ_on_two_nodes() -> None:
    # log(1 + 1) twice, or log(1 + 2) once.
    instance = from_json(by_hand([[5], [5]], [([1], [1, 0])], [[1]], kind="log"))
    assert stationary_bound(instance, gain="node").value == pytest.approx(2 * log(2), rel=GAP)
    assert stationary_bound(instance, gain="total").value == pytest.approx(log(3), rel=GAP)


def test_only_the_dominant_overhead_is_paid() -> None:
    utilities = {name: {"kind": "linear", "alpha": a} for name, a in (("cpu", 2), ("gpu", Decimal("0.1")))}
    overhead = {"cpu": Decimal("0.5"), "gpu": Decimal("0.25")}
    value = by_hand([[4, 100]], [([4, 100], [0])], [[1]], utilities=utilities, overhead=overhead)
    assert stationary_bound(from_json(value)).value == pytest.approx(2 * 4 + 0.1 * 8 - 2, rel=GAP)


@pytest.mark.parametrize("gain", GAINS)
def test_zero_rewards_are_proven(gain: str) -> None:
    def bare(**more: Any) -> Instance:
        value = by_hand([[1]], [([1], [0])], [[1], [1]], kind="reciprocal", alpha=Decimal("0.7"))
        return from_json(value | more)

    nothing = {
        "nobody arrives": bare(arrivals=[[0], [0]]),
        "a port without nodes": bare(ports=[{"name": "p", "demand": {"cpu": 1}, "nodes": []}]),
        "nodes without ports": bare(ports=[], arrivals=[[], []]),
        "no ports and no nodes": bare(ports=[], nodes=[], arrivals=[[]]),
        "no demand": bare(ports=[{"name": "p", "demand": {}, "nodes": ["n0"]}]),
        "no capacity": bare(nodes=[{"name": "n0", "capacity": {"cpu": 0}}]),
    }
    for case, instance in nothing.items():
        bound = stationary_bound(instance, gain=gain)
        assert bound.exact == 0 and bound.verify(instance) and bound.details["gap"] == 0, case
    assert stationary_bound(bare(), gain=gain).value == pytest.approx(2 * (1 / 0.7 - 1 / 1.7), rel=GAP)


@pytest.mark.parametrize("gain", GAINS)
def test_a_warm_start_is_as_good_and_faster(gain: str) -> None:
    instance = from_json(generate("default", 1, {"nodes": "16", "horizon": "400"}))
    warm, steps = StationarySolver(instance.graph, gain), [0, 0]
    for slots in range(100, 400, size(60, 60, 5)):
        counts = instance.counts(slots)
        found, cold = warm.solve(counts, GAP), StationarySolver(instance.graph, gain).solve(counts, GAP)
        assert found.value == pytest.approx(cold.value, rel=2 * GAP)
        assert found.bound - found.value <= GAP * found.bound
        steps[0] += found.steps
        steps[1] += cold.steps
    assert steps[0] < 0.9 * steps[1]


@pytest.mark.parametrize("gain", GAINS)
def test_a_misleading_start_is_abandoned(gain: str) -> None:
    for seed in range(size(5, 8, 300)):
        instance, rng = tiny_ports(seed, copies=1 + seed % 3, ports=4), np.random.default_rng(seed)
        same = StationarySolver(instance.graph, gain)
        for _ in range(2):
            counts = np.ceil(10 ** rng.uniform(0, 6, len(instance.graph.port))).astype(np.int64)
            found = same.solve(counts, GAP)
            assert found.bound - found.value <= GAP * max(found.bound, found.least), seed


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-12, 1e-3])
def test_however_a_machine_rounds_the_gap_is_reached(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, truly, wide = np.random.default_rng(0), interior._step, 0

    def off(layout: Layout, point: Point, step_length: float) -> Point:
        nonlocal wide
        wide += isinstance(layout, Wide)
        shake = lambda x: x if isinstance(layout, Wide) else x * (1 + rng.uniform(-noise, noise, x.shape))  # noqa: E731
        return truly(layout, point, step_length).each(shake)

    monkeypatch.setattr(interior, "_step", off)
    for seed in range(size(6, 6, 3000)):
        rng = np.random.default_rng(seed)
        for gain, more in product(GAINS, ({}, {"ports": 4})):
            instance = tiny_ports(seed, copies=1 + seed % 3, **more)
            assert stationary_bound(instance, gain=gain).details["gap"] <= GAP, (seed, gain, more)
    assert wide or noise < 1e-3  # doubles alone do not carry so far


@pytest.mark.parametrize("gain", GAINS)
def test_the_second_stage_by_itself_finds_the_optimum_for_any_gap(gain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(size(6, 12, 500)):
        instance = tiny_ports(seed, copies=1 + seed % 3)
        first = stationary_bound(instance, gain=gain)
        with monkeypatch.context() as patch:
            patch.setattr(interior, "MOST_STEPS", 1)  # of the first stage
            more = lambda *arguments: patch.setattr(interior, "MOST_STEPS", 100) or in_more_digits(*arguments)  # noqa: E731
            patch.setattr(solver, "in_more_digits", more)
            second = stationary_bound(instance, gain=gain, gap=Fraction(1, 10**11))
        assert second.details["gap"] <= 1e-11 and second.verify(instance), seed
        assert float(first.exact) == pytest.approx(float(second.exact), rel=2 * GAP, abs=1e-9), seed


def test_a_layout_too_large_for_more_digits_keeps_the_doubles_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extended, "MOST_WORK", 0)
    monkeypatch.setattr(interior, "MOST_STEPS", 4)
    bound = stationary_bound(tiny_ports(0))
    assert bound.details["gap"] > GAP and bound.verify(tiny_ports(0))


@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_a_cluster_of_the_papers_kind_is_solved_to_the_gap(kind: str) -> None:
    sizes = {"nodes": str(size(8, 20, 128)), "utilities": kind, "horizon": "200", "density": "full"}
    instance = from_json(generate("default", 3, sizes))
    for gain in GAINS:
        bound = stationary_bound(instance, gain=gain)
        assert bound.details["gap"] <= GAP and bound.details["steps"] <= 40
