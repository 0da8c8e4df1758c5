"""Programs that no solver reads are refused in one sentence, which names the row or variable; others are right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import cvxpy
import numpy as np
import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.certificates.program_bound import program_listing
from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.form import listing_in
from schedproof.core.programs.program import Program

Function = Callable[[Any], Any]
other = pyo.ConcreteModel()
other.z = pyo.Var()


def posed(columns: Function, row: Function, cost: Function, backend: Any = "pyomo") -> Program:
    """A minimum over columns and a row."""
    convex = backend == "cvxpy"

    @sp.group("variables", "(3)", "x")
    def cols(block: Any, instance: Any) -> None:
        """The columns."""
        if convex:
            block.variables |= columns(None)
        else:
            for name, column in columns(block).items():
                setattr(block, name, column)

    @sp.group("constraints", "(2)", "x", needs=("cols",))
    def rows(block: Any, instance: Any) -> Any:
        """The row."""
        if not convex:
            return row(block.model().cols)
        block.constraints["rows"] = row(block.variables)
        return None

    @sp.group("objective", "(1)", "x", needs=("cols",))
    def term(block: Any, instance: Any) -> Any:
        """The objective."""
        if not convex:
            return cost(block.model().cols)
        block.objective.append(cost(block.variables))
        return None

    solver = "clarabel" if convex else "highs"
    return Program(
        "mine.posed", "minimize", (term, rows, cols), backend=backend, integer=not convex, default_solver=solver
    )


def x_in(domain: Any = pyo.Reals, **settings: Any) -> Function:
    return lambda _: {"x": pyo.Var(domain=domain() if callable(domain) else domain, **settings)}


def with_parameter(**settings: Any) -> Function:
    return lambda _: {"x": pyo.Var(), "p": pyo.Param(mutable=True, **settings)}


def at_least_one(block: Any) -> Any:
    return block.x >= 1


def x(block: Any) -> Any:
    return block.x


def nested(block: Any) -> Any:
    """A row whose left side is (x + x) / 2, repeated."""
    left = block.x
    for _ in range(1000):
        left = (left + block.x) * 0.5
    return left >= 1


NO_NUMBER = "has a parameter, an expression or a fixed variable without a number"
UNREAD_DOMAINS = {
    "steps of two": partial(pyo.RangeSet, 2, 8, 2),
    "steps of a half": partial(pyo.RangeSet, 2, 8, 0.5),
    "halves": partial(pyo.RangeSet, 0.5, 3.5),
    "list": partial(pyo.Set, initialize=[1, 3, 7]),
    "names": partial(pyo.Set, initialize=["a", "b"]),
    "union": lambda: pyo.RangeSet(0, 0) | pyo.RangeSet(3, 5, 0),
    "any": lambda: pyo.Any,
    "empty": lambda: pyo.EmptySet,
}
REFUSED: dict[str, tuple[Function, Function, Function, str]] = {
    **{
        name: (x_in(domain), at_least_one, x, r"cols\.x has the domain .*, which is not read; use an interval")
        for name, domain in UNREAD_DOMAINS.items()
    },
    "infinite bound": (x_in(bounds=(float("inf"), None)), at_least_one, x, r"cols\.x has a bound that is no finite"),
    "parameter as coefficient": (with_parameter(), lambda v: v.p * v.x >= 1, x, rf"rows\.row {NO_NUMBER}"),
    "parameter as side": (with_parameter(), lambda v: v.x >= v.p, x, rf"rows\.row {NO_NUMBER}"),
    "parameter as cost": (with_parameter(), at_least_one, lambda v: v.p * v.x, f"the objective {NO_NUMBER}"),
    "text": (with_parameter(initialize="a", within=pyo.Any), lambda v: v.x >= v.p, x, rf"rows\.row {NO_NUMBER}"),
    "expression": (
        lambda _: {"x": pyo.Var(), "p": pyo.Expression()},
        lambda v: v.x >= v.p,
        x,
        rf"rows\.row {NO_NUMBER}",
    ),
    "variable side": (
        lambda _: {"x": pyo.Var(), "y": pyo.Var()},
        lambda v: pyo.inequality(v.y, v.x, 2),
        x,
        r"the range rows\.row has variables in its lower or upper limit; write two rows instead",
    ),
    "foreign variable": (x_in(), lambda v: v.x >= other.z, x, "z is in a row or the objective, but in no group of var"),
    "nested": (x_in(), nested, x, "has an expression with too many nested parts; write it as a sum"),
    "text as objective": (x_in(), at_least_one, lambda v: "x", "an objective is an expression or a number, found 'x'"),
    "array as objective": (lambda _: {"x": pyo.Var([1, 2])}, lambda v: v.x[1] >= 1, x, "an objective is an expression"),
    "objective": (x_in(), at_least_one, lambda v: pyo.Objective(expr=v.x), "an objective is an expression or a number"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_unread_pyomo_program_is_refused(name: str) -> None:
    *parts, said = REFUSED[name]
    program = posed(*parts)
    for ask in (program.solve, lambda on: program_listing(program, on)):
        with pytest.raises(ProgramError, match=said):
            ask({})


def test_a_number_beyond_doubles_is_refused_by_the_solver() -> None:
    with pytest.raises(ProgramError, match=r"mine\.posed has a number beyond the range of doubles; rescale"):
        posed(x_in(bounds=(0, 1)), lambda v: 10**400 * v.x >= 1, x).solve({})


def test_integers_that_the_latex_does_not_name_are_refused() -> None:
    integer = posed(x_in(pyo.Integers), lambda v: 2 * v.x >= 1, x)
    assert integer.solve({}).objective == 1 and integer.relaxed().solve({}).exact == Fraction(1, 2)
    with pytest.raises(ProgramError, match=r"cols\.x is integer, but the LaTeX of its group names no integers"):
        replace(integer, integer=False).solve({})


@pytest.mark.parametrize("row", [lambda v: abs(v.x) <= 1, lambda v: pyo.floor(v.x) >= 1])
def test_a_row_that_scip_does_not_read_is_refused(row: Function) -> None:
    pytest.importorskip("pyscipopt")
    with pytest.raises(ProgramError, match=r"scip cannot read the program: .*; replace it"):
        posed(x_in(bounds=(0, 5)), row, x).solve({}, solver="scip")


READ: dict[str, tuple[Function, Function, Function, float]] = {
    "range of integers": (x_in(partial(pyo.RangeSet, 2, 5)), at_least_one, x, 2),
    "interval": (x_in(partial(pyo.RangeSet, 2.5, 5, 0)), at_least_one, x, 2.5),
    "expression": (
        lambda b: {"x": pyo.Var(), "e": pyo.Expression(expr=1)},
        lambda v: v.x + v.e >= 2,
        lambda v: v.e + v.x,
        2,
    ),
    "expression as objective": (
        lambda b: {"x": pyo.Var(), "e": pyo.Expression()},
        lambda v: (v.e.set_value(2 * v.x), v.x >= 1)[1],
        lambda v: v.e,
        2,
    ),
    "skipped": (x_in(), lambda v: {1: pyo.Constraint.Skip, 2: v.x >= 1}, x, 1),
    "range": (x_in(), lambda v: (1, v.x, 2), x, 1),
    "trivial": (x_in(bounds=(0, 1)), lambda v: v.x - v.x == 0, x, 0),
    "numpy": (x_in(), lambda v: np.float32(0.5) * v.x >= np.float64(1), x, 2),
}


@pytest.mark.parametrize("name", READ)
def test_an_unusual_pyomo_program_is_right(name: str) -> None:
    *parts, best = READ[name]
    assert posed(*parts).solve({}).objective == best


X = lambda _: {"x": cvxpy.Variable(name="x")}  # noqa: E731
X1 = lambda v: [v["x"] >= 1]  # noqa: E731
COST = lambda v: cvxpy.sum(v["x"])  # noqa: E731
REFUSED_CONVEX: dict[str, tuple[Function, Function, Function, str]] = {
    "parameter": (X, lambda v: [v["x"] >= cvxpy.Parameter(name="p")], COST, "the parameter p has no value; set"),
    "finite set": (X, lambda v: [cvxpy.FiniteSet(v["x"], [1, 2])], COST, r"rows\[0\] is a FiniteSet"),
    "no list": (X, lambda v: v["x"] >= 1, COST, "rows is 1.0 <= x, expected a list of constraints"),
    "text": (X, lambda v: ["x >= 1"], COST, r"rows\[0\] is 'x >= 1', expected a constraint"),
    "names": (
        lambda _: {"x": cvxpy.Variable(name="x"), "y": cvxpy.Variable(name="x")},
        lambda v: [v["x"] + v["y"] >= 1],
        COST,
        "two variables have the name x; give each its own",
    ),
    "diagonal": (
        lambda _: {"x": cvxpy.Variable((2, 2), diag=True, name="x")},
        X1,
        COST,
        "the variable x is diag",
    ),
    "complex": (
        lambda _: {"x": cvxpy.Variable(complex=True, name="x")},
        lambda v: [cvxpy.abs(v["x"]) <= 1],
        lambda v: cvxpy.real(v["x"]),
        "the variable x is complex, which is not read",
    ),
    "vector": (lambda _: {"x": cvxpy.Variable(2)}, X1, lambda v: v["x"], "CVXPY rejects the objective: .*a scalar"),
    "sense": (X, X1, lambda v: cvxpy.Minimize(v["x"]), "CVXPY rejects the objective: .*'Minimize'"),
}


@pytest.mark.parametrize("name", REFUSED_CONVEX)
def test_an_unread_cvxpy_program_is_refused(name: str) -> None:
    columns, row, cost, said = REFUSED_CONVEX[name]
    program = posed(columns, row, cost, "cvxpy")
    for ask in (program.solve, program.why_infeasible):
        with pytest.raises(ProgramError, match=said):
            ask({})


def concave(matrix: Any) -> Function:
    return lambda v: cvxpy.quad_form(v["x"], np.array(matrix))


@pytest.mark.parametrize("matrix", [[[-1, 0], [0, -1]], [[1, 0], [0, -1]]])
def test_a_quadratic_form_that_is_not_convex_has_neither_optimum_nor_bound(matrix: Any) -> None:
    program = posed(lambda _: {"x": cvxpy.Variable(2, name="x")}, X1, concave(matrix), backend="cvxpy")
    for ask in (program.solve, lambda on: listing_in("cvxpy", program.build(on))):
        with pytest.raises(ProgramError, match="CVXPY rejects the program: Problem does not follow DCP rules"):
            ask({})
