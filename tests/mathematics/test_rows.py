from __future__ import annotations

import importlib
import pkgutil
from itertools import product
from typing import Any

import pytest

import schedproof
from schedproof.core.errors import ProgramError
from schedproof.core.programs import notation
from schedproof.core.programs.group import Group
from tests.mathematics.cases import CASES, Case
from tests.mathematics.checker import UNREAD
from tests.support import FAMILIES, size

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@every_case
def test_printed_rows_equal_built_rows(case: Case) -> None:
    for seed in range(size(1, 1, 60)):
        program, instance = case.drawn(seed)
        assert case.lies(program, instance) == [], seed
        if program.integer:
            assert case.lies(program.relaxed(), instance) == [], seed


def groups() -> dict[str, Group]:
    found = {}
    for top, family in product(("formulations", "relaxations"), FAMILIES):
        home = importlib.import_module(f"{schedproof.__name__}.{top}.{family}")
        for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Group):
                    found[f"{value.build.__module__}.{value.name}"] = value
    return found


def test_every_group_is_in_one_of_the_cases() -> None:
    compared = {id(g) for case in CASES for g in case.drawn(0)[0].groups}
    assert [name for name, g in groups().items() if id(g) not in compared] == []


def test_a_group_is_excluded_only_if_it_cannot_be_read() -> None:
    unread = []
    for g in groups().values():
        try:
            notation.read(g.latex)
        except ProgramError:
            unread.append(f"{g.build.__module__.split('.')[2]}: {g.name}")
    assert unread == list(UNREAD)


def test_parsed_trees_print_as_before() -> None:
    for g in groups().values():
        if f"{g.build.__module__.split('.')[2]}: {g.name}" not in UNREAD:
            row = notation.read(g.latex)
            for tree in row.statements or (row.term,):
                again = notation.read(notation.to_latex(tree))
                (twin,) = again.statements or (again.term,)
                assert forms(twin) == forms(tree), notation.to_latex(tree)


def forms(tree: Any) -> str:
    """A tree with uniform fractions: in a product, a / b is printed as a fraction."""
    return repr(tree).replace(r"form='\\tfrac'", "form='/'")


@pytest.mark.parametrize(
    "latex", [r"x_i \le", r"\sum_i x_i y \arg z", r"x_i \text{ is large} \le 1", r"x_{i \le 1", ""]
)
def test_text_that_is_no_algebra_is_rejected(latex: str) -> None:
    with pytest.raises(ProgramError, match="cannot be parsed at"):
        notation.read(latex)


RELAXED: list[tuple[str, dict[str, Any], str]] = [
    ("preemptive.ilp4", {}, r"\zeta_j \in [0, 1]"),
    ("preemptive.ilp4", {}, r"y_{jdsw}(t) \ge 0 \quad"),
    ("dmlrs.exact", {}, r"w_{ih}[t] \in [0, F_i], \; s_{ih}[t] \in [0, \lceil F_i / \gamma_i \rceil]"),
    ("dmlrs.dorm", {}, r"u \in [0, \bar u]"),
    ("jrp.exact", {}, r"y_k \in [0, 1]"),
]


@pytest.mark.parametrize(("id", "options", "row"), RELAXED, ids=lambda value: str(value)[:20])
def test_a_relaxed_program_prints_intervals(id: str, options: dict[str, Any], row: str) -> None:
    program = schedproof.program(id, **options)
    assert row in program.relaxed().latex() and row not in program.latex()
    assert r"\{" not in program.relaxed().latex() and r"\mathbb{Z}" not in program.relaxed().latex()
