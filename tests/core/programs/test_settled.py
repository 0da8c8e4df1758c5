"""`solve` and `why_infeasible` stay correct when solvers fail or drop numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

import cvxpy
import pyomo.environ as pyo
import pytest
from pyomo import gdp, mpec

import schedproof as sp
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.programs.exact import tree
from schedproof.core.programs.exact.cvxpy_form import listing_of_problem
from schedproof.core.programs.exact.form import as_stated
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import linear_part, listing_of
from schedproof.core.programs.exact.solving import multipliers
from schedproof.core.programs.program import Program
from schedproof.core.runtime.context import Context
from schedproof.core.solvers.status import Outcome
from tests.support import size
from tests.tiny.listings import KINDS, draw, end

REALS, WHOLE = pyo.NonNegativeReals, pyo.NonNegativeIntegers
Function = Callable[[Any], Any]
Sense = Literal["minimize", "maximize"]


def program(sense: Sense, term: Function, rows: Sequence[Function], domain: Any = REALS) -> Program:
    """A program of two columns x, y >= 0."""

    @sp.group("objective", "(1)", "x", needs=("cols",))
    def cost(block: Any, instance: Any) -> None:
        """The objective."""
        block.term = term(block.model().cols)

    def constraint(row: Function, k: int) -> Any:
        def build(block: Any, instance: Any) -> None:
            block.row = pyo.Constraint(expr=row(block.model().cols))

        build.__name__, build.__doc__ = f"c{k}", "A row."
        return sp.group("constraints", f"(1{chr(97 + k)})", "x", needs=("cols",))(build)

    @sp.group("variables", "(1z)", r"x, y \ge 0")
    def cols(block: Any, instance: Any) -> None:
        """The columns."""
        block.x, block.y = pyo.Var(domain=domain), pyo.Var(domain=domain)

    return sp.Program("mine.small", sense, (cost, *(constraint(row, k) for k, row in enumerate(rows)), cols))


def small_cost(domain: Any) -> Program:
    return program("minimize", lambda v: 1e-9 * v.x + 1e9 * v.y, [lambda v: 1e-9 * v.x + 1e6 * v.y >= 1], domain)


@pytest.mark.parametrize("domain", [REALS, WHOLE])
def test_small_coefficients_count(domain: Any) -> None:
    solution = small_cost(domain).solve({}, confirm=True)
    assert solution.proven and solution.objective == pytest.approx(1)
    assert solution.message.endswith(", which is wrong")
    feasible = program("minimize", lambda v: v.x + v.y, [lambda v: 1e-10 * v.x >= 1], domain)
    assert feasible.solve({}, confirm=True).objective == pytest.approx(1e10)
    with pytest.raises(ProgramError, match="is feasible on this instance"):
        feasible.why_infeasible({})


def test_solvers_that_drop_numbers_do_not_confirm_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_PARTS", 0)
    solution = small_cost(WHOLE).solve({}, confirm=True)
    assert solution.status == "optimal (claimed by highs)" and not solution.confirmed
    assert "solvers may drop the number 1e-09 as the cost of cols.x" in solution.message
    barely = [lambda v: v.x + 0.5 * v.y >= 1 + 1e-8, lambda v: v.x + 0.5 * v.y <= 1]
    solution = program("minimize", lambda v: v.x, barely, WHOLE).solve({}, confirm=True)
    assert not solution.confirmed
    dropped = program("minimize", lambda v: v.x + v.y, [lambda v: 1e-10 * v.x >= 1, lambda v: v.x <= 9], WHOLE)
    with pytest.raises(NoSolution, match=r"undecided: solvers may drop the number 1e-10 as a coefficient of c0\.row"):
        dropped.why_infeasible({})


@pytest.mark.parametrize("domain", [REALS, WHOLE])
def test_a_program_that_is_barely_infeasible_is_infeasible(domain: Any) -> None:
    p = program("minimize", lambda v: v.x, [lambda v: v.x + v.y >= 1 + 1e-8, lambda v: v.x + v.y <= 1], domain)
    assert p.solve({}, confirm=True).status == "infeasible"
    assert p.why_infeasible({}).proof is not None


def test_an_explanation_is_an_argument_with_multipliers() -> None:
    p = program("minimize", lambda v: v.x, [lambda v: v.x >= 2, lambda v: 3 * v.x + v.y <= 1])
    why = p.why_infeasible({})
    assert why.argument is not None
    assert dict(why.argument[0]) == {"c0.row >= 2": 3, "c1.row <= 1": 1, "cols.y >= 0": 1} and why.argument[1] == 5
    last = str(why).splitlines()[-1]
    assert last.endswith(" gives 0 >= 5") and {"3 (c0.row >= 2)", "(c1.row <= 1)"} < {*last[2:-12].split(" + ")}
    assert "proven by multipliers" in str(why) and "claimed by" not in str(why)
    solution = p.solve({})
    assert solution.status == "infeasible" and solution.multipliers == {"c0.row": Fraction(3), "c1.row": Fraction(-1)}
    wrong = replace(why, proof=None)
    assert wrong.argument is None and "claimed by highs" in str(wrong)


def three(v: Any) -> Any:
    return 3 * v.y + v.x == 2


def test_the_next_solver_follows_a_failed_one_and_the_reason_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyscipopt")
    backend = BACKENDS["pyomo"]

    def fails(model: Any, solver: str, context: Context) -> Outcome:
        if solver == "highs":
            return Outcome("solver_failed", message="highs ended with 'error'")
        return backend.solve(model, solver, context)

    monkeypatch.setitem(BACKENDS, "pyomo", backend._replace(solve=fails))
    p = program("maximize", lambda v: v.x + v.y, [lambda v: 2 * v.x + 3 * v.y <= 7], WHOLE)
    solution = p.solve({})
    assert (solution.solver, solution.status, solution.objective) == ("scip", "optimal (claimed by scip)", 3)
    assert solution.message == "highs ended with 'error'"
    monkeypatch.setitem(BACKENDS, "pyomo", backend._replace(solve=fails, solvers=("highs",)))
    assert p.solve({}).status == "optimal"  # by branching
    monkeypatch.setattr(tree, "MOST_PARTS", 0)
    failed = p.solve({})
    assert (failed.status, failed.message) == ("solver_failed", "highs ended with 'error'")


def test_failing_presolve_is_switched_off() -> None:
    # HiGHS 1.13.1 ends this with an error, unless presolve is off.
    rows = [three, lambda v: v.x - 2 * v.y >= -2, lambda v: v.x <= 1, lambda v: v.y <= 1]
    p = program("minimize", lambda v: 2 * v.x - 5 * v.y, rows, pyo.Binary)
    assert p.solve({}, confirm=True).status == "infeasible"
    assert "proven by a tree of " in str(p.why_infeasible({}))


def curved(a: float) -> Program:
    return program("minimize", lambda v: v.x, [lambda v: pyo.log(v.x + 1) * a + v.y >= 1])


PLACES: dict[str, Callable[[float], Program]] = {
    "c0.row": lambda a: program("minimize", lambda v: v.x, [lambda v: a * v.x + v.y >= 1]),
    "the objective": lambda a: program("minimize", lambda v: a * v.x + v.y, [lambda v: v.x >= 1]),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_named(place: str, number: float) -> None:
    p, sentence = PLACES[place](number), f"{place} has NaN or infinity"
    bent = curved(number) if place == "c0.row" else p
    for asked, solver in ((p, "highs"), (p.relaxed(), "highs"), (p, "scip"), (bent, "scip")):
        with pytest.raises(ProgramError, match=sentence):
            asked.solve({}, solver)
    if place == "c0.row":
        with pytest.raises(ProgramError, match=sentence):
            p.why_infeasible({})


def as_program(listing: Listing) -> Program:
    ends = [[None if side is None else float(side) for side in (c.lower, c.upper)] for c in listing.columns]

    @sp.group("variables", "(1)", "x")
    def cols(block: Any, instance: Any) -> None:
        """The columns."""
        block.x = pyo.Var(range(len(ends)), bounds=lambda _, j: tuple(ends[j]))

    @sp.group("constraints", "(2)", "x", needs=("cols",))
    def rows(block: Any, instance: Any) -> None:
        """The rows."""
        x = block.model().cols.x
        block.row = pyo.ConstraintList()
        for row in listing.rows:
            left = sum(float(a) * x[j] for j, a in row.terms.items()) + 0 * x[0]
            if row.lower is not None:
                block.row.add(left >= float(row.lower))
            if row.upper is not None:
                block.row.add(left <= float(row.upper))

    @sp.group("objective", "(3)", "x", needs=("cols",))
    def cost(block: Any, instance: Any) -> None:
        """The costs."""
        x = block.model().cols.x
        block.term = sum(float(c.cost) * x[j] for j, c in enumerate(listing.columns)) + float(listing.constant)

    return sp.Program("mine.drawn", listing.sense, (cost, rows, cols))


@pytest.mark.parametrize("kind", KINDS)
def test_solve_reports_the_status_of_random_programs(kind: str) -> None:
    for seed in range(size(4, 4, 100)):
        drawn = as_program(draw(kind, seed))
        solution, (expected, value) = drawn.solve({}, confirm=True), end(linear_part(drawn.build({}))[0])
        assert (solution.status, solution.proven, solution.exact) == (expected, True, value), (kind, seed)
        if expected == "infeasible":
            drawn.why_infeasible({}).check("scip") if kind == "infeasible" else drawn.why_infeasible({})


def in_cones(rows: Function) -> Program:
    @sp.group("variables", "(1)", "x")
    def cols(parts: Any, instance: Any) -> None:
        """The columns."""
        parts.variables["x"] = cvxpy.Variable(2, name="x")

    @sp.group("constraints", "(2)", "x", needs=("cols",))
    def meet(parts: Any, instance: Any) -> None:
        """The rows."""
        parts.constraints["meet"] = rows(parts.variables["x"])

    @sp.group("objective", "(3)", "x", needs=("cols",))
    def cost(parts: Any, instance: Any) -> None:
        """The first column."""
        parts.objective.append(parts.variables["x"][0])

    return sp.Program("mine.cones", "minimize", (cost, meet, cols), backend="cvxpy", default_solver="clarabel")


CONES: dict[str, Function] = {
    "ball": lambda x: [cvxpy.norm(x) <= 1, x[0] + x[1] >= 1.42],
    "square": lambda x: [cvxpy.square(x[0]) <= x[1], x[0] >= 2, x[1] <= 3],
    "exponential": lambda x: [cvxpy.exp(x[0]) <= x[1], x[1] <= 2.7, x[0] >= 1],
    "logarithm": lambda x: [cvxpy.log(x[0]) >= 1, x[0] <= 2.7],
}


@pytest.mark.parametrize("kind", CONES)
def test_an_infeasible_conic_program_is_proven_infeasible(kind: str) -> None:
    p = in_cones(CONES[kind])
    assert p.solve({}).status == "infeasible"
    why = p.why_infeasible({})
    assert why.proof is not None and why.proof.listing.cones and "proven by multipliers" in str(why)
    multipliers = dict(why.proof.multipliers)
    for i in why.proof.listing.conic & multipliers.keys():
        with pytest.raises(ValueError, match=r"dual cone|no lower|no upper|does not prove"):
            replace(why.proof, multipliers=multipliers | {i: -100 * abs(multipliers[i]) - 1}).check()


BARE: dict[str, tuple[Function, str]] = {
    "barely infeasible": (lambda x: [x[0] + x[1] >= 1 + 1e-8, x[0] + x[1] <= 1], "infeasible"),
    "small": (lambda x: [1e-10 * x[0] >= 1, x[1] == 0], "optimal"),
    "no end": (lambda x: [x[0] <= x[1]], "unbounded"),
    "maximum of rows": (lambda x: [cvxpy.max(x) <= 3, x >= 1 / 3], "optimal"),
}


@pytest.mark.parametrize("kind", BARE)
def test_a_linear_cvxpy_program_is_settled_in_rationals(kind: str) -> None:
    rows, expected = BARE[kind]
    solution = in_cones(rows).solve({})
    assert solution.proven and solution.status == expected
    if expected == "optimal":
        assert solution.exact == {"small": 1 / Fraction(1e-10), "maximum of rows": Fraction(1, 3)}[kind]
        assert solution.values["x"][0,] == pytest.approx(float(solution.exact))
    if expected == "infeasible":
        assert in_cones(rows).why_infeasible({}).proof is not None
    else:
        with pytest.raises(ProgramError, match="is feasible on this instance"):
            in_cones(rows).why_infeasible({})


def test_two_solvers_that_agree_on_a_point_that_there_is_not_are_disputed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scs")
    backend = BACKENDS["cvxpy"]

    def optimal(problem: Any, solver: str, context: Context) -> Outcome:
        outcome = backend.solve(problem, "clarabel", context)
        problem.variables()[0].value = [1.0, 0.0]
        return outcome if outcome.status == "optimal" else Outcome("optimal", 1.0, 1.0)

    monkeypatch.setitem(BACKENDS, "cvxpy", backend._replace(solve=optimal))
    for beyond, status in ((1e-7, "disputed"), (-1e-7, "optimal (two solvers agree)")):
        p = in_cones(lambda x, e=beyond: [cvxpy.norm(x) <= 1, x[0] >= 1 + e])  # type: ignore[misc]
        assert p.solve({}, confirm=True).status == status


def test_a_number_of_a_curve_that_solvers_drop_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyscipopt")
    backend = BACKENDS["pyomo"]
    monkeypatch.setitem(
        BACKENDS, "pyomo", backend._replace(solve=lambda model, _, context: backend.solve(model, "scip", context))
    )
    for small, status in ((1e-10, "optimal (claimed by scip)"), (1e-3, "optimal (two solvers agree)")):
        p = program("minimize", lambda v: v.x, [lambda v, a=small: v.x + a * pyo.log(v.y + 1) >= 0, lambda v: v.y <= 5])  # type: ignore[misc]
        solution = p.solve({}, "scip", confirm=True)
        assert solution.status == status
        assert small > 1e-9 or "solvers may drop the number 1e-10 in c0.row" in solution.message


def test_a_program_whose_objective_has_no_value_is_not_called_feasible() -> None:
    p = program("maximize", lambda v: pyo.log(-1 - v.x), [lambda v: v.x <= 1])
    with pytest.raises(ProgramError, match="whether the objective is finite"):
        p.why_infeasible({})


def test_agreement_of_convex_solvers_on_numbers_that_they_drop_confirms_nothing() -> None:
    pytest.importorskip("osqp")
    for small, confirmed in ((1e-3, True), (1e-10, False)):
        p = in_cones(lambda x, a=small: [cvxpy.norm(x) <= 9, x[0] >= 1, x[1] >= 0, x[0] + a * x[1] <= 5])  # type: ignore[misc]
        solution = p.solve({}, confirm=True)
        assert solution.ended == "optimal" and solution.confirmed == confirmed
        assert confirmed or "solvers may drop the number -1e-10 as a coefficient of" in solution.message


def test_a_program_of_cones_with_a_point_is_not() -> None:
    assert in_cones(lambda x: [cvxpy.norm(x) <= 1, x[0] + x[1] >= 1.41]).solve({}).ended == "optimal"
    with pytest.raises(ProgramError, match=r"meet has NaN or infinity"):
        in_cones(lambda x: [float("nan") * x[0] <= 1]).solve({})


@pytest.mark.parametrize(
    ("sense", "term", "least"),
    [
        ("minimize", lambda v: (v.x - 3) * (v.y - 2), -7.5),
        ("maximize", lambda v: v.x * v.y, 20.25),
        ("minimize", lambda v: v.x**2 + v.y**2 - 3 * v.x * v.y, -20.25),
    ],
)
def test_highs_gets_no_quadratic_objective_that_is_not_convex(sense: Sense, term: Function, least: float) -> None:
    solution = program(sense, term, [lambda v: v.x <= 4.5, lambda v: v.y <= 4.5, lambda v: v.x + v.y <= 9]).solve({})
    assert "highs takes no quadratic objective that is not convex" in solution.message
    assert solution.objective == pytest.approx(least, abs=1e-5)


def test_highs_keeps_a_convex_quadratic_objective() -> None:
    solution = program("minimize", lambda v: v.x**2 + v.y**2 - 2 * v.x * v.y + v.x, [lambda v: v.y >= 3]).solve({})
    assert solution.status == "optimal (claimed by highs)"


def add_complements(block: Any) -> None:
    block.either = mpec.Complementarity(expr=mpec.complements(block.x >= 1, block.y >= 0))


def add_disjunction(block: Any) -> None:
    block.either = gdp.Disjunction(expr=[[block.x >= 2], [block.x >= 3]])


def add_objective(block: Any) -> None:
    block.either = pyo.Objective(expr=-block.x)


def fix_outside(block: Any) -> None:
    block.x.setub(5)
    block.x.fix(9)


def fix_between(block: Any) -> None:
    block.x.domain = pyo.Integers
    block.x.fix(2.5)


@pytest.mark.parametrize(
    ("add", "said"),
    [
        (add_complements, "cols.either is a Pyomo Complementarity"),
        (add_disjunction, "cols.either is a Pyomo Disjunction"),
        (add_objective, "cols.either is a Pyomo Objective"),
        (fix_outside, "cols.x is fixed at 9"),
        (fix_between, "cols.x is fixed at 2.5"),
    ],
)
def test_a_component_that_no_solver_reads_is_refused(add: Function, said: str) -> None:
    def term(block: Any) -> Any:
        add(block)
        return block.x

    posed = program("minimize", term, [lambda v: v.y >= 1])
    for ask in (posed.solve, posed.why_infeasible):
        with pytest.raises(ProgramError, match=said):
            ask({})


EQUAL_TERMS: dict[str, tuple[Function, Fraction]] = {
    "in a row": (lambda v: 0.1 * v.x + 0.2 * v.x <= 0.3, Fraction(1)),
    "on both sides": (lambda v: 0.3 * v.x >= 0.1 * v.x + 0.2 * v.x, Fraction(5)),
    "behind a quotient": (lambda v: 0.3 * v.x >= (v.x + v.x) / 20 + v.x / 5, Fraction(5)),
    "constants": (lambda v: v.x + 0.1 + 0.2 <= 0.3, Fraction(0)),
    "parameters": (lambda v: v.p * v.x + 0.2 * v.x <= v.p + 0.2, Fraction(1)),
}


@pytest.mark.parametrize("name", EQUAL_TERMS)
def test_equal_terms_are_added_exactly(name: str) -> None:
    row, best = EQUAL_TERMS[name]

    def both(block: Any) -> Any:
        block.p = pyo.Param(initialize=0.1, mutable=True)
        return row(block)

    posed = program("maximize", lambda v: v.x, [both, lambda v: v.x + v.y <= 5])
    assert posed.solve({}).exact == best
    assert multipliers(listing_of(as_stated(posed.build, {})))[1] == best


def test_an_error_of_cvxpys_sums_is_refused() -> None:
    for rows in (lambda x: [0.3 * x[0] >= 0.1 * x[0] + 0.2 * x[0]], lambda x: [x[0] + 0.1 + 0.2 >= 0.3]):
        with pytest.raises(ProgramError, match=r"a row of x has the number -?5.55e-17, probably an error of CVXPY"):
            listing_of_problem(in_cones(rows).build({}))
    assert listing_of_problem(in_cones(lambda x: [0.3 * x[0] >= 1e-17 * x[1]]).build({})).rows
