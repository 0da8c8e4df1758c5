from __future__ import annotations

import pytest

from schedproof.core.errors import InputError
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start, from_json
from schedproof.instances.placement.checker import violations
from schedproof.proofs_checks.strategies import placement as strategies
from schedproof.proofs_checks.strategies import placement_agents, placement_binary, placement_network, placement_runs
from schedproof.proofs_checks.trials import draw


def drawn(strategy, count=60) -> list:
    found: list = []
    draw(strategy, count, 0, found.append)
    return found


def as_schedule(case: strategies.Scheduled) -> Schedule:
    starts = [Start(task.index, n, mode.allocation, slot) for task, mode, n, slot in case.rows()]
    return Schedule.of(starts, case.instance, DecidedBy("test", {}, 0))


@pytest.mark.parametrize("roomy", [False, True])
def test_instances_are_valid_and_tiny(roomy):
    found: list[Instance] = drawn(strategies.instances(roomy=roomy))
    for instance in found:
        assert from_json(instance.to_json()).sha256 == instance.sha256
        assert len(instance.tasks) <= 3 and len(instance.clusters) <= 2
        assert not roomy or not instance.unschedulable_tasks
    assert len({instance.sha256 for instance in found}) > 20
    assert roomy or any(instance.horizon < instance.enough for instance in found)


def test_drawn_schedules_are_feasible_and_one_that_is_moved_is_not():
    found = drawn(strategies.scheduled_cases())
    for case in found:
        schedule = as_schedule(case)
        assert violations(schedule, case.instance) == []
        assert schedule.objective(case.instance) == case.completion_times
    assert any(len(case.starts) == 3 for case in found)
    early = [case for case in found if any(task.arrival for task, *_ in case.rows())]
    for case in early:
        moved = tuple(
            (n, mode, task.arrival - 1) for (n, mode, _), task in zip(case.starts, case.instance.tasks, strict=True)
        )
        if min(slot for *_, slot in moved) >= 0:
            with pytest.raises(InputError, match="expected a schedule of the instance"):
                strategies.Scheduled(case.instance, moved)


def test_built_instances_match_the_request():
    instance = strategies.build([(1, [1], [((1, 2), 3), ((2, 1), 1)])], [(2, 2), (4, 4)], 9)
    (task,) = instance.tasks
    assert (task.arrival, task.clusters, task.needs) == (1, (1,), (1, 1))
    assert task.duration == {(1, 2): 3, (2, 1): 1} and instance.clusters[1].amounts == (4, 4)
    assert strategies.build([(0, [0], [((2,), 1)])], [(2,)], 3, needs=(1,)).tasks[0].needs == (1,)


def test_binary_cases_are_within_their_sets():
    for case in drawn(placement_binary.one_tasks()):
        assert set(case.reach) <= set(range(len(case.capacities))) and all(t >= 1 for _, t in case.ones)
        assert case.at_most_once(everywhere=False) or len(case.ones) > 1
    for case in drawn(placement_binary.one_slots()):
        assert all(j in case.queues[n] for j, n in case.started)
    for case in drawn(placement_binary.allocations()):
        assert all(1 <= b <= c and 0 <= f <= c for b, c, f in zip(case.needs, case.capacity, case.free, strict=True))


def test_agents_choose_pending_tasks():
    found = drawn(placement_agents.contests(), 120)
    for case in found:
        for n, task in enumerate(case.chosen):
            assert (task is None) == (sum(case.weights[n]) == 0)
            assert task is None or case.score(n, task) > 0
    assert any(len(case.choosers(j)) > 1 for case in found for j in case.chosen_tasks)
    for case in drawn(placement_agents.raised_cases()):
        assert all(a >= b for a, b in zip(case.after.free[case.agent], case.contest.free[case.agent], strict=True))


def test_the_starving_instance_is_as_described():
    case = placement_runs.Starved(3).case()
    assert [task.needs for task in case.instance.tasks] == [(2,), (1,), (1,), (1,)]
    assert [task.arrival for task in case.instance.tasks] == [0, 0, 1, 2]
    for case in drawn(placement_runs.choosing()):
        assert all(case.instance.usable(t, case.instance.clusters[n]) for t in case.instance.tasks for n in t.clusters)


def test_networks_have_their_required_parts():
    assert all(case.valid[case.action] for case in drawn(placement_network.masked_cases()))
    for case in drawn(placement_network.graphs()):
        assert all(places for places in case.pending)
        assert len(case.features) == case.clusters + len(case.pending) + len(case.running)
    game = drawn(placement_network.games(), 1)[0]
    assert len(list(game.actions())) == 16 and len(list(game.logits())) == 12
