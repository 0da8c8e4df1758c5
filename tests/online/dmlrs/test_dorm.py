from __future__ import annotations

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

import pytest

from schedproof.core.errors import NoSolution
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import Route
from schedproof.core.solvers.status import Outcome
from schedproof.online.dmlrs.dorm import Dorm
from tests.tiny.dmlrs import decided, hand_made, workers_of


def test_the_program_is_solved_when_something_changed() -> None:
    jobs = [{"samples": 20}, {"arrival": 3, "samples": 2, "batch_size": 1}]
    policy = Dorm()
    result = decided(policy, hand_made([{"gpu": 5}], jobs, horizon=9))
    assert workers_of(result, 0) == dict.fromkeys(range(5), 4)
    assert workers_of(result, 1) == {3: 1, 4: 1}
    assert policy.solved == 2  # two arrivals; both jobs complete in slot 4
    assert policy.kept == 0


def test_a_crowd_beyond_the_bound_on_adjustments_waits() -> None:
    # theta2 = 0: no job with workers is adjusted; the new one gets the free amount.
    jobs = [{"samples": 12}, {"arrival": 1, "samples": 6, "batch_size": 3}]
    instance = hand_made([{"gpu": 5}], jobs, horizon=9)
    result = decided(Dorm(theta1=Fraction(1), theta2=Fraction(0)), instance)
    assert workers_of(result, 0) == {0: 4, 1: 4, 2: 4}
    assert workers_of(result, 1)[1] == 1
    fair = decided(Dorm(theta1=Fraction(0), theta2=Fraction(1)), instance)
    assert (workers_of(fair, 0)[1], workers_of(fair, 1)[1]) == (3, 2)


def test_without_a_solution_every_job_keeps_its_workers() -> None:
    jobs = [{"samples": 8}, {"arrival": 1, "samples": 3, "batch_size": 3}]
    policy = Dorm(theta1=Fraction(0), theta2=Fraction(0))
    result = decided(policy, hand_made([{"gpu": 5}], jobs, horizon=9))
    assert workers_of(result, 0) == {0: 4, 1: 4}
    assert workers_of(result, 1) == {2: 3}
    assert (policy.solved, policy.kept) == (3, 1)


def test_workers_that_fit_no_machine_are_omitted() -> None:
    # Three machines of 2 and workers of 1.5. Four fit the total, but only one on each machine.
    job = {"samples": 6, "batch_size": 4, "worker": {"gpu": 1, "memory": 3}}
    result = decided(Dorm(), hand_made([{"gpu": 2, "memory": 4}] * 3, [job], horizon=3))
    assert workers_of(result, 0) == {0: 3, 1: 3}


def test_an_unadjusted_job_keeps_its_places() -> None:
    jobs = [{"samples": 2, "batch_size": 2}, {"samples": 9, "batch_size": 2}, {"arrival": 1, "samples": 6}]
    result = decided(Dorm(theta2=Fraction(0)), hand_made([{"gpu": 2}] * 3, jobs, horizon=9))
    assert {p.machine for p in result.placements if p.job == 1 and p.workers} == {1}
    assert {p.machine for p in result.placements if p.job == 2 and p.workers} == {
        0,
        2,
    }  # the first machine is free again


def test_places_that_do_not_fit_any_more_are_lost() -> None:
    reserved: Any = [[{"gpu": 0}, {"gpu": 2}], [{"gpu": 2}, {"gpu": 0}], [{}, {}], [{}, {}]]
    instance = hand_made([{"gpu": 2}] * 2, [{"samples": 4, "batch_size": 2}], horizon=4, reserved=reserved)
    result = decided(Dorm(theta1=Fraction(0), theta2=Fraction(0)), instance)
    assert [(p.slot, p.machine, p.workers) for p in result.placements if p.workers] == [(0, 0, 2), (1, 1, 2)]


@dataclass(frozen=True)
class FailsInSlotOne(Program):
    """The program with a solver that has no solution for slot 1."""

    def where(self, **parameters: Any) -> Program:
        moment = super().where(**parameters)
        if parameters["slot"] != 1:
            return moment
        return replace(
            moment, routes={"highs": Route(lambda instance, **more: Outcome(self.routes["status"]), "highs")}
        )


def failing(status: Any) -> Dorm:
    policy = Dorm()
    program = {field.name: getattr(policy.program, field.name) for field in fields(Program)}
    policy.program = FailsInSlotOne(**program | {"routes": {"status": status}})
    return policy


def test_a_solver_at_its_time_limit_changes_no_allocation() -> None:
    jobs = [{"samples": 8}, {"arrival": 1, "samples": 3, "batch_size": 3}]
    policy = failing("time_limit")
    result = decided(policy, hand_made([{"gpu": 5}], jobs, horizon=9))
    assert workers_of(result, 0) == {0: 4, 1: 4}
    assert workers_of(result, 1) == {2: 3}
    assert (policy.solved, policy.kept) == (3, 1)


def test_a_solver_that_fails_is_an_error() -> None:
    with pytest.raises(NoSolution, match="the solver ended in slot 1 with 'solver_failed'"):
        decided(failing("solver_failed"), hand_made([{"gpu": 5}], [{"samples": 8}, {"arrival": 1}]))
