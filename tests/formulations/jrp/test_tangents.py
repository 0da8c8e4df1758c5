from __future__ import annotations

import importlib.util
import random
from fractions import Fraction
from math import sqrt
from typing import Any

import pyomo.environ as pyo
import pytest

from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.solvers import pyomo_models
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.jrp import tangents
from schedproof.formulations.jrp.eliminated import servable
from schedproof.formulations.jrp.exact import exact
from schedproof.formulations.jrp.tangents import SLACK, Linear, Search, cover, feasible_part, slope
from schedproof.instances.jrp import Instance, Placement
from schedproof.reference.jrp import cone, data, takes
from tests.formulations.jrp.tiny import cells, job, server
from tests.support import size
from tests.tiny.jrp import tiny_cells


def drawn(seed: int) -> Instance:
    return tiny_cells(seed, jobs=3 + seed % 3)


def anything(instance: Instance, rng: random.Random) -> list[Placement]:
    jobs = [j for j in instance.jobs if rng.random() < 0.7 and all(node.servers for node in j.nodes)]
    return [Placement(j.index, n.index, rng.choice(n.servers)) for j in jobs for n in j.nodes]


def set_point(linear: Linear, placed: list[Placement], instance: Instance) -> None:
    model, jobs = linear.model, instance.jobs
    for x in (*model.assign.placed.values(), *model.admit.accepted.values()):
        x.value = 0
    for k, i, j in placed:
        model.assign.placed[jobs[k].name, jobs[k].nodes[i].name, instance.servers[j].name].value = 1
        model.admit.accepted[jobs[k].name].value = 1
    for name, row in (*model.loads.u.items(), *model.loads.v.items()):
        part = model.left.u if row.parent_component() is model.loads.u else model.left.v
        part[name].value = 0.0
        part[name].value = pyo.value(row.upper) - pyo.value(row.body)
    for name, row in model.loads.w.items():
        model.left.w[name].value = 0.0
        model.left.w[name].value = abs(pyo.value(row.body) - pyo.value(row.upper))


def slack(row: Any) -> float:
    return float(row.slack())


def test_no_tangent_and_no_cover_cuts_a_feasible_assignment_and_each_infeasible_one_is_cut() -> None:
    cut = left = 0
    for seed in range(size(10, 36, 600)):
        rng, instance = random.Random(seed), drawn(seed)
        linear = Linear(instance)
        for _ in range(6):
            placed = anything(instance, rng)
            kept = feasible_part(placed, instance)
            set_point(linear, kept, instance)
            rows = [*linear.model.tangents.values(), *linear.model.covers.values()]
            assert all(slack(row) >= 0 for row in rows), seed
            left += bool(kept)
            for j in range(len(instance.servers)):
                here = [row for row in placed if row.server == j]
                if not holds(instance, here):
                    covered = cover(instance, j, here)
                    assert not holds(instance, covered) and set(covered) <= set(here)
                    assert all(holds(instance, [row for row in covered if row != one]) for one in covered)
                    set_point(linear, placed, instance)
                    linear.cut(j, covered)
                    assert slack(linear.model.covers[len(linear.model.covers)]) <= -1
                    cut += 1
    assert cut and left


def holds(instance: Instance, here: list[Placement]) -> bool:
    held = data(instance, [(*row, Fraction(1)) for row in here])
    return all(takes(instance, j, held[j], cone) for j in {row.server for row in here})


@pytest.mark.parametrize(
    "instance",
    [
        cells([server(4, 4)], job(1, 1, 1), job(1, 1, 1)),
        cells([server(4, 8)], job(1, 2, 1), job(1, 2, 1)),
        cells([server("0.4", "0.4")], job("0.1", "0.1", 1), job("0.1", "0.1", 1)),
        cells([server("0.3", "2.7")], job("0.1", "0.9", 1), job("0.05", "0.45", 1)),
    ],
)
def test_no_tangent_cuts_off_an_equality(instance: Instance) -> None:
    linear, rng = Linear(instance), random.Random(0)
    set_point(linear, [Placement(0, 0, 0), Placement(1, 0, 0)], instance)
    at = slope(*(linear.model.left.component(part)["s0"].value for part in "uvw"))
    for p in [at, *(at + rng.gauss(0, 10.0 ** -rng.randrange(2, 12)) for _ in range(200))]:
        linear._touch(instance.servers[0], p)
    assert all(slack(row) >= 0 for row in linear.model.tangents.values())
    assert min(map(slack, linear.model.tangents.values())) < 3 * SLACK


def test_the_nearest_tangent_separates_a_point_from_the_cone() -> None:
    rng = random.Random(0)
    values = [0.0, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 1.0]
    for _ in range(size(300, 1800, 30000)):
        u, v, w = (rng.choice(values) * rng.choice([1.0, rng.random()]) for _ in range(3))
        p = slope(u, v, w)
        assert 0 < p < 1
        if sqrt(u * v) < w * (1 - 1e-9) and w > 1e-4:
            assert p * u + (1 - p) * v < 2 * sqrt(p * (1 - p)) * w, (u, v, w)


def test_tangents_and_covers_by_themselves_find_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangents, "FIRST_SLOPES", ())
    cuts = 0
    for seed in range(size(4, 12, 200)):
        instance = drawn(seed)
        search = Search(instance, USUAL)
        search.improve()
        assert search.value == search.bound == exact().solve(instance, solver="brute").objective, seed
        cuts += len(search._linear.model.covers)
    assert cuts


@pytest.mark.skipif(not importlib.util.find_spec("pyscipopt"), reason="needs pyscipopt")
def test_the_relaxation_by_tangents_is_that_of_the_cone_program() -> None:
    program = exact().add(servable)
    for seed in range(size(3, 6, 80)):
        instance = drawn(seed)
        linear = Linear(instance)
        linear.set_integer(False)
        while True:
            found = pyomo_models.solve(linear.model)
            if not linear.refine():
                break
        cone = program.relaxed().solve(instance, solver="scip").objective
        assert cone - 1e-5 <= found.objective <= cone + 1e-2, seed


def test_at_the_time_limit_there_is_a_schedule_and_an_integer_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = cells([server(4, 4)], job(1, 1), job(1, 1, 1), job(1, 1, 1), job(1, 1, 1), job(9, 9, 9))
    found = exact().solve(instance, time_limit=0.0)
    assert (found.status, found.objective, found.bound) == ("feasible", 1, 4)
    assert found.schedule().violations(instance) == [] and found.exact is None
    truly, limits = pyomo_models.solve, []

    def solve(model: Any, solver: str, context: Context) -> Outcome:
        limits.append(context.remaining)
        return truly(model, solver, context) if len(limits) == 1 else Outcome("time_limit", bound=3.7)

    monkeypatch.setattr(pyomo_models, "solve", solve)
    monkeypatch.setattr(tangents, "improve", lambda placed, *_: [])
    found = exact().solve(instance, time_limit=60.0)
    assert (found.status, found.objective, found.bound) == ("feasible", 1, 3)
    assert 60 >= limits[0] > limits[1] > 0
    limits.clear()
    found = exact().solve(instance)
    assert (found.status, found.bound, set(limits)) == ("feasible", 3, {None})


def test_a_solver_that_fails_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyomo_models, "solve", lambda *_: Outcome("solver_failed", message="lost"))
    found = exact().solve(cells([server(4, 4)], job(1, 1, 1)))
    assert (found.status, found.message, found.objective) == ("solver_failed", "lost", None)


def test_a_stalled_solver_is_not_called_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = cells([server(4, 4)], job(1, 1, 1))
    monkeypatch.setattr(tangents, "improve", lambda placed, *_: [])
    monkeypatch.setattr(tangents, "placements", lambda *_: [])
    found = exact().solve(instance)
    assert (found.status, found.message) == (
        "solver_failed",
        "the solver's point neither improves the incumbent nor is cut off",
    )
