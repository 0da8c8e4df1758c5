"""The schedule: its file there and back, every bad file one sentence, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.arrays import with_arrays, write_object
from schedproof.core.errors import InputError, UnknownName
from schedproof.core.reading import parse, read_text
from schedproof.instances.multiserver import Instance, Schedule, from_json, schedule, schedule_file
from schedproof.instances.multiserver.reward import GAINS, cumulative
from tests.instances.multiserver import exact
from tests.instances.multiserver.allocations import feasible
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports


def drawn(seed: int) -> tuple[Instance, np.ndarray]:
    instance = tiny_ports(seed, copies=1 + seed % 2, horizon=1 + seed % 7)
    return instance, feasible(instance, seed)


def stored(plan: Schedule, instance: Instance, folder: Path) -> Any:
    """What reading the written file gives."""
    write_object(folder / "plan.json", plan.to_json(instance))
    return with_arrays(parse(read_text(folder / "plan.json")), folder)


def test_a_file_there_and_back(tmp_path: Path) -> None:
    for seed in range(size(20, 60, 500)):
        instance, array = drawn(seed)
        plan = Schedule.of(array, instance, "hand", options={"gain": GAINS[seed % 2]}, seed=seed)
        again = schedule_file.from_json(stored(plan, instance, tmp_path), instance)
        assert np.array_equal(np.concatenate(list(again.blocks())), array), seed
        assert (again.policy, again.options, again.seed) == ("hand", {"gain": GAINS[seed % 2]}, seed)
        assert again.violations(instance) == [] and again.reward(instance) == plan.reward(instance)


def test_the_file_says_what_the_format_says(tmp_path: Path) -> None:
    instance, array = drawn(5)
    plan = Schedule.of(array, instance, "policy", options={"step": Fraction(1, 3), "gain": "node"}, seed=5)
    write_object(tmp_path / "plan.json", plan.to_json(instance))
    value = parse(read_text(tmp_path / "plan.json"))
    assert value.keys() == {
        "version",
        "family",
        "instance_sha256",
        "policy",
        "options",
        "seed",
        "software",
        "allocation",
    }
    assert (value["version"], value["family"], value["instance_sha256"]) == (1, "multiserver", instance.sha256)
    assert value["options"] == {"step": "1/3", "gain": "node"} and value["seed"] == 5
    assert value["allocation"] == {"file": "plan.allocation.npy"}
    assert np.array_equal(np.load(tmp_path / "plan.allocation.npy"), array), "[slot][edge][resource]"


def test_nested_lists_are_read_too_digit_by_digit() -> None:
    for seed in range(size(10, 30, 200)):
        instance, array = drawn(seed)
        array = array * np.random.default_rng(seed).random()
        value = Schedule.of(array, instance, "hand").to_json(instance) | {"allocation": array.tolist()}
        again = schedule_file.from_json(parse(str(value).replace("'", '"').encode()), instance)
        assert np.array_equal(np.concatenate(list(again.blocks())), array)


def number(new: Any) -> Callable[[Any], object]:
    def change(value: Any) -> None:
        value["allocation"][0][0][0] = new

    return change


BAD: dict[str, tuple[str, Callable[[Any], object]]] = {
    "family": ("family = 'jrp': expected multiserver", lambda v: v.update(family="jrp")),
    "version": ("version = 2: expected an integer <= 1", lambda v: v.update(version=2)),
    "another instance": ("expected a schedule of this very instance", lambda v: v.update(instance_sha256="0" * 64)),
    "missing key": ("the object is missing the required field allocation", lambda v: v.pop("allocation")),
    "another gain": ("options.gain = 'both': expected one of node, total", lambda v: v["options"].update(gain="both")),
    "unknown key": ("the object contains unknown field colour", lambda v: v.update(colour="red")),
    "text": ("allocation[0][0][0] = 'x': expected a number", number("x")),
    "a boolean": ("allocation[0][0][0] = True: expected a number", number(True)),
    "null": ("allocation[0][0][0]: expected a number, got null", number(None)),
    "a list too deep": ("allocation[0][0][0]: expected a number, got an array", number([1])),
    "rows of different lengths": (
        "allocation: expected rows of the same length",
        lambda v: v["allocation"][0][0].append(0),
    ),
    "a slot too few": ("expected doubles of the shape ", lambda v: v["allocation"].pop()),
    "a row too few": ("expected doubles of the shape ", lambda v: [slot.pop() for slot in v["allocation"]]),
    "nothing": ("allocation = 'float64 (0,)': expected doubles of the shape ", lambda v: v.update(allocation=[])),
    "an unread file": (
        "allocation: expected an array, got an object",
        lambda v: v.update(allocation={"file": "y.npy"}),
    ),
    "floats": ("float32", lambda v: v.update(allocation=np.array(v["allocation"], dtype=np.float32))),
    "an array of counts": ("int64", lambda v: v.update(allocation=np.array(v["allocation"], dtype=np.int64))),
    "an array of another shape": ("(1, 2)", lambda v: v.update(allocation=np.zeros((1, 2)))),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_one_sentence(what: str) -> None:
    instance, array = drawn(6)
    parsed = Schedule.of(array, instance, "hand").to_json(instance)
    parsed["allocation"] = [[[Decimal(0) for _ in row] for row in slot] for slot in array]
    schedule_file.from_json(parsed, instance)
    expected, spoil = BAD[what]
    spoil(parsed)
    with pytest.raises(InputError) as error:
        schedule_file.from_json(parsed, instance)
    assert expected in str(error.value) and str(error.value).isprintable()


def test_something_else_than_an_object_is_one_sentence() -> None:
    instance, _ = drawn(6)
    for value in (3, None, [], "x"):
        with pytest.raises(InputError, match="expected an object"):
            schedule_file.from_json(value, instance)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0, 5e-324, 1e18, 1e300])
def test_any_double_that_a_file_can_hold_is_judged(wrong: float, tmp_path: Path) -> None:
    """With an objective, a frame and a picture all the same."""
    instance, array = drawn(6)
    array[1, 0, 0] = wrong
    plan = schedule_file.from_json(stored(Schedule.of(array, instance, "hand"), instance, tmp_path), instance)
    assert {v.constraint for v in plan.violations(instance)} <= {"demand", "capacity", "finite"}
    assert plan.violations(instance) or wrong == 5e-324
    assert plan.review.counted == (instance.horizon if 0 < wrong <= 1e18 else 0)
    assert len(plan.to_frame(instance)) == len(instance.ports)
    plan.plot(instance).figure.savefig(tmp_path / "plan.png")


@pytest.mark.parametrize("slots", [0, 3, 9])
def test_another_number_of_slots_has_a_frame_too(slots: int) -> None:
    instance = tiny_ports(6, horizon=5)
    plan = Schedule.of(np.zeros((slots, *instance.graph.shape)), instance, "hand")
    assert [v.constraint for v in plan.violations(instance)] == ["slots"]
    assert plan.review.counted == (slots if slots <= 5 else 0)
    assert plan.to_frame(instance).reward.sum() == 0


def test_the_objective_is_the_lower_end_under_the_schedules_own_reading() -> None:
    for seed in range(20):
        instance, array = drawn(seed)
        for gain in GAINS:
            plan = Schedule.of(array, instance, "hand", options={"gain": gain})
            assert plan.reward(instance) == cumulative(instance, [array], gain)
            assert plan.objective(instance) == plan.reward(instance)[0] <= plan.reward(instance)[1]
        assert Schedule.of(array, instance, "hand").reward(instance) == cumulative(instance, [array], "node")
    with pytest.raises(UnknownName, match="there is no gain 'both'"):
        Schedule.of(array, instance, "hand", options={"gain": "both"}).objective(instance)


def test_the_curve_is_of_the_reward_so_far(monkeypatch: Any) -> None:
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


def test_blocks_are_played_again_each_time() -> None:
    instance, array = drawn(6)
    passes = []

    def blocks() -> Iterator[np.ndarray]:
        passes.append(1)
        yield from np.array_split(array, 3)

    plan = Schedule(instance, blocks, "hand")
    assert plan.violations(instance) == [] and plan.objective(instance) == plan.reward(instance)[0]
    assert len(passes) == 1, "one pass finds everything"
    plan.to_frame(instance)
    assert len(passes) == 2


def test_the_frame_has_a_row_per_port() -> None:
    for seed in range(size(10, 30, 300)):
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
