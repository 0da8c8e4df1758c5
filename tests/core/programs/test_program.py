from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pyomo.environ as pyo
import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.data.options import REQUIRED
from schedproof.core.errors import InputError, ProgramError, UnknownName
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.core.programs.route import Route
from tests.core.toys import Toy, fits, knapsack, not_both, projection, taken, value
from tests.tiny.preemptive import tiny_instance


def test_drop_removes_groups_and_leaves_the_program_unchanged() -> None:
    program = knapsack()
    less = program.drop("fits", "not_both")
    assert [g.name for g in less.groups] == ["value", "taken"]
    assert [g.name for g in program.groups] == ["value", "fits", "not_both", "taken"]
    with pytest.raises(FrozenInstanceError):
        program.groups = ()  # type: ignore[misc]


def test_drop_refuses_a_group_that_another_group_needs() -> None:
    with pytest.raises(ProgramError, match=r"toy\.knapsack: group 'value' \(1\) needs 'taken'; drop or keep both"):
        knapsack().drop("taken")


def test_drop_lists_the_groups_for_an_unknown_name() -> None:
    with pytest.raises(UnknownName, match=r"unknown group of toy\.knapsack 'fit'; did you mean fits"):
        knapsack().drop("fit")


def test_a_need_may_be_met_by_one_of_two_groups() -> None:
    @group("variables", "(1c')", "x")
    def chosen(block: Any, instance: Toy) -> None:
        """Another way to take items."""

    bare = knapsack().drop("value", "fits")
    assert [g.name for g in bare.add(chosen).drop("taken").groups] == ["not_both", "chosen"]
    with pytest.raises(ProgramError, match=r"needs 'taken\|chosen'"):
        bare.drop("taken")


def test_add_appends_a_group_and_checks_its_needs() -> None:
    program = knapsack().drop("fits")
    assert [g.name for g in program.add(fits).groups] == ["value", "not_both", "taken", "fits"]
    with pytest.raises(ProgramError, match=r"'value'.*needs 'taken'"):
        projection().add(value)


def test_add_refuses_an_existing_group() -> None:
    with pytest.raises(ProgramError, match=r"toy\.knapsack: the group 'fits' exists already"):
        knapsack().add(fits)


def test_relaxed_has_no_integer_variable() -> None:
    def integers(model: Any) -> int:
        return sum(not v.is_continuous() for v in model.component_data_objects(pyo.Var, descend_into=True))

    assert integers(knapsack().build(Toy())) == 3
    assert integers(knapsack().relaxed().build(Toy())) == 0
    assert knapsack().integer and not knapsack().relaxed().integer


def test_a_changed_program_has_no_routes_and_no_schedule() -> None:
    program = replace(
        knapsack(), routes={"by_hand": Route(lambda instance, **_: None, "none")}, to_schedule=lambda *_: None
    )
    for changed in (program.drop("fits"), program.drop("fits").add(fits), program.relaxed()):
        assert changed.routes == {}
    assert program.relaxed().to_schedule is None


def test_where_changes_declared_parameters_only() -> None:
    program = knapsack(bonus=1.0)
    assert program.where(bonus=2.0).parameters == {"bonus": 2.0} and program.parameters == {"bonus": 1.0}
    with pytest.raises(UnknownName, match=r"unknown parameter of toy\.knapsack 'malus'; available: bonus"):
        program.where(malus=1)


def test_a_group_has_its_sentence_and_its_parameters() -> None:
    assert value.sentence == "The total value of the taken items." and value.parameters == ("bonus",)
    assert fits.parameters == () and knapsack().group("fits") is fits and not_both.needs == ("taken|chosen",)


def test_an_instance_of_another_family_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"toy\.knapsack takes a toy instance, but the family of this instance is preemptive"
    ):
        knapsack().build(tiny_instance(0))
    with pytest.raises(
        InputError, match=r"preemptive\.ilp4 takes a preemptive instance, but the family of this instance is toy"
    ):
        sp.program("preemptive.ilp4").solve(Toy())


def test_a_program_without_an_objective_is_not_built() -> None:
    with pytest.raises(ProgramError, match=r"toy\.knapsack has no objective"):
        knapsack().drop("value").build(Toy())


def test_latex_prints_objective_rows_and_domains_with_numbers() -> None:
    assert replace(knapsack(), groups=(taken, fits, value)).latex().splitlines() == [
        r"& \max \textstyle\sum_i v_i x_i && \text{(1)} \\",
        r"& \textstyle\sum_i w_i x_i \le W && \text{(1a)} \\",
        r"& x_i \in \{0,1\} && \text{(1c)} \\",
    ]


OPTIONS = {
    id: {option.name: "1" for option in entry.options if option.default is REQUIRED}
    for id, entry in registry.entries("program").items()
}
PROGRAMS = sorted(OPTIONS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_registered_program_is_complete(name: str) -> None:
    program = sp.program(name, **OPTIONS[name])
    assert program.id == name and program.family == name.split(".")[0]
    assert len({g.name for g in program.groups}) == len(program.groups)
    for g in program.groups:
        assert g.sentence.endswith(".") and g.source and g.latex and len(g.sentence.splitlines()) == 1
        assert set(g.parameters) <= program.parameters.keys(), g.name
        assert g.latex.count("{") == g.latex.count("}") and g.latex.count("$") % 2 == 0
    by_groups = {p for g in program.groups for p in g.parameters}
    by_routes = {p for route in program.routes.values() for p in inspect.signature(route.solve).parameters}
    assert by_groups <= program.parameters.keys() <= by_groups | by_routes
    assert all(
        row.endswith(rf"&& \text{{{g.source}}} \\")
        for row, g in zip(program.latex().splitlines(), in_order(program), strict=True)
    )


def in_order(program: Program) -> list[Group]:
    return sorted(program.groups, key=lambda g: ("objective", "constraints", "variables").index(g.role))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_group_can_be_dropped_or_names_the_group_that_needs_it(name: str) -> None:
    program = sp.program(name, **OPTIONS[name])
    for g in program.groups:
        needed = any(g.name in need.split("|") for other in program.groups for need in other.needs)
        if needed:
            with pytest.raises(ProgramError, match=f"needs '[a-z_|]*{g.name}"):
                program.drop(g.name)
        else:
            assert g.name not in [kept.name for kept in program.drop(g.name).groups]


@pytest.mark.parametrize("id", ["preemptive.ilp4", "dmlrs.exact", "jrp.exact", "multiserver.stationary"])
def test_a_program_can_be_pickled(id: str) -> None:
    program = sp.program(id)
    restored = pickle.loads(pickle.dumps(program))
    assert restored.groups == program.groups and restored.latex() == program.latex()
    assert restored.routes.keys() == program.routes.keys() and restored.parameters == program.parameters


def test_a_local_group_says_that_it_cannot_be_pickled() -> None:
    @sp.group("constraints", "mine", "0 = 0")
    def of_this_test(block: Any, instance: Any) -> None:
        """A constant term."""

    program = sp.program("preemptive.ilp4").add(of_this_test)
    with pytest.raises(
        pickle.PicklingError, match=r"of_this_test cannot be imported from .*: define it in that module"
    ):
        pickle.dumps(program)
