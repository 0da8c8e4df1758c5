from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start, fits, from_json
from schedproof.instances.placement.drive import Place, Stop, View, drive
from tests.instances.placement.drawn import drawn
from tests.support import size
from tests.tiny.placement import by_hand

UNFINISHED = {"every_task", "horizon"}
STOPS = {"preemption": "allowed"}


class Any_:
    """A policy with random starts and, if allowed, stops; it records its views."""

    def __init__(self, seed: int, *, stops: bool = False, patience: float = 0.5) -> None:
        self.rng, self.stops, self.patience = random.Random(seed), stops, patience
        self.views: list[View] = []

    def start(self, system: Any) -> None:
        self.clusters = system.clusters

    def decide(self, view: View) -> list[Place | Stop]:
        self.views.append(view)
        free, rows = [list(row) for row in view.free], []
        waiting = list(view.pending)
        if self.stops:
            for run in view.running:
                if self.rng.random() < 0.2:
                    rows.append(Stop(run.task.index))
                    free[run.cluster] = [a + b for a, b in zip(free[run.cluster], run.allocation, strict=True)]
                    waiting.append(run.task)
        for n in self.rng.sample(range(len(free)), len(free)):
            fitting = [
                (task, a) for task in waiting if n in task.clusters for a in task.allocations if fits(a, tuple(free[n]))
            ]
            if fitting and self.rng.random() > self.patience:
                task, allocation = self.rng.choice(fitting)
                rows.append(Place(task.index, n, allocation))
                waiting.remove(task)
        return self.rng.sample(rows, len(rows))


def run(policy: Any, instance: Instance, options: Any = None, **context: Any) -> Schedule:
    return drive(policy, instance, DecidedBy("test", options or {}, 3), Context(**context))


def in_use(rows: Sequence[tuple[Start, int]], instance: Instance, slot: int) -> list[tuple[int, ...]]:
    free = [list(cluster.amounts) for cluster in instance.clusters]
    for row, end in rows:
        if row.slot <= slot < end:
            free[row.cluster] = [a - b for a, b in zip(free[row.cluster], row.allocation, strict=True)]
    return [tuple(row) for row in free]


def test_every_decision_is_feasible_except_for_unfinished_tasks() -> None:
    unfinished = stopped = 0
    for seed in range(size(60, 60, 3000)):
        for options in ({}, STOPS):
            instance = drawn(seed, horizon=13 + seed % 50)
            schedule = run(Any_(seed, stops=bool(options)), instance, options)
            broken = {v.constraint for v in schedule.violations(instance, preemption=options.get("preemption", "none"))}
            assert broken <= UNFINISHED, seed
            unfinished += bool(broken)
            stopped += any(row.until is not None for row in schedule.starts)
    assert unfinished and stopped, "both happen"


def test_views_equal_the_schedule() -> None:
    completed = 0
    for seed in range(size(40, 120, 2000)):
        instance, policy = drawn(seed), Any_(seed)
        schedule = run(policy, instance)
        ends = schedule.completions(instance)
        rows = [(row, ends[row.task]) for row in schedule.starts]
        before = -1
        for view in policy.views:
            t = view.slot
            assert list(view.free) == in_use([pair for pair in rows if pair[0].slot < t], instance, t)
            started = {row.task for row, _ in rows if row.slot < t}
            waiting = [task for task in instance.tasks if task.arrival <= t and task.index not in started]
            waiting.sort(key=lambda task: (task.arrival, task.index))
            assert [task.index for task in view.pending] == [task.index for task in waiting]
            assert {(r.task.index, r.cluster, r.allocation, r.elapsed) for r in view.running} == {
                (row.task, row.cluster, row.allocation, t - row.slot) for row, end in rows if row.slot < t < end
            }
            assert {(c.task.index, c.cluster, c.allocation, c.slots) for c in view.completed} == {
                (row.task, row.cluster, row.allocation, end - row.slot) for row, end in rows if before < end <= t
            }
            before, completed = t, completed + len(view.completed)
    assert completed


def test_skipped_slots_are_those_in_which_no_task_can_start() -> None:
    for seed in range(size(40, 120, 2000)):
        instance, policy = drawn(seed), Any_(seed)
        schedule = run(policy, instance)
        ends = schedule.completions(instance)
        rows = [(row, ends[row.task]) for row in schedule.starts]
        could = [
            any(
                mode in instance.usable(task, instance.clusters[n]) and fits(mode.allocation, free)
                for task in instance.tasks
                if task.arrival <= t and not any(row.task == task.index and row.slot < t for row, _ in rows)
                for n, free in enumerate(in_use([pair for pair in rows if pair[0].slot < t], instance, t))
                for mode in task.modes
            )
            for t in range(instance.horizon)
        ]
        assert [view.slot for view in policy.views] == [t for t, can in enumerate(could) if can]


def test_with_preemption_every_slot_with_a_task_is_shown() -> None:
    instance, policy = drawn(3, roomy=True), Any_(3, patience=0.0)
    ends = run(policy, instance, STOPS).completions(instance)
    assert len(ends) == len(instance.tasks)
    there = [t for t in range(60) if any(task.arrival <= t < ends[task.index] for task in instance.tasks)]
    assert [view.slot for view in policy.views] == there


class Idle:
    """A policy that starts nothing."""

    def start(self, system: Any) -> None:
        pass

    def decide(self, view: View) -> list[Place | Stop]:
        return []


def test_an_idle_policy_ends_at_the_horizon() -> None:
    instance = drawn(1)
    schedule = run(Idle(), instance)
    assert schedule.starts == () and schedule.options == {} and schedule.seed == 3
    assert [v.constraint for v in schedule.violations(instance)] == ["every_task"] * len(instance.tasks)


def test_the_tasks_that_have_started_are_the_progress() -> None:
    heard: list[tuple[str, float | None]] = []
    instance = drawn(3, roomy=True)
    run(Any_(3), instance, progress=lambda message, done=None: heard.append((message, done)))
    assert heard[-1] == ("6 of 6 tasks started", 1.0) and [done for _, done in heard] == sorted(d for _, d in heard)


DURATIONS = ["modes", "duration", "durations", "slots"]


@pytest.mark.parametrize("name", DURATIONS)
def test_durations_are_hidden_by_default(name: str) -> None:
    class Peeks(Idle):
        def decide(self, view: View) -> list[Place | Stop]:
            return getattr(view.pending[0], name)

    with pytest.raises(PolicyError, match=f"read '{name}' of a task: policies cannot see durations"):
        run(Peeks(), drawn(3, roomy=True))


def test_the_view_reveals_no_duration() -> None:
    class Looks(Idle):
        def start(self, system: Any) -> None:
            assert set(vars(system)) == {"family", "horizon", "resources", "clusters"}
            with pytest.raises(PolicyError, match="looked into the future: 'tasks'"):
                _ = system.tasks

        def decide(self, view: View) -> list[Place | Stop]:
            known = {"index", "name", "arrival", "clusters", "needs", "kind", "allocations"}
            assert all(set(vars(task)) == known for task in view.pending)
            return []

    run(Looks(), drawn(3, roomy=True))


def test_a_policy_that_declares_it_sees_durations() -> None:
    class Sees(Idle):
        sees_durations = True

        def decide(self, view: View) -> list[Place | Stop]:
            for task in view.pending:
                assert task.modes == instance.tasks[task.index].modes
                assert task.duration == instance.tasks[task.index].duration
            return []

    instance = drawn(3, roomy=True)
    run(Sees(), instance)


def two() -> Instance:
    """Tasks a, from slot 0, and b, on one of two clusters from slot 1."""
    task = {
        "minimum": {"gpu": 1},
        "kind": "k",
        "durations": [{"allocation": {"gpu": 1}, "slots": 3}, {"allocation": {"gpu": 2}, "slots": 2}],
    }
    clusters = [{"name": "c", "capacity": {"gpu": 3}}, {"name": "d", "capacity": {"gpu": 1}}]
    tasks = [
        task | {"name": "a", "arrival": 0, "clusters": ["c", "d"]},
        task | {"name": "b", "arrival": 1, "clusters": ["c"]},
    ]
    top = {"version": 1, "family": "placement", "horizon": 20, "resources": ["gpu"]}
    return from_json(top | {"clusters": clusters, "tasks": tasks})


class Script(Idle):
    """A policy that returns the scripted decision of a slot."""

    def __init__(self, **at: Callable[[View], list[Any]] | list[Any]) -> None:
        self.at = at

    def decide(self, view: View) -> list[Any]:
        return self.at.get(f"at_{view.slot}", [])  # type: ignore[return-value]


REFUSED = {
    "no place": ([(0, 0, (1,))], {}, "decide of the policy returned .* in its list, expected Place or Stop"),
    "no task": ([Place(5, 0, (1,))], {}, "decided on task number 5, which it has not seen by slot 1"),
    "negative": ([Place(-1, 0, (1,))], {}, "decided on task number -1, which it has not seen by slot 1"),
    "stop of no task": ([Stop(2)], STOPS, "decided on task number 2, which it has not seen by slot 1"),
    "running": ([Place(0, 0, (1,))], {}, "the policy started a, which runs already in slot 1"),
    "twice": ([Place(1, 0, (1,)), Place(1, 0, (1,))], {}, "the policy started b, which runs already in slot 1"),
    "elsewhere": ([Place(1, 1, (1,))], {}, "the policy started b on cluster number 1, which is not in its D_j"),
    "nowhere": ([Place(1, 7, (1,))], {}, "the policy started b on cluster number 7, which is not in its D_j"),
    "no mode": (
        [Place(1, 0, (3,))],
        {},
        r"started b on c with \(3,\), but the task has no duration for this allocation",
    ),
    "no room": ([Place(1, 0, (2,))], {}, r"started b on c with \(2,\) in slot 1, but only \(1,\) is free there"),
    "stop": ([Stop(0)], {}, "the policy stopped a, which requires the option preemption=allowed"),
    "stop of a waiting task": ([Stop(1)], STOPS, "the policy stopped b, which does not run in slot 1"),
    "two starts": (
        [Stop(0), Place(0, 0, (1,)), Place(1, 0, (1,))],
        STOPS,
        "started b on c, where another task starts in",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_impossible_placement_decision_gives_one_message(what: str) -> None:
    rows, options, sentence = REFUSED[what]
    policy = Script(at_0=[Place(0, 0, (2,))], at_1=rows)
    with pytest.raises(PolicyError, match=sentence) as caught:
        run(policy, two(), options)
    assert "\n" not in str(caught.value)


def test_a_task_before_its_arrival_or_after_its_end() -> None:
    with pytest.raises(PolicyError, match="decided on task number 1, which it has not seen by slot 0"):
        run(Script(at_0=[Place(1, 0, (1,))]), two())
    with pytest.raises(PolicyError, match="the policy started a, which is complete in slot 4"):
        run(Script(at_0=[Place(0, 0, (2,))], at_4=[Place(0, 0, (2,))]), two())


def test_a_preempted_task_resumes_with_its_remaining_work_half_a_slot_later() -> None:
    at = {"at_0": [Place(0, 0, (1,))], "at_1": [Stop(0), Place(0, 0, (2,))], "at_2": [Place(1, 0, (1,))]}
    schedule = run(Script(**at), two(), STOPS)
    assert schedule.starts == (Start(0, 0, (1,), 0, 1), Start(0, 0, (2,), 1), Start(1, 0, (1,), 2))
    assert schedule.completions(two()) == {0: 1 + 2, 1: 5}, "1/2 + 2/3 of 2 slots, rounded up"
    assert schedule.violations(two(), preemption="allowed") == []


def test_numpy_numbers_are_accepted() -> None:
    import numpy as np

    place = Place(np.int64(0), np.int64(0), tuple(np.array([2])))
    schedule = drive(Script(at_0=[place]), two(), DecidedBy("test", {}, 0), USUAL)
    assert schedule.starts == (Start(0, 0, (2,), 0),) and type(schedule.starts[0].allocation[0]) is int


class AtOnce:
    """A batch policy that returns given starts."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def assign(self, instance: Instance) -> Any:
        if isinstance(self.answer, Interrupted):
            raise self.answer
        return self.answer


def test_a_batch_policy_answers_with_every_start() -> None:
    instance = by_hand((0, [(1, 3)]), (2, [(2, 1)]))
    starts = [Start(1, 0, (2,), 3), Start(0, 0, (1,), 0)]
    assert run(AtOnce(iter(starts)), instance).starts == (starts[1], starts[0])
    with pytest.raises(Interrupted) as caught:
        run(AtOnce(Interrupted(starts)), instance)
    assert caught.value.best.starts == (starts[1], starts[0])
    assert sp.policy(lambda instance: starts).run(instance).objective == 3 + 2


@pytest.mark.parametrize("answer", [None, 3, [(0, 0, (1,), 0)], [None]])
def test_an_answer_without_starts_gives_one_message(answer: Any) -> None:
    with pytest.raises(PolicyError, match=r"assign of the policy returned .*, expected a list of Start"):
        run(AtOnce(answer), by_hand((0, [(1, 3)])))
