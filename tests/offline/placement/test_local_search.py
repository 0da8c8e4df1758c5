"""The local search: its arrays equal a plain count; never below the optimum."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start
from schedproof.offline import annealing
from schedproof.offline.placement.kernels import NONE
from schedproof.offline.placement.local_search import Search
from schedproof.relaxations.placement.first_schedule import first_schedule
from schedproof.relaxations.placement.modes import ways
from tests.instances.placement.drawn import drawn
from tests.offline.interrupts import pressed_at_once
from tests.support import size
from tests.tiny.placement import by_hand, tiny_instance


def schedule_of(search: Search, instance: Instance) -> Schedule:
    return Schedule.of(search.starts(search.present()), instance, DecidedBy("placement.offline"))


def drawn_roomy(seed: int) -> Instance:
    return drawn(seed, tasks=3 + seed % 9, clusters=1 + seed % 3, horizon=200, roomy=True)


def test_every_step_equals_a_plain_count_of_the_starts() -> None:
    moved = without = 0
    for seed in range(size(12, 20, 600)):
        instance = drawn_roomy(seed) if seed % 3 else tiny_instance(seed, tasks=6)
        search = Search(instance, None, 40, seed)
        while search.done < 1:
            before = search.present()
            search.step(Context())
            moved += int((search.present() != before).any())
            rows = search.starts(search.present())
            free = np.repeat([[cluster.amounts] for cluster in instance.clusters], search._state.free.shape[1], axis=1)
            starts = np.full(free.shape[:2], NONE)
            for row in rows:
                end = row.slot + instance.tasks[row.task].duration[row.allocation]
                free[row.cluster, row.slot : end] -= row.allocation
                starts[row.cluster, row.slot] = row.task
            assert (search._state.free == free).all() and (search._state.starts == starts).all(), seed
            schedule, late = schedule_of(search, instance), {*range(len(instance.tasks))} - {row.task for row in rows}
            assert {v.constraint for v in schedule.violations(instance)} == ({"every_task"} if late else set())
            more = sum(search._work.never - instance.horizon + instance.tasks[j].arrival for j in late)
            assert search.total == schedule.objective(instance) + more
            without += bool(late)
    assert moved and without, "tasks take other places, and some find none"


def test_it_starts_in_order_of_arrival_with_the_earliest_completion() -> None:
    for seed in range(size(20, 60, 1000)):
        instance = drawn_roomy(seed)
        rows = first_schedule(instance, ways(instance))
        begun = schedule_of(Search(instance, None, 0, seed), instance).objective(instance)
        assert begun == sum(rows[:, 2] + rows[:, 3]) - sum(task.arrival for task in instance.tasks)


def test_never_better_than_the_optimum_and_mostly_the_optimum() -> None:
    optimal = feasible = 0
    for seed in range(size(40, 40, 1000)):
        instance = tiny_instance(seed, clusters=1 + seed % 2)
        run = sp.policy("placement.offline", rounds=50).run(instance, seed=seed)
        solution = sp.program("placement.exact").solve(instance, solver="brute")
        assert run.feasible == (solution.status == "optimal"), seed
        if solution.exact is not None:
            assert run.objective >= solution.exact
            feasible, optimal = feasible + 1, optimal + (run.objective == solution.exact)
    assert 20 * optimal >= 19 * feasible > 0, "of the first 40, 36 have an optimum, and it is found of each"


def test_equal_seeds_give_equal_bytes_and_a_start_is_used(tmp_path: Path) -> None:
    instance = sp.generate("placement", preset="synthetic3", seed=3)
    few = sp.policy("placement.offline", rounds=3)
    for seed, name in ((1, "one"), (1, "again"), (2, "other")):
        few.run(instance, seed=seed).schedule.write(tmp_path / name, instance=instance)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "again").read_bytes() != (tmp_path / "other").read_bytes()
    first = sp.read_schedule(tmp_path / "one", instance).objective(instance)
    again = sp.policy("placement.offline", rounds=0, start=tmp_path / "one").run(instance).objective
    further = sp.policy("placement.offline", rounds=20, start=str(tmp_path / "one")).run(instance).objective
    assert sp.policy("placement.offline", rounds=0).run(instance).objective > first == again > further


def test_it_starts_from_any_policy_and_never_gets_worse(tmp_path: Path) -> None:
    names, better = ("random", "minimum", "optimus", "table"), 0
    for seed in range(size(6, 12, 200)):
        instance = drawn_roomy(seed)
        for name in names:
            run = sp.policy(f"placement.{name}").run(instance, seed=seed)
            run.schedule.write(tmp_path / "start.json", instance=instance)
            for rounds in (0, 10):
                policy = sp.policy("placement.offline", rounds=rounds, start=tmp_path / "start.json")
                on = policy.run(instance, seed=seed)
                assert on.feasible and on.objective <= run.objective
            better += on.objective < run.objective
    assert better


def test_a_dominated_allocation_is_not_kept(tmp_path: Path) -> None:
    instance = by_hand((0, [(1, 3), (2, 3)]))
    wasteful = Schedule.of([Start(0, 0, (2,), 1)], instance, DecidedBy("test"))
    wasteful.write(tmp_path / "start.json", instance=instance)
    run = sp.policy("placement.offline", rounds=0, start=tmp_path / "start.json").run(instance)
    assert run.schedule.starts == (Start(0, 0, (1,), 1),) and run.objective == wasteful.objective(instance)


def test_an_interrupt_keeps_the_best_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = sp.generate("placement", preset="synthetic3", seed=3)
    begun = sp.policy("placement.offline", rounds=0).run(instance)
    monkeypatch.setattr(annealing, "best_within", pressed_at_once)
    with pytest.raises(Interrupted) as caught:
        sp.policy("placement.offline").run(instance)
    assert caught.value.best.feasible and caught.value.best.objective == begun.objective


def test_a_time_limit_ends_the_search() -> None:
    instance = sp.generate("placement", preset="synthetic3", seed=3)
    run = sp.policy("placement.offline", rounds=10**9).run(instance, time_limit=0.3)
    assert run.feasible and run.seconds < 60


def test_it_ends_without_waiting_tasks_and_reports_progress() -> None:
    alone, said = by_hand((0, [(1, 3)]), (5, [(2, 1)])), list[tuple[str, float | None]]()
    run = sp.policy("placement.offline", rounds=10**9).run(alone)
    assert run.objective == 4
    assert sp.policy("placement.offline").run(replace(alone, tasks=())).objective == 0
    two = by_hand((0, [(1, 3), (2, 2)]), (0, [(1, 3), (2, 2)]))
    sp.policy("placement.offline").run(two, progress=lambda message, done=None: said.append((message, done)))
    assert said[-1] == ("total JCT 6", 1.0)
    assert all(a <= b for (_, a), (_, b) in pairwise(said) if a is not None and b is not None)


def test_a_task_that_cannot_end_in_time_stays_without_a_start() -> None:
    instance = by_hand((0, [(1, 9)]), (0, [(1, 2)]), (0, [(2, 2)]), horizon=5)
    said = list[str]()
    run = sp.policy("placement.offline").run(instance, progress=lambda message, done=None: said.append(message))
    assert said[-1] == "total JCT 6, 1 task without a start"
    assert {row.task for row in run.schedule.starts} == {1, 2} and run.objective == 5 + 2 + 4
    assert [v.constraint for v in run.violations] == ["every_task"]


def test_an_infeasible_start_and_too_many_slots_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = by_hand((0, [(1, 3)]), (0, [(2, 1)]))
    half = Schedule.of([Start(0, 0, (1,), 0)], instance, DecidedBy("test"))
    half.write(tmp_path / "half.json", instance=instance)
    with pytest.raises(InputError, match="the initial schedule is infeasible"):
        sp.policy("placement.offline", start=tmp_path / "half.json").run(instance)
    monkeypatch.setattr("schedproof.core.runtime.memory.free_memory", lambda: 10.0)
    with pytest.raises(ProgramError, match="the table of free amounts by cluster and slot would take"):
        sp.policy("placement.offline").run(instance)
