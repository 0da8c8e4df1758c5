from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedproof.core.programs.program import Program
from schedproof.core.solvers.solution import Solution
from schedproof.formulations.dmlrs.exact import exact
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.instances.dmlrs import Instance
from schedproof.relaxations.dmlrs.duals import rdmlrs_lp
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.support import size
from tests.tiny.dmlrs import hand_made, tiny_cluster

ROUTES: list[tuple[str, Program, str]] = [
    ("hull", exact(), "highs"),
    ("bigm", exact(transformation="bigm"), "highs"),
    ("cpsat", exact(), "cpsat"),
    ("packing", exact(), "packing"),
    ("rdmlrs", rdmlrs(), "highs"),
    ("rdmlrs packing", rdmlrs(), "packing"),
]
ROUNDING = 1e-6  # of a solver's objective; the optima themselves are compared as rationals


def optimum(solution: Solution, instance: Instance) -> Fraction:
    """The utility of the solution's schedule; checker and solver agree."""
    assert solution.ended == "optimal", solution
    schedule = solution.schedule()
    assert schedule.violations(instance) == [], solution
    value = schedule.objective(instance)
    assert solution.objective == pytest.approx(float(value), abs=ROUNDING), solution
    assert solution.exact in (None, value)
    return value


def optima(instance: Instance) -> dict[str, Fraction]:
    return {name: optimum(program.solve(instance, solver=solver), instance) for name, program, solver in ROUTES}


def test_all_routes_find_the_same_optimum() -> None:
    values = []
    for seed in range(size(3, 4, 300)):
        found = optima(tiny_cluster(seed))
        assert len(set(found.values())) == 1, (seed, found)
        values.append(found["hull"])
    assert len(set(values)) > 2


def test_all_routes_agree_on_irrational_utilities() -> None:
    irrational = 0
    for seed in range(500, 500 + size(3, 3, 60)):
        instance = tiny_cluster(seed, exact_utilities=False)
        found = optima(instance)
        assert max(found.values()) - min(found.values()) < ROUNDING, (seed, found)
        irrational += any(job.utility.lower(1) != job.utility.upper(1) for job in instance.jobs)
    assert irrational


def both(instance: Instance) -> Fraction:
    one, other = (optimum(exact().solve(instance, solver=solver), instance) for solver in ("highs", "packing"))
    assert one == other
    return one


@pytest.mark.parametrize(
    ("jobs", "more", "value"),
    [
        ([job_row("one slot")], {}, 8),
        ([job_row("two in turn"), job_row("b")], {}, 8 + 4),
        ([job_row("gives way", utility={"kind": "table", "values": [9, 7, 0]}), job_row("b")], {}, 7 + 8),
        ([job_row("two at once"), job_row("b")], {"machines": (2,)}, 8 + 8),
        ([job_row("two machines"), job_row("b")], {"machines": (1, 1)}, 8 + 8),
        ([job_row("late", arrival=3)], {}, 8),
        ([job_row("too long", samples=5)], {}, 0),
        ([job_row("just in time", samples=4)], {}, 1),
        ([job_row("two workers", samples=4, batch_size=2)], {"machines": (2,)}, 4),
        ([job_row("batch of one", samples=4)], {"machines": (2,)}, 1),
        ([job_row("no capacity")], {"machines": (0,)}, 0),
        ([job_row("no capacity, no demand", worker={})], {"machines": (0,)}, 8),
        ([job_row("another resource", worker={"cpu": 1})], {"machines": (5, {"cpu": 1})}, 8),
        ([job_row("nothing to gain", utility={"kind": "constant", "value": 0})], {}, 0),
        ([job_row("its PS needs the room", ps={"gpu": 1})], {}, 0),
        ([job_row("reserved")], {"machines": (2,), "reserved": [[{"gpu": 2}], [{"gpu": 1}], [{}], [{}]]}, 4),
    ],
)
def test_hand_worked_optima(jobs: list[dict[str, Any]], more: dict[str, Any], value: int) -> None:
    assert both(cluster(*jobs, **more)) == value


FAST = {"model_size": 1, "sample_time": Fraction(1, 2), "bandwidth_internal": 4, "bandwidth_external": 2}  # c = 1, 3/2


def test_the_rate_is_internal_only_on_one_machine() -> None:
    # Three samples in two slots: 1 per slot and worker on one machine, 2/3 with the PS elsewhere.
    apart = job_row("a", samples=2, ps={"cpu": 1}, **FAST)
    assert both(cluster(apart, machines=({"gpu": 1, "cpu": 1},))) == 4
    assert both(cluster(apart, machines=({"gpu": 1}, {"cpu": 1}))) == 2
    equal = apart | {"bandwidth_external": 4}  # equal bandwidths: where things are makes no difference
    assert both(cluster(equal, machines=({"gpu": 1}, {"cpu": 1}))) == 4


def test_a_parameter_server_away_from_workers_costs_the_internal_rate() -> None:
    job = job_row("a", samples=3, batch_size=3, workers_per_ps=Fraction("1.5"), ps={"cpu": 1}, **FAST)
    (only,) = cluster(job).jobs
    assert (only.internal_time, only.external_time) == (Fraction(3, 4), 1)
    job |= {"samples": 4}
    assert both(cluster(job, machines=({"gpu": 3, "cpu": 2},))) == 8
    assert both(cluster(job, machines=({"gpu": 3, "cpu": 1}, {"cpu": 1}))) == 4


def test_twelve_digits_decide_for_every_route() -> None:
    for time, value in (("1", 8), ("1.000000000001", 4)):
        instance = cluster(job_row("a", samples=3, batch_size=3, sample_time=Fraction(time)), machines=(3,))
        assert set(optima(instance).values()) == {value}, time
    for gamma, value in (("1.5", 8), ("1.499999999999", 4)):
        job = job_row("a", samples=3, batch_size=3, workers_per_ps=Fraction(gamma), ps={"cpu": 1})
        assert set(optima(cluster(job, machines=({"gpu": 3, "cpu": 2},))).values()) == {value}, gamma


def test_a_resource_that_no_job_needs_has_no_row() -> None:
    instance = hand_made([{"gpu": 2, "memory": 1}], [{"worker": {"gpu": 1}}])
    assert not [row for row in exact().build(instance).capacity.row if row[2] == "memory"]
    assert optimum(exact().solve(instance, "scip"), instance) == optimum(exact().solve(instance), instance) > 0


def test_the_printed_ratio_serves_only_its_multiples() -> None:
    # Two workers per PS, and room for one worker and one PS: (2) as an equality is infeasible.
    instance = cluster(job_row("a", batch_size=2, workers_per_ps=2, ps={"cpu": 1}), machines=({"gpu": 1, "cpu": 1},))
    assert both(instance) == 8
    printed = exact(ratio="printed")
    assert optimum(printed.solve(instance), instance) == 0 and not printed.routes
    for seed in range(600, 600 + size(2, 3, 60)):
        one = tiny_cluster(seed)
        assert optimum(printed.solve(one), one) <= optimum(exact().solve(one, solver="cpsat"), one), seed


def test_dropping_a_constraint_never_costs_utility() -> None:
    for program, horizon in ((exact(), 4), (rdmlrs(), 2)):
        for seed in range(700, 700 + size(1, 1, 40)):
            instance = tiny_cluster(seed, horizon=horizon)
            with_all = program.solve(instance).objective
            for g in program.groups:
                if g.role == "constraints":
                    less = program.drop(g.name).solve(instance)
                    free_columns = g.name == "one_schedule_for_each_job" and less.ended == "unbounded"
                    assert less.ended == "optimal" or free_columns, (seed, g.name)
                    assert less.objective is None or less.objective >= with_all - ROUNDING, (seed, g.name)


def test_without_the_arrival_group_a_job_may_start_earlier() -> None:
    instance = cluster(job_row("a", arrival=2, samples=3, utility={"kind": "constant", "value": 5}))
    assert both(instance) == 0
    assert exact().drop("after_arrival").solve(instance).objective == pytest.approx(5)


def test_relaxations_are_in_order() -> None:
    gaps = 0
    for seed in range(800, 800 + size(3, 3, 100)):
        instance = tiny_cluster(seed)
        best = float(optimum(exact().solve(instance, solver="cpsat"), instance))
        listed = rdmlrs_lp().solve(instance).objective
        for transformation in ("hull", "bigm"):
            counted = exact(transformation=transformation).relaxed().solve(instance).objective
            assert best <= listed + ROUNDING <= counted + 2 * ROUNDING, seed
            gaps += counted > best + ROUNDING
    assert gaps
