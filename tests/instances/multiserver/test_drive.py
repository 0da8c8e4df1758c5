from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.multiserver import Instance, Schedule, drive, from_json, schedule
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_ports


def run(policy: Any, instance: Instance, progress: Progress = silent) -> Schedule:
    return drive.drive(policy, instance, DecidedBy("test", {}, 0), Context(progress=progress))


def array_of(plan: Schedule) -> np.ndarray:
    return np.concatenate(list(plan.blocks()))


class Committer:
    """A policy that gives each copy its age in millionths and records the calls."""

    protocol = "commits"

    def start(self, system: Any) -> None:
        self.graph, self.log = system.graph, []
        self.seen = np.zeros(len(system.graph.port))

    def decide(self, slot: int) -> np.ndarray:
        self.log.append(("decide", slot))
        return np.repeat(self.seen[self.graph.edge_copy, None], self.graph.shape[1], axis=1) / 2**20

    def observe(self, slot: int, present: np.ndarray) -> None:
        self.log.append(("observe", slot))
        self.seen += present


class AtOnce(Committer):
    """The policy `Ages` for many slots at a time."""

    def play(self, present: np.ndarray) -> np.ndarray:
        before = np.concatenate([self.seen[None], self.seen + np.cumsum(present, axis=0)])
        self.seen = before[-1]
        return np.repeat(before[:-1, self.graph.edge_copy, None], self.graph.shape[1], axis=2) / 2**20


class Responder(Committer):
    """A policy that gives to the visible jobs."""

    protocol = "responds"

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        self.log.append(("respond", slot))
        return np.repeat(present[self.graph.edge_copy, None], self.graph.shape[1], axis=1) / 2**20


def test_a_committing_policy_decides_before_it_observes() -> None:
    instance, policy = tiny_ports(4, copies=2), Committer()
    array = array_of(run(policy, instance))
    assert policy.log == [(what, t) for t in range(instance.horizon) for what in ("decide", "observe")]
    present = instance.present(0, instance.horizon)
    for t in range(instance.horizon):
        expected = present[:t].sum(axis=0)[instance.graph.edge_copy] / 2**20
        assert (array[t] == expected[:, None]).all()


def test_a_responding_policy_sees_only_the_current_slot() -> None:
    instance, policy = tiny_ports(4, copies=2), Responder()
    array = array_of(run(policy, instance))
    assert policy.log == [("respond", t) for t in range(instance.horizon)]
    seen = instance.present(0, instance.horizon)[:, instance.graph.edge_copy, None] / 2**20
    assert (array == seen).all() and array.any()


def test_one_call_and_slot_by_slot_agree_in_blocks_of_any_size(monkeypatch: Any) -> None:
    for seed in range(size(5, 12, 100)):
        instance = tiny_ports(seed, copies=1 + seed % 3, horizon=1 + seed % 30)
        whole = array_of(run(Committer(), instance))
        for kept, block in ((1 << 28, 1 << 24), (1 << 28, 100), (0, 300), (500, 200)):
            monkeypatch.setattr(drive, "HELD_BYTES", kept)
            monkeypatch.setattr(schedule, "BLOCK_BYTES", block)
            for policy in (Committer(), AtOnce()):
                told: list[float | None] = []
                plan = run(policy, instance, lambda message, done=None, told=told: told.append(done))
                assert told == sorted(told) and told[-1] == 1
                for _ in range(2):  # kept or played again, always the same
                    assert np.array_equal(array_of(plan), whole), seed
                again = Schedule.of(whole, instance, "again")
                assert plan.violations(instance) == again.violations(instance)
                low, high = plan.reward(instance)
                assert low <= again.reward(instance)[1] and again.reward(instance)[0] <= high
                assert plan.review.rewards == pytest.approx(again.review.rewards)


class Spoiler(AtOnce):
    """A policy that later overwrites its answer and its input."""

    def play(self, present: np.ndarray) -> np.ndarray:
        self.mine: np.ndarray
        if hasattr(self, "mine"):
            self.mine[:] = -1
        self.mine = super().play(present)
        present[:] = 7
        return self.mine


def test_a_policy_cannot_rewrite_the_past(monkeypatch: Any) -> None:
    monkeypatch.setattr(schedule, "BLOCK_BYTES", 200)
    instance = tiny_ports(4, copies=2, horizon=40)
    spoiled, honest = run(Spoiler(), instance), run(AtOnce(), instance)
    assert len(list(spoiled.blocks())) > 3
    assert np.array_equal(array_of(spoiled), array_of(honest))
    assert spoiled.reward(instance) == honest.reward(instance)


class Peeking(Committer):
    """A policy that tries to read future arrivals."""

    def start(self, system: Any) -> None:
        super().start(system)
        self.system = system

    def decide(self, slot: int) -> np.ndarray:
        return super().decide(slot) * self.system.arrivals[slot].sum()


def test_a_policy_that_peeks_is_stopped() -> None:
    with pytest.raises(PolicyError, match="looked into the future: 'arrivals' is not known"):
        run(Peeking(), tiny_ports(4))


class Wrong(Committer):
    """A policy that returns an array of a wrong shape, at once or in slot 3."""

    def __init__(self, allocation: Any) -> None:
        self.allocation = allocation

    def decide(self, slot: int) -> Any:
        return self.allocation if slot == 2 else super().decide(slot)


class WrongAtOnce(Wrong):
    def play(self, present: np.ndarray) -> Any:
        return self.allocation


@pytest.mark.parametrize("kind", [Wrong, WrongAtOnce])
@pytest.mark.parametrize(
    "allocation", [np.zeros((1, 1)), np.zeros(3), 0.0, np.zeros((99, 2), dtype=int), [], np.zeros((5, 99, 2), "f4")]
)
def test_an_allocation_of_another_shape_stops_the_run(kind: Any, allocation: Any) -> None:
    with pytest.raises(PolicyError, match=r"the policy allocated .* of \(.*\), expected float64 of \("):
        run(kind(allocation), tiny_ports(4))


def peak(horizon: int, folder: Path) -> float:
    file = folder / f"{horizon}.npy"
    counts = np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=(horizon, 2))
    counts[::3] = 1
    counts.flush()
    value = by_hand([[2]], [([1], [0])] * 2, [[0, 0]], kind="poly")
    tracemalloc.start()
    instance = from_json(value | {"arrivals": np.lib.format.open_memmap(file, mode="r")})
    plan = run(OneEach(), instance)
    assert plan.violations(instance) == [] and instance.sha256
    assert instance.counts().tolist() == [-(-horizon // 3)] * 2
    exactly = 2 * -(-horizon // 3) * instance.utilities["cpu"].value(1)[0]  # type: ignore[arg-type]
    assert plan.reward(instance)[0] <= exactly <= plan.reward(instance)[1]
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


class OneEach(Committer):
    """A policy that gives 1 to each present job."""

    protocol = "responds"

    def respond(self, slot: int, arrivals: np.ndarray) -> np.ndarray:
        return arrivals[self.graph.edge_copy, None].astype(np.float64)


def test_memory_does_not_grow_with_the_number_of_slots(tmp_path: Path, monkeypatch: Any) -> None:
    horizon = size(50_000, 50_000, 10_000_000)
    if horizon < 10**7:
        monkeypatch.setattr(drive, "HELD_BYTES", 1 << 16)
        for where in ("instance.BLOCK_BYTES", "schedule.BLOCK_BYTES"):
            monkeypatch.setattr(f"schedproof.instances.multiserver.{where}", 1 << 16)
        monkeypatch.setattr("schedproof.instances.multiserver.instance.SLOTS", 1 << 10)
    else:
        monkeypatch.setattr(drive, "HELD_BYTES", 1 << 24)
    short, long = peak(horizon // 10, tmp_path), peak(horizon, tmp_path)
    assert long < 1.1 * short + 100_000
