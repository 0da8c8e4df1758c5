"""Programs on plain data, without instance class or card; groups that return rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.core.errors import ProgramError, SchedproofError


@dataclass
class Loads:
    limits: tuple[float, ...]


@sp.group("variables", "(1c)", r"x_i \ge 0")
def amounts(block: Any, loads: Any) -> None:
    """The amount of each item."""
    block.x = pyo.Var(range(len(limits(loads))), bounds=(0, 10))


@sp.group("constraints", "(1a)", r"x_i \le l_i \quad \forall i")
def limited(block: Any, loads: Any, amounts: Any) -> Any:
    """Each amount is within its limit."""
    return {i: amounts.x[i] <= limit for i, limit in enumerate(limits(loads))}


@sp.group("constraints", "(1b)", r"\sum_i x_i \le 5")
def together(block: Any, loads: Any, amounts: Any, *, most: int) -> Any:
    """The total amount is within a limit."""
    return sum(amounts.x.values()) <= most


@sp.group("objective", "(1)", r"\max \sum_i x_i")
def total(block: Any, loads: Any, amounts: Any) -> Any:
    """The total amount."""
    return sum(amounts.x.values())


@sp.group("constraints", "(2)", r"0 \ge 1")
def impossible(block: Any, loads: Any) -> Any:
    """A row that no point satisfies."""
    return {1: True, 2: False}


def limits(loads: Any) -> Any:
    return loads["limits"] if isinstance(loads, dict) else loads.limits


PROGRAM = sp.Program("plain.total", "maximize", (total, limited, together, amounts), parameters={"most": 5})


@pytest.mark.parametrize("data", [{"limits": (1, 2, 7)}, Loads((1, 2, 7))])
def test_a_dict_and_a_dataclass_are_solved(data: Any) -> None:
    assert PROGRAM.solve(data).exact == 5
    assert PROGRAM.drop("together").solve(data).objective == 10
    with pytest.raises(SchedproofError, match="found plain data"):
        sp.bound(PROGRAM, data)
    assert PROGRAM.where(most=20).solve(data).objective == 10
    assert PROGRAM.add(impossible).solve(data).ended == "infeasible"


def test_a_group_with_a_reserved_pyomo_name_gives_one_message() -> None:
    with pytest.raises(ProgramError, match=r"group 'load' \(2\) cannot be built.*reserved"):
        PROGRAM.add(replace(impossible, name="load")).solve({"limits": (1,)})


@sp.group("objective", "(1)", r"\max x_0")
def first(block: Any, loads: Any, amounts: Any) -> Any:
    """The amount of the first item."""
    return amounts.x[0]


@sp.group("variables", "(3)", r"T \in [0, 3]")
def one(block: Any, loads: Any) -> None:
    """A number."""
    block.T = pyo.Var(bounds=(0, 3))


@sp.group("objective", "(1)", r"\max T")
def alone(block: Any, loads: Any, one: Any) -> Any:
    """It."""
    return one.T


@sp.group("constraints", "(4)", r"x_i \le 3, \; x_i \ge 1")
def within(block: Any, loads: Any, amounts: Any) -> Any:
    """Rows of two kinds, the upper ones with indices of two lengths."""
    first, *others = amounts.x.values()
    return {
        "upper": {0: first <= 3, **{("later", i): x <= 3 for i, x in enumerate(others, 1)}},
        "lower": {i: x >= 1 for i, x in amounts.x.items()},
    }


def test_several_kinds_of_rows_are_dicts_by_name() -> None:
    model = PROGRAM.drop("together").add(within).build({"limits": (9, 9)})
    names = [row.name for row in model.within.component_data_objects(pyo.Constraint)]
    assert names == ["within.upper[0]", "within.upper[later,1]", "within.lower[0]", "within.lower[1]"]
    assert PROGRAM.drop("together").add(within).solve({"limits": (9, 9)}).objective == 6


def test_an_objective_may_be_a_variable() -> None:
    assert PROGRAM.drop("total").add(first).solve({"limits": (1, 9)}).exact == 1
    assert PROGRAM.drop("total").add(one, alone).solve({"limits": (1,)}).exact == 3
    assert sp.Program("plain.one", "maximize", (one, alone), integer=False).dual().solve({}).objective == 3


def test_arguments_are_needs() -> None:
    assert limited.needs == ("amounts",) and limited.parameters == () and together.parameters == ("most",)
    with pytest.raises(ProgramError, match="needs 'amounts'"):
        PROGRAM.drop("amounts")


@sp.group("constraints", "(5)", r"x_0 \le T", needs=("amounts|one",))
def either(block: Any, loads: Any, amounts: Any = None, one: Any = None) -> Any:
    """The first, or the number, is at most 2."""
    return (amounts.x[0] if amounts else one.T) <= 2


def test_an_argument_with_a_default_is_an_optional_group() -> None:
    assert either.needs == ("amounts|one",) and either.blocks == ("amounts", "one")
    assert sp.Program("plain.one", "maximize", (one, alone, either)).solve({}).objective == 2
    assert PROGRAM.drop("together").add(either).solve({"limits": (9,)}).objective == 2


def test_invalid_data_gives_one_message() -> None:
    for wrong in (["limits.json"], 3, None):
        with pytest.raises(SchedproofError, match="expected an instance"):
            PROGRAM.solve(wrong)
