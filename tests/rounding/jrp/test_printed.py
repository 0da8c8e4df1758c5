from __future__ import annotations

import pytest

from schedproof.core.base.numbers import plural
from schedproof.rounding.jrp import round_as_printed, round_repaired
from tests.rounding.jrp.test_repaired import triangle
from tests.support import size
from tests.tiny.jrp import crowded, schedule_of, tiny_cells, written


def test_the_storage_test_lets_a_server_be_overfilled() -> None:
    # Compute for 1.5 jobs, storage for all. The second is accepted when its node is drawn.
    instance = written([(9, 3, 0)], [(1, 0, [(1, (0,))])] * 2)
    overfilled = 0
    runs = size(40, 40, 2000)
    for seed in range(runs):
        answer = round_as_printed(instance, seed)
        schedule = schedule_of(answer, instance)
        assert answer.trace[0]["lp_i"] == pytest.approx(1.5)
        broken = [(v.constraint, v.by) for v in schedule.violations(instance)]
        assert (broken == [("compute", 1)]) == (answer.trace[0]["overfilled"] == 1)
        assert broken in ([], [("compute", 1)]) and len(schedule.accepted_jobs(instance)) == 1 + len(broken)
        overfilled += len(broken)
        assert schedule_of(round_repaired(instance, seed), instance).violations(instance) == []
    assert abs(overfilled - runs / 2) <= 2.5 * runs**0.5  # five standard deviations


def test_draws_may_fail_forever_and_the_last_row_says_so() -> None:
    # A job is accepted if all its forty nodes are drawn, with probability 2^-40.
    answer = round_as_printed(triangle(20), iterations=30)
    assert not answer.placements and len(answer.trace) == 30
    assert answer.trace[-1]["ended"] == "stopped with 3 jobs left"
    assert [row["solved"] for row in answer.trace] == [True] + [False] * 29
    assert all(row["lp_i"] == answer.trace[0]["lp_i"] and row["jobs"] == 3 for row in answer.trace)
    assert not any("ended" in row for row in answer.trace[:-1])


def test_with_room_for_all_it_equals_the_repaired_algorithm() -> None:
    instance = crowded(5, 0)
    answers = round_as_printed(instance), round_repaired(instance)
    for answer in answers:
        schedule = schedule_of(answer, instance)
        assert len(schedule.accepted_jobs(instance)) == 5 and schedule.violations(instance) == []
        assert answer.trace[-1]["ended"].startswith(("no jobs left", "0 jobs left"))


def test_pruned_edges_stay_removed() -> None:
    nodes = [(2, (0,)), (2, (0,))]
    answer = round_as_printed(written([(3, 0, 0)], [(0, 0, nodes), (0, 0, [(1, (0,))])]))
    assert [(row["rejected"], row["jobs"], row["accepted"]) for row in answer.trace] == [(1, 1, 1)]
    assert answer.trace[0]["ended"] == "no jobs left; 0 rejected at the end"


def test_only_compute_and_bandwidth_are_ever_broken_and_the_trace_adds_up() -> None:
    broken, stopped = 0, 0
    for seed in range(size(40, 40, 3000)):
        instance = crowded(25, seed, epochs=3) if seed % 30 == 0 else tiny_cells(seed, jobs=6, split=seed % 2 == 0)
        answer = round_as_printed(instance, seed, iterations=20)
        assert answer == round_as_printed(instance, seed, iterations=20)
        schedule = schedule_of(answer, instance)
        found = {v.constraint for v in schedule.violations(instance)}
        assert found <= {"compute", "bandwidth"}
        assert bool(found) == any(row["overfilled"] for row in answer.trace)
        left = len(instance.jobs)
        for row in answer.trace:
            assert row["jobs"] == left - row["rejected"] and row["solved"] | (row["rejected"] == 0)
            left = row["jobs"] - row["accepted"]
        if answer.trace:
            assert len(schedule.accepted_jobs(instance)) >= sum(row["accepted"] for row in answer.trace)
            stopped += answer.trace[-1]["ended"] == f"stopped with {plural(left, 'job')} left"
            assert len(answer.trace) <= 20
        broken += bool(found)
    assert broken >= size(1, 1, 100)
