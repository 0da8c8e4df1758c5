from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.base.numbers import below
from schedproof.core.simulation.policy import drive_commits, drive_responses
from schedproof.instances.multiserver import Instance, from_json
from schedproof.online.multiserver.baseline_kernels import amount, less
from schedproof.online.multiserver.drf import DominantResourceFairness
from schedproof.online.multiserver.fairness import Fairness, FairnessArrived
from schedproof.online.multiserver.packing import BinPacking, Spreading
from tests.online.multiserver import naive
from tests.online.multiserver.literal import played, started
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_ports

RULES: dict[str, tuple[Callable[..., Any], naive.Rule]] = {
    "drf": (DominantResourceFairness, naive.drf),
    "fairness": (Fairness, naive.fairness),
    "fairness_arrived": (FairnessArrived, naive.fairness_arrived),
    "binpacking": (BinPacking, naive.binpacking),
    "spreading": (Spreading, naive.spreading),
    "all nodes": (partial(Spreading, nodes="all"), naive.first_come),
}
GAMES = {"responds": drive_responses, "commits": drive_commits}


def allocation(policy: Any, instance: Instance) -> np.ndarray:
    """Return (T, E, K), the whole horizon at once."""
    result: np.ndarray = started(policy, instance).play(instance.present(0, instance.horizon))
    return result


def drawn(seed: int) -> Instance:
    return tiny_ports(seed, copies=1 + seed % 3, ports=1 + seed % 5, nodes=1 + seed % 4, horizon=1 + seed % 6)


@pytest.mark.parametrize("protocol", GAMES)
@pytest.mark.parametrize("name", RULES)
def test_all_ways_of_playing_equal_the_literal_version(name: str, protocol: str) -> None:
    factory, rule = RULES[name]
    different = 0
    for seed in range(size(30, 90, 2000)):
        instance = drawn(seed)
        policy, rng = factory(protocol=protocol), random.Random(seed)
        whole = allocation(policy, instance)
        started(policy, instance)
        cut = rng.randrange(instance.horizon + 1)
        pieces = [policy.play(instance.present(a, b)) for a, b in ((0, cut), (cut, instance.horizon))]
        assert np.array_equal(np.concatenate(pieces), whole), seed
        started(policy, instance)
        slots = GAMES[protocol](policy, instance.present(0, instance.horizon))
        assert np.array_equal(np.array(list(slots)).reshape(whole.shape), whole), seed
        literal = naive.played(instance, rule, protocol).reshape(whole.shape)
        if name.startswith("fairness"):  # shares are doubles
            most = instance.graph.capacity[instance.graph.edge_node]
            assert (np.abs(whole - literal) <= 2.0**-48 * most).all(), seed
        else:
            assert np.array_equal(whole, literal), seed
        different += whole.any()
        schedule = played(policy, instance)
        assert schedule.violations(instance) == [], seed
        assert all(np.array_equal(a, b) for a, b in zip(schedule.blocks(), [whole], strict=True))
    assert different > size(3, 24, 500)


MAGNITUDES = st.sampled_from(
    ["1e-18", "0.3", "1", "7.000000000000001", "1.00000000000000000000000000007", "1e12", "1e18"]
)
AMOUNTS = st.builds(
    lambda digits, scale: Decimal(digits) * Decimal(scale) / 1000,
    st.integers(1, 999),
    MAGNITUDES,
).filter(lambda d: Decimal("1e-18") <= d <= Decimal("1e18"))


@pytest.mark.parametrize("name", RULES)
@given(data=st.data())
def test_awkward_amounts_are_divided_without_giving_too_much(name: str, data: Any) -> None:
    ports, nodes = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 3))
    amounts = lambda count: [[data.draw(AMOUNTS)] for _ in range(count)]  # noqa: E731
    demands = [(row, range(nodes)) for row in amounts(ports)]
    instance = from_json(by_hand(amounts(nodes), demands, [[1] * ports]))
    factory, rule = RULES[name]
    schedule = played(factory(), instance)
    assert schedule.violations(instance) == []
    (given_,) = schedule.blocks()
    literal = naive.played(instance, rule, "responds")
    if name in ("drf", "fairness", "fairness_arrived"):  # the others may find a node full by a digit
        most = instance.graph.capacity[instance.graph.edge_node]
        assert (np.abs(given_ - literal) <= 2.0**-45 * most).all()


def given_by(factory: Callable[..., Any], value: dict[str, Any], **options: Any) -> list[Any]:
    result: list[Any] = allocation(factory(**options), from_json(value))[:, :, 0].tolist()
    return result


def test_drf_serves_the_smallest_dominant_share_first_and_ties_by_file_order() -> None:
    # Shares 6/10, 5/10, 5/10. The second and third get their demand, the first gets 0.
    value = by_hand([[10]], [([6], [0]), ([5], [0]), ([5], [0])], [[1, 1, 1], [1, 0, 1], [1, 0, 0]])
    assert given_by(DominantResourceFairness, value) == [[0, 5, 5], [5, 0, 5], [6, 0, 0]]
    value = by_hand([[8]], [([5], [0]), ([5], [0])], [[1, 1]])
    assert given_by(DominantResourceFairness, value) == [[5, 3]]


def test_drf_uses_the_ports_own_nodes_and_dominant_resource() -> None:
    # The first has shares 4/8 and 1/8, the second 3/20 and 9/20. The second comes first.
    value = by_hand([[8, 8], [12, 12]], [([4, 1], [0]), ([3, 9], [0, 1])], [[1, 1]])
    found = allocation(DominantResourceFairness(), from_json(value))[0].tolist()
    assert found == [[4, 0], [3, 8], [3, 9]]


def test_fairness_as_printed_leaves_the_shares_of_absent_ports_unused() -> None:
    value = by_hand([[4]], [([2], [0]), ([6], [0])], [[1, 1], [0, 1], [1, 0]])
    assert given_by(Fairness, value) == [[1, 3], [0, 3], [1, 0]]
    assert given_by(FairnessArrived, value) == [[1, 3], [0, 4], [2, 0]]


def test_fairness_respects_the_cap_of_a_channel() -> None:
    value = by_hand([[100]], [([2], [0]), ([6], [0])], [[1, 1]])
    assert given_by(Fairness, value) == given_by(FairnessArrived, value) == [[2, 6]]


def test_copies_share_as_ports_do() -> None:
    value = by_hand([[6]], [([4], [0])], [[3], [1]])
    assert given_by(Fairness, value) == [[2, 2, 2], [2, 0, 0]]
    assert given_by(FairnessArrived, value) == [[2, 2, 2], [4, 0, 0]]
    assert given_by(DominantResourceFairness, value) == [[4, 2, 0], [4, 0, 0]]


def test_packing_and_spreading() -> None:
    # Nodes of 4 and 8. Packed: both on the first (a tie, then the fullest). Spread. By used share.
    value = by_hand([[4], [8]], [([2], [1, 0]), ([2], [1, 0]), ([4], [1, 0])], [[1, 1, 1]])
    assert given_by(BinPacking, value) == [[0, 2, 0, 2, 4, 0]]  # a port's edges are to the second node, then the first
    assert given_by(Spreading, value) == [[0, 2, 2, 0, 4, 0]]


def test_a_job_that_fits_nowhere_takes_the_node_with_most_capacity_left() -> None:
    value = by_hand([[4], [5], [5]], [([9], [0, 1, 2]), ([3], [0, 1, 2])], [[1, 1]])
    assert given_by(BinPacking, value) == [[0, 5, 0, 3, 0, 0]]
    assert given_by(Spreading, value) == [[0, 5, 0, 3, 0, 0]]


def test_fits_are_decided_in_rationals() -> None:
    # Ten tenths fill a node of 1, three times 2.1 one of 6.3; in doubles neither.
    for amount_, capacity, many in (("0.1", "1", 10), ("2.1", "6.3", 3)):
        value = by_hand([[Decimal(capacity)], [100]], [([Decimal(amount_)], [0, 1])], [[many]])
        assert given_by(BinPacking, value) == [[below(Fraction(amount_)), 0] * many]


def test_committing_is_responding_to_the_slot_before() -> None:
    value = by_hand([[4]], [([2], [0]), ([6], [0])], [[1, 1], [0, 1], [0, 0]])
    assert given_by(FairnessArrived, value, protocol="commits") == [[0, 0], [1, 3], [0, 4]]


DOUBLES = st.floats(1e-60, 1e18) | st.just(0.0)


@given(DOUBLES, DOUBLES)
def test_remaining_capacity_is_rounded_down(one_: float, other: float) -> None:
    left, taken = max(one_, other), min(one_, other)
    assert less(left, taken) == below(Fraction(left) - Fraction(taken))
    assert less(left, left) == 0 and less(left, 0.0) == left


@given(DOUBLES, st.integers(1, 2**53))
def test_units_are_rounded_down(units: float, scale: int) -> None:
    assert amount(units, float(scale)) == below(Fraction(units) / scale)
