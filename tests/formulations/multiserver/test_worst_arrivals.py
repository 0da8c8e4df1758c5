from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.formulations.multiserver.worst_arrivals import unit_gains, worst_arrivals
from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.drive import system
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_ports

SYSTEMS: dict[str, dict[str, Any]] = {
    "two ports and one unit": by_hand([[1]], [([1], [0]), ([1], [0])], [[1, 1]] * 3),
    "overhead": by_hand([[2, 3]], [([1, 2], [0]), ([2, 2], [0])], [[1, 1]] * 3, alpha=2, overhead={"cpu": 1, "gpu": 0}),
    "two nodes": by_hand([[1], [2]], [([1], [0, 1]), ([2], [1])], [[1, 1]] * 3),
}


def steps(instance: Instance, choice: Any) -> np.ndarray:
    found: np.ndarray = choice.build(instance).steps.rule(system(instance)).sizes(0, instance.horizon)
    return found


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("two ports and one unit", {}),
        ("overhead", {"step": "decayed", "initial": "0.7", "decay": "0.5"}),
        ("two nodes", {"initial": "5", "gain": "total"}),
    ],
)
def test_no_arrivals_hurt_more(name: str, options: dict[str, Any]) -> None:
    instance, choice = from_json(SYSTEMS[name]), sp.policy("oga_sched", **options)
    program = worst_arrivals(steps=steps(instance, choice), gain=options.get("gain", "node"))
    solution = program.solve(instance)
    space = sp.Space(instance, free=["arrivals[*][*]=0..1"])
    worst = sp.worst(choice, "multiserver.regret", space, against_options={"points": 2})
    assert solution.ended == "optimal" and worst.complete
    assert solution.objective == pytest.approx(worst.value, abs=1e-6)
    comes = np.zeros((instance.horizon, len(instance.ports)), dtype=np.uint8)
    for place in solution.values["arrivals.comes"]:
        comes[place] = 1
    played = choice.run(replace(instance, arrivals=comes)).regret(points=2).middle[-1]
    assert played == pytest.approx(solution.objective, abs=1e-6)


def test_another_solver_agrees() -> None:
    pytest.importorskip("pyscipopt")
    instance = from_json(SYSTEMS["two ports and one unit"])
    program = worst_arrivals(steps=[0.5] * 3)
    assert program.solve(instance, "scip").objective == pytest.approx(program.solve(instance).objective, abs=1e-6)


@pytest.mark.parametrize("group", ["full_node", "nothing_left", "most_held", "products"])
def test_without_a_condition_more_seems_possible(group: str) -> None:
    instance = from_json(SYSTEMS["two ports and one unit"])
    program = worst_arrivals(steps=[0.5] * 3)
    looser = program.drop("never_less").drop(group).solve(instance).objective
    assert looser > program.solve(instance).objective + 1e-3


def test_redundant_constraints_change_no_optimum() -> None:
    for seed in range(size(2, 2, 20)):
        instance = tiny_ports(seed, ports=2, nodes=2, horizon=2, kinds=("linear",))
        if unit_gains(instance, "node") is None:
            instance = from_json(instance.to_json() | {"overhead": dict.fromkeys(instance.resources, 0)})
        program = worst_arrivals(steps=[0.3, 0.4])
        assert program.drop("never_less").solve(instance).objective == pytest.approx(
            program.solve(instance).objective, abs=1e-6
        )


@pytest.mark.parametrize(
    "changed",
    [
        {"utilities": {"cpu": {"kind": "log", "alpha": 1}}},
        {"utilities": {"cpu": {"kind": "linear", "alpha": Decimal("0.5")}}, "overhead": {"cpu": 1}},
        {"arrivals": [[2, 1]] * 3},
    ],
)
def test_nonlinear_input_is_rejected(changed: dict[str, Any]) -> None:
    instance = from_json(SYSTEMS["two ports and one unit"] | changed)
    with pytest.raises(InputError, match="expected linear utilities"):
        worst_arrivals(steps=[0.5] * 3).build(instance)


def test_overhead_of_a_later_resource_does_not_count_for_the_first() -> None:
    # Where the allocation is 0 the policy takes the first resource as the dominant one, here a wrong choice.
    later = SYSTEMS["overhead"] | {"overhead": {"cpu": 0, "gpu": 1}}
    assert unit_gains(from_json(later), "node") is None
    assert np.array_equal(unit_gains(from_json(SYSTEMS["overhead"]), "node"), [[1, 2]])


@pytest.mark.parametrize("wrong", [[0.5], [0.5, -1, 0.5], [np.inf] * 3])
def test_steps_are_one_for_each_slot(wrong: list[float]) -> None:
    instance = from_json(SYSTEMS["two ports and one unit"])
    with pytest.raises(InputError, match="steps: expected 3 numbers"):
        worst_arrivals(steps=wrong).build(instance)
