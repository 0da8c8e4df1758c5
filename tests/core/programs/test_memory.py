"""Models and solvers of large programs leave the memory when they are no longer needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pyomo.environ as pyo
import pytest

from schedproof.core.certificates import program_bound
from schedproof.core.programs import solve
from schedproof.core.programs.exact.listing import SMALL
from tests.core.toys import Toy, knapsack

LARGE = Toy(values=(5.0,) * (SMALL + 1), weights=(4.0,) * (SMALL + 1))


@pytest.fixture
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive(name: str) -> int:
    """Count objects; the adapter and the solver are both called Highs."""
    return sum(type(each).__name__ == name for each in gc.get_objects())


@pytest.mark.usefixtures("no_collection")
def test_a_bound_is_solved_without_the_model() -> None:
    program, models = knapsack().relaxed(), alive("ConcreteModel")
    model = program.build(LARGE)
    assert isinstance(model, pyo.ConcreteModel) and alive("ConcreteModel") == models + 1
    del model
    listing = program_bound.program_listing(program, LARGE)
    assert len(listing.columns) > SMALL and alive("ConcreteModel") == models


@pytest.mark.usefixtures("no_collection")
def test_the_solver_is_gone_when_its_answer_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    before, during = alive("Highs"), list[int]()
    flaw = solve._flaw_of_point

    def count(*given: Any) -> str:
        during.append(alive("Highs"))
        return flaw(*given)

    monkeypatch.setattr(solve, "_flaw_of_point", count)
    assert knapsack().relaxed().solve(LARGE).objective == 6.25
    assert during == [before]
