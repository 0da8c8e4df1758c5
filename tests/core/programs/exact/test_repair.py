from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pyomo.environ as pyo
import pytest

from schedproof.core.errors import NoSolution
from schedproof.core.programs.exact import solving
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import listing_of
from schedproof.core.programs.exact.repair import LOWER, UPPER, Limits, repair
from schedproof.core.programs.exact.solving import multipliers
from schedproof.reference import simplex
from tests.support import size


def packing(rng: random.Random) -> tuple[Listing, Fraction]:
    """max c x where A x <= b and x >= 0, with its exact simplex optimum."""
    width, height = rng.randrange(1, 5), rng.randrange(1, 5)

    def number(most: int) -> Fraction:
        return Fraction(rng.randrange(1, most), rng.randrange(1, 9))

    gains = [number(9) for _ in range(width)]
    table = [[number(9) * (rng.random() < 0.8) for _ in range(width)] for _ in range(height - 1)]
    table.append([number(9) for _ in range(width)])  # so that it has an end
    sides = [number(30) for _ in range(height)]
    point, _ = simplex.solve(gains, table, sides)
    columns = tuple(Column(f"x{j}", Fraction(0), None, gain) for j, gain in enumerate(gains))
    rows = tuple(
        Row(f"r{i}", None, side, {j: a for j, a in enumerate(row) if a})
        for i, (row, side) in enumerate(zip(table, sides, strict=True))
    )
    return Listing("maximize", Fraction(0), columns, rows), simplex.dot(gains, point)


def test_the_bound_is_close_to_the_exact_optimum() -> None:
    rng = random.Random(1)
    for _ in range(size(60, 200, 3000)):
        listing, optimum = packing(rng)
        proof, value = multipliers(listing)
        assert listing.bound(proof) == value >= optimum
        assert value - optimum <= Fraction(1, 10**12) * max(1, optimum)


def test_no_multipliers_prove_more_than_the_optimum() -> None:
    rng = random.Random(2)
    proofs = 0
    for _ in range(size(200, 600, 9000)):
        listing, optimum = packing(rng)
        wild = {i: Fraction(rng.randrange(-30, 90), rng.randrange(1, 40)) for i in range(len(listing.rows))}
        proof = repair(listing, wild, Limits(listing))
        assert listing.bound(proof) >= optimum
        proofs += 1
    assert proofs


def test_a_column_is_bounded_through_rows_of_mixed_signs() -> None:
    # x <= y + 1 and y <= z and z <= 3 limit x; nothing limits u, and only from one side v.
    model = pyo.ConcreteModel()
    model.x, model.y, model.z, model.u = (pyo.Var(domain=pyo.NonNegativeReals) for _ in range(4))
    model.v = pyo.Var()
    model.first = pyo.Constraint(expr=model.x - model.y <= 1)
    model.second = pyo.Constraint(expr=model.y - model.z <= 0)
    model.third = pyo.Constraint(expr=model.z <= 3)
    model.fourth = pyo.Constraint(expr=model.v - model.x <= 0)
    model.objective = pyo.Objective(expr=model.x, sense=pyo.maximize)
    listing = listing_of(model)
    limits = Limits(listing)
    assert [(j, end) for j, end in limits.of] == [(2, UPPER), (1, UPPER), (0, UPPER), (4, UPPER)]
    assert limits.open == [(3, UPPER), (4, LOWER)]
    assert listing.bound(repair(listing, {}, limits)) == 4


def noisy(listing: Listing, found: np.ndarray) -> Iterator[dict[int, Fraction]]:
    """Multipliers that are off by 1e-10, not at a vertex."""
    rng = random.Random(len(found))
    yield {i: Fraction(y * (1 + rng.uniform(-1e-10, 1e-10))) for i, y in enumerate(found.tolist()) if y}


def covering() -> Listing:
    """min x + 3 y where x + y >= 1 and y <= 3 x; x is unbounded above."""
    model = pyo.ConcreteModel()
    model.x, model.y = pyo.Var(domain=pyo.NonNegativeReals), pyo.Var(domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint(expr=3 * model.x + model.y >= 1)
    model.objective = pyo.Objective(expr=model.x + 3 * model.y)
    return listing_of(model)


def test_an_unbounded_column_costs_a_tiny_part_of_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    listing, third = covering(), Fraction(1, 3)
    assert multipliers(listing)[1] == third
    monkeypatch.setattr(solving, "_near", noisy)
    _, value = multipliers(listing)
    assert third - Fraction(1, 10**6) < value <= third


def test_without_an_optimum_there_is_no_bound() -> None:
    for side, word in ((5, "infeasible"), (None, "unbounded")):
        model = pyo.ConcreteModel()
        model.x = pyo.Var(domain=pyo.NonNegativeReals)
        model.low = pyo.Constraint(expr=model.x >= (6 if side else 0))
        if side:
            model.high = pyo.Constraint(expr=model.x <= side)
        model.objective = pyo.Objective(expr=-model.x)
        with pytest.raises(NoSolution, match=f"highs ended with {word}"):
            multipliers(listing_of(model))
