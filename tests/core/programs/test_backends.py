from __future__ import annotations

from typing import Any

import cvxpy
import msgspec
import numpy as np
import pyomo.environ as pyo
import pytest

from schedproof.core.errors import ProgramError
from schedproof.core.programs.group import group
from schedproof.core.solvers import pyomo_models
from tests.core.toys import Toy, knapsack, projection


@pytest.mark.parametrize("solver", ["highs", "scip"])
@pytest.mark.parametrize(
    ("without", "optimum", "items"), [((), 5, {0}), (("not_both",), 7, {1, 2}), (("fits",), 9, {0, 1})]
)
def test_a_pyomo_program_solves(solver: str, without: tuple[str, ...], optimum: float, items: set[int]) -> None:
    if solver == "scip":
        pytest.importorskip("pyscipopt")
    solution = knapsack().drop(*without).solve(Toy(), solver=solver)
    assert (solution.ended, solution.objective, solution.bound) == ("optimal", optimum, optimum)
    assert solution.values == {"taken.x": dict.fromkeys(items, 1)}
    assert solution.gap == 0 and solution.solver == solver and solution.program == "toy.knapsack"


def test_relaxed_and_parameters_reach_the_model() -> None:
    assert knapsack().relaxed().solve(Toy()).objective == pytest.approx(3 + 3 / 4 * 5)
    assert knapsack(bonus=10).solve(Toy()).objective == 15


def test_a_model_has_one_block_per_group_and_can_be_extended() -> None:
    model = knapsack().build(Toy())
    assert [b.local_name for b in model.component_objects(pyo.Block)] == ["taken", "fits", "not_both", "value"]
    model.mine = pyo.Constraint(expr=model.taken.x[0] == 0)
    assert pyomo_models.solve(model).objective == 4


def test_several_objective_terms_add_up() -> None:
    @group("objective", "(+)", "c", needs=("taken",))
    def fee(block: Any, instance: Toy) -> None:
        """A fee for the first item."""
        block.term = -3 * block.model().taken.x[0]

    solution = knapsack().add(fee).solve(Toy())
    assert solution.objective == 4 and solution.values == {"taken.x": {1: 1}}


@pytest.mark.parametrize("solver", [None, "clarabel", "piqp", "osqp", "scs"])
def test_a_cvxpy_program_solves(solver: str | None) -> None:
    solution = projection().solve(Toy(), solver=solver)
    assert solution.solver == solver or (solver is None and solution.solver == "clarabel")
    shift = (5 + 4 + 3 - 5) / 3
    assert solution.ended == "optimal"
    assert solution.objective == pytest.approx(3 * shift**2, abs=1e-2)
    found = [solution.values["y"][i,] for i in range(3)]
    assert np.allclose(found, np.array([5, 4, 3]) - shift, atol=1e-2)  # OSQP's and SCS's own tolerances are loose
    assert msgspec.json.decode(msgspec.json.encode(solution.to_json()))["values"]["y"].keys() == {"0", "1", "2"}


def test_a_problem_is_a_cvxpy_problem() -> None:
    problem = projection().build(Toy())
    assert isinstance(problem, cvxpy.Problem) and len(problem.constraints) == 1


@pytest.mark.parametrize(("room", "sign", "status"), [(-1.0, 1, "infeasible"), (5.0, -1, "unbounded")])
def test_a_cvxpy_program_without_an_optimum_is_reported(room: float, sign: int, status: str) -> None:
    @group("constraints", "(+)", "y >= 0", needs=("point",))
    def above(parts: Any, instance: Toy) -> None:
        """No entry is negative."""
        parts.constraints["above"] = [parts.variables["y"] >= 0]

    @group("objective", "(+)", "sum y", needs=("point",))
    def total(parts: Any, instance: Toy) -> None:
        """The entries' sum."""
        parts.objective.append(sign * cvxpy.sum(parts.variables["y"]))

    program = projection().drop("distance").add(total)
    program = program.add(above) if sign > 0 else program.drop("below")
    solution = program.solve(Toy(room=room))
    assert solution.ended == status and solution.objective is None and solution.values == {}


def test_a_continuous_cvxpy_program_is_its_relaxation_and_an_integer_one_has_none() -> None:
    @group("constraints", "(+)", r"y_1 \in \{0,1\}", needs=("point",))
    def whole(parts: Any, instance: Toy) -> None:
        """The first entry is 0 or 1."""
        parts.constraints["whole"] = [parts.variables["y"][0] == cvxpy.Variable(boolean=True)]

    relaxed, plain = (program.solve(Toy()).objective for program in (projection().relaxed(), projection()))
    assert relaxed == plain
    with pytest.raises(
        ProgramError, match=r"toy\.projection: the integer variables of a CVXPY program cannot be relaxed"
    ):
        projection().add(whole).relaxed().build(Toy())
    with pytest.raises(ProgramError, match=r"integer variables of CVXPY are not solved; write .* in Pyomo"):
        projection().add(whole).solve(Toy())


@pytest.mark.parametrize("program", [knapsack(), projection()])
def test_an_unknown_solver_is_rejected_with_the_available_ones(program: Any) -> None:
    with pytest.raises(ProgramError, match=r"has no solver or exact method 'cplex' .*; use .* or "):
        program.solve(Toy(), solver="cplex")
