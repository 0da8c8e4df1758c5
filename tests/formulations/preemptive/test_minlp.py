from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError, SchedproofError
from schedproof.core.solvers.solution import Solution
from schedproof.formulations.preemptive.minlp import minlp2
from schedproof.instances.preemptive import from_json
from tests.formulations.preemptive.micro import RELEASES, SPEEDS, micro_instance
from tests.support import size
from tests.tiny.preemptive import instance_of, job

ROUNDING = 1e-6  # of a solver's integer objective
READINGS = [("pinned", "ceil_chunk"), ("floating", "ceil_chunk"), ("floating", "ceil_job")]


def answer(solution: Solution) -> int | None:
    if solution.ended == "infeasible":
        return None
    assert solution.ended == "optimal", solution
    assert solution.objective is not None and abs(solution.objective - round(solution.objective)) < ROUNDING
    return round(solution.objective)


@pytest.mark.parametrize(("chunks", "reading"), READINGS)
def test_all_routes_find_the_same_optimum_and_the_same_infeasible_instances(chunks: str, reading: str) -> None:
    seen: set[bool] = set()
    for seed in range(size(10, 18, 500)):
        instance = micro_instance(seed, units=5)
        rules = {"chunks": chunks, "reading": reading, "speed": SPEEDS[seed % 4], "ps_release": RELEASES[seed % 5]}
        program = sp.program("preemptive.minlp2", **rules)
        found = {solver: answer(program.solve(instance, solver=solver)) for solver in ("highs", "cpsat", "brute")}
        assert len(set(found.values())) == 1, (seed, found)
        seen.add(found["highs"] is None)
    assert seen == {True, False} or size(0, 1, 1) == 0  # the first ten all have a schedule


@pytest.mark.parametrize(("chunks", "reading"), READINGS)
def test_the_schedule_of_a_solved_model_is_feasible_and_costs_its_objective(chunks: str, reading: str) -> None:
    solved = 0
    for seed in range(2000, 2000 + size(10, 18, 500)):
        instance = micro_instance(seed, late=8)
        rules = {"chunks": chunks, "reading": reading, "speed": SPEEDS[seed % 4], "ps_release": RELEASES[seed % 5]}
        program = sp.program("preemptive.minlp2", **rules)
        solution = program.solve(instance)
        if (optimum := answer(solution)) is not None:
            schedule = solution.schedule()
            assert schedule.violations(instance, **rules) == [], seed
            assert schedule.objective(instance) == optimum and not schedule.contradiction(rules), seed
            solved += 1
    assert solved


def test_a_coarser_rounding_or_pinned_chunks_never_cost_less() -> None:
    for seed in range(3000, 3000 + size(5, 12, 200)):
        instance = micro_instance(seed)
        costs = []
        for chunks, reading in (("floating", "ceil_job"), ("floating", "ceil_chunk"), ("pinned", "ceil_chunk")):
            value = answer(sp.program("preemptive.minlp2", chunks=chunks, reading=reading).solve(instance, "cpsat"))
            costs.append(float("inf") if value is None else value)
        assert costs == sorted(costs), seed


def test_dropping_a_constraint_never_costs_more() -> None:
    program = sp.program("preemptive.minlp2")
    droppable = [g.name for g in program.groups if g.role == "constraints"]
    for seed in range(4000, 4000 + size(2, 3, 50)):
        instance = micro_instance(seed)
        with_all = answer(program.solve(instance, "cpsat"))
        for name in droppable:
            less = answer(program.drop(name).solve(instance))
            assert with_all is None or (less is not None and less <= with_all), (seed, name)


def test_scip_agrees_with_highs() -> None:
    pytest.importorskip("pyscipopt")
    for seed in range(5000, 5000 + size(2, 6, 50)):
        instance = micro_instance(seed)
        program = sp.program("preemptive.minlp2", speed=SPEEDS[seed % 4])
        assert answer(program.solve(instance, solver="scip")) == answer(program.solve(instance)), seed


@pytest.mark.parametrize(
    ("jobs", "more", "optimum"),
    [
        ([job("one slot", minibatch_time=1)], {}, 1),  # a one-slot job that starts on arrival has JCT 1
        ([job("waits for its upload", upload_delay={"e": 3})], {}, 5),
        ([job("two in turn", chunks=2)], {}, 4),
        ([job("two at once", chunks=2)], {"workers": 2}, 2),
        ([job("long", minibatch_time=5), job("short", arrival=1, minibatch_time=1)], {}, 6 + 1),  # preempted
        ([job("a"), job("b")], {"workers": 2, "ps": 1}, 2 + 4),  # one parameter server: one after the other
        ([job("a"), job("b")], {"workers": 2, "ps": 2}, 2 + 2),
        ([job("cloud", upload_delay={"e": 9, "sky": 1}, gradient_size=3)], {}, 1 + 2),  # p1 = 2, at the edge p0 = 8
        ([job("edge", upload_delay={"e": 0, "sky": 7}, gradient_size=3)], {}, 8),
        ([job("either side", chunks=2, upload_delay={"e": 0, "sky": 1})], {}, 3),
    ],
)
def test_hand_worked_optima(jobs: list[dict[str, Any]], more: dict[str, Any], optimum: int) -> None:
    instance = instance_of(*jobs, **more)
    for solver in ("highs", "cpsat", "brute"):
        assert answer(sp.program("preemptive.minlp2").solve(instance, solver=solver)) == optimum


@pytest.mark.parametrize(("ps_release", "jct"), [("printed", 5), ("none", 2)])
@pytest.mark.parametrize("solver", ["highs", "cpsat", "brute"])
def test_a_parameter_server_waits_for_the_upload_to_its_server(ps_release: str, jct: int, solver: str) -> None:
    # The worker on e could train at once; the only parameter server, on far, serves from slot 3 on (2i).
    far = {"name": "far", "workers": {}, "parameter_servers": 1}
    near = {"name": "e", "workers": {"gpu": 1}, "parameter_servers": 0}
    rows = [job("a", upload_delay={"e": 0, "far": 3})]
    instance = from_json({"version": 1, "family": "preemptive", "horizon": 9, "servers": [near, far], "jobs": rows})
    program = sp.program("preemptive.minlp2", ps_release=ps_release)
    assert answer(program.solve(instance, solver=solver)) == jct
    if solver == "highs":
        schedule = program.solve(instance).schedule()
        assert schedule.violations(instance, ps_release=ps_release) == []
        found = {v.constraint for v in schedule.violations(instance)}
        assert found == ({"parameter_server_has_landed"} if ps_release == "none" else set())


def test_speed_divides_before_rounding_up() -> None:
    instance = instance_of(job("a", minibatch_time=3))
    for speed, jct in (("1", 3), ("3/2", 2), ("2", 2), ("3", 1), ("1/2", 6)):
        assert answer(sp.program("preemptive.minlp2", speed=speed).solve(instance)) == jct


def test_floating_chunks_may_share_a_slot_unlike_pinned_ones() -> None:
    instance = instance_of(job("a", chunks=2, minibatch_time=Fraction(3, 2)))
    costs = [
        answer(sp.program("preemptive.minlp2", chunks=c, reading=r).solve(instance, solver=s))
        for c, r in READINGS
        for s in ("highs", "cpsat", "brute")
    ]
    assert costs == [4, 4, 4, 4, 4, 4, 3, 3, 3]


def test_a_chunk_that_lands_in_the_cloud_after_the_horizon_is_not_trained_for_free() -> None:
    instance = instance_of(job("a", chunks=2, upload_delay={"e": 0, "sky": 9}), horizon=5)
    assert answer(sp.program("preemptive.minlp2").solve(instance)) == 4


@pytest.mark.parametrize(
    "options",
    [
        {"chunks": "loose"},
        {"reading": "ceil_job"},
        {"chunks": "floating", "reading": "fluid"},
        {"ps_release": "PRINTED"},
    ],
)
def test_an_unknown_choice_gives_one_message(options: dict[str, str]) -> None:
    with pytest.raises(SchedproofError, match=r"expected one of|unknown"):
        sp.program("preemptive.minlp2", **options)
    with pytest.raises(SchedproofError, match=r"expected one of|unknown"):
        minlp2(**options)


@pytest.mark.parametrize("name", ["minlp2", "ilp4", "minlp7", "ilp8"])
def test_an_instance_with_restarts_is_refused(name: str) -> None:
    program = sp.program(f"preemptive.{name}")
    for solver in ("highs", *program.routes):
        with pytest.raises(ProgramError, match=r"restart: expected 0 for an exact program .* not 2"):
            program.solve(micro_instance(0).with_restart(2), solver=solver)
