from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from schedproof.check import bound as checker
from schedproof.core.certificates.bound import Unproven
from schedproof.core.certificates.bounds import write_bound
from schedproof.core.certificates.program_bound import program_bound
from schedproof.core.certificates.vipr import write_vipr
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.exact.certificate import RowMultipliers
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted, best_within
from tests.core.programs.generation.stock import Stock, cut, cutting, most_valuable, patterns, stocks

SOME = Stock(10, (3, 4, 7), (5, 4, 3))


def all_columns(stock: Stock) -> Fraction:
    every = tuple(patterns(stock))
    listed = replace(cut, price=None, rest=None, start=None, build=lambda b, s: cut.build(b, s, columns=every))
    return program_bound(cutting(listed), stock).exact


@given(stocks())
def test_the_bound_equals_that_of_all_columns(stock: Stock) -> None:
    result, optimum = program_bound(cutting(), stock), all_columns(stock)
    result.check(stock)
    assert result.exact <= optimum and float(result.exact) == pytest.approx(float(optimum), rel=1e-9)
    assert result.details["value"] == pytest.approx(float(optimum)) and result.details["ended"] in ("gap", "converged")


@settings(max_examples=20)
@given(stocks())
def test_solve_finds_the_relaxed_optimum_and_a_feasible_integer_point(stock: Stock) -> None:
    relaxed, whole = cutting().relaxed().solve(stock), cutting().solve(stock)
    assert relaxed.objective == pytest.approx(float(all_columns(stock)))
    assert relaxed.status == "optimal (claimed by highs and cut's price)"
    assert whole.status == "feasible" and whole.bound is None
    assert whole.objective >= relaxed.objective - 1e-6


@given(stocks())
def test_pricing_that_omits_columns_gives_no_false_bound(stock: Stock) -> None:
    lazy = program_bound(cutting(replace(cut, price=lambda stock, multipliers: ())), stock)
    lazy.check(stock)
    assert lazy.exact <= all_columns(stock)


def test_pricing_that_returns_useless_columns_gives_no_false_bound() -> None:
    def any_pattern(stock: Stock, multipliers: Any) -> Iterator[Any]:
        yield from patterns(stock)

    assert program_bound(cutting(replace(cut, price=any_pattern)), SOME).exact <= all_columns(SOME)


def test_without_a_bound_on_reduced_costs_there_is_no_bound() -> None:
    program = cutting(replace(cut, rest=None))
    with pytest.raises(NoSolution, match="no bound for columns that are not listed; define `rest` for the group 'cut'"):
        program_bound(program, SOME)
    assert "cut's price" in program.relaxed().solve(SOME).status


def test_the_statement_names_the_method_and_the_file_its_trusted_parts(tmp_path: Path) -> None:
    result, file = program_bound(cutting(), SOME), tmp_path / "bound.json"
    assert result.statement.endswith("whose 'cut' are bounded by their own `rest`")
    write_bound(file, result)
    row = json.loads(file.read_text())
    believed = f", of the program as listed, whose 'cut' are in total at least {row['multipliers']['rest']['cut']}"
    assert said(row) == (result.exact, believed)
    read = replace(result, of=None, witness=RowMultipliers.from_json(row["multipliers"], SOME))
    read.check(SOME)
    assert read.statement.endswith(believed)
    replace(read, of=result.of).check(SOME)


def said(row: dict[str, Any]) -> tuple[Fraction, str]:
    prove, _ = checker.prover({"family": row["program"].partition(".")[0]}, row)
    (value, _), rest = prove(row["multipliers"]), row["multipliers"]["rest"]
    return value, checker.belief(row["kind"], rest)


def test_another_bound_on_reduced_costs_is_rejected_for_a_known_program(tmp_path: Path) -> None:
    result = program_bound(cutting(), SOME)
    more = replace(result.witness, rest={"cut": result.witness.rest["cut"] + 1})
    forged = replace(result, witness=more, exact=result.exact + 1)
    with pytest.raises(Unproven, match="differs from the certificate"):
        forged.check(SOME)
    replace(forged, of=None).check(SOME)  # which says that it is believed
    with pytest.raises(checker.Refused, match="for the comparison of rows"):
        listed = json.loads(json.dumps(more.to_json()))
        checker.require_written(listed, checker.as_listed(listed, checker.Steps(10**4)), "lower")
    with pytest.raises(
        ProgramError, match="no VIPR file: expected listed columns only, but 'cut' has unlisted columns"
    ):
        write_vipr(tmp_path / "bound.vipr", result, None, SOME)


def test_a_bound_with_other_multipliers_is_rejected() -> None:
    result = program_bound(cutting(), SOME)
    more = {i: y * 2 for i, y in result.witness.multipliers.items()}
    doubled = RowMultipliers(result.witness.listing, more)
    with pytest.raises(Unproven):
        replace(result, witness=doubled, exact=doubled.value(SOME)).check(SOME)


@pytest.mark.parametrize("most", [1, 2])
def test_an_interrupt_keeps_the_best_bound(most: int) -> None:
    calls = 0

    def price(stock: Stock, multipliers: Any) -> Iterator[Any]:
        nonlocal calls
        calls += 1
        if calls > most:
            raise KeyboardInterrupt
        yield from most_valuable(stock, multipliers)

    with pytest.raises(Interrupted) as info:
        best_within(Context(), lambda context: program_bound(cutting(replace(cut, price=price)), SOME, context))
    info.value.best.check(SOME)
    assert 0 < info.value.best.exact <= all_columns(SOME)


def test_columns_without_a_feasible_point_prove_no_infeasibility() -> None:
    program = cutting(replace(cut, start=lambda stock: [(0,) * len(stock.widths)]))
    assert "the program over the generated columns ended with infeasible" in program.solve(SOME).message
    with pytest.raises(NoSolution, match="on the columns so far"):
        program_bound(program, SOME)
