from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.data.checking import SHOWN
from schedproof.instances.multiserver import Instance, Schedule, from_json
from schedproof.instances.multiserver.checker import Checker
from schedproof.instances.multiserver.review_kernels import TILE
from tests.instances.multiserver import exact
from tests.instances.multiserver.allocations import awkward, feasible
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports


def drawn(seed: int) -> Instance:
    nodes = 1 + seed % 4 + (TILE if seed % 16 == 5 else 0)
    return tiny_ports(seed, copies=1 + seed % 3, ports=1 + seed % 4, nodes=nodes, horizon=1 + seed % 4)


def found(instance: Instance, array: np.ndarray) -> dict[tuple[str, str], Fraction]:
    violations = Schedule.of(array, instance, "hand").violations(instance)
    assert len({(v.constraint, v.where) for v in violations}) == len(violations)
    return {(v.constraint, v.where): v.by for v in violations}


def test_feasible_allocations_are_accepted() -> None:
    given = 0
    for seed in range(size(40, 40, 2000)):
        instance = drawn(seed)
        array = feasible(instance, seed)
        assert found(instance, array) == exact.broken(instance, array) == {}, seed
        given += array.any()
    assert given > size(10, 10, 500)


def test_equals_rationals_on_allocations_of_every_kind() -> None:
    kinds = {"demand": 0, "capacity": 0, "": 0}
    for seed in range(size(40, 120, 3000)):
        instance = drawn(seed)
        rng = np.random.default_rng(seed)
        array = feasible(instance, seed) if seed % 3 else awkward(instance, seed)
        for _ in range(rng.integers(4) if array.size else 0):
            at = tuple(rng.integers(array.shape).tolist())
            array[at] = rng.choice([-array[at], np.nextafter(array[at], 1e9), array[at] * 4, -5e-324, 1e300, -0.0])
        expected = exact.broken(instance, array)
        assert found(instance, array) == expected, seed
        for name in {constraint for constraint, _ in expected} or {""}:
            kinds[name] += 1
    assert min(kinds.values()) > size(2, 9, 200), kinds


def shared(capacity: str, ports: int, demand: int = 10) -> Instance:
    value = tiny_multiserver(0, ports=ports, nodes=1) | {
        "resources": ["cpu"],
        "nodes": [{"name": "n0", "capacity": {"cpu": Fraction(capacity)}}],
        "ports": [{"name": f"p{i}", "demand": {"cpu": demand}, "nodes": ["n0"]} for i in range(ports)],
        "utilities": {"cpu": {"kind": "linear", "alpha": 1}},
        "overhead": {"cpu": 0},
        "arrivals": [[1] * ports],
    }
    value.pop("node_utilities", None)
    return from_json(value)


def over(instance: Instance, *amounts: float) -> Fraction | None:
    return found(instance, np.array(amounts).reshape(1, -1, 1)).get(("capacity", "cpu of n0 in slot 0"))


@pytest.mark.parametrize("capacity", ["1", "0.3", "0.7", "6.3", "1e-18", "1000000.1"])
def test_sums_that_are_off_by_one_unit_in_the_last_place(capacity: str) -> None:
    instance, exactly = shared(capacity, 3), Fraction(capacity)
    rng = np.random.default_rng(0)
    decided = {True: 0, False: 0}
    for _ in range(size(100, 100, 5000)):
        one, other = (rng.random(2) * float(exactly) / 2).tolist()
        third = float(exactly - Fraction(one) - Fraction(other))
        for _ in range(rng.integers(3)):
            third = float(np.nextafter(third, rng.choice([-1.0, 1e9])))
        excess = Fraction(one) + Fraction(other) + Fraction(third) - exactly
        assert over(instance, one, other, third) == (excess if excess > 0 else None)
        decided[excess > 0] += 1
    assert min(decided.values()) > 10


def test_rounding_errors_of_double_sums_are_detected() -> None:
    # 1 + 2^-60 is 1 in doubles.
    instance = shared("1", 3)
    assert over(instance, 1.0, 2.0**-60, 0.0) == Fraction(1, 2**60)
    assert over(instance, 1.0, 5e-324, 5e-324) == Fraction(1, 2**1073)
    assert over(instance, 1 - 2.0**-53, 2.0**-53, 0.0) is None
    assert over(instance, 1 - 2.0**-53, 2.0**-54, 2.0**-54) is None
    assert over(instance, 1 - 2.0**-53, 2.0**-53, 5e-324) == Fraction(1, 2**1074)


def test_a_capacity_that_is_no_double_is_not_rounded() -> None:
    instance, tenth = shared("0.1", 2), Fraction(1, 10)
    below, above = np.nextafter(0.1, 0), 0.1
    assert Fraction(below) < tenth < Fraction(above)
    assert over(instance, below, 0.0) is None and over(instance, above, 0.0) == Fraction(above) - tenth
    step = float(tenth - Fraction(below))  # rounded up or down
    for rest in (np.nextafter(step, 0), step, np.nextafter(step, 1)):
        excess = Fraction(below) + Fraction(rest) - tenth
        assert over(instance, below, rest) == (excess if excess > 0 else None)


def test_many_small_amounts_next_to_a_large_one() -> None:
    instance = shared("1", 1001)
    small = [2.0**-63] * 1000
    assert over(instance, 1 - 2.0**-53, *small) is None
    assert over(instance, 1.0, *small) == 1000 * Fraction(1, 2**63)
    assert over(instance, *small, 1.0) == 1000 * Fraction(1, 2**63)
    lost = [2.0**-55] * 1000  # each is less than half the last place of what is there already
    assert over(instance, 1 - 2.0**-53, *lost) == 1000 * Fraction(1, 2**55) - Fraction(1, 2**53)


def test_a_demand_that_is_no_double_is_not_rounded() -> None:
    value = tiny_multiserver(0, ports=1, nodes=1, horizon=1)
    value["nodes"][0]["capacity"] = dict.fromkeys(value["resources"], 9)
    name = value["resources"][0]
    value["ports"][0] |= {"demand": {name: Fraction(1, 10)}, "nodes": ["n0"]}
    instance = from_json(value)
    array = np.zeros((1, *instance.graph.shape))
    array[0, 0, 0] = np.nextafter(0.1, 0)
    assert found(instance, array) == {}
    array[0, 0, 0] = 0.1
    assert list(found(instance, array).values()) == [Fraction(0.1) - Fraction(1, 10)]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_nan_is_reported_and_has_reward_zero(wrong: float) -> None:
    instance = tiny_ports(3, ports=3, nodes=3)
    array = feasible(instance, 0)
    array[1, 0, 0] = wrong
    schedule = Schedule.of(array, instance, "hand")
    (violation,) = schedule.violations(instance)
    assert (violation.constraint, violation.by) == ("finite", 1) and violation.where.endswith("in slot 1")


def test_overflowing_sums_are_reported() -> None:
    instance = shared("1", 3)
    assert over(instance, 1.5e308, 1.5e308, 0.0) == 2 * Fraction(1.5e308) - 1
    assert over(instance, 1.5e308, 0.0, 0.0) == Fraction(1.5e308) - 1
    schedule = Schedule.of(np.full((1, 3, 1), 1.5e308), instance, "hand")
    assert len(schedule.violations(instance)) == 4 and schedule.objective(instance) == 0


def test_a_negative_amount_behind_a_hundred_others_is_no_reward() -> None:
    instance = shared("1", 200)
    array = np.full((1, 200, 1), 11.0)
    array[0, -1, 0] = -5.0
    schedule = Schedule.of(array, instance, "hand")
    assert [v.constraint for v in schedule.violations(instance)].count("demand") == SHOWN
    assert schedule.objective(instance) == 0


def test_at_most_a_hundred_violations_of_a_kind_are_reported() -> None:
    value = tiny_multiserver(0, ports=1, nodes=1, horizon=300)
    value["nodes"][0]["capacity"] = value["ports"][0]["demand"] = {}
    value["ports"][0]["nodes"] = ["n0"]
    instance = from_json(value)
    schedule = Schedule.of(np.ones((300, *instance.graph.shape)), instance, "hand")
    kinds = [v.constraint for v in schedule.violations(instance)]
    assert kinds.count("demand") == kinds.count("capacity") == SHOWN


@pytest.mark.parametrize(("slots", "told"), [(3, 2), (7, 2), (0, 5), (6, 1)])
def test_too_few_and_too_many_slots(slots: int, told: int) -> None:
    instance = tiny_ports(3, horizon=5)
    (violation,) = Schedule.of(np.zeros((slots, *instance.graph.shape)), instance, "hand").violations(instance)
    assert (violation.constraint, violation.where, violation.by) == ("slots", f"{slots} slots, expected 5", told)


def test_blocks_of_another_shape_or_kind_are_reported() -> None:
    instance = tiny_ports(3, horizon=5)
    edges, resources = instance.graph.shape
    for block in (np.zeros((5, edges + 1, resources)), np.zeros((5, edges)), np.zeros((5, edges, resources), "f4")):
        checker = Checker(instance)
        checker.look(block)
        (violation,) = checker.violations()
        assert violation.constraint == "slots" and not checker.sound
        assert violation.where.startswith(f"slot 0: expected doubles of {(edges, resources)}, found ")


def test_an_edge_is_named_by_port_copy_and_node() -> None:
    value: Any = tiny_multiserver(0, ports=2, nodes=2, horizon=1) | {"arrivals": [[2, 1]]}
    value["resources"], value["utilities"] = ["cpu"], {"cpu": {"kind": "linear", "alpha": 1}}
    value["overhead"], value["node_utilities"] = {"cpu": 0}, {}
    value["nodes"] = [{"name": f"n{r}", "capacity": {"cpu": 99}} for r in range(2)]
    value["ports"] = [{"name": f"p{i}", "demand": {"cpu": 1}, "nodes": ["n1", "n0"]} for i in range(2)]
    instance = from_json(value)
    array = np.array([[[1.0], [1.0], [1.0], [3.0], [1.0], [5.0]]])
    assert [str(v) for v in Schedule.of(array, instance, "hand").violations(instance)] == [
        "demand at cpu of n0 for p0 (job 2) in slot 0 by 2",
        "demand at cpu of n0 for p1 in slot 0 by 4",
    ]
