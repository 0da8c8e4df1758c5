from __future__ import annotations

import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError
from tests.formulations.preemptive.micro import SPEEDS, micro_instance
from tests.support import size
from tests.tiny.preemptive import tiny_instance


def test_cpsat_and_highs_agree_on_larger_instances() -> None:
    for seed in range(size(3, 8, 100)):
        instance = micro_instance(seed, units=10, most_jobs=4, servers=2, late=8)
        program = sp.program("preemptive.minlp2", speed=SPEEDS[seed % 4])
        ours, theirs = program.solve(instance), program.solve(instance, solver="cpsat")
        assert ours.ended == theirs.ended, seed
        assert theirs.exact is None or ours.objective == pytest.approx(float(theirs.exact), abs=1e-6), seed


def test_exact_is_the_integer_optimum() -> None:
    instance = micro_instance(0)
    for route in ("cpsat", "brute"):
        outcome = sp.program("preemptive.minlp2").solve(instance, solver=route)
        assert outcome.ended == "optimal" and outcome.exact is not None
        assert outcome.exact.denominator == 1 and outcome.exact == outcome.objective == outcome.bound


def test_brute_force_reports_that_an_instance_is_not_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.formulations.preemptive.brute_force.MOST_STATES", 1000)
    with pytest.raises(ProgramError, match="more than 1000 states: brute force is for tiny instances"):
        sp.program("preemptive.minlp2").solve(tiny_instance(0, jobs=4), solver="brute")


def test_cpsat_at_its_time_limit_says_so() -> None:
    solution = sp.program("preemptive.minlp2").solve(micro_instance(7, units=8), solver="cpsat", time_limit=0.0)
    assert solution.ended == "time_limit" and solution.objective is None and not solution.values


@pytest.mark.parametrize("solver", ["cpsat", "brute"])
def test_a_changed_program_has_no_routes(solver: str) -> None:
    program, instance = sp.program("preemptive.minlp2"), micro_instance(0)
    for changed in (program.drop("parameter_server_capacity"), program.relaxed()):
        with pytest.raises(ProgramError, match=f"has no solver or exact method '{solver}'.*use highs, scip or gurobi"):
            changed.solve(instance, solver=solver)


def test_equal_seeds_give_equal_answers() -> None:
    instance = micro_instance(7, units=8)
    first, second = (sp.program("preemptive.minlp2").solve(instance, solver="cpsat") for _ in range(2))
    assert (first.status, first.exact, first.bound) == (second.status, second.exact, second.bound)
