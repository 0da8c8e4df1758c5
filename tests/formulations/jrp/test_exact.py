from __future__ import annotations

import importlib.util
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

from schedproof.core.errors import ProgramError
from schedproof.core.programs.program import Program
from schedproof.core.solvers.solution import Solution
from schedproof.formulations.jrp import brute_force, groups
from schedproof.formulations.jrp.exact import exact, split
from schedproof.instances.jrp import Instance
from tests.formulations.jrp.tiny import cells, job, server
from tests.support import size
from tests.tiny.jrp import tiny_cells

SCIP = ["scip"] if importlib.util.find_spec("pyscipopt") else []
needs_scip = pytest.mark.skipif(not SCIP, reason="needs pyscipopt")
ROUTES = ["tangents", "brute", *SCIP]


def check(found: Solution, instance: Instance, value: int) -> None:
    assert (found.ended, round(found.objective, 6)) == ("optimal", value), found
    assert found.bound == pytest.approx(value, abs=1e-6)
    schedule = found.schedule()
    assert schedule.violations(instance) == [] and schedule.objective(instance) == value
    assert schedule.policy == found.program


def drawn(seed: int) -> Instance:
    return tiny_cells(seed, jobs=3 + seed % 3, servers=2 + seed % 2, split=seed % 4 == 3)


def test_every_route_finds_the_same_optimum() -> None:
    some = 0
    for seed in range(size(3, 14, 300)):
        instance = drawn(seed)
        best = exact().solve(instance, solver="brute").exact
        for solver in ROUTES:
            check(exact().solve(instance, solver=solver), instance, best)
        some += 0 < best < len(instance.jobs) - len(instance.unservable_jobs)
    assert some


def test_every_route_finds_the_same_split_optimum_which_is_no_better() -> None:
    worse = 0
    for seed in range(size(8, 14, 300)):
        instance = drawn(seed)
        best = split().solve(instance, solver="brute").exact
        for solver in ("highs", *SCIP):
            check(split().solve(instance, solver=solver), instance, best)
        free = exact().solve(instance, solver="brute").exact
        assert best <= free
        worse += best < free
    assert worse


ONE = [server(4, 4)]


@pytest.mark.parametrize(
    ("instance", "value"),
    [
        (cells(ONE, job(1, 1, 1), job(1, 1, 1)), 2),  # A = B = K = 2: with equality
        (cells(ONE, job(1, 1, 1), job(1, 1, 1), job(1, 1, 1)), 2),
        (cells(ONE, job(1, 1, "0.5", "0.5"), job(1, 1, "0.5", "0.5")), 2),
        (cells([server(4, 8)], job(1, 2, 1), job(1, 2, 1)), 2),  # K = 2 sqrt 2: with equality, no root rational
        (cells([server(4, "7.99")], job(1, 2, 1), job(1, 2, 1)), 1),
        (cells([server(2, 2), server(2, 2)], job(1, 1, 1), job(1, 1, 1)), 2),  # equality only in the lone test
        (cells([server(1, 9)], job(1, 0, 1)), 1),  # C - A = 0
        (cells([server(1, 9)], job(1, 1, 1)), 0),
        (cells([server(2, 9)], job(1, 0, 1), job(1, 1, 1)), 1),
        (cells([server(9, 1)], job(0, 1, 1)), 1),  # Bcap - B = 0
        (cells([server(1, 1)], job(1, 0, 1), job(0, 1, 1)), 2),  # both
        (cells([server(9, 0)], job(1, 0, 1), job(1, 1, 1)), 1),  # no bandwidth
        (cells([server(9, 0)], job(1, 1, 0)), 1),  # nor data
        (cells([server(0, 0)], job(1, 1, 1), job(0, 0, 1), job(1, 1)), 2),  # neither: no needs, no data nodes
        (cells(ONE, job(0, 0, 1)), 1),  # no deadline
        (cells([server(4, 4, 2)], job(0, 0, 2), job(0, 0, 1), job(0, 0, 1)), 2),  # storage alone
        (cells([server(4, 4, 1)], job(0, 0, 2)), 0),
        (cells(ONE, job(0, 0, (1, ()))), 0),  # a node without servers
        (cells(ONE, job(0, 0, (0, ()), 1), job(1, 1, 1)), 1),
        (cells(ONE), 0),
        (cells(ONE, job(1, 1), job(1, 1)), 2),
        (cells([server(4, 4, 2), server(4, 4, 2)], job(0, 0, 1, 1, 1), job(0, 0, 1)), 2),
        (cells([server(4, 4, 2), server(4, 4, 2)], job(0, 0, 2, 1), job(0, 0, (1, (0,)), (1, (1,)))), 1),
    ],
)
def test_hand_worked_optima(instance: Instance, value: int) -> None:
    for solver in ("highs", *ROUTES):
        check(exact().solve(instance, solver=solver), instance, value)


@pytest.mark.parametrize(
    ("share", "b", "value"), [("0.5", 1, 2), ("0.4", 1, 1), ("0.4", "0.8", 2), ("0.6", "0.8", 1), ("0.9", 0, 0)]
)
def test_hand_worked_splits(share: str, b: Any, value: int) -> None:
    # Compute 4 x (1 - share) for jobs that need 1, bandwidth 4 x share for jobs that need b.
    jobs = [job(1, b, 1, (0, (0,))), job(1, b, 1)]
    instance = cells(ONE, *jobs, share=share)
    for solver in ("highs", "brute", *SCIP):
        check(split().solve(instance, solver=solver), instance, value)


def test_seven_digits_decide() -> None:
    instance = cells([server("3.9999999", 4)], job(1, 1, 1), job(1, 1, 1))
    for solver in ("tangents", "brute"):
        check(exact().solve(instance, solver=solver), instance, 1)
    instance = cells([server(4, 4, "1.9999999")], job(1, 1, 1), job(1, 1, 1))
    for solver in ("tangents", "brute"):
        check(exact().solve(instance, solver=solver), instance, 1)
    check(split().solve(instance, solver="brute"), instance, 1)


@needs_scip
@pytest.mark.parametrize(
    ("program", "amounts", "words"),
    [
        (exact(), ("3.9999999", 4, 2), "the server cannot meet all these needs in time"),
        (exact(), (4, 4, "1.9999999"), "storage is violated at s0"),
    ],
    ids=["cone", "storage"],
)
def test_a_point_that_holds_within_a_tolerance_only_is_no_schedule(
    program: Program, amounts: tuple[Any, Any, Any], words: str
) -> None:
    instance = cells([server(*amounts)], job(1, 1, 1), job(1, 1, 1))
    solution = program.solve(instance, solver="scip")
    assert solution.ended == "solver_failed" and solution.objective is None
    assert re.match(rf"{program.id}: the solver's point is feasible within its tolerance.*{words}", solution.message)


@needs_scip
def test_a_small_linear_one_is_then_settled_by_branching() -> None:
    instance = cells([server(4, "3.9999999", 2)], job(1, 1, 1), job(1, 1, 1))
    solution = split().solve(instance, solver="scip")
    check(solution, instance, 1)
    assert solution.status == "optimal" and solution.message == "scip reports optimal 2, which is wrong"


@needs_scip
def test_as_printed_a_server_without_bandwidth_is_infeasible() -> None:
    # On these instances the divisions of (10) agree with the cone; on some others SCIP errs with them.
    printed = exact().drop("completion").add(groups.completion_as_printed)
    seen = set()
    for seed in range(size(4, 12, 80)):
        instance = drawn(seed)
        found = printed.solve(instance, solver="scip")
        none = any(
            (not instance.servers[j].bandwidth and job.bandwidth_rate) and node.size
            for job in instance.jobs
            for node in job.nodes
            for j in node.servers
        )
        seen.add(none)
        if none:
            assert found.ended == "infeasible", seed
        else:
            assert found.objective == pytest.approx(exact().solve(instance, solver="brute").objective), seed
    assert seen == {False, True}


def test_as_printed_a_rate_just_below_zero_meets_every_deadline() -> None:
    instance = cells([server(4, 4)], job(99, 99, 1))
    assert exact().solve(instance).objective == 0
    model = exact().drop("completion").add(groups.completion_as_printed).build(instance)
    model.assign.placed["k0", "d0", "s0"].value = 1
    model.allocate.compute["k0", "s0"].value, model.allocate.bandwidth["k0", "s0"].value = -1e-9, 4.0
    row = model.completion_as_printed.row["k0", "s0"]
    assert pyo.value(row.body) < -1e9 < pyo.value(row.upper)


def test_brute_force_is_for_tiny_instances_and_stops_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = cells(ONE, job(1, 1), job(1, 1, 1))
    found = exact().solve(instance, solver="brute", time_limit=0.0)
    assert (found.status, found.objective, found.bound, found.exact) == ("feasible", 1, 2, None)
    monkeypatch.setattr(brute_force, "MOST_CHOICES", 3)
    with pytest.raises(ProgramError, match="more than 3 assignments: brute force is for tiny instances"):
        exact().solve(instance, solver="brute")


@pytest.mark.parametrize("program", [exact(), split()], ids=["exact", "split"])
def test_a_group_states_its_equation_and_its_dependents(program: Program) -> None:
    printed = groups.completion_as_printed
    assert printed.sentence.endswith(".") and printed.latex.count("{") == printed.latex.count("}")
    assert all(g.source in g.sentence for g in (*program.groups, printed))
    with pytest.raises(ProgramError, match="needs 'assign'"):
        program.drop("assign")
    with pytest.raises(ProgramError, match="no solver or exact method 'brute'"):
        program.drop("storage").solve(tiny_cells(1), solver="brute")


def test_dropping_a_constraint_never_costs_a_job() -> None:
    gains = set()
    for seed in range(size(4, 6, 60)):
        instance = drawn(seed)
        best = split().solve(instance).objective
        for g in split().groups:
            if g.role == "constraints":
                less = split().drop(g.name).solve(instance).objective
                assert less >= best - 1e-6, (seed, g.name)
                gains |= {g.name} if less > best + 0.5 else set()
    assert len(gains) > 1


@needs_scip
def test_the_continuous_cone_program_is_a_bound_and_the_groups_are_read_by_name() -> None:
    for seed in range(size(2, 6, 60)):
        instance = drawn(seed)
        best = exact().solve(instance)
        assert exact().relaxed().solve(instance, solver="scip").objective >= best.objective - 1e-6, seed
        cone = exact().solve(instance, solver="scip")
        for found in (best, cone):
            named = {instance.jobs[k].name for k in found.schedule().accepted_jobs(instance)}
            assert set(found.values["admit.accepted"]) == named
            assert {key[0] for key in found.values["assign.placed"]} <= named
    assert Fraction(best.objective) == best.exact


@pytest.mark.parametrize("scale", ["1e16", "1e-16"])
def test_numbers_that_no_solver_computes_with_are_scaled_or_refused(scale: str) -> None:
    gb = Decimal(scale)
    instance = cells([server(8 * gb, 8 * gb, 3 * gb)], *(job(1, 1, gb) for _ in range(4)))
    for solver in ("tangents", "brute"):
        check(exact().solve(instance, solver=solver), instance, 3)
    for program in (split(), split().relaxed()):
        with pytest.raises(
            ProgramError, match=r"the storage of s0 is 3e[+-]16: expected a number in the solvers' range"
        ):
            program.solve(instance)


def test_badly_scaled_data_is_rejected_but_not_by_the_tangents() -> None:
    instance = cells([server(4, 4)], job(2, 1, "1e15"), job(1, 1, 1))
    check(exact().solve(instance), instance, 1)
    with pytest.raises(ProgramError, match=r"the need of d0 of k0 is 2e\+15: expected a number"):
        split().solve(instance)
