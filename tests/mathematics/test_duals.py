from __future__ import annotations

from dataclasses import replace

import pytest

import schedproof as sp
from schedproof.core.errors import ProgramError
from schedproof.core.programs import notation
from schedproof.core.programs.program import Program
from schedproof.formulations.preemptive.ilp import DECOUPLED
from tests.core.toys import Toy, knapsack, projection
from tests.mathematics.cases import LETTERS, LINEAR, Case, _cluster, _stored
from tests.mathematics.checker import Points, differences, printed_rows, pyomo_rows
from tests.mathematics.duals import built_lies, printed_lies
from tests.support import size
from tests.tiny.multiserver import tiny_ports
from tests.tiny.placement import tiny_instance

every_linear_case = pytest.mark.parametrize("case", LINEAR, ids=lambda case: case.name)


@every_linear_case
def test_the_dual_is_the_transposed_program_as_printed_and_as_built(case: Case) -> None:
    for seed in range(size(1, 1, 30)):
        program, instance = case.drawn(seed)
        assert printed_lies(program.relaxed(), instance, LETTERS[program.family]) == [], seed
        assert built_lies(program.relaxed(), instance) == [], seed


@every_linear_case
def test_primal_and_dual_have_one_optimum(case: Case) -> None:
    for seed in range(size(1, 1, 60)):
        program, instance = case.drawn(seed)
        primal, dual = program.relaxed().solve(instance), program.relaxed().dual().solve(instance)
        if primal.ended == "optimal":
            assert dual.ended == "optimal", seed
            assert primal.objective == pytest.approx(dual.objective, rel=1e-6, abs=1e-6), seed
        else:
            assert dual.ended in ("unbounded", "infeasible"), seed


def test_a_dual_of_possibly_linear_functions_states_the_condition() -> None:
    dual = sp.program("multiserver.gang", slot=0).relaxed().dual()
    assert r"\ge f_r^k(1) \quad" in dual.latex() and dual.group("dual_value").source == "dual, where f is linear"
    assert sp.program("placement.lp").dual().group("dual_value").source == "dual"


def test_a_dual_of_a_disjunction_is_built_and_printed_by_matrices() -> None:
    program = sp.program("dmlrs.exact").relaxed()
    dual = program.dual()
    for instance in map(_cluster, range(size(2, 2, 20))):
        assert program.solve(instance).objective == pytest.approx(dual.solve(instance).objective, abs=1e-6)
    rows = [g.latex for g in dual.groups if g.role == "constraints"]
    assert len(rows) > 1 and all(r"^{\top} \mu_g \ge c_" in row for row in rows)


def primal6() -> Program:
    return sp.program("preemptive.ilp4").relaxed().drop(*DECOUPLED, "one_worker_per_chunk")


@pytest.mark.parametrize(
    ("primal", "printed", "rows"),
    [
        (primal6(), "preemptive.dual6", "dual_rows"),
        (sp.program("dmlrs.rdmlrs_lp"), "dmlrs.dual", "dual_rows"),
    ],
    ids=["(6)", "(11)"],
)
def test_the_papers_duals_equal_the_derived_ones(primal: Program, printed: str, rows: str) -> None:
    paper, derived = sp.program(printed), primal.dual()
    for seed in range(size(1, 1, 40)):
        instance = _stored(seed) if paper.family == "preemptive" else _cluster(seed)
        model = paper.build(instance)
        points = Points(model, seed)
        setting = LETTERS[paper.family](paper, instance, model)
        setting.at = points.at
        (row,) = (g.latex for g in derived.groups if g.role == "constraints")
        there = printed_rows(notation.read(row).statements, setting)
        assert differences(there, pyomo_rows(model.component(rows), points)) == [], seed
        total = sum(points.values(model.component(g.name).term) for g in paper.groups if g.role == "objective")
        assert setting.value(notation.read(derived.group("dual_value").latex).term, {}) == pytest.approx(total)


def test_the_dual_of_the_dual_is_the_primal() -> None:
    program = sp.program("placement.lp")
    twice = program.dual().dual()
    assert program.solve(tiny_instance(1)).objective == pytest.approx(twice.solve(tiny_instance(1)).objective)
    assert r"\le C_{r,n}" in twice.latex() and r"\sum_{j,x,s: s \le t < s + d_{j,x}" in twice.latex()


def test_a_toys_dual_by_hand() -> None:
    dual = knapsack().relaxed().dual()
    assert dual.latex().splitlines() == [
        r"& \min \textstyle\sum_{i} \mu^{\mathrm{1c}}_i + W \mu^{\mathrm{1a}} + \mu^{\mathrm{1b}} && \text{dual} \\",
        r"& \mu^{\mathrm{1c}}_i + w_i \mu^{\mathrm{1a}} + [i = 1] \mu^{\mathrm{1b}} + [i = 2] \mu^{\mathrm{1b}} \ge v_i"
        r" && \text{dual of (1c)} \\",
        r"& \mu^{\mathrm{1a}} \ge 0 && \text{dual of (1a)} \\",
        r"& \mu^{\mathrm{1b}} \ge 0 && \text{dual of (1b)} \\",
        r"& \mu^{\mathrm{1c}}_i \ge 0 && \text{dual of (1c)} \\",
    ]
    model = dual.build(Toy())
    assert set(model.fits.multiplier) == {"fits.row"} and len(model.taken_bounds.multiplier) == 3
    assert dual.solve(Toy()).objective == pytest.approx(knapsack().relaxed().solve(Toy()).objective)


@pytest.mark.parametrize(
    "row",
    [
        r"\textstyle\sum_{i \in S} w_i x_i \le f(S) \quad \forall S",
        r"\textstyle\sum_{i \in S} w_i x_i \le f(S) \quad \forall S \in F",
        r"\textstyle\sum_{S} f(S) x_1 \le W",
        r"\textstyle\sum_{i \in S} w_i x_i \le f_S \quad \forall S \subseteq J",
    ],
)
def test_a_row_with_an_ambiguous_index_is_printed_by_matrices(row: str) -> None:
    program = knapsack()
    groups = tuple(replace(g, latex=row) if g.name == "fits" else g for g in program.groups)
    dual = replace(program, groups=groups).relaxed().dual()
    assert all(r"^{\top} \mu_g" in g.latex for g in dual.groups if g.role == "constraints")
    assert dual.solve(Toy()).objective == pytest.approx(knapsack().relaxed().solve(Toy()).objective)


def test_programs_without_a_dual_are_rejected_with_a_fix() -> None:
    with pytest.raises(ProgramError, match=r"toy\.knapsack is an integer program; relax it first: `relaxed\(\)"):
        knapsack().dual()
    with pytest.raises(ProgramError, match=r"toy\.projection is built with CVXPY.*read each constraint's `dual_value`"):
        projection().dual()
    with pytest.raises(ProgramError, match=r"'completion' is not linear, but only linear programs.*; drop or replace"):
        sp.program("jrp.exact").relaxed().dual()
    gang = sp.program("multiserver.gang", slot=0).relaxed()
    with pytest.raises(
        ProgramError, match=r"the objective is not linear; only linear programs have a dual here: drop or"
    ):
        gang.dual().build(tiny_ports(1, gangs=True, horizon=1, kinds=("log",)))
