from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.programs.program import Program
from schedproof.core.solvers.exact_check import rational, standard_form
from schedproof.formulations.preemptive.storage import stored_only_while_trained
from schedproof.instances.preemptive import Instance, from_json
from tests.formulations.preemptive.micro import SPEEDS, micro, micro_instance
from tests.formulations.preemptive.test_storage import flow, same
from tests.relaxations.preemptive.test_lp4 import by_chunks
from tests.support import size
from tests.tiny.preemptive import instance_of, job

Row = tuple[dict[Any, Fraction], Fraction]  # multiplier -> coefficient, right side of <=

CHOICES = [("printed", "ceil_chunk"), ("half", "ceil_chunk"), ("printed", "fluid"), ("half", "fluid")]


def row_of(constraint: Any, rename: Any) -> Row:
    """A <= row as numbers; the names of its variables through ``rename``."""
    assert constraint.has_ub() and not constraint.has_lb()
    body = standard_form(constraint.body)
    names = [rename(v) for v in body.linear_vars]
    coefficients = dict(zip(names, map(rational, body.linear_coefs), strict=True))
    return coefficients, rational(pyo.value(constraint.upper)) - rational(body.constant)


def printed_rows(dual: Any) -> dict[Any, Row]:
    """Column of (4) -> row of the printed dual."""
    model = dual.component("dual_rows") or dual.component("dual_rows_with_storage")
    return {key: row_of(model.row[key], lambda v: (v.parent_component().local_name, v.index())) for key in model.row}


def mechanical_rows(primal: Any) -> dict[Any, Row]:
    names: dict[str, Any] = {}
    for (j, d), row in primal.chunk_work.row.items():
        names[row.name] = ("alpha", (j, d))
    for place, row in primal.worker_capacity.row.items():
        names[row.name] = ("beta", place)
    if storage := primal.component("stored_only_while_trained"):
        for place, row in storage.row.items():
            names[row.name] = ("eta", place)
    columns: dict[str, Any] = {column.name: key for key, column in primal.training.edge.items()}
    for kind, variable in (
        ("cloud_at_edge_rate", primal.training.cloud_at_edge_rate),
        ("cloud", primal.training.cloud),
    ):
        columns |= {column.name: (j, d, kind, t) for (j, d, t), column in variable.items()}
    dual = sp.dualise(primal)
    return {columns[name]: row_of(row, lambda v: names[v.index()]) for name, row in dual.row.items()}


def assert_same_rows(printed: dict[Any, Row], mechanical: dict[Any, Row]) -> None:
    assert printed.keys() == mechanical.keys()
    for column, (coefficients, side) in mechanical.items():
        ours, our_side = printed[column]
        coefficients = {name: c for name, c in coefficients.items() if c}
        assert (ours, our_side) == (coefficients, side), column


def primal6(**options: Any) -> Program:
    return by_chunks(**options).drop("one_worker_per_chunk")


@pytest.mark.parametrize(("cost", "reading"), CHOICES)
def test_dual6_is_the_mechanical_dual_row_by_row(cost: str, reading: str) -> None:
    for seed in range(size(5, 12, 500)):
        instance = micro_instance(seed, units=8, late=3)
        options = {"cost": cost, "reading": reading, "speed": SPEEDS[seed % 4]}
        printed = sp.program("preemptive.dual6", **options).build(instance)
        assert_same_rows(printed_rows(printed), mechanical_rows(primal6(**options).build(instance)))


@pytest.mark.parametrize(("cost", "reading"), CHOICES)
def test_primal_printed_dual_and_mechanical_dual_have_one_optimum(cost: str, reading: str) -> None:
    compared = 0
    for seed in range(1000, 1000 + size(5, 6, 500)):
        instance = micro_instance(seed, units=8, late=8)
        options = {"cost": cost, "reading": reading, "speed": SPEEDS[seed % 4]}
        primal = primal6(**options).solve(instance)
        if primal.ended != "optimal":
            continue
        printed = flow(sp.program("preemptive.dual6", **options).solve(instance))
        mechanical = sp.dualise(primal6(**options).build(instance))
        sp_highs(mechanical)
        assert same(flow(primal), printed) and same(printed, pyo.value(mechanical.objective)), seed
        compared += 1
    assert compared


def sp_highs(model: Any) -> None:
    from schedproof.core.solvers import pyomo_models

    assert pyomo_models.solve(model).status == "optimal"


def primal9(**options: Any) -> Program:
    """(8) relaxed as in its dual (9): a chunk takes storage only while it trains."""
    return primal6(**options).add(stored_only_while_trained)


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_dual9_is_the_mechanical_dual_row_by_row(cost: str) -> None:
    for seed in range(2000, 2000 + size(5, 12, 300)):
        instance = micro_instance(seed, units=8, storage=True, late=3)
        options = {"cost": cost, "speed": SPEEDS[seed % 4]}
        printed = sp.program("preemptive.dual9", **options).build(instance)
        assert_same_rows(printed_rows(printed), mechanical_rows(primal9(**options).build(instance)))


@pytest.mark.parametrize("cost", ["printed", "half"])
def test_dual9_has_the_optimum_of_its_primal_and_storage_binds_somewhere(cost: str) -> None:
    binds = 0
    for seed in range(3000, 3000 + size(5, 8, 300)):
        instance = micro_instance(seed, units=8, storage=True, late=8)
        primal = primal9(cost=cost).solve(instance)
        if primal.ended == "optimal":
            assert same(flow(primal), flow(sp.program("preemptive.dual9", cost=cost).solve(instance))), seed
            binds += flow(primal) > flow(primal6(cost=cost).solve(instance)) + 1e-6
    assert binds or size(0, 1, 1) == 0


@pytest.mark.parametrize("name", ["cloud_at_edge_rate", "cloud"])
def test_a_servers_name_does_not_charge_the_cloud_rent(name: str) -> None:
    value = micro(2, storage=True, cloud=True, servers=1)
    value["servers"][0] |= {"name": name, "storage": 1}
    for row in value["jobs"]:
        row |= {"upload_delay": {name: 0, "sky": 1}, "chunk_size": 1}
    instance = from_json(value | {"horizon": 30})
    printed = sp.program("preemptive.dual9").build(instance)
    assert_same_rows(printed_rows(printed), mechanical_rows(primal9().build(instance)))


@pytest.mark.parametrize("eps", ["1/2", "1", "3"])
def test_dual11_is_the_dual_of_the_slower_fluid_system(eps: str) -> None:
    for seed in range(4000, 4000 + size(3, 8, 100)):
        instance = micro_instance(seed, units=8, late=3)
        primal = primal6(reading="fluid", speed=1 / (1 + Fraction(eps))).build(instance)
        printed = sp.program("preemptive.dual11", eps=eps).build(instance)
        assert_same_rows(printed_rows(printed), mechanical_rows(primal))


def test_rows_of_dual11_by_hand() -> None:
    # p = 1, eps = 1: alpha / 2 <= (t - r)/2 + beta, for t from the landing in slot 1 on.
    instance = instance_of(job("a", minibatch_time=1, upload_delay={"e": 1}))
    rows = printed_rows(sp.program("preemptive.dual11", eps="1").build(instance))
    beta = {t: {("alpha", ("a", 0)): 0.5, ("beta", ("e", "gpu", 0, t)): -1.0} for t in (1, 2)}
    assert rows == {("a", 0, "e", "gpu", 0, t): (beta[t], t / 2) for t in (1, 2)}


def test_the_rows_printed_before_a_chunk_lands_only_lower_the_dual() -> None:
    lower = 0
    for seed in range(5000, 5000 + size(5, 9, 200)):
        instance: Instance = micro_instance(seed, units=8, late=8)
        if primal6().solve(instance).ended == "optimal":
            columns, printed = (
                flow(sp.program("preemptive.dual6", rows=rows).solve(instance)) for rows in ("columns", "printed")
            )
            assert printed <= columns + 1e-6, seed
            lower += printed < columns - 1e-6
    assert lower
