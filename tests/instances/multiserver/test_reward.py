from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import UnknownName
from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.reward import GAINS, port_totals, slot_rewards
from schedproof.instances.multiserver.utility import KINDS, VALUES, at_each
from tests.instances.multiserver import exact
from tests.instances.multiserver.allocations import awkward, cumulative, feasible
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports

UNIT = Fraction(1, 2**53)


def drawn(seed: int, **settings: Any) -> Instance:
    shape = {"copies": 1 + seed % 3, "ports": 1 + seed % 4, "nodes": 1 + seed % 5, "horizon": 1 + seed % 5}
    return tiny_ports(seed, **shape | settings)


def pieces(array: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    cuts = np.sort(np.random.default_rng(seed).integers(0, len(array) + 1, size=3)).tolist()
    return (array[a:b] for a, b in zip([0, *cuts], [*cuts, len(array)], strict=True))


@pytest.mark.parametrize("gain", GAINS)
def test_the_exact_reward_is_enclosed_narrowly(gain: str) -> None:
    earned = 0
    for seed in range(size(40, 40, 3000)):
        instance = drawn(seed)
        array = (feasible, awkward)[seed % 2](instance, seed)
        low, high = cumulative(instance, pieces(array, seed), gain)
        exact_low, exact_high = exact.reward(instance, array, gain)
        assert low <= exact_low <= exact_high <= high, seed
        magnitude = 1 + sum((Fraction(y) for y in array.flat), Fraction(0))
        steepest = max(f.steepest for f in (*instance.utilities.values(), *instance.node_utilities.values()))
        terms = 10 + array.size
        assert high - low <= (magnitude * (1 + steepest) + terms * 3) * terms * 20 * UNIT, seed
        earned += exact_low > 0
    assert earned > size(10, 10, 700)


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_by_itself(kind: str, gain: str) -> None:
    for seed in range(size(10, 18, 300)):
        instance = drawn(seed, kinds=[kind])
        array = awkward(instance, seed)
        low, high = cumulative(instance, [array], gain)
        exact_low, exact_high = exact.reward(instance, array, gain)
        assert low <= exact_low <= exact_high <= high, seed


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("amount", [5e-324, 1e-310, 2.0**-1000, 2.0**-900, 1e-200, 1e-18, 2.0**-53, 1.0, 1e9, 1e18])
def test_amounts_of_any_magnitude_are_enclosed(amount: float, gain: str) -> None:
    for seed in range(8):
        value = tiny_multiserver(seed, ports=2, nodes=2, horizon=2)
        for alpha, utility in zip(("1e-18", "1e18", "0.3"), value["utilities"].values(), strict=False):
            utility["alpha"] = Fraction(alpha)
        value["overhead"] = dict.fromkeys(value["resources"], Fraction(1, 10**18))
        instance = from_json(value)
        array = np.full((2, *instance.graph.shape), amount)
        low, high = cumulative(instance, [array], gain)
        exact_low, exact_high = exact.reward(instance, array, gain)
        assert low <= exact_low <= exact_high <= high, seed


@pytest.mark.parametrize("gain", GAINS)
def test_many_factors_in_one_logarithm(gain: str) -> None:
    value = tiny_multiserver(2, ports=1, nodes=1, kinds=["log"]) | {
        "arrivals": [[3]] * 4000,
        "nodes": [{"name": "n0", "capacity": {}}],
    }
    value["ports"][0]["nodes"] = ["n0"]
    value["resources"], value["overhead"] = ["cpu"], {"cpu": 0}
    value["ports"][0]["demand"], value["utilities"] = {}, {"cpu": {"kind": "log", "alpha": 1}}
    value["node_utilities"] = {}
    instance = from_json(value)
    array = np.full((4000, 3, 1), 1e17)
    low, high = cumulative(instance, [array[:3000], array[3000:]], gain)
    each = instance.utilities["cpu"].value(Fraction(1e17))
    assert low <= 12_000 * each[0] <= 12_000 * each[1] <= high
    assert high - low < Fraction(1, 10**9)


def test_a_zero_allocation_has_reward_zero() -> None:
    for seed in range(20):
        instance = drawn(seed, kinds=["linear", "reciprocal", "poly"])
        nothing = np.zeros((instance.horizon, *instance.graph.shape))
        assert cumulative(instance, [nothing]) == cumulative(instance, [nothing], "total") == (0, 0)


def test_absent_copies_have_reward_zero() -> None:
    for seed in range(20):
        instance = drawn(seed)
        array = feasible(instance, seed)
        present = instance.present(0, instance.horizon)[:, instance.graph.edge_copy, None]
        for gain in GAINS:
            assert cumulative(instance, [array], gain) == cumulative(instance, [array * present], gain)


def test_the_rewards_of_slots() -> None:
    for seed in range(size(20, 60, 1000)):
        instance = drawn(seed)
        array, graph = feasible(instance, seed), instance.graph
        for gain in GAINS:
            found = slot_rewards(graph, array, instance.present(0, instance.horizon), gain)
            for t in range(instance.horizon):
                low, high = exact.reward(instance, array, gain, range(t, t + 1))
                assert found[t] == pytest.approx(float((low + high) / 2), rel=1e-12, abs=1e-12), seed


def test_totals_of_copies_with_and_without_channels() -> None:
    for seed in range(30):
        instance = drawn(seed)
        array = feasible(instance, seed)
        present = instance.present(0, instance.horizon)
        totals = port_totals(instance.graph, array, present)
        assert totals.shape == (instance.horizon, sum(instance.copies), len(instance.resources))
        copies = [sum(instance.copies[:p]) + j for p, j, _ in exact.edges(instance)]
        expected = np.zeros_like(totals)
        for e, c in enumerate(copies):
            expected[:, c] += array[:, e] * present[:, c, None]
        assert np.array_equal(totals, expected), seed


def test_gains_with_kinds_on_the_last_axes() -> None:
    instance = drawn(5)
    kind, alpha = np.array([[0, 1], [2, 3], [1, 0]]), np.array([[0.5, 2.0], [1.5, 0.7], [1.0, 3.0]])
    amounts = np.random.default_rng(0).random((4, 3, 2))
    found = at_each(VALUES, kind, alpha, amounts)
    for t in range(4):
        assert np.array_equal(at_each(VALUES, kind, alpha, amounts[t]), found[t])
        for i in range(3):
            for k in range(2):
                f = type(instance.utilities[instance.resources[0]])(KINDS[kind[i, k]], Fraction(alpha[i, k]))
                assert found[t, i, k] == pytest.approx(float(f.value(Fraction(amounts[t, i, k]))[0]), rel=1e-14)


def test_the_gain_has_two_readings() -> None:
    instance = drawn(1)
    with pytest.raises(UnknownName, match="unknown gain 'both'; available: node, total"):
        cumulative(instance, [], "both")
