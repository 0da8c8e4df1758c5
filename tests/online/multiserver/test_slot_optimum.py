from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.simulation.policy import drive_responses
from schedproof.instances.multiserver.reward import slot_rewards
from schedproof.online.multiserver import slot_optimum as module
from schedproof.online.multiserver.drf import DominantResourceFairness
from schedproof.online.multiserver.slot_optimum import SlotOptimum
from schedproof.relaxations.multiserver.bounds import slot_optimum_bound
from schedproof.relaxations.multiserver.solver import Stationary, StationarySolver
from tests.online.multiserver.literal import played, started
from tests.support import size
from tests.tiny.multiserver import tiny_ports

GAINS = ("node", "total")


@pytest.mark.parametrize("gain", GAINS)
def test_it_is_feasible_and_within_its_gap(gain: str) -> None:
    for seed in range(size(3, 8, 200)):
        instance = tiny_ports(seed, copies=1 + seed % 3)
        schedule, bound = played(SlotOptimum(gain=gain), instance, gain=gain), slot_optimum_bound(instance, gain=gain)
        low, high = schedule.reward(instance)
        assert schedule.violations(instance) == [], seed
        assert low <= bound.exact, seed
        assert high >= bound.exact * (1 - Fraction(2, 10**6)) - Fraction(1, 10**9), seed


def test_no_other_policy_has_a_higher_reward_in_any_slot() -> None:
    for seed in range(size(3, 6, 100)):
        instance = tiny_ports(seed, copies=2)
        present = instance.present(0, instance.horizon)
        rewards = []
        for policy in (SlotOptimum(), DominantResourceFairness()):
            rewards.append(slot_rewards(instance.graph, started(policy, instance).play(present), present))
        assert (rewards[0] >= rewards[1] - 1e-6 * np.maximum(1, np.abs(rewards[1]))).all(), seed


def test_blocks_slots_and_other_starts_give_equal_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_ports(5, horizon=30, copies=2)
    present, policy = instance.present(0, 30), started(SlotOptimum(), instance)
    at_once = policy.play(present)
    assert np.array_equal(started(SlotOptimum(), instance).play(present[::-1])[::-1], at_once)
    assert np.array_equal(np.array(list(drive_responses(policy, present))), at_once)
    monkeypatch.setattr(module, "KEPT_BYTES", 1)  # no pattern is cached
    forgetful = started(SlotOptimum(), instance)
    assert np.array_equal(forgetful.play(present), at_once) and not forgetful._kept


def test_a_pattern_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, solved = tiny_ports(1, horizon=60), []

    class Counting(StationarySolver):
        def solve(self, counts: np.ndarray, gap: float = 1e-6) -> Stationary:
            solved.append(counts.tobytes())
            return super().solve(counts, gap)

    monkeypatch.setattr(module, "StationarySolver", Counting)
    policy = SlotOptimum()
    for _ in range(2):
        started(policy, instance).play(instance.present(0, 60))
    assert len(solved) == len(set(solved)) == len(np.unique(instance.present(0, 60), axis=0))
    assert not started(policy, tiny_ports(2))._kept
