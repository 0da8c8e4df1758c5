"""Breaks of clusters: programs, bounds, policies and checkers against each other."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checks_bound
from schedproof.check import optimum as checks_optimum
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError, NoSolution, PolicyError, SchedproofError
from schedproof.core.runtime.files import write_json
from schedproof.instances.placement import Instance, Schedule, Start
from schedproof.instances.placement.drive import Place
from schedproof.online.placement.environments import of_instance
from tests.tiny.placement import tiny_placement


def some(seed: int, **settings: Any) -> Instance:
    rng = random.Random(seed)
    value = tiny_placement(seed, horizon=28, **settings)
    ends = {"c0": 0, "c1": 0}
    rows = []
    for _ in range(4):
        name = rng.choice(["*", *ends])
        mine = list(ends) if name == "*" else [name]
        start = max(ends[one] for one in mine) + rng.randrange(3)
        end = start + rng.randrange(1, 4)
        ends |= dict.fromkeys(mine, end)
        rows.append({"machine": name, "start": start, "end": end})
    result: Instance = Instance.from_json(value | {"breaks": rows})
    return result


def works_in_a_break(instance: Instance, schedule: Schedule) -> bool:
    ends = schedule.completions(instance)
    return any(
        row.machine in ("*", instance.clusters[start.cluster].name)
        and start.slot < row.end
        and row.start < ends[start.task]
        for start in schedule.starts
        for row in instance.breaks
    )


@pytest.mark.parametrize("seed", range(20))
def test_exact_methods_agree_and_the_bound_holds(seed: int, tmp_path: Path) -> None:
    instance = some(seed)
    program = sp.program("placement.exact")
    solved = {name: program.solve(instance, solver=name) for name in ("highs", "cpsat", "brute")}
    optima = {name: solution.objective for name, solution in solved.items()}
    assert len({None if value is None else round(value) for value in optima.values()}) == 1
    try:
        bound = sp.bound("placement.lp", instance)
    except NoSolution:
        assert optima["brute"] is None
        return
    write_object(tmp_path / "instance.json", instance.to_json())
    write_json(tmp_path / "bound.json", bound.to_file())
    found = checks_bound.check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))
    assert Fraction(found["value"]) == bound.exact
    if optima["brute"] is None:
        return
    assert bound.exact <= round(optima["brute"])
    for name in ("highs", "cpsat", "brute"):
        plan = solved[name].schedule()
        assert not plan.violations(instance) and not works_in_a_break(instance, plan)
    lp = sp.program("placement.lp").solve(instance).objective
    assert float(bound.exact) <= lp + 1e-6 and float(bound.exact) >= 0.9 * lp


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_an_optimum_is_proven_with_rows_that_the_checker_writes(seed: int, tmp_path: Path) -> None:
    instance = some(seed)
    solution = sp.program("placement.exact").solve(instance, solver="cpsat", prove=True)
    assert solution.status.endswith("(proof)"), solution.message
    write_object(tmp_path / "instance.json", instance.to_json())
    write_json(tmp_path / "proof.json", solution.proof)
    assert checks_optimum.check(str(tmp_path / "instance.json"), str(tmp_path / "proof.json"))


def test_a_listed_bound_has_the_checkers_rows(tmp_path: Path) -> None:
    instance = next(i for i in map(some, range(20)) if sp.program("placement.exact").solve(i).objective is not None)
    bound = sp.bound(sp.program("placement.exact"), instance)
    write_object(tmp_path / "instance.json", instance.to_json())
    write_json(tmp_path / "bound.json", bound.to_file())
    found = checks_bound.check(str(tmp_path / "instance.json"), str(tmp_path / "bound.json"))
    assert Fraction(found["value"]) == bound.exact


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["random", "minimum"])
def test_no_policy_works_in_a_break(seed: int, name: str) -> None:
    instance = some(seed, tasks=6)
    run = sp.policy(f"placement.{name}").run(instance)
    assert {row.constraint for row in run.violations} <= {"every_task", "horizon"}
    assert not works_in_a_break(instance, run.schedule)
    if run.feasible:
        gap = run.ratio(sp.bound("placement.lp", instance)).gap
        assert sum(part.amount for part in gap.parts) == gap.total and all(part.amount >= 0 for part in gap.parts)


def by_hand(*breaks: tuple[str, int, int], horizon: int = 20) -> Instance:
    task = {"name": "t", "arrival": 0, "clusters": ["c"], "minimum": {"gpu": 1}, "kind": "any"}
    task |= {"durations": [{"allocation": {"gpu": 1}, "slots": 3}]}
    head = {"version": 1, "family": "placement", "horizon": horizon, "resources": ["gpu"]}
    rows = [{"machine": machine, "start": start, "end": end} for machine, start, end in breaks]
    result: Instance = Instance.from_json(
        head | {"clusters": [{"name": "c", "capacity": {"gpu": 1}}], "tasks": [task], "breaks": rows}
    )
    return result


@pytest.mark.parametrize(("start", "broken"), [(0, True), (2, True), (4, True), (5, False), (9, True)])
def test_the_checker_refuses_work_in_a_break(start: int, broken: bool) -> None:
    instance = by_hand(("c", 2, 5), ("*", 8, 10))
    plan = Schedule.of([Start(0, 0, (1,), start)], instance, "hand")
    assert [row.constraint for row in plan.violations(instance)] == ["not_in_a_break"] * broken
    assert sp.program("placement.exact").solve(instance).objective == 8
    assert sp.bound("placement.lp", instance).exact == 8


WRONG = [
    ([("d", 0, 1)], "breaks\\[0\\].machine = 'd': expected one of c, or '\\*'"),
    ([("c", 3, 3)], "breaks\\[0\\].end = 3: expected an end after the start"),
    ([("c", 3, 99)], "breaks\\[0\\].end = 99: expected an end of at most the horizon"),
    ([("c", 3, 6), ("*", 5, 7)], "breaks of c that do not overlap"),
    ([("c", 2, 4), ("c", 6, 20)], "expected breaks between which t can run"),
]


@pytest.mark.parametrize(("breaks", "message"), WRONG)
def test_a_wrong_break_is_refused_in_one_sentence(breaks: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        by_hand(*breaks)


@pytest.mark.parametrize("name", ["tiresias", "optimus", "table", "offline"])
def test_a_policy_without_support_refuses_breaks(name: str) -> None:
    with pytest.raises(PolicyError, match="does not support breaks"):
        sp.policy(f"placement.{name}").run(by_hand(("c", 2, 5)))


def test_environments_refuse_breaks() -> None:
    with pytest.raises(SchedproofError, match="do not support breaks"):
        of_instance(by_hand(("c", 2, 5)))


def test_a_start_that_would_run_into_a_break_is_refused() -> None:
    class Blind:
        supports_breaks = True

        def start(self, system: Any) -> None: ...

        def decide(self, view: Any) -> list[Place]:
            return [Place(0, 0, (1,))]

    assert sp.policy(Blind()).run(by_hand(("c", 5, 7))).feasible
    two = by_hand(("c", 2, 5))
    run = sp.policy(Blind()).run(two)
    assert run.schedule.starts[0].slot == 5


def test_an_instance_without_breaks_keeps_its_hash() -> None:
    value = tiny_placement(1)
    assert Instance.from_json(value).sha256 == Instance.from_json(value | {"breaks": []}).sha256
    assert b"breaks" not in Instance.from_json(value).canonical()
