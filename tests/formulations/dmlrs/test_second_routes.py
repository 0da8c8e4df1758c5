from __future__ import annotations

from fractions import Fraction

import pytest

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Context
from schedproof.formulations.dmlrs.exact import exact
from schedproof.formulations.dmlrs.packing import by_packing
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.formulations.dmlrs.schedules import plans
from schedproof.formulations.dmlrs.second_route import by_cpsat
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.tiny.dmlrs import tiny_cluster


def test_exact_is_the_optimum_as_a_rational() -> None:
    utility = {"kind": "table", "values": [Fraction("0.3"), Fraction("0.0625")]}
    instance = cluster(job_row("a", utility=utility), job_row("b", utility=utility))
    for route in (by_cpsat, by_packing):
        outcome = route(instance)
        assert outcome.status == "optimal" and outcome.exact == Fraction("0.3625")
        assert outcome.objective == outcome.bound == 0.3625


def test_a_sigmoid_is_rounded_down_and_the_bound_knows() -> None:
    sigmoid = {"kind": "sigmoid", "theta1": 10, "theta2": 1, "theta3": 2}
    instance = cluster(job_row("a", utility=sigmoid), job_row("b", utility=sigmoid))
    outcome = by_cpsat(instance)
    assert outcome.status == "optimal" and outcome.exact is None
    best = sum(job.utility.lower(n) for n, job in enumerate(instance.jobs, 1))
    assert outcome.objective == float(best) <= outcome.bound <= float(best) + 1e-9
    assert by_packing(instance).exact == best


def test_utilities_of_any_magnitude() -> None:
    for top in (Fraction(1, 10**15), Fraction(10**17), Fraction(123456789, 10**9)):
        utility = {"kind": "table", "values": [top, top / 2]}
        instance = cluster(job_row("a", utility=utility), job_row("b", utility=utility))
        assert by_cpsat(instance).objective == pytest.approx(float(top * 3 / 2)) == float(by_packing(instance).exact)


def test_cpsat_at_its_time_limit_says_so() -> None:
    outcome = by_cpsat(tiny_cluster(0), context=Context(time_limit=0.0))
    assert outcome.status == "time_limit" and outcome.objective is None and not outcome.has_point


def test_equal_seeds_give_equal_schedules() -> None:
    first, second = (by_cpsat(tiny_cluster(3)).schedule for _ in range(2))
    assert first == second


def test_packing_reports_that_an_instance_is_not_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.formulations.dmlrs.packing.MOST_STATES", 3)
    with pytest.raises(ProgramError, match="the instance has more than 3 states: "):
        by_packing(cluster(*(job_row(f"j{n}") for n in range(4))))


def test_packing_and_highs_choose_among_given_schedules() -> None:
    instance = cluster(job_row("a"), job_row("b"))
    late = [plan for job in instance.jobs for plan in plans(instance, job) if plan.completion > 1]
    program = rdmlrs(schedules=late)
    assert program.solve(instance).objective == pytest.approx(4 + 2)
    assert program.solve(instance, solver="packing").exact == 6
    assert rdmlrs(schedules=()).solve(instance).objective == 0


@pytest.mark.parametrize("solver", ["cpsat", "packing"])
def test_a_changed_program_has_no_routes(solver: str) -> None:
    for changed in (exact().drop("capacity"), exact().relaxed()):
        with pytest.raises(ProgramError, match=f"has no solver or exact method '{solver}'"):
            changed.solve(tiny_cluster(0), solver=solver)
