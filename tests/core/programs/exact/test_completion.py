from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import log

import pytest

from schedproof.core.errors import ProgramError
from schedproof.core.programs.exact.completion import BITS, complete
from schedproof.core.programs.exact.cones import Cone
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.point import Point

X, T, HAIR = 0, 1, Fraction(1, 2 ** (BITS - 1))


def listing(rows: Sequence[Row], cones: Sequence[Cone] = (), cost: int = 1, columns: int = 2) -> Listing:
    beside = (Column(f"t[{n}]", None, None, Fraction(cost), place=("t", n)) for n in range(columns - 1))
    known = Column("x", Fraction(0), None, Fraction(0), place=("x", None))
    return Listing("maximize", Fraction(0), (known, *beside), tuple(rows), tuple(cones))


def row(lower: int | None, upper: int | None, **terms: int) -> Row:
    sides = (None if side is None else Fraction(side) for side in (lower, upper))
    return Row("row", *sides, {int(name[1:]): a for name, a in terms.items()})


SQRT = [row(-1, None, _0=1), row(1, None, _0=1), row(0, None, _1=2)]  # x + 1 >= |(x - 1, 2 t)|
LOG = [row(0, None, _1=1), row(-1, None), row(0, None, _0=1)]  # exp(t) <= x


@pytest.mark.parametrize(
    ("given", "rows", "cones", "cost", "value"),
    [
        (3, [row(5, 5, _0=1, _1=2)], (), 1, Fraction(1)),  # an equation
        (3, [row(None, 7, _0=1, _1=2), row(None, 9, _1=1)], (), 1, Fraction(2)),
        (3, [row(-6, None, _0=1, _1=-3), row(None, 9, _1=1)], (), 1, Fraction(3)),
        (3, [row(-6, None, _1=1), row(None, 9, _1=1)], (), -1, Fraction(-6)),
        (4, SQRT, (Cone("second_order", (0, 1, 2)),), 1, Fraction(2)),
        (1, LOG, (Cone("exponential", (0, 1, 2)),), 1, Fraction(0)),
    ],
)
def test_the_value_of_one_column(
    given: int, rows: list[Row], cones: tuple[Cone, ...], cost: int, value: Fraction
) -> None:
    program, values = listing(rows, cones, cost), {X: Fraction(given)}
    complete(program, values)
    assert values[T] == value
    Point(program, tuple(values.values())).require_feasible()


@pytest.mark.parametrize(("rows", "kind", "value"), [(SQRT, "second_order", 2**0.5), (LOG, "exponential", log(2))])
def test_an_irrational_value_is_the_next_one_that_the_cone_allows(rows: list[Row], kind: str, value: float) -> None:
    program, values = listing(rows, (Cone(kind, (0, 1, 2)),)), {X: Fraction(2)}  # type: ignore[arg-type]
    complete(program, values)
    assert float(values[T]) == pytest.approx(value, rel=1e-15)
    Point(program, tuple(values.values())).require_feasible()
    with pytest.raises(ProgramError, match="outside their cone"):
        Point(program, (Fraction(2), values[T] + HAIR)).require_feasible()


def test_columns_with_shared_rows_are_completed_by_a_linear_program() -> None:
    program = listing([row(None, 5, _0=1, _1=1, _2=1), row(0, None, _1=1), row(None, 1, _2=3)], columns=3)
    values = {X: Fraction(3)}
    complete(program, values)
    assert values[1] + values[2] == 2
    Point(program, tuple(values.values())).require_feasible()


@pytest.mark.parametrize(
    "rows", [[row(0, None, _0=1, _1=1)], [row(9, None, _1=1), row(None, 7, _1=1)], [row(0, 9, _0=1)]]
)
def test_no_value_is_best(rows: list[Row]) -> None:
    with pytest.raises(ProgramError, match="is unbounded at the point"):
        complete(listing(rows), {X: Fraction(3)})


def test_a_program_without_a_point_is_refused() -> None:
    program = listing([row(5, 5, _1=1, _2=1), row(7, 7, _1=2, _2=2)], columns=3)
    with pytest.raises(ProgramError, match="highs ended with infeasible"):
        complete(program, {X: Fraction(3)})


def test_a_named_component_without_a_value_is_0() -> None:
    program = listing([row(None, 7, _1=1)])
    assert Point.of(program, {"x": {None: 3}, "t": {}}).value == 0
    assert Point.of(program, {"x": {None: 3}}).value == 7
    with pytest.raises(ProgramError, match="the program has no variable"):
        Point.of(program, {"x": {None: 3}, "u": {0: 1}})
