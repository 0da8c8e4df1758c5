"""The policy without torch."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from schedproof.core.cards import registry
from schedproof.core.errors import InputError, MissingExtra
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy, Hidden
from schedproof.instances.placement import Schedule, from_json
from schedproof.instances.placement.drive import drive
from schedproof.online.placement import tapfinger
from schedproof.online.placement.tapfinger import tensors, train, weights
from schedproof.online.placement.tapfinger.network import Numpy, encode, initial
from schedproof.online.placement.tapfinger.observation import NONE, Config, Observation
from schedproof.online.placement.tapfinger.policy import TapFinger
from schedproof.workloads.placement import generate
from tests.support import size

CONFIG = Config(most=(8, 4), kinds=("insensitive", "sensitive"), layers=1, width=8)
BY = DecidedBy("test", {}, 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "w.safetensors"
    weights.write(path, CONFIG, initial(CONFIG, np.random.default_rng(0)), seed="0")
    return path


def played(seed: int, preset: str = "tiny", tasks: int = 10, **options: Any) -> tuple[Schedule, Any]:
    instance = from_json(generate(preset, seed, {"tasks": str(tasks)}))
    return drive(TapFinger(context=Context(seed=seed), **options), instance, BY, Context()), instance


@pytest.mark.parametrize("decode", ["sampled", "sequential"])
def test_schedules_are_feasible_and_repeatable(file: Path, decode: str) -> None:
    for seed in range(size(5, 12, 100)):
        schedule, instance = played(seed, weights=str(file), decode=decode)
        assert schedule.violations(instance) == []
        assert played(seed, weights=str(file), decode=decode)[0].starts == schedule.starts


@pytest.mark.parametrize("decode", ["sampled", "sequential"])
def test_listed_modes_are_the_undominated_ones(file: Path, decode: str) -> None:
    dominated = {"all": 0, "listed": 0}
    for seed in range(5):
        for modes in dominated:
            schedule, instance = played(seed, weights=str(file), decode=decode, modes=modes)
            assert schedule.violations(instance) == []
            for start in schedule.starts:
                slots = instance.tasks[start.task].duration
                (cpus, gpus), own = start.allocation, slots[start.allocation]
                others = (slots[a] for a in slots if a != start.allocation and a[0] <= cpus and a[1] <= gpus)
                dominated[modes] += any(other <= own for other in others)
    assert dominated["all"] and not dominated["listed"]
    assert TapFinger(weights=str(file), modes="listed").sees_durations
    assert not TapFinger(weights=str(file)).sees_durations


def test_weights_trained_with_listed_modes_are_played_with_them(tmp_path: Path) -> None:
    config, path = msgspec.structs.replace(CONFIG, modes="listed"), tmp_path / "w.safetensors"
    weights.write(path, config, initial(config, np.random.default_rng(0)))
    assert TapFinger(weights=str(path), modes="listed").sees_durations
    with pytest.raises(InputError, match="trained with modes=listed, which shows the tasks' durations"):
        TapFinger(weights=str(path))


def test_rule_11_as_printed_may_assign_a_task_to_a_cluster_that_did_not_choose_it(file: Path) -> None:
    first, second = (Hidden(index=j, needs=(1, 1)) for j in range(2))
    view: Any = Hidden(free=((1, 1), (4, 4)))
    sets: Any = [[first], [first, second]]
    chances = {0: np.array([1.0, 0.0]), 1: np.array([0.3, 0.7])}
    for rule, choice, granted in (
        ("repaired", {0: 0, 1: 1}, [0, 1]),
        ("printed", {0: 0, 1: 1}, [1]),  # 0.3 * 4 > 1 * 1, though the second cluster chose the other task
        ("repaired", {0: 0, 1: 0}, [1]),
        ("printed", {0: 0, 1: 0}, [1]),
    ):
        assert TapFinger(weights=str(file), rule=rule)._winners(view, sets, chances, choice) == granted
    chances[1] = np.array([0.25, 0.75])  # 0.25 * 4 = 1 * 1: both attain the maximum, and a task starts once
    assert TapFinger(weights=str(file), rule="printed")._winners(view, sets, chances, {0: 0, 1: 0}) == [0]
    for seed in range(3):
        schedule, instance = played(seed, weights=str(file), rule="printed")
        assert schedule.violations(instance) == []


def test_instances_of_another_shape_are_rejected(file: Path) -> None:
    instance = from_json(generate("testbed3", 1, {"tasks": "5"}))
    with pytest.raises(InputError, match="expected a kind among those of the weights, insensitive, sensitive, "):
        drive(TapFinger(weights=str(file)), instance, BY, Context())


def changed(path: Path, name: str, change: Any) -> None:
    arrays, text = tensors.read(path)
    arrays[name] = change(arrays[name].copy())
    tensors.write(path, arrays, text)


def test_other_files_are_rejected(file: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        TapFinger(weights="nothing")
    changed(file, "own.bias", lambda a: a * np.float32(np.nan))
    with pytest.raises(InputError, match=r"array own\.bias: expected finite 32-bit numbers"):
        TapFinger(weights=str(file))
    changed(file, "own.bias", lambda a: a[1:])
    with pytest.raises(InputError, match="the arrays do not match the configuration"):
        TapFinger(weights=str(file))
    arrays, text = tensors.read(file)
    wrong = msgspec.json.encode(CONFIG).decode().replace('"width":8', '"width":0')
    for config, words in (("", "cannot be read"), ("{}", "cannot be read"), (wrong, "cannot be read")):
        tensors.write(file, arrays, text | {"config": config})
        with pytest.raises(InputError, match=words):
            TapFinger(weights=str(file))
    for name in ("another", "schedproof.placement.tapfinger 1"):
        tensors.write(file, arrays, text | {"format": name})
        with pytest.raises(InputError, match=f"expected a TapFinger weights file of format '{weights.FORMAT}'"):
            TapFinger(weights=str(file))
    tensors.write(file, arrays, {"format": "another"})
    with pytest.raises(InputError, match="expected a TapFinger weights file"):
        TapFinger(weights=str(file))


@pytest.mark.parametrize("decode", ["sampled", "sequential"])
@pytest.mark.parametrize(("name", "by"), [("own.matrix", 1e38), ("pointer.score", 1e12), ("allocation.second.bias", 1)])
def test_overflowing_weights_are_rejected_with_their_place(name: str, by: float, decode: str, file: Path) -> None:
    changed(file, name, lambda a: np.abs(a) * np.float32(by) - np.float32(1e10 if by == 1 else 0))
    with pytest.raises(InputError, match=r"expected weights whose scores are within \+-1e\+09"):
        played(3, weights=str(file), decode=decode)


@pytest.mark.parametrize("wrong", ['"window":65', '"heads":65'])
def test_a_network_that_needs_too_much_memory_is_rejected(wrong: str, file: Path) -> None:
    arrays, text = tensors.read(file)
    config = re.sub(rf"{wrong.split(':')[0]}:\d+", wrong, msgspec.json.encode(CONFIG).decode())
    tensors.write(file, arrays, text | {"config": config})
    with pytest.raises(InputError, match="Expected `int` <= 64"):
        TapFinger(weights=str(file))


@pytest.mark.parametrize("name", weights.PACKAGED)
def test_packaged_weights_are_small_and_beat_the_least_allocation(name: str) -> None:
    path = weights.FOLDER / f"{name}.safetensors"
    assert path.stat().st_size < 200_000 and tensors.read(path)[1]["preset"] == name
    ours = least = 0.0
    for seed in range(500, 500 + size(15, 18, 100)):
        schedule, instance = played(seed, name, {"tiny": 10, "synthetic3": 30, "testbed3": 30}[name], weights=name)
        minimum = registry.load("schedproof.online.placement.heuristics:Minimum")(context=Context(seed=seed))
        ours += float(schedule.objective(instance))
        least += float(drive(minimum, instance, BY, Context()).objective(instance))
    assert ours < 0.75 * least


def seen_of(kinds: list[int]) -> Observation:
    count = len(kinds)
    pending = np.zeros((1, count, 5), dtype=np.float32)
    pending[0, :, :3] = 0.25, 0.25, 1
    pending[0, range(count), [3 + kind for kind in kinds]] = 1
    place = np.full((1, 1, CONFIG.window), NONE, dtype=np.int64)
    place[0, 0, :count] = range(count)
    return Observation(
        np.ones((1, 1, 5), dtype=np.float32),
        pending,
        np.zeros((1, 1, 5), dtype=np.float32),
        np.ones((1, 1, count), dtype=np.bool_),
        np.zeros((1, 1, 1), dtype=np.bool_),
        place,
        place >= 0,
    )


@pytest.mark.parametrize("self_message", [True, False])
def test_without_a_self_message_kinds_are_indistinguishable(self_message: bool) -> None:
    config = msgspec.structs.replace(CONFIG, self_message=self_message)
    h = encode(Numpy(), config, initial(config, np.random.default_rng(1)), seen_of([0, 1, 0])).tasks[0, 0]
    np.testing.assert_allclose(h[0], h[2], atol=1e-6)
    assert np.allclose(h[0], h[1], atol=1e-6) != self_message


def test_training_without_torch_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "schedproof.online.placement.tapfinger.torch_arrays", raising=False)
    monkeypatch.delattr(tapfinger, "torch_arrays", raising=False)
    with pytest.raises(MissingExtra, match=r"is not installed; install it with: pip install 'schedproof\[rl\]'"):
        train.train("tiny", tmp_path / "w.safetensors")
