from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from math import nan
from multiprocessing import get_context
from typing import Any

import pytest

import schedproof as sp
from schedproof.check.bound import check
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import InputError, PolicyError, ProgramError, UnknownName
from tests.command_line import plugged_in


@pytest.fixture(scope="module")
def cover() -> Iterator[Any]:
    with plugged_in("cover") as module:
        yield module


@pytest.fixture(scope="module")
def flow() -> Iterator[Any]:
    with plugged_in("flow_time") as module:
        yield module


def work_of(flow: Any, *jobs: tuple[int, int]) -> Any:
    rows = [{"name": f"j{n}", "time": time, "arrival": arrival} for n, (time, arrival) in enumerate(jobs)]
    return flow.Work.from_json({"version": 1, "family": "flow_time", "horizon": 30, "jobs": rows})


def cover_of(cover: Any, costs: Any, *members: tuple[int, ...]) -> Any:
    sets = [{"name": f"s{n}", "cost": cost} for n, cost in enumerate(costs)]
    elements = [{"name": f"e{n}", "member": list(member)} for n, member in enumerate(members)]
    return cover.Cover.from_json({"version": 1, "family": "cover", "sets": sets, "elements": elements})


def test_the_prices_of_a_class_prove_its_ratio(cover: Any, tmp_path: Any) -> None:
    instance = cover_of(cover, (3, 2, 4), (1, 1, 0), (1, 0, 1), (0, 0, 1))
    run = sp.policy("primal_dual").run(instance)
    assert run.notes["multipliers"] == {"covered": {0: Fraction(2), 1: Fraction(1), 2: Fraction(3)}}
    bound = run.bound("cover.least")
    assert run.feasible and bound.exact == 6 and run.ratio(bound).exact == Fraction(run.objective, 6) <= 2
    assert bound.verify(instance) and bound.exact <= (sp.program("cover.least").solve(instance).objective or 0)
    write_object(tmp_path / "cover.json", instance.to_json())
    write_bound(tmp_path / "bound.json", bound)
    assert check(str(tmp_path / "cover.json"), str(tmp_path / "bound.json"))["value"].startswith("6")


@pytest.mark.parametrize("seed", range(6))
def test_the_multipliers_of_a_function_prove_its_ratio(seed: int, flow: Any) -> None:
    instance = sp.generate("flow_time", "tiny", seed=seed)
    run = sp.policy("shortest").run(instance)
    bound = run.bound(flow.fractional)
    assert run.feasible and bound.verify(instance) and run.objective <= 4 * bound.exact
    assert bound.value <= sp.bound(flow.fractional, instance).value + 1e-9


def test_thirds_and_sevenths_are_exact(flow: Any) -> None:
    run = sp.policy("shortest").run(work_of(flow, (3, 0), (7, 1)))
    assert run.bound(flow.fractional).exact == Fraction(9, 2) and run.objective == 6


def test_each_run_has_its_own_notes(cover: Any) -> None:
    policy = sp.policy(cover.primal_dual())
    first, second = (policy.run(cover_of(cover, (3,), *[(1,)] * n)) for n in (1, 2))
    assert [len(run.notes["multipliers"]["covered"]) for run in (first, second)] == [1, 2]


def run_elsewhere(name: str, file: str) -> Any:
    return sp.policy(name).run(file)


@pytest.mark.parametrize("name", ["flow_time.shortest"])
def test_notes_return_from_a_worker_process(name: str, flow: Any, tmp_path: Any) -> None:
    work = work_of(flow, (3, 0), (2, 1))
    write_object(tmp_path / "work.json", work.to_json())
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        run = pool.submit(run_elsewhere, name, str(tmp_path / "work.json")).result()
    assert run.notes == sp.policy(name).run(work).notes and run.bound("flow_time.fractional").verify(work)
    assert pickle.loads(pickle.dumps(run)).notes == run.notes


WRONG = [
    ({"done": {0: 9}}, ProgramError, r"reduced cost of the variable run\.x\[0,0\] is -.* its rows pay .*expected >= 0"),
    ({"one": {0: 1}}, ProgramError, r"the multiplier of the row one\.row\[0\] is 1, expected <= 0"),
    ({"dune": {0: 1}}, UnknownName, r"unknown row of flow_time.fractional 'dune\[0\]'"),
    ({"done": {5: 1}}, UnknownName, r"unknown row of flow_time.fractional 'done\[5\]'"),
    ({"done": {0: nan}}, ProgramError, r"the multiplier of done\[0\] is nan, expected a number"),
    ({"done.row[0]": "x"}, ProgramError, r"the multiplier of done\.row\[0\] is 'x', expected a number"),
]


@pytest.mark.parametrize(("multipliers", "kind", "message"), WRONG)
def test_wrong_multipliers_prove_nothing(multipliers: Any, kind: Any, message: str, flow: Any) -> None:
    def wrong(view: Any, *, notes: Any) -> Any:
        notes["multipliers"] = multipliers
        return flow.shortest(view, notes={})

    with pytest.raises(kind, match=message):
        sp.policy(wrong).run(work_of(flow, (3, 0))).bound(flow.fractional)


def test_a_policy_without_multipliers_gives_one_message(flow: Any) -> None:
    def silent(view: Any, *, notes: Any) -> Any:
        notes["seen"] = view.slot
        return {}

    run = sp.policy(silent).run(work_of(flow, (3, 0)))
    assert run.notes == {"seen": 29} and [broken.constraint for broken in run.violations] == ["work"]
    with pytest.raises(InputError, match=r"silent has stored no multipliers \(its notes: seen\): set notes"):
        run.bound(flow.fractional)


def test_notes_that_are_no_dict_give_one_message(flow: Any) -> None:
    class Wrong:
        notes = 5

        def assign(self, view: Any) -> Any:
            return {}

    with pytest.raises(PolicyError, match="Wrong: expected a dict in the attribute `notes`"):
        sp.policy(Wrong).run(work_of(flow, (3, 0)))


def test_a_speed_of_one_breaks_no_bound(flow: Any) -> None:
    work = work_of(flow, (3, 0), (2, 1))
    run = sp.policy(lambda view: {(view.jobs[0], 0): 2} if view.slot < 1 else {}).run(work)
    assert not run.feasible


@pytest.mark.parametrize("claim", ["cover.f_competitive", "flow_time.fitted"])
def test_the_claims_hold_and_their_false_variants_do_not(claim: str, cover: Any, flow: Any) -> None:
    assert [result.verdict for result in sp.verify(claim)] == ["argued"]
