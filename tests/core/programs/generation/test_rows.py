from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedproof.check import bound as checker
from schedproof.core.base.lazy import pyo
from schedproof.core.certificates.bound import Unproven
from schedproof.core.certificates.bounds import CertificateRow, _bound, write_bound
from schedproof.core.certificates.program_bound import program_bound
from schedproof.core.data.reading import convert, parse, read_text
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.generation import loop
from schedproof.core.programs.generation.master import RowMaster
from schedproof.core.programs.group import group
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted, best_within
from tests.core.programs.generation.shops import (
    Shop,
    at_once,
    completion,
    cost,
    lp,
    most_violated,
    parallel,
    separated_by,
    shops,
)


@group("constraints", "(1b)", r"C_j \le 1", needs=("completion",))
def at_once_complete(block: Any, shop: Shop) -> None:
    """All jobs are complete after a slot."""
    c = block.model().completion.C
    block.row = pyo.Constraint(list(c), rule=lambda _, j: c[j] <= 1)


THREE = Shop((3, 1, 2), ((2, 3, 1), (1, 1, 4)))


def all_rows(shop: Shop) -> Fraction:
    listed = replace(parallel, separate=None, build=lambda block, shop: parallel.build(block, shop, rows=at_once(shop)))
    return program_bound(lp(listed), shop).exact


@given(shops())
def test_the_bound_equals_that_of_all_rows(shop: Shop) -> None:
    result = program_bound(lp(), shop)
    assert result.exact == all_rows(shop)
    result.check(shop)
    least, most = checker.multiplier_range(result.witness.to_json())
    assert least == result.exact == most


@settings(max_examples=20)
@given(shops(4))
def test_solve_finds_the_optimum_of_all_rows_integer_and_relaxed(shop: Shop) -> None:
    for program in (lp(), lp().relaxed()):
        result = program.solve(shop)
        full = program.at({"parallel": at_once(shop)}).build(shop)
        assert result.status == "optimal (claimed by highs and parallel's separate)"
        pyo.SolverFactory("highs").solve(full)
        assert result.objective == pytest.approx(pyo.value(full.objective))


@given(shops())
def test_incomplete_separation_gives_a_weaker_valid_bound(shop: Shop) -> None:
    def blind(shop: Shop, values: Any) -> Iterator[Any]:
        yield from (row for row in most_violated(shop, values) if row[0] > 0)

    result = program_bound(lp(separated_by(blind)), shop)
    result.check(shop)
    assert result.exact <= all_rows(shop)


def test_the_bound_without_a_machine_is_weaker() -> None:
    nothing = program_bound(lp(separated_by(lambda shop, values: ())), THREE)
    assert nothing.exact == 0 < all_rows(THREE)


@settings(max_examples=20)
@given(shops(4), st.lists(st.integers(-9, 90).filter(bool), min_size=1))
def test_initial_multipliers_prove_a_bound_without_a_solver(shop: Shop, numbers: list[int]) -> None:
    def start(shop: Shop) -> dict[Any, float]:
        return dict(zip(at_once(shop), (number / 7 for number in cycle(numbers)), strict=False))

    result = program_bound(lp(replace(parallel, start=start)), shop, Context(time_limit=0.0))
    result.check(shop)
    assert result.exact <= all_rows(shop)


def test_multipliers_of_an_optimum_prove_it() -> None:
    # Optimum by the algorithm of Mastrolilli et al. (2010). The job with the least cost is last on the machine with the
    # largest load.
    def start(shop: Shop) -> dict[Any, float]:
        return {(0, (0, 1)): 1.5, (1, (0, 1, 2)): 0.5}

    program = lp(separated_by(lambda shop, values: ()))
    bare = program_bound(program, THREE, Context(time_limit=0.0)).exact
    given = replace(parallel, start=start, separate=lambda shop, values: ())
    assert bare == 0 < program_bound(lp(given), THREE, Context(time_limit=0.0)).exact <= all_rows(THREE)


def test_a_wrong_row_in_place_of_a_generated_one_is_no_proof() -> None:
    result = program_bound(lp(), THREE)
    parts = {"parallel": tuple((1 - machine, jobs) for machine, jobs in result.of.parts["parallel"])}
    with pytest.raises(Unproven, match="the rows of the certificate differ from those of"):
        replace(result, of=result.of.at(parts)).check(THREE)


def counting(most: int, then: Callable[[], None]) -> Any:
    calls = 0

    def separate(shop: Shop, values: Any) -> Iterator[Any]:
        nonlocal calls
        calls += 1
        if calls > most:
            then()
        yield from most_violated(shop, values)

    return separate


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("most", range(3))
def test_an_interrupt_keeps_the_best_bound(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "PAUSE", 0)  # after a slow proof, quick rounds would wait for the next one
    program = lp(separated_by(counting(most, interrupt)))
    with pytest.raises(Interrupted) as info:
        best_within(Context(), lambda context: program_bound(program, THREE, context))
    bound = info.value.best
    bound.check(THREE)
    assert bound.exact <= all_rows(THREE) and (bound.exact > 0 or not most)


def test_a_bound_resumes_from_the_rows_of_another(tmp_path: Path) -> None:
    program = lp(separated_by(counting(1, interrupt))).relaxed()
    with pytest.raises(Interrupted) as info:
        best_within(Context(), lambda context: program_bound(program, THREE, context))
    write_bound(tmp_path / "bound.json", early := info.value.best)
    row = convert(parse(read_text(tmp_path / "bound.json")), CertificateRow)
    for again in (early, _bound(row, THREE, lp().relaxed())):
        first = program_bound(replace(again.of, groups=lp(separated_by(lambda shop, values: ())).groups), THREE)
        last = program_bound(replace(again.of, groups=lp().groups), THREE)
        assert first.exact == early.exact < last.exact == all_rows(THREE)


def test_infeasibility_is_explained_with_named_rows() -> None:
    with pytest.raises(ProgramError, match="list them with `at`"):
        lp().why_infeasible(THREE)
    tight = lp().drop("horizon").add(at_once_complete).at({"parallel": at_once(THREE)})
    assert "parallel" in str(tight.why_infeasible(THREE).groups)


def test_a_solve_interrupted_before_its_first_optimum_has_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = replace(parallel, start=lambda shop: {(0, (0, 1)): 0.5})
    monkeypatch.setattr(RowMaster, "_solve", lambda *_: interrupt())
    with pytest.raises(Interrupted) as info:
        lp(begun).solve(THREE)
    assert info.value.best.bound is None and not info.value.best.values


def test_time_that_is_over_leaves_a_bound_and_no_point() -> None:
    assert program_bound(lp(), THREE, Context(time_limit=0.0)).exact <= all_rows(THREE)
    result = lp().solve(THREE, time_limit=1e-9)
    assert result.ended == "time_limit" and not result.values


def test_an_unbounded_first_program_needs_initial_rows() -> None:
    @group("objective", "(2)", r"\max \textstyle\sum_j C_j", needs=("completion",))
    def largest(block: Any, shop: Shop) -> None:
        """The sum of completion times."""
        block.term = sum(block.model().completion.C.values())

    program = lp().drop("cost", "horizon").add(largest)
    program = replace(program, sense="maximize")
    with pytest.raises(NoSolution, match="unbounded"):
        program_bound(program, THREE)
    assert "start" in program.solve(THREE).message


def test_a_group_makes_one_row_of_each_index() -> None:
    @group("constraints", "(1a)", "0", needs=("completion",), separate=most_violated)
    def twice(block: Any, shop: Shop, *, rows: Any) -> None:
        """Each row twice."""
        parallel.build(block, shop, rows=rows + rows)

    with pytest.raises(ProgramError, match="with one row per index, in their order"):
        program_bound(lp(twice), THREE)


def test_a_generated_group_states_its_arguments() -> None:
    with pytest.raises(ProgramError, match="its function needs the keyword"):
        group("constraints", "(1)", "0", separate=most_violated)(completion.build)
    with pytest.raises(ProgramError, match="`separate` needs a group of constraints"):
        group("variables", "(1)", "0", separate=most_violated)


def test_it_is_dropped_added_relaxed_and_printed_as_any_group() -> None:
    program = lp().relaxed()
    assert r"f_i(S)" in program.latex() and not program.drop("parallel").generated
    assert program.drop("parallel").add(parallel).solve(THREE).objective == pytest.approx(float(all_rows(THREE)))
    assert cost in program.groups


def test_a_certificate_is_read_and_compared_with_the_program(tmp_path: Path) -> None:
    write_bound(tmp_path / "bound.json", bound := program_bound(lp(), THREE))
    row = convert(parse(read_text(tmp_path / "bound.json")), CertificateRow)
    again = _bound(row, THREE, lp().relaxed())
    again.check(THREE)
    assert again.exact == bound.exact and again.of.parts == bound.of.parts
    easier = Shop((1, 1, 1), ((9, 9, 9),) * 2)
    other = replace(parallel, build=lambda block, shop, *, rows: parallel.build(block, easier, rows=rows))
    with pytest.raises(Unproven, match="the rows of the certificate differ from those of"):
        _bound(row, THREE, lp(other).relaxed()).check(THREE)


def test_the_dual_is_printed_and_solved_over_rows_that_are_named() -> None:
    program = lp().relaxed()
    assert r"b_g^{\top}" in program.dual().latex()  # by matrices, for S is no index
    with pytest.raises(ProgramError, match="generates rows or columns"):
        program.dual().solve(THREE)
    named = program.at({"parallel": at_once(THREE)}).dual().solve(THREE)
    assert named.objective == pytest.approx(float(all_rows(THREE)))
