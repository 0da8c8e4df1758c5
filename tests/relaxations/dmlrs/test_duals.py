from __future__ import annotations

from typing import Any

import pyomo.environ as pyo
import pytest
from pyomo.repn import generate_standard_repn

from schedproof.core.errors import UnknownName
from schedproof.core.programs.duality import dualise
from schedproof.core.solvers import pyomo_models
from schedproof.formulations.dmlrs.exact import exact
from schedproof.relaxations.dmlrs.duals import dual, rdmlrs_lp
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster

Row = tuple[dict[Any, float], float]  # multiplier -> coefficient, right side of >=


def row_of(constraint: Any, sign: int, rename: Any) -> Row:
    """A row as numbers, turned to >= by its sign."""
    body = generate_standard_repn(constraint.body)
    side = constraint.lower if sign > 0 else constraint.upper
    assert side is not None and body.constant == 0
    return {rename(v): sign * c for v, c in zip(body.linear_vars, body.linear_coefs, strict=True)}, sign * pyo.value(
        side
    )


def printed_rows(model: Any) -> dict[Any, Row]:
    return {
        key: row_of(row, 1, lambda v: (v.parent_component().local_name, v.index()))
        for key, row in model.dual_rows.row.items()
    }


def mechanical_rows(primal: Any) -> dict[Any, Row]:
    names: dict[str, Any] = {}
    for place, row in primal.schedules_fit.row.items():
        names[row.name] = ("price", place)
    for job, row in primal.one_schedule_for_each_job.row.items():
        names[row.name] = ("payoff", job)
    columns = {column.name: key for key, column in primal.schedule_choice.chosen.items()}
    twin = dualise(primal)
    return {columns[name]: row_of(row, -1, lambda v: names[v.index()]) for name, row in twin.row.items()}


def test_the_printed_dual_is_the_mechanical_dual_row_by_row() -> None:
    rows = 0
    for seed in range(size(5, 12, 200)):
        instance = tiny_cluster(seed, horizon=3, exact_utilities=seed % 2 == 0)
        printed, mechanical = printed_rows(dual().build(instance)), mechanical_rows(rdmlrs_lp().build(instance))
        assert printed == mechanical, seed  # both are the doubles nearest to the same rationals
        rows += len(printed)
    assert rows


def test_primal_printed_dual_and_mechanical_dual_have_one_optimum() -> None:
    for seed in range(100, 100 + size(4, 4, 200)):
        instance = tiny_cluster(seed)
        primal = rdmlrs_lp().solve(instance)
        printed = dual().solve(instance)
        twin = dualise(rdmlrs_lp().build(instance))
        assert pyomo_models.solve(twin).status == "optimal"
        assert primal.ended == printed.ended == "optimal", seed
        values = (primal.objective, printed.objective, pyo.value(twin.objective))
        assert values == pytest.approx((values[0],) * 3, rel=1e-6, abs=1e-6), seed


def test_a_gap_between_the_program_and_its_dual() -> None:
    jobs = [job_row(f"j{n}", samples=2, batch_size=2, worker={"gpu": 1}) for n in range(3)]
    instance = cluster(*jobs, machines=(1, 1, 1), horizon=1)
    assert exact().solve(instance).objective == pytest.approx(8)
    assert rdmlrs_lp().solve(instance).objective == dual().solve(instance).objective == pytest.approx(12)


def test_a_job_without_a_schedule_has_payoff_zero() -> None:
    instance = cluster(job_row("never", samples=99), job_row("now"))
    solution = dual().solve(instance)
    assert solution.objective == pytest.approx(8)
    assert "never" not in solution.values["job_payoff.payoff"]


@pytest.mark.parametrize("factory", [rdmlrs_lp, dual])
def test_an_unknown_set_of_schedules_gives_one_message(factory: Any) -> None:
    with pytest.raises(UnknownName, match="unknown set of schedules 'all'; available: listed"):
        factory(schedules="all")
