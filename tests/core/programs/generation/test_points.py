"""Ratios from generated columns: points name columns that were not generated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import schedproof as sp
from schedproof.check import bound as checker
from schedproof.core.certificates.bound import Unproven
from schedproof.core.certificates.bounds import read_bound, write_bound
from schedproof.core.data.arrays import write_object
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.programs.group import Group
from schedproof.core.programs.program import Program
from tests.command_line import plugged_in
from tests.support import size


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    with plugged_in("packing") as module:
        yield module


def changed(program: Program, name: str, **words: Any) -> Program:
    """A program with other functions of one group."""
    groups = tuple(replace(g, **words) if g.name == name else g for g in program.groups)
    return replace(program, groups=groups)


def filled(program: Program) -> Group:
    return program.group("filled")


def _with(build: Any, columns: Any, block: Any, work: Any) -> None:
    build(block, work, columns=columns)


def every_set(work: Any) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for item in work.items:
        found += [(*names, item.name) for names in found]
    sizes = {item.name: item.size for item in work.items}
    return [names for names in found if names and sum(map(sizes.__getitem__, names)) <= work.capacity]


def test_a_ratio_and_its_gap_are_those_of_the_program_with_all_columns_listed(example: Any, tmp_path: Path) -> None:
    for seed in range(size(3, 3, 100)):
        work = sp.generate("packing", "small", seed, items=7)
        run = sp.policy("next_fit").run(work)
        found = sp.bound(example.sets, work)
        ratio = run.ratio(found)
        listed = changed(example.sets, "filled", price=None, rest=None, start=None)
        columns = tuple(every_set(work))
        build = filled(example.sets).build
        listed = changed(listed, "filled", build=partial(_with, build, columns))
        number = {c: n for n, c in enumerate(columns)}

        def to_point(packing: Any, work: Any, number: Mapping[Any, int] = number) -> Any:
            return {"filled.x": {number[s]: x for s, x in example.sets.to_point(packing, work)["filled"].items()}}

        whole = run.ratio(sp.bound(replace(listed, to_point=to_point), work))
        assert float(ratio.exact) == pytest.approx(float(whole.exact), rel=1e-6)
        assert min(part.amount for part in ratio.gap.parts) >= 0 and ratio.gap.total == run.objective - found.exact
        assert set(ratio.gap.by_job().index) <= {item.name for item in work.items}
        write_object(tmp_path / "work.json", work.to_json())
        write_bound(tmp_path / "sets.json", found)
        told = checker.check(str(tmp_path / "work.json"), str(tmp_path / "sets.json"))
        assert Fraction(told["value"]) == found.exact
        stored = read_bound(tmp_path / "sets.json", work)
        assert run.ratio(stored).exact == ratio.exact and run.ratio(stored).gap.parts == ratio.gap.parts


def test_a_point_beside_the_program_is_refused(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=5)
    run, found = sp.policy("next_fit").run(work), sp.bound(example.sets, work)
    right = example.sets.to_point

    def missing(packing: Any, work: Any) -> Any:
        first = dict(list(right(packing, work)["filled"].items())[1:])
        return {"filled": first}

    def free(packing: Any, work: Any) -> Any:
        return {"filled": {tuple(item.name for item in work.items): 1}}

    for wrong, words in (
        (missing, r"packed.row\[\w+\] has no terms at this point and cannot hold"),
        (free, "`to_point` uses unknown columns: the schedule's columns have the total reduced cost"),
        (lambda *_: 1 // 0, r"`to_point` stopped with ZeroDivisionError.*test_points.py, line"),
    ):
        with pytest.raises((ProgramError, Unproven), match=words):
            run.ratio(replace(found, of=replace(found.of, to_point=wrong)))


def test_a_schedule_refutes_a_wrong_rest(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=5)
    wrong = changed(example.sets, "filled", rest=lambda work, multipliers: Fraction(1, 2), price=lambda *_: ())
    with pytest.raises(Unproven, match="the function `rest` of 'filled' is wrong"):
        sp.policy("next_fit").run(work).ratio(sp.bound(wrong, work))


def test_rest_by_name_splits_the_gap_by_job(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=5)
    whole = filled(example.sets).rest
    assert whole is not None

    def by_name(work: Any, multipliers: Any) -> Any:
        return {item.name: whole(work, multipliers) / len(work.items) for item in work.items}

    named = sp.policy("next_fit").run(work).ratio(sp.bound(changed(example.sets, "filled", rest=by_name), work))
    one = sp.policy("next_fit").run(work).ratio(sp.bound(example.sets, work))
    assert named.gap["filled"].amount == one.gap["filled"].amount
    assert sum(named.gap["filled"].by_job.values()) == named.gap["filled"].amount > 0
    assert not one.gap["filled"].by_job


@pytest.mark.parametrize("name", ["start", "price", "rest"])
def test_an_error_in_a_function_is_one_sentence_with_its_place(example: Any, name: str) -> None:
    def wrong(work: Any, multipliers: Any = None) -> Any:
        raise KeyError("nothing")

    work = sp.generate("packing", "small", 1, items=3)
    with pytest.raises(
        ProgramError, match=rf"'filled': its function `{name}` stopped with KeyError.*test_points.py, l"
    ):
        sp.bound(changed(example.sets, "filled", **{name: wrong}), work)


def test_an_error_in_separate_is_one_sentence_with_its_place() -> None:
    def violated(data: Any, values: Any) -> Any:
        yield values["nothing"]

    x = sp.group("variables", "(1)", "x")(_one)
    rows = sp.group("constraints", "(2)", "x >= 1", separate=violated)(_rows)
    least = sp.group("objective", "(0)", "x")(_least)
    with pytest.raises(
        ProgramError, match=r"'_rows': its function `separate` stopped with KeyError.*test_points.py, l"
    ):
        sp.Program("mine.x", "minimize", (least, rows, x)).solve({"a": 1})


def _one(block: Any, data: Any) -> None:
    from schedproof.core.base.lazy import pyo

    block.x = pyo.Var(bounds=(0, 1))


def _rows(block: Any, data: Any, _one: Any, *, rows: Any) -> Any:
    return [_one.x >= 1 for _ in rows]


def _least(block: Any, data: Any, _one: Any) -> Any:
    return _one.x


def test_a_row_that_needs_columns_is_named(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=3)
    with pytest.raises(ProgramError, match=r"the row packed.row\[\w+\] cannot hold without columns; let the function"):
        sp.bound(changed(example.sets, "filled", start=None), work)


KNAPSACK = {"weights": [3, 4, 5, 2], "values": [4, 5, 6, 2], "capacity": 8}


def _wanted(data: Any, multipliers: Any) -> Any:
    assert set(multipliers["room.row"]) == {0, 1} and set(multipliers["at_most.row"]) == set(range(4))
    return [n for n in range(4) if _reduced(data, multipliers, n) > 1e-9]


def _reduced(data: Any, multipliers: Any, n: int) -> Any:
    price, own = multipliers["room.row"][n % 2], multipliers["at_most.row"][n]
    return data["values"][n] - price * data["weights"][n] - own


def _most(data: Any, multipliers: Any) -> Any:
    return sum(max(0, _reduced(data, multipliers, n)) for n in range(4))


@sp.group("variables", "(1c)", "x", price=_wanted, rest=_most)
def chosen(block: Any, data: Any, *, columns: Any) -> None:
    """Items."""
    from schedproof.core.base.lazy import pyo

    block.items = columns
    block.x = pyo.Var(range(len(columns)), domain=pyo.NonNegativeReals)


@sp.group("constraints", "(1a)", "w x <= W")
def room(block: Any, data: Any, chosen: Any) -> Any:
    """Two sacks: of the even and the odd items."""
    own = [(n, chosen.x[k]) for k, n in enumerate(chosen.items)]
    return {s: sum(data["weights"][n] * x for n, x in own if n % 2 == s) <= data["capacity"] for s in (0, 1)}


@sp.group("constraints", "(1b)", "x <= 1")
def at_most(block: Any, data: Any, chosen: Any) -> Any:
    """Each item once."""
    own = [(n, chosen.x[k]) for k, n in enumerate(chosen.items)]
    return {i: sum(x for n, x in own if n == i) <= 1 for i in range(4)}


@sp.group("objective", "(1)", "v x")
def value(block: Any, data: Any, chosen: Any) -> Any:
    """The value."""
    return sum(data["values"][n] * chosen.x[k] for k, n in enumerate(chosen.items))


@pytest.mark.parametrize("weights", [[3, 4, 5, 2], [0, 4, 0, 2]])
def test_rows_may_start_without_columns_and_all_multipliers_are_known(weights: list[int]) -> None:
    """With weights of 0 a row has no term of any column."""
    from schedproof.core.certificates.program_bound import program_bound

    program, knapsack = (
        sp.Program("mine.knapsack", "maximize", (value, room, at_most, chosen)),
        KNAPSACK | {"weights": weights},
    )
    solved = program.solve(knapsack)
    assert solved.objective == pytest.approx(17)

    class Data(dict[str, Any]):
        family, sha256 = "mine", "0" * 64

    found = program_bound(program, Data(knapsack))
    found.check(Data(knapsack))
    assert found.exact >= 17 and float(found.exact) == pytest.approx(17, rel=1e-6)
    assert found.witness.parts["chosen"] and found.witness.to_json()["parts"]


def test_by_job_says_why_it_has_no_rows(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=5)
    gap = sp.policy("next_fit").run(work).ratio(sp.bound(example.sets, work)).gap
    without = replace(gap, parts=tuple(replace(part, by_job={}) for part in gap.parts))
    with pytest.raises(ProgramError, match="no part of the gap is split by job"):
        without.by_job()


def test_without_rest_there_is_no_ratio(example: Any) -> None:
    work = sp.generate("packing", "small", 1, items=3)
    with pytest.raises(NoSolution, match="define `rest` for the group 'filled'"):
        sp.bound(changed(example.sets, "filled", rest=None), work)
