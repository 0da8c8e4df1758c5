"""The slot optimum: feasible, within its gap of the certified bound, the same digits however it is played."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

import numpy as np
import pytest

from schedproof.core.errors import InputError, PolicyError, UnknownName
from schedproof.core.policy import drive_responses
from schedproof.instances.multiserver import Instance, Schedule, from_json
from schedproof.instances.multiserver.reward import slot_rewards
from schedproof.online.multiserver.drf import drf
from schedproof.online.multiserver.slot_optimum import SlotOptimum, slot_optimum
from schedproof.relaxations.multiserver.bounds import slot_optimum_bound
from schedproof.relaxations.multiserver.solver import Stationary, StationarySolver
from tests.support import size
from tests.tiny.multiserver import tiny_multiserver, tiny_ports

GAINS = ("node", "total")
module = import_module("schedproof.online.multiserver.slot_optimum")


def played(instance: Instance, **options: str) -> Schedule:
    schedule = instance.drive(slot_optimum(**options), "multiserver.slot_optimum", options, 0, lambda slots: None)
    assert isinstance(schedule, Schedule)
    return schedule


@pytest.mark.parametrize("gain", GAINS)
def test_it_is_feasible_and_within_the_gap_of_its_bound(gain: str) -> None:
    for seed in range(size(3, 8, 200)):
        instance = tiny_ports(seed, copies=1 + seed % 3)
        schedule, bound = played(instance, gain=gain), slot_optimum_bound(instance, gain=gain)
        low, high = schedule.reward(instance)
        assert schedule.violations(instance) == [], seed
        assert low <= bound.exact, seed
        assert high >= bound.exact * (1 - Fraction(2, 10**6)) - Fraction(1, 10**9), seed


def test_no_other_policy_earns_more_in_any_slot() -> None:
    for seed in range(size(3, 10, 100)):
        instance = tiny_ports(seed, copies=2)
        present = instance.present(0, instance.horizon)
        rewards = []
        for policy in (slot_optimum(), drf()):
            policy.start(instance.system())
            rewards.append(slot_rewards(instance.graph, policy.play(present), present))
        assert (rewards[0] >= rewards[1] - 1e-6 * np.maximum(1, np.abs(rewards[1]))).all(), seed


def test_blocks_slots_and_another_start_give_the_same_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_ports(5, horizon=30, copies=2)
    system, present = instance.system(), instance.present(0, 30)
    policy = slot_optimum()
    policy.start(system)
    at_once = policy.play(present)
    backwards = slot_optimum()
    backwards.start(system)
    assert np.array_equal(backwards.play(present[::-1])[::-1], at_once)
    assert np.array_equal(np.array(list(drive_responses(_Fresh(policy, system), present))), at_once)
    monkeypatch.setattr(module, "KEPT_BYTES", 1)  # nothing is kept
    forgetful = slot_optimum()
    forgetful.start(system)
    assert np.array_equal(forgetful.play(present), at_once) and not forgetful._kept


class _Fresh:
    """Starts the policy on a known system, whatever the driver says."""

    def __init__(self, policy: SlotOptimum, system: object) -> None:
        policy.start(system)  # type: ignore[arg-type]
        self.respond = policy.respond


def test_a_pattern_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, solved = tiny_ports(1, horizon=60), []

    class Counting(StationarySolver):
        def solve(self, counts: np.ndarray, gap: float = 1e-6) -> Stationary:
            solved.append(counts.tobytes())
            return super().solve(counts, gap)

    monkeypatch.setattr(module, "StationarySolver", Counting)
    policy = slot_optimum()
    for _ in range(2):
        policy.start(instance.system())
        policy.play(instance.present(0, 60))
    assert len(solved) == len(set(solved)) == len(np.unique(instance.present(0, 60), axis=0))
    policy.start(tiny_ports(2).system())
    assert not policy._kept


def test_it_sees_nothing_of_later_slots() -> None:
    """Whatever comes later, what was allocated before is the same."""
    value = tiny_multiserver(7, horizon=6)
    later = [row if t < 3 else [1 - min(1, x) for x in row] for t, row in enumerate(value["arrivals"])]
    ends = []
    for arrivals in (value["arrivals"], later):
        instance = from_json(value | {"arrivals": arrivals})
        policy = slot_optimum()
        policy.start(instance.system())
        ends.append(policy.play(instance.present(0, 6))[:3])
        with pytest.raises(PolicyError, match="looked into the future"):
            _ = instance.system().arrivals
    assert np.array_equal(*ends)


def test_options_are_checked() -> None:
    with pytest.raises(UnknownName, match="there is no gain 'best'"):
        slot_optimum(gain="best")
    with pytest.raises(InputError, match="gap=2: expected a number between 0 and 1"):
        slot_optimum(gap="2")
    assert slot_optimum().guarantee(tiny_ports(0)).value is None
