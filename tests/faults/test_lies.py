"""Solvers that lie, by seed: no crash, no false proof, no infeasible point."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.backends import BACKENDS
from schedproof.core.programs.exact import listing
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE
from schedproof.core.solvers import cpsat, pyomo_models
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.core.solvers.solution import Solution
from schedproof.core.solvers.status import Outcome
from tests.formulations.test_programs import PROGRAMS, SMALL
from tests.online.test_policies import GAMES
from tests.support import size

CLEARLY = 1e-4  # more than any solver's tolerance
SEEDS = range(size(1, 2, 200))
CASES = [pytest.param(p, s, id=f"{p.id}:{p.groups[1].name}-{s}") for p in PROGRAMS for s in SEEDS]
by_seed = pytest.mark.parametrize(("program", "seed"), CASES)

TRULY = pyomo_models.solve


def same(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= 1e-5 * max(1.0, abs(one))


@cache
def honest(number: int) -> Solution:
    program = PROGRAMS[number]
    return program.solve(SMALL[program.family], solver=BACKENDS[program.backend].solvers[0])


def told(program: Program, lie: Callable[[Any, Outcome], Outcome | None], patch: pytest.MonkeyPatch) -> Solution | None:
    honest(PROGRAMS.index(program))  # solve it before the solver lies
    backend, told = BACKENDS[program.backend], [True]

    def solve(model: Any, solver: str, time_limit: float | None) -> Outcome:
        outcome = backend.solve(model, solver, time_limit)
        changed = lie(model, outcome)
        told[0] = changed is not None
        return changed or outcome

    patch.setitem(BACKENDS, program.backend, backend._replace(solve=solve))
    if backend.solvers[0] in program.routes:  # a loop of its own around the solver
        patch.setattr(pyomo_models, "solve", lambda model, name="highs", limit=None: solve(model, name, limit))
    solution = program.solve(SMALL[program.family], solver=backend.solvers[0])
    return solution if told[0] else None


def bounced(program: Program, solution: Solution) -> bool:
    if solution.solver not in program.routes or solution.objective is None:
        return False
    truth = honest(PROGRAMS.index(program)).objective
    assert truth is not None and not solution.proven
    worse = (solution.objective - truth) * (1 if program.sense == "minimize" else -1)
    return worse >= -1e-5 * max(1.0, abs(truth))


def mended(program: Program, solution: Solution) -> bool:
    truth = honest(PROGRAMS.index(program))
    right = solution.ended == truth.ended and same(solution.objective, truth.objective)
    return right and bool(solution.message) and (solution.proven or solution.solver != truth.solver)


# --- points -----------------------------------------------------------------------------------------------------------


def entries(model: Any) -> list[tuple[Any, Any]]:
    if isinstance(model, pyo.ConcreteModel):
        every = model.component_data_objects(pyo.Var, descend_into=True)
        return [(v, None) for v in every if v.value is not None and not v.name.endswith("indicator_var")]
    return [(v, i) for v in model.variables() for i in np.ndindex(v.shape)]


def put(entry: tuple[Any, Any], value: float) -> None:
    variable, index = entry
    if index is None:
        variable.set_value(value, skip_validation=True)
    else:
        array = np.array(variable.value, dtype=float)
        array[index] = value
        variable.save_value(array)


def get(entry: tuple[Any, Any]) -> float:
    return float(entry[0].value if entry[1] is None else np.asarray(entry[0].value)[entry[1]])


def breaks(model: Any) -> bool:
    if not isinstance(model, pyo.ConcreteModel):
        rows = [float(np.max(row.violation(), initial=0.0)) for row in model.constraints]
        signs = [float(-np.min(v.value, initial=0.0)) for v in model.variables() if v.is_nonneg()]
        return max(rows + signs, default=0.0) > CLEARLY
    rows = [(pyo.value(c.body), c.lb, c.ub) for c in model.component_data_objects(pyo.Constraint, active=True)]
    ranges = [(v.value, v.lb, v.ub) for v, _ in entries(model)]
    return any(
        (low is not None and value < low - CLEARLY) or (high is not None and value > high + CLEARLY)
        for value, low, high in rows + ranges
    )


def one_is(value: float) -> Callable[[np.random.Generator], Callable[[Any, Outcome], Outcome | None]]:
    def drawn(rng: np.random.Generator) -> Callable[[Any, Outcome], Outcome | None]:
        def lie(model: Any, outcome: Outcome) -> Outcome | None:
            if not (places := entries(model)):
                return None
            put(places[rng.integers(len(places))], value)
            return outcome

        return lie

    return drawn


def moved(rng: np.random.Generator) -> Callable[[Any, Outcome], Outcome | None]:
    def lie(model: Any, outcome: Outcome) -> Outcome | None:
        places = entries(model)
        for at in rng.permutation(len(places))[:20]:
            true = get(places[at])
            for step in (1, -1, 1000, -1000):
                put(places[at], true + step * rng.uniform(1, 2) // 1)
                if breaks(model):
                    value = BACKENDS["pyomo" if isinstance(model, pyo.ConcreteModel) else "cvxpy"].point(model)[0]
                    return replace(outcome, objective=value, bound=value)
            put(places[at], true)
        return None

    return lie


POINTS = {"NaN": one_is(math.nan), "infinity": one_is(math.inf), "minus infinity": one_is(-math.inf), "moved": moved}


@by_seed
def test_a_point_that_cannot_be_is_no_solution(program: Program, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    number = PROGRAMS.index(program)
    kind = list(POINTS)[(seed + number) % len(POINTS)]
    solution = told(program, POINTS[kind](np.random.default_rng(seed)), monkeypatch)
    if solution is None:
        pytest.skip("no number of its point breaks anything")
    if bounced(program, solution) or mended(program, solution):
        return
    assert solution.ended == solution.status == "solver_failed", kind
    assert (solution.values, solution.objective, solution._schedule) == ({}, None, None), kind
    assert "reports" in solution.message and len(solution.message.splitlines()) == 1, kind


@by_seed
@pytest.mark.parametrize("large", [False, True])
def test_nonfinite_values_are_rejected_when_read(
    program: Program, seed: int, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyomo.contrib.solver.solvers.highs import HighsSolutionLoader

    if program.backend != "pyomo":
        pytest.skip("it is not solved by HiGHS")
    honest(PROGRAMS.index(program))  # before HiGHS lies
    rng, truly = np.random.default_rng(seed), HighsSolutionLoader.get_vars
    wrong = rng.choice([math.nan, math.inf, -math.inf])

    def lies(self: Any, **arguments: Any) -> Any:
        values = truly(self, **arguments)
        for at, variable in enumerate(values):
            values[variable] = wrong if at == picked % len(values) else values[variable]
        return values

    picked = int(rng.integers(10**6))
    monkeypatch.setattr(HighsSolutionLoader, "get_vars", lies)
    monkeypatch.setattr(listing, "SMALL", 0 if large else listing.SMALL)  # large ones are checked in doubles
    solution = program.solve(SMALL[program.family], solver="highs")
    assert bounced(program, solution) or mended(program, solution) or solution.ended == "solver_failed"


# --- words ------------------------------------------------------------------------------------------------------------


def another_objective(program: Program, rng: np.random.Generator) -> Callable[[Any, Outcome], Outcome | None]:
    factor = rng.choice([math.nan, math.inf, 0.9, 1.1, -1.0, 2.0])
    return lambda model, said: replace(said, objective=(said.objective or 0.0) * factor + 1.0)


def worse_than_its_bound(program: Program, rng: np.random.Generator) -> Callable[[Any, Outcome], Outcome | None]:
    side, by = (1 if program.sense == "minimize" else -1), rng.choice([1.0, 100.0, math.inf, math.nan])
    status = rng.choice(["optimal", "feasible"])
    return lambda model, said: replace(said, status=status, bound=(said.objective or 0.0) + side * by, multipliers=None)


CAUGHT = {"another objective": another_objective, "a bound beyond the point": worse_than_its_bound}


@by_seed
def test_a_status_that_contradicts_the_point_is_no_solution(
    program: Program, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = list(CAUGHT)[(seed + PROGRAMS.index(program)) % len(CAUGHT)]
    solution = told(program, CAUGHT[kind](program, np.random.default_rng(seed)), monkeypatch)
    assert solution is not None
    failed = (solution.ended, solution.objective) == ("solver_failed", None)
    assert failed or bounced(program, solution) or mended(program, solution), kind


def worst_point(model: Any, outcome: Outcome) -> Outcome | None:
    if isinstance(model, pyo.ConcreteModel):
        sense = model.objective.sense
        model.objective.sense = -sense
        swapped = TRULY(model)
        model.objective.sense = sense
        return replace(swapped, status="optimal", bound=swapped.objective) if swapped.has_point else None
    for variable in model.variables():
        variable.save_value(np.zeros(variable.shape))
    value = float(model.objective.value)
    return None if breaks(model) else replace(outcome, objective=value, bound=value)


def nothing_there(status: str) -> Callable[[Any, Outcome], Outcome | None]:
    return lambda model, outcome: Outcome(status)  # type: ignore[arg-type]


def another_proof(rng: np.random.Generator) -> Callable[[Any, Outcome], Outcome | None]:
    factor = rng.choice([math.nan, math.inf, 0.0, -1.0, 1.01])

    def lie(model: Any, outcome: Outcome) -> Outcome | None:
        if not outcome.multipliers:
            return None
        return replace(outcome, multipliers={row: factor * (x or 1.0) for row, x in outcome.multipliers.items()})

    return lie


@by_seed
def test_an_undetectable_lie_is_a_claim_and_no_proof(
    program: Program, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, rng = PROGRAMS.index(program), np.random.default_rng(seed)
    lies = [worst_point, nothing_there("infeasible"), nothing_there("unbounded"), another_proof(rng)]
    truth = honest(number)
    solution = told(program, lies[(seed + number) % len(lies)], monkeypatch)
    if solution is None:
        pytest.skip("there is no such lie")
    if solution.proven:
        assert solution.ended == truth.ended and same(solution.objective, truth.objective)
    elif solution.ended != "solver_failed":
        assert "claimed by" in solution.status and solution.rests_on == f"the unproven answer of {solution.solver}"


# --- routes -----------------------------------------------------------------------------------------------------------

ROUTES = [pytest.param(p, name, s, id=f"{p.id}-{name}-{s}") for p in PROGRAMS for name in p.routes for s in SEEDS]


@pytest.mark.parametrize(("program", "name", "seed"), ROUTES)
def test_a_routes_answer_is_compared_with_its_schedule(program: Program, name: str, seed: int) -> None:
    rng, route, instance = np.random.default_rng(seed), program.routes[name], SMALL[program.family]
    lie = ("NaN", "infinity", "bound", "schedule", "infeasible")[(seed + PROGRAMS.index(program)) % 5]
    by = rng.choice([1.0, -1.0, 10.0])

    def lies(instance: Any, **arguments: Any) -> Outcome:
        outcome = route.solve(instance, **arguments)
        return {
            "NaN": lambda: replace(outcome, objective=math.nan),
            "infinity": lambda: replace(outcome, objective=by * math.inf),
            "bound": lambda: replace(outcome, bound=math.nan),
            "schedule": lambda: replace(outcome, objective=(outcome.objective or 0.0) + by),
            "infeasible": lambda: Outcome("infeasible"),
        }[lie]()

    truth = program.solve(instance, solver=name)
    assert truth.ended == "optimal"
    solution = replace(program, routes=dict(program.routes) | {name: route._replace(solve=lies)}).solve(
        instance, solver=name
    )
    if lie == "infeasible":
        assert route.engine == EXHAUSTIVE or not solution.proven
    elif lie != "schedule" or truth._schedule is not None:
        assert solution.ended == "solver_failed" and solution.objective is None, lie


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("id", [p.id for p in PROGRAMS if "cpsat" in p.routes and not p.id.endswith("minlp7")])
def test_cp_sats_numbers_are_those_of_a_schedule(id: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    truly, rng, program = cpsat.solve, np.random.default_rng(seed), sp.program(id)

    class Liar:
        def __init__(self, solver: Any) -> None:
            self._solver = solver

        def value(self, variable: Any) -> int:
            return int(self._solver.value(variable)) + int(rng.choice([0, 0, 1, -1]))

    def lies(model: Any, *arguments: Any, **more: Any) -> tuple[Outcome, Any]:
        outcome, solver = truly(model, *arguments, **more)
        return replace(outcome, objective=(outcome.objective or 0.0) + rng.choice([0.0, 1.0])), Liar(solver)

    instance = SMALL[program.family]
    truth = program.solve(instance, solver="cpsat")
    monkeypatch.setattr(cpsat, "solve", lies)
    try:
        solution = program.solve(instance, solver="cpsat")
    except SchedproofError:
        return
    assert not solution.proven
    assert solution.ended == "solver_failed" or solution._schedule is None or same(solution.objective, truth.objective)


# --- bounds -----------------------------------------------------------------------------------------------------------

BOUNDS = [id for id in registry.entries("bound") if id.split(".")[0] in GAMES]
CERTIFIED = [pytest.param(id, seed, id=f"{id}-{seed}") for id in BOUNDS for seed in SEEDS]


@pytest.mark.parametrize(("id", "seed"), CERTIFIED)
def test_a_bound_holds_for_any_answers_of_the_linear_programs(
    id: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, instance = np.random.default_rng(seed), GAMES[id.split(".")[0]].drawn(seed)
    try:
        truth = sp.bound(id, instance)
    except SchedproofError:
        pytest.skip("the instance has no such bound")
    share, kind = rng.choice([0.1, 1.0]), seed % 5

    def wrong(true: np.ndarray) -> np.ndarray:
        lie = {
            0: np.full_like(true, math.nan),
            1: rng.choice([math.inf, -math.inf], true.shape),
            2: true * rng.uniform(0, 3, true.shape),
            3: -true,
            4: rng.normal(size=true.shape) * 10.0 ** rng.integers(-3, 6),
        }[kind]
        return np.where(rng.random(true.shape) < share, lie, true)

    for name in ("point", "multipliers"):
        right = vars(LinearProgram)[name].fget
        monkeypatch.setattr(LinearProgram, name, property(lambda self, right=right: wrong(right(self))))
    try:
        bound = sp.bound(id, instance)
    except SchedproofError:
        return
    monkeypatch.undo()
    assert bound.verify(instance) and (bound.kind, bound.among) == (truth.kind, truth.among)
    if not bound.among:
        run = sp.policy(next(name for name in registry.entries("policy") if name.startswith(instance.family))).run(
            instance
        )
        with suppress(SchedproofError):  # where nothing is earned, or the run is of another question
            assert run.ratio(bound).exact >= 1
