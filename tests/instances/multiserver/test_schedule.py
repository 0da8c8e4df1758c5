from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.data.arrays import with_arrays, write_object
from schedproof.core.data.reading import parse, read_text
from schedproof.core.errors import UnknownName
from schedproof.instances.multiserver import Instance, Schedule, from_json, schedule
from schedproof.instances.multiserver.reward import GAINS
from tests.instances.multiserver import exact
from tests.instances.multiserver.allocations import cumulative, feasible
from tests.instances.multiserver.schedules import drawn
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports


def stored(plan: Schedule, instance: Instance, folder: Path) -> Any:
    write_object(folder / "plan.json", plan.to_json(instance))
    return with_arrays(parse(read_text(folder / "plan.json")), folder, ("allocation",))


def test_the_allocation_is_in_a_separate_file(tmp_path: Path) -> None:
    instance, array = drawn(5)
    write_object(tmp_path / "plan.json", Schedule.of(array, instance, "policy").to_json(instance))
    assert parse(read_text(tmp_path / "plan.json"))["allocation"]["file"] == "plan.allocation.npy"
    assert np.array_equal(np.load(tmp_path / "plan.allocation.npy"), array), "[slot][edge][resource]"


def test_nested_lists_are_read_too_digit_by_digit() -> None:
    for seed in range(size(10, 18, 200)):
        instance, array = drawn(seed)
        array = array * np.random.default_rng(seed).random()
        value = Schedule.of(array, instance, "hand").to_json(instance) | {"allocation": array.tolist()}
        again = Schedule.from_json(parse(str(value).replace("'", '"').encode()), instance)
        assert np.array_equal(np.concatenate(list(again.blocks())), array)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0, 5e-324, 1e18, 1e300])
def test_any_double_that_a_file_can_hold_is_judged(wrong: float, tmp_path: Path) -> None:
    instance, array = drawn(6)
    array[1, 0, 0] = wrong
    plan = Schedule.from_json(stored(Schedule.of(array, instance, "hand"), instance, tmp_path), instance)
    assert {v.constraint for v in plan.violations(instance)} <= {"demand", "capacity", "finite"}
    assert plan.violations(instance) or wrong == 5e-324
    assert plan.review.counted == (instance.horizon if 0 < wrong <= 1e18 else 0)
    assert len(plan.to_frame(instance)) == len(instance.ports)
    plan.plot(instance).figure.savefig(tmp_path / "plan.png")


@pytest.mark.parametrize("slots", [0, 3, 9])
def test_another_number_of_slots_has_a_frame(slots: int) -> None:
    instance = tiny_ports(6, horizon=5)
    plan = Schedule.of(np.zeros((slots, *instance.graph.shape)), instance, "hand")
    assert [v.constraint for v in plan.violations(instance)] == ["slots"]
    assert plan.review.counted == (slots if slots <= 5 else 0)
    assert plan.to_frame(instance).reward.sum() == 0


def test_the_objective_is_the_lower_bound_in_the_schedules_reading() -> None:
    for seed in range(20):
        instance, array = drawn(seed)
        for gain in GAINS:
            plan = Schedule.of(array, instance, "hand", gain=gain)
            assert plan.reward(instance) == cumulative(instance, [array], gain)
            assert plan.objective(instance) == plan.reward(instance)[0] <= plan.reward(instance)[1]
            told = Schedule.of(array, instance, "hand", options={"gain": "total"})
            assert told.objective(instance, gain=gain) == plan.objective(instance)
            assert told.objective(instance) == cumulative(instance, [array], "node")[0], "its options count for nothing"
    with pytest.raises(UnknownName, match="unknown gain 'both'"):
        Schedule.of(array, instance, "hand").objective(instance, gain="both")


def test_the_curve_is_the_cumulative_reward(monkeypatch: Any) -> None:
    monkeypatch.setattr(schedule, "POINTS", 4)
    monkeypatch.setattr(schedule, "BLOCK_BYTES", 200)
    for horizon in (1, 3, 4, 5, 11, 12):
        instance = tiny_ports(2, horizon=horizon, ports=4)
        array = feasible(instance, horizon)
        found = Schedule.of(array, instance, "hand").review
        assert len(found.slots) <= 4 and found.slots[-1] == horizon
        for slots, reward in zip(found.slots.tolist(), found.rewards.tolist(), strict=True):
            low, high = exact.reward(instance, array, "node", range(slots))
            assert reward == pytest.approx(float(low + high) / 2, rel=1e-12, abs=1e-12)


def test_blocks_are_replayed_on_each_use() -> None:
    instance, array = drawn(6)
    passes = []

    def blocks() -> Iterator[np.ndarray]:
        passes.append(1)
        yield from np.array_split(array, 3)

    plan = Schedule.by("hand", instance, blocks)
    assert plan.violations(instance) == [] and plan.objective(instance) == plan.reward(instance)[0]
    assert len(passes) == 1, "one pass finds everything"
    plan.to_frame(instance)
    assert len(passes) == 2


def test_the_frame_has_a_row_per_port() -> None:
    for seed in range(size(10, 18, 300)):
        instance, array = drawn(seed)
        frame = Schedule.of(array, instance, "hand").to_frame(instance)
        assert frame.port.tolist() == [port.name for port in instance.ports]
        assert frame.jobs.tolist() == instance.arrivals.sum(axis=0).tolist()
        low, high = exact.reward(instance, array, "node")
        assert frame.reward.sum() == pytest.approx(float(low + high) / 2, rel=1e-9, abs=1e-9)
        for k, name in enumerate(instance.resources):
            held = [0.0] * len(instance.ports)
            for t in range(instance.horizon):
                for e, (p, j, _) in enumerate(exact.edges(instance)):
                    if j < instance.arrivals[t, p]:
                        held[p] += array[t, e, k]
            assert frame[name].tolist() == pytest.approx([h / max(n, 1) for h, n in zip(held, frame.jobs, strict=True)])


def test_ports_without_channels() -> None:
    value = tiny_multiserver(6)
    for port in value["ports"]:
        port["nodes"] = []
    instance = from_json(value)
    plan = Schedule.of(np.zeros((instance.horizon, 0, len(instance.resources))), instance, "nobody")
    assert plan.violations(instance) == [] and plan.reward(instance)[0] == 0
    assert plan.to_frame(instance).reward.tolist() == [0, 0, 0]
