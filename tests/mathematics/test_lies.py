from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.core.errors import ProgramError
from schedproof.core.programs import duality, printed_dual
from schedproof.core.programs import group as group_module
from schedproof.core.programs.group import Group
from schedproof.core.programs.program import Program
from tests.formulations.preemptive.micro import micro_instance
from tests.mathematics.cases import CASES, LETTERS, Case
from tests.mathematics.duals import built_lies, printed_lies
from tests.tiny.placement import tiny_instance


def with_(program: Program, name: str, change: Callable[[Group], Group]) -> Program:
    return replace(program, groups=tuple(change(g) if g.name == name else g for g in program.groups))


def case(name: str) -> Case:
    return next(c for c in CASES if c.name == name)


PRINTED = [  # program, group, in its row, what is printed instead
    ("placement.exact()", "one_start_each", r"\le 1", r"\le 2"),
    ("placement.exact()", "one_start_each", r"\le 1", "= 1"),
    ("placement.exact()", "completion_times", r" - \hat{t}_j", ""),
    ("placement.exact()", "capacity", r"t < s", r"t \le s"),
    ("placement.exact()", "starts", r"\hat{t}_j \le t", r"0 \le t"),
    ("placement.exact()", "starts", r"\{0,1\}", "[0, 1]"),
    ("preemptive.ilp4()", "training", r"r_j + \Delta_{js}", "r_j"),
    ("preemptive.ilp4()", "worker_capacity", r" \quad \forall s \ne s_{\mathrm{c}}", ""),
    ("preemptive.ilp4()", "edge_rate_otherwise", r"1 - \zeta_j", r"\zeta_j"),
    ("preemptive.minlp2()", "completes_after_its_last_slot", r", \; a_j(t) \ge \rho_j(t)", ""),
    ("preemptive.dual6()", "dual_rows", r"+ \beta_{sw}(t)", ""),
    ("dmlrs.rdmlrs()", "one_schedule_for_each_job", r"\le 1", r"\ge 1"),
    ("dmlrs.rdmlrs()", "schedules_fit", r" + \beta_i^r s_{ht}^{\pi_i}", ""),
    ("dmlrs.dual()", "job_payoff", r"\lambda_i \ge 0", r"\lambda_i \in \mathbb{R}"),
    ("jrp.exact()", "completion", r"\sqrt{a_k b_k}", "a_k"),
    ("jrp.exact()", "assign", r"\sum_{i \in C_k} x_i^j d_i", r"\sum_{i \in C_k} x_i^j"),
    ("jrp.conic()", "completion", r"4 a_k b_k", r"2 a_k b_k"),
    ("multiserver.stationary(gain=node)", "demand", r"a_l^k", r"c_r^k"),
    ("multiserver.stationary(gain=node)", "overhead", r"\max_k \beta_k", r"\sum_k \beta_k"),
    ("multiserver.gang(slot=0,gain=node)", "task_allocation", r"[0, a_l^{q,k}]", r"[0, c_r^k]"),
]


@pytest.mark.parametrize(("name", "group", "true", "false"), PRINTED)
def test_a_false_printed_row_is_detected(name: str, group: str, true: str, false: str) -> None:
    found = case(name)
    told, seed = list[str](), 0
    while not told and seed < 6:  # not every instance tells them apart
        program, instance = found.drawn(seed)
        assert true in program.group(group).latex
        lying = with_(program, group, lambda g: replace(g, latex=g.latex.replace(true, false)))
        told, seed = found.lies(lying, instance), seed + 1
    assert told and all(lie.startswith(f"{group}: ") for lie in told)


def test_a_printed_sense_that_is_not_the_programs_is_refused() -> None:
    found = case("placement.exact()")
    program, instance = found.drawn(0)
    lying = with_(program, "completion_times", lambda g: replace(g, latex=g.latex.replace(r"\min", r"\max")))
    with pytest.raises(ProgramError, match=r"has \\max, but the program's sense is minimize"):
        found.lies(lying, instance)


def none_start(block: Any, instance: Any, starts: Any) -> Any:
    rows = sp.program("placement.exact").group("one_start_each").build(block, instance, starts)
    return {index: row.args[0] <= 0 for index, row in rows.items()}


def one_row_less(block: Any, instance: Any, starts: Any) -> Any:
    rows = sp.program("placement.exact").group("every_task_once").build(block, instance, starts)
    return {index: rows[index] for index in list(rows)[1:]}


def one_more_row(block: Any, instance: Any, starts: Any) -> Any:
    rows = sp.program("placement.exact").group("every_task_once").build(block, instance, starts)
    return {"row": rows, "more": next(iter(starts.on.values())) <= 0.5}


def any_number(block: Any, instance: Any) -> None:
    sp.program("placement.exact").group("starts").build(block, instance)
    for on in block.on.values():
        on.domain = pyo.Integers


BUILT: dict[str, list[Callable[..., Any]]] = {
    "one_start_each": [none_start],
    "every_task_once": [one_row_less, one_more_row],
    "starts": [any_number],
}


@pytest.mark.parametrize(
    ("group", "build"), [(g, b) for g, builds in BUILT.items() for b in builds], ids=lambda x: getattr(x, "__name__", x)
)
def test_changed_code_under_an_unchanged_row_is_detected(group: str, build: Callable[..., Any]) -> None:
    program, instance = case("placement.exact()").drawn(1)
    told = case("placement.exact()").lies(with_(program, group, lambda g: replace(g, build=build)), instance)
    assert told and all(lie.startswith(f"{group}: ") for lie in told)


def test_a_relaxed_program_with_printed_integer_sets_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    program, instance = case("preemptive.ilp4()").drawn(0)
    monkeypatch.setattr(group_module, "HULLS", ())
    told = case("preemptive.ilp4()").lies(program.relaxed(), instance)
    assert {lie.partition(":")[0] for lie in told} == {g.name for g in program.groups if g.role == "variables"}


DUALS = (
    (sp.program("preemptive.lp4"), micro_instance(0, units=5)),
    (sp.program("placement.lp"), tiny_instance(1)),
)


def all_conditions_but_the_last(over: Any, conditions: Any, *more: Any) -> Any:
    return SUMMED(over, tuple(conditions)[:-1], *more)


SUMMED = printed_dual.sum_over
IN_PRINT = {  # a part of the code that transposes what is printed -> what it does instead
    "_Transposer._direction": lambda self, line: 1,
    "_Transposer._owns": lambda self, line, column: False,
    "sum_over": all_conditions_but_the_last,
}


@pytest.mark.parametrize("name", IN_PRINT)
def test_a_false_printed_dual_is_detected(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert [printed_lies(*each, LETTERS[each[0].family]) for each in DUALS] == [[], []]
    monkeypatch.setattr(f"schedproof.core.programs.printed_dual.{name}", IN_PRINT[name])
    assert any(printed_lies(*each, LETTERS[each[0].family]) for each in DUALS)


IN_CODE = {  # a part of the code that transposes what is built -> what it does instead
    "_sides": lambda constraint: [(name, -way, b) for name, way, b in SIDES(constraint)],
    "_bounds": lambda column: iter(()),
    "Transposed.value": lambda self, multiplier: -VALUE(self, multiplier),
}
SIDES, VALUE = duality._sides, duality.Transposed.value


@pytest.mark.parametrize("name", IN_CODE)
def test_a_false_built_dual_is_detected(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert [built_lies(*each) for each in DUALS] == [[], []]
    monkeypatch.setattr(f"schedproof.core.programs.duality.{name}", IN_CODE[name])
    assert any(built_lies(*each) for each in DUALS)
