from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, fits
from schedproof.instances.placement.drive import View, drive
from schedproof.online.placement import dice
from schedproof.online.placement.heuristics import Minimum, Random
from tests.instances.placement.drawn import drawn
from tests.support import size

NAMES = ("random", "minimum")
UNFINISHED = {"every_task", "horizon"}


def watched(policy: Any, instance: Instance) -> list[tuple[View, list[Any]]]:
    seen = []
    decide = policy.decide

    def keep(view: View) -> Any:
        seen.append((view, decide(view)))
        return seen[-1][1]

    policy.decide = keep
    drive(policy, instance, DecidedBy("test", {}, 0), Context())
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_schedules_are_feasible_and_omit_only_infeasible_tasks(name: str) -> None:
    for seed in range(size(40, 100, 3000)):
        instance = drawn(seed, tasks=8, clusters=1 + seed % 4, horizon=200)
        run = sp.policy(f"placement.{name}").run(instance, seed=seed)
        never = {task.name for task in instance.unschedulable_tasks}
        assert {(v.constraint, v.where) for v in run.violations} == {("every_task", name) for name in never}, seed
        again = sp.policy(f"placement.{name}").run(instance, seed=seed)
        assert again.schedule.starts == run.schedule.starts


@pytest.mark.parametrize("window", [1, 2, 10])
@pytest.mark.parametrize("policy", [Random, Minimum])
def test_starts_are_of_pending_tasks_and_every_able_cluster_starts_one(policy: Any, window: int) -> None:
    lost = 0
    for seed in range(size(20, 60, 1000)):
        instance = drawn(seed, tasks=9, clusters=3)
        for view, places in watched(policy(window=window, context=Context(seed=seed)), instance):
            placed = {place.cluster: place for place in places}
            for n, free in enumerate(view.free):
                pending = [task for task in view.pending if n in task.clusters][:window]
                fitting = {t.index: [a for a in t.allocations if fits(a, free)] for t in pending}
                candidates = {j: found for j, found in fitting.items() if found}
                if n in placed:
                    assert placed[n].allocation in candidates[placed[n].task]
                    if policy is Minimum:
                        assert placed[n].allocation == min(candidates[placed[n].task])
                elif candidates:
                    lost += 1
                    assert any(placed[m].task in candidates for m in placed if m != n)
            assert bool(places) == any(
                fits(a, view.free[n])
                for n in range(3)
                for task in [task for task in view.pending if n in task.clusters][:window]
                for a in task.allocations
            )
    assert lost


def test_tasks_and_allocations_are_equally_frequent() -> None:
    instance = drawn(5, tasks=1, clusters=1, roomy=True)
    task, trials = instance.tasks[0], size(400, 2400, 40000)
    usable = sorted(mode.allocation for mode in instance.usable(task, instance.clusters[0]))
    assert len(usable) > 1
    found = Counter(
        sp.policy("placement.random").run(instance, seed=seed).schedule.starts[0].allocation for seed in range(trials)
    )
    assert sorted(found) == usable
    assert all(abs(n - trials / len(usable)) < 5 * (trials / len(usable)) ** 0.5 for n in found.values())


def test_the_score_of_a_choice_is_uniform() -> None:
    class Keeps(Random):
        def choose(self, view: View, n: int, candidates: Any) -> Any:
            choice = super().choose(view, n, candidates)
            assert choice.score == Fraction(1, len(candidates))
            sizes.add(len(candidates))
            return choice

    sizes: set[int] = set()
    for seed in range(10):
        drive(Keeps(), drawn(seed, tasks=9), DecidedBy("test", {}, 0), Context())
    assert len(sizes) > 1


def test_the_hash_is_even_and_the_same_in_fixed_width() -> None:
    state = np.uint64(0)
    plain = 0
    for number in range(1000):
        plain = dice.mix(plain, number)
        x = ((state ^ np.uint64(number)) + np.uint64(dice.STEP)) & np.uint64(dice.BITS)
        for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
            x ^= x >> np.uint64(shift)
            x = (x * np.uint64(factor)) & np.uint64(dice.BITS)
        state = x ^ (x >> np.uint64(15))
        assert plain == state < 2**32
    for size_ in (2, 7, 240):
        counts = Counter(dice.below(dice.mix(dice.mix(0, 9), n), size_) for n in range(400 * size_))
        assert sorted(counts) == list(range(size_))
        assert sum((n - 400) ** 2 / 400 for n in counts.values()) < size_ + 6 * (2 * size_) ** 0.5, "chi-squared"
