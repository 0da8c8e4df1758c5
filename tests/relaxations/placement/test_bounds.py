"""The bound is below the optimum, equals the full LP, and holds at any time limit."""

from __future__ import annotations

from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution
from schedproof.core.simulation.policy import DecidedBy
from schedproof.formulations.placement.exact import exact
from schedproof.instances.placement import Instance, Schedule, Start, from_json
from schedproof.reference.placement import linear_relaxation, optimum
from schedproof.relaxations.placement.certificate import StartPrices
from schedproof.relaxations.placement.first_schedule import first_schedule
from schedproof.relaxations.placement.modes import ways
from tests.support import size
from tests.tiny.placement import tiny_instance, tiny_placement

ALL = "no missing start improves the LP"


def crowd(tasks: int, slots: int = 3, horizon: int = 10**4) -> Instance:
    value = tiny_placement(0, clusters=1, tasks=1, horizon=horizon)
    value["clusters"][0]["capacity"] = {"cpu": 1}
    row: dict[str, Any] = {"allocation": {"cpu": 1}, "slots": slots}
    task = value["tasks"][0] | {"arrival": 0, "minimum": {}, "durations": [row]}
    return from_json(value | {"tasks": [task | {"name": f"t{j}"} for j in range(tasks)]})


def test_it_is_between_the_tasks_minimal_need_and_the_optimum() -> None:
    compared = 0
    for seed in range(size(8, 24, 300)):
        instance = tiny_instance(seed)
        bound = sp.bound("placement.lp", instance)
        assert bound.verify(instance) and bound.exact >= StartPrices.free(instance).value(instance)
        for interval in ("half_open", "closed"):
            solution = exact(interval=interval).solve(instance)
            if solution.exact is not None:
                assert bound.exact <= solution.exact, (seed, interval)
                compared += 1
    assert compared


def test_it_equals_the_lp_with_all_slots() -> None:
    for seed in range(size(8, 24, 300)):
        instance = tiny_instance(seed, tasks=2 + seed % 4, horizon=40)
        bound = sp.bound("placement.lp", instance)
        lp = sp.program("placement.lp").solve(instance)
        assert lp.objective == pytest.approx(bound.value, rel=1e-5), seed
        assert bound.details["ended"] == ALL
        assert bound.details["lp_value"] == pytest.approx(bound.value, rel=1e-5)


def test_the_program_finds_the_lps_optimum_of_the_simplex_method_in_rationals() -> None:
    for seed in range(size(4, 10, 300)):
        instance = tiny_instance(seed)
        found = linear_relaxation(instance, min(instance.horizon, instance.enough + len(instance.tasks)))
        solution = sp.program("placement.lp").solve(instance)
        if found is None:
            assert solution.ended == "infeasible", seed
        else:
            assert solution.objective == pytest.approx(float(found), abs=1e-6), seed
            least = optimum(instance)
            assert least is None or found <= least


def test_a_crowd_needs_many_slots_and_gets_them() -> None:
    # One task after another, each in 3 slots: the LP is tight, and its window grows far.
    bound = sp.bound("placement.lp", instance := crowd(30))
    assert bound.value == pytest.approx(3 * 30 * 31 / 2, rel=1e-5) and bound.exact <= 3 * 30 * 31 // 2
    assert bound.details["rounds"] > 1 and bound.details["ended"] == ALL and bound.verify(instance)


def test_at_the_time_limit_the_best_prices_prove_it() -> None:
    instance = crowd(120, slots=7)
    bound = sp.bound("placement.lp", instance, time_limit=0.0)
    assert bound.verify(instance) and bound.exact == 7 * 120 and bound.details["ended"] == "out of time"


def test_too_large_instances_are_bounded_by_the_tasks_minimal_need() -> None:
    bound = sp.bound("placement.lp", instance := crowd(3, slots=10**9))
    assert bound.exact == 3 * 10**9 and bound.details["ended"] == "the linear program would be too large"
    assert bound.verify(instance)


def test_a_task_that_fits_no_cluster_is_reported() -> None:
    value = tiny_placement(0)
    value["tasks"][1]["clusters"] = []
    with pytest.raises(NoSolution, match="task 't1' can run on no cluster, so no schedule exists"):
        sp.bound("placement.lp", from_json(value))
    with pytest.raises(ValueError, match="no schedule"):
        StartPrices.free(instance := from_json(value)).value(instance)


def test_without_tasks_the_bound_is_zero() -> None:
    instance = from_json(tiny_placement(0) | {"tasks": []})
    assert sp.bound("placement.lp", instance).exact == 0


def test_the_first_schedule_is_feasible() -> None:
    for seed in range(size(30, 60, 1000)):
        instance = tiny_instance(seed, tasks=1 + seed % 9, clusters=1 + seed % 3, horizon=200)
        rows = first_schedule(instance, ways(instance)).tolist()
        starts = [Start(j, n, tuple(amounts), t) for j, n, _, t, *amounts in rows]
        schedule = Schedule.of(starts, instance, DecidedBy("first", {}, 0))
        assert schedule.violations(instance) == [], seed
        assert max(t + d for _, _, d, t, *_ in rows) <= instance.enough
