from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import pairwise
from math import tanh
from typing import Any

import pytest
from scipy.optimize import brentq

import schedproof as sp
from schedproof.instances.placement import Instance, Task, from_json
from schedproof.workloads.placement import PRESETS, generate
from schedproof.workloads.placement.settings import Settings
from schedproof.workloads.placement.speeds import times
from tests.support import size


def drawn(preset: str, seed: int = 0, **settings: Any) -> Instance:
    return from_json(generate(preset, seed, {name: str(value) for name, value in settings.items()}))


def by_gpus(task: Task) -> list[int]:
    """Slots by number of GPUs; CPU cores have no effect."""
    found: dict[int, set[int]] = {}
    for (_, gpus), slots in task.modes:
        found.setdefault(gpus, set()).add(slots)
    assert all(len(slots) == 1 for slots in found.values())
    return [found[gpus].pop() for gpus in sorted(found)]


@pytest.mark.parametrize(
    ("preset", "clusters", "room", "tasks", "rate", "grid"),
    [
        ("tiny", 2, (8, 4), 10, 1, 7 * 4),
        ("synthetic3", 3, (16, 16), 192, 2, 15 * 16),
        ("synthetic6", 6, (16, 16), 384, 4, 15 * 16),
        ("testbed3", 3, (32, 16), 1000, 1.5, 15 * 8),
        ("testbed6", 6, (32, 16), 2000, 3, 15 * 8),
    ],
)
def test_the_presets_are_the_papers(
    preset: str, clusters: int, room: tuple[int, int], tasks: int, rate: float, grid: int
) -> None:
    instance = drawn(preset, 4)
    assert instance.resources == ("cpu", "gpu")
    assert [cluster.amounts for cluster in instance.clusters] == [room] * clusters
    assert len(instance.tasks) == tasks and float(PRESETS[preset].rate) == rate
    for task in instance.tasks:
        assert task.needs == (2, 1) and len(task.modes) == grid and task.clusters
    last = instance.tasks[-1].arrival
    assert abs(last * rate - tasks) < 5 * tasks**0.5 and instance.unschedulable_tasks == ()


def test_without_noise_the_two_types_take_the_papers_durations() -> None:
    taken = {task.kind: by_gpus(task) for task in drawn("synthetic3", noise=0).tasks}
    assert taken["insensitive"] == [4] * 16
    assert (taken["sensitive"][0], taken["sensitive"][-1]) == (17, 2)
    assert min(taken["sensitive"]) == 2 and taken["sensitive"] == sorted(taken["sensitive"], reverse=True)


def test_the_test_beds_ranges_are_those_of_table_1() -> None:
    taken = {task.kind: by_gpus(task) for task in drawn("testbed3", noise=0, slot_seconds=1, tasks=60).tasks}
    assert {kind: (slots[-1], slots[0]) for kind, slots in taken.items()} == {
        "image_classification": (34, 262),
        "language_modeling": (75, 264),
        "speech_recognition": (17, 18),
    }
    halved = {task.kind: by_gpus(task) for task in drawn("testbed3", noise=0, downsizing=2, tasks=60).tasks}
    assert halved["language_modeling"][0] == -(-264 // 20)


@pytest.mark.parametrize(("slowest", "fastest", "at"), [(17, 2, 16), (262, 34, 8), (18, 17, 8), (9, 3, 4)])
def test_a_curve_is_a_hyperbolic_tangent_through_both_ends(slowest: int, fastest: int, at: int) -> None:
    slots = times(Decimal(slowest), Decimal(fastest), at, at + 3)
    speeds = [1 / float(t) for t in slots]
    assert (slots[0], slots[at - 1]) == (slowest, fastest)
    k = brentq(lambda k: fastest * tanh(k * at) - slowest * tanh(k), 1e-6, 50, xtol=1e-12)
    curve = [slowest * tanh(k) / tanh(k * g) for g in range(1, at + 4)]
    assert [float(t) for t in slots] == pytest.approx(curve, rel=0, abs=0.0005 + 1e-8)  # thousandths of a slot
    gains = [b - a for a, b in pairwise(speeds)]
    assert all(gain >= 0 for gain in gains) and all(b <= a + 1e-5 for a, b in pairwise(gains)), "sub-linear"


def test_noise_is_drawn_for_each_slot_and_shared_by_the_allocations() -> None:
    insensitive: Counter[int] = Counter()
    slowest: Counter[int] = Counter()
    for task in drawn("synthetic3", tasks=size(400, 400, 4000), most_cpus=3).tasks:
        slots = by_gpus(task)
        assert slots == sorted(slots, reverse=True), "more GPUs are never slower: the noise is the same"
        (insensitive if task.kind == "insensitive" else slowest)[slots[0]] += 1
    assert set(insensitive) == {4, 5} and 0.4 < insensitive[4] / insensitive.total() < 0.6
    assert set(slowest) <= set(range(16, 20)) and slowest[17] > 0.3 * slowest.total() < 3 * slowest[18]
    calm = [by_gpus(task) for task in drawn("synthetic3", noise=0).tasks]
    assert len(set(map(tuple, calm))) == 2


def test_every_task_has_gained_enough_with_its_slots_and_not_with_one_less() -> None:
    # Whatever was drawn, the slots with different allocations are of one sequence of gains between 0.9 and 1.1.
    for task in drawn("synthetic3", 3, tasks=60).tasks:
        if task.kind == "sensitive":
            usual = [float(t) for t in times(Decimal(17), Decimal(2), 16, 16)]
            for slots, time in zip(by_gpus(task), usual, strict=True):
                assert 0.9 * (slots - 1) < time <= 1.1 * slots


def test_kinds_and_arrivals_have_the_stated_frequencies() -> None:
    count = size(2000, 2000, 4000)
    instance = drawn("synthetic3", 1, tasks=count, most_gpus=2, most_cpus=2, sensitive_share=25, fastest_gpus=16)
    share = sum(task.kind == "sensitive" for task in instance.tasks) / count
    assert abs(share - 0.25) < 5 * (0.25 * 0.75 / count) ** 0.5
    per_slot = Counter(task.arrival for task in instance.tasks)
    slots = max(per_slot)
    counts = [per_slot[t] for t in range(slots)]
    mean = sum(counts) / slots
    variance = sum((n - mean) ** 2 for n in counts) / slots
    assert abs(mean - 2) < 0.3 and abs(variance - 2) < 0.5, "Poisson: mean and variance are the rate"


def test_links_are_usable_in_half_of_the_cases_and_no_task_is_left_out() -> None:
    count = size(1000, 1200, 4000)
    small = {"most_gpus": 1, "most_cpus": 2, "tasks": count}
    reached = [len(task.clusters) for task in drawn("synthetic3", **small).tasks]
    kept = [len(task.clusters) for task in drawn("synthetic3", unreachable="keep", **small).tasks]
    assert min(reached) == 1 and min(kept) == 0
    assert [n for n in kept if n] == [now for now, was in zip(reached, kept, strict=True) if was], "the others stay"
    binomial = [count * p for p in (1 / 8, 3 / 8, 3 / 8, 1 / 8)]
    assert all(abs(kept.count(n) - mean) < 5 * mean**0.5 for n, mean in enumerate(binomial))


def test_fewer_tasks_are_a_prefix_and_settings_keep_other_columns() -> None:
    few, many = drawn("synthetic3", 5, tasks=20), drawn("synthetic3", 5, tasks=50)
    assert few.tasks == many.tasks[:20]
    calm = drawn("synthetic3", 5, tasks=20, noise=0, rate=1)
    assert [t.clusters for t in calm.tasks] == [t.clusters for t in few.tasks]
    assert [t.kind for t in calm.tasks] == [t.kind for t in few.tasks]
    assert all(slow.arrival // 2 == task.arrival for slow, task in zip(calm.tasks, few.tasks, strict=True))


def test_no_policy_that_keeps_busy_misses_the_horizon() -> None:
    for seed in range(size(10, 10, 200)):
        instance = drawn("tiny", seed, clusters=1, usable=0)
        longest = sum(max(mode.slots for mode in task.modes) for task in instance.tasks)
        assert instance.horizon == instance.tasks[-1].arrival + longest >= instance.enough
        for name in ("random", "minimum"):
            assert sp.policy(f"placement.{name}").run(instance, seed=seed).feasible


def test_the_defaults_are_synthetic3() -> None:
    assert PRESETS["synthetic3"] == Settings()
