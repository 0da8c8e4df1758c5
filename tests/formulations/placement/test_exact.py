from __future__ import annotations

from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.programs.program import Program
from schedproof.formulations.placement.brute_force import Search
from schedproof.formulations.placement.exact import exact
from schedproof.instances.placement import Instance, from_json
from tests.support import size
from tests.tiny.placement import by_hand, tiny_instance, tiny_placement

ROUTES = ("highs", "cpsat", "brute")
READINGS = [{}, {"interval": "closed"}, {"each": "at_most"}, {"each": "at_most", "interval": "closed"}]


def answer(program: Program, instance: Instance, solver: str) -> int | None:
    solution = program.solve(instance, solver=solver)
    if solution.ended == "infeasible":
        return None
    assert solution.ended == "optimal", solution
    assert solution.objective is not None and abs(solution.objective - round(solution.objective)) < 1e-6
    return round(solution.objective)


@pytest.mark.parametrize("reading", READINGS, ids=str)
def test_three_routes_find_the_same_optimum_and_the_same_infeasible_instances(reading: dict[str, str]) -> None:
    program, seen = sp.program("placement.exact", **reading), set()
    for seed in range(size(8, 24, 300)):
        instance = tiny_instance(seed)
        found = {solver: answer(program, instance, solver) for solver in ROUTES}
        assert len(set(found.values())) == 1, (seed, found)
        seen.add(found["brute"] is None)
    assert seen == ({False} if "each" in reading else {True, False})


@pytest.mark.parametrize("interval", ["half_open", "closed"])
@pytest.mark.parametrize("solver", ROUTES)
def test_the_schedule_is_feasible_and_costs_the_optimum(solver: str, interval: str) -> None:
    solved = 0
    for seed in range(1000, 1000 + size(8, 14, 300)):
        instance = tiny_instance(seed, tasks=2 + seed % 3)
        solution = sp.program("placement.exact", interval=interval).solve(instance, solver=solver)
        if solution.ended != "infeasible":
            schedule = solution.schedule()
            assert schedule.violations(instance) == []
            assert solution.objective is not None and schedule.objective(instance) == round(solution.objective)
            solved += 1
    assert solved


@pytest.mark.parametrize(
    ("instance", "usual", "closed"),
    [
        (by_hand((0, [(1, 3)])), 3, 3),
        (by_hand((4, [(1, 3)])), 3, 3),  # from arrival on
        (by_hand((0, [(1, 3), (2, 1)])), 1, 1),
        (by_hand((0, [(1, 1), (2, 3)])), 1, 1),  # more is not always faster
        (by_hand((0, [(2, 2)]), (0, [(2, 3)])), 2 + 5, 2 + 6),  # one after the other, or with a slot between
        (by_hand((0, [(1, 3)]), (0, [(1, 3)])), 3 + 4, 3 + 4),  # one start per slot
        (by_hand((0, [(1, 3)]), (0, [(1, 3)]), clusters=2), 3 + 3, 3 + 3),
        (by_hand((0, [(2, 5)]), (1, [(2, 1)])), 1 + 7, 1 + 8),  # the first one waits
        (by_hand((0, [(2, 2)]), (0, [(2, 2)]), horizon=4), 2 + 4, None),
        (by_hand((0, [(3, 1)])), None, None),
    ],
)
def test_hand_worked_optima(instance: Instance, usual: int | None, closed: int | None) -> None:
    for solver in ROUTES:
        assert answer(exact(), instance, solver) == usual
        assert answer(exact(interval="closed"), instance, solver) == closed
        assert answer(exact(each="at_most"), instance, solver) == 0, "nothing has to start"


def test_two_tasks_may_start_together_without_group_2() -> None:
    instance, free = by_hand((0, [(1, 3)]), (0, [(1, 3)])), exact().drop("one_start_each")
    assert answer(exact(), instance, "highs") == 7 and answer(free, instance, "highs") == 6
    with pytest.raises(ProgramError, match="has no solver or exact method 'cpsat'"):
        free.solve(instance, solver="cpsat")


def test_dropping_a_constraint_never_costs_more() -> None:
    for seed in range(2000, 2000 + size(3, 6, 50)):
        instance = tiny_instance(seed)
        with_all = answer(exact(), instance, "highs")
        for name in ("one_start_each", "every_task_once", "capacity"):
            less = answer(exact().drop(name), instance, "highs")
            assert with_all is None or (less is not None and less <= with_all), (seed, name)


@pytest.mark.parametrize("interval", ["half_open", "closed"])
def test_a_longer_horizon_than_needed_has_no_effect(interval: str) -> None:
    program = exact(interval=interval)
    for seed in range(3000, 3000 + size(5, 12, 150)):
        instance = tiny_instance(seed, tasks=2, horizon=60)
        assert answer(program, instance, "highs") == answer(program, instance, "cpsat") is not None, seed
    far = tiny_instance(1, horizon=10**6)
    assert program.build(far).starts.on and answer(program, far, "highs") == answer(program, far, "cpsat")


def test_too_large_instances_are_rejected_before_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    value = tiny_placement(0, tasks=200, horizon=10**6)
    for task in value["tasks"]:
        task["durations"][0]["slots"] = 1000
    large = from_json(value)
    with pytest.raises(ProgramError, match=r"a column for each start would have \d+ entries"):
        exact().solve(large, solver="highs")
    monkeypatch.setattr("schedproof.formulations.placement.brute_force.MOST_TRIED", 1000)
    with pytest.raises(ProgramError, match="more than 1000 starts: brute force is for tiny instances"):
        exact(interval="closed").solve(tiny_instance(5, tasks=12, clusters=1, horizon=50), solver="brute")


def test_brute_force_rejects_large_instances_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Search, "_starts_of", lambda self, task: pytest.fail("it lists them"))
    instance = from_json(registry.generate("placement", "synthetic3", 1, {}))
    with pytest.raises(ProgramError, match="brute force is for tiny instances"):
        exact().solve(instance, solver="brute")


@pytest.mark.parametrize("solver", ["cpsat", "brute"])
def test_a_time_limit_is_reported(solver: str) -> None:
    solution = exact().solve(tiny_instance(0, tasks=5, horizon=30), solver=solver, time_limit=0.0)
    assert solution.ended == "time_limit" and solution.objective is None


def test_the_status_names_its_evidence() -> None:
    instance = tiny_instance(0, horizon=20)
    assert exact().solve(instance).status == "optimal (claimed by cpsat)"
    assert exact().solve(instance, solver="brute").rests_on == "exhaustive enumeration in exact arithmetic"
    assert exact().solve(instance, confirm=True).confirmed


def test_without_tasks_the_schedule_is_empty() -> None:
    for solver in ROUTES:
        with pytest.raises(ProgramError, match="defines no to_schedule, so it has no schedule"):
            exact(each="at_most").solve(tiny_instance(0), solver=solver).schedule()


@pytest.mark.parametrize("options", [{"each": "once"}, {"interval": "open"}])
def test_an_unknown_choice_gives_one_message(options: dict[str, Any]) -> None:
    with pytest.raises(SchedproofError, match="expected one of"):
        sp.program("placement.exact", **options)
    with pytest.raises(SchedproofError, match="unknown"):
        exact(**options)
