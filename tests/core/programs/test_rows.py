from __future__ import annotations

from math import inf

import pyomo.environ as pyo
import pytest

from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.pyomo_form import linear_part
from schedproof.core.programs.rows import Row, describe_row, domains, fold, left_side


@pytest.fixture
def listing() -> Listing:
    model = pyo.ConcreteModel()
    model.y = pyo.Var(["a", "b"], range(5))
    model.served = pyo.Constraint(["a", "b"], rule=lambda m, j: m.y[j, 0] - 2 * m.y[j, 1] + 3 >= 4)
    model.all = pyo.Constraint(expr=sum(model.y.values()) >= 0)
    model.objective = pyo.Objective(expr=0)
    return linear_part(model)[0]


def test_a_row_has_its_sides_and_its_relation(listing: Listing) -> None:
    entry = listing.rows[0]
    left = left_side(entry.terms, listing.columns)
    assert left == "y[a,0] - 2 y[a,1]"
    row = describe_row(entry, left, 1.0, inf)
    assert row == Row("served[a]", "served", ("a",), left, ">= 1") and row.group == "served"
    ends = {(2.0, 2.0): "= 2", (0.0, 1.0): "in [0, 1]", (-inf, 1.5): "<= 1.5"}
    assert [describe_row(entry, "", *pair).relation for pair in ends] == list(ends.values())


def test_a_long_side_is_shortened(listing: Listing) -> None:
    assert left_side(listing.rows[2].terms, listing.columns) == "y[a,0] + y[a,1] + y[a,2] + ... (10 terms)"


def test_runs_of_an_index_are_one_row_and_others_are_not() -> None:
    rows = [Row(f"y[{j},{t}]", "y", (j, t), "", ">= 0") for j in "ab" for t in (0, 1, 2, 4)]
    assert [*fold(rows)] == ["y[a, 0..2] >= 0", "y[a, 4] >= 0", "y[b, 0..2] >= 0", "y[b, 4] >= 0"]
    assert [*domains(rows)] == ["y >= 0 (8 variables)"]
    assert [*domains(rows[:1])] == ["y[a, 0] >= 0"]
