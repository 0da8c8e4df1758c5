from __future__ import annotations

import pytest

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.core.programs.outline import on_a_draw, parts

PROGRAMS = ("preemptive.ilp4", "dmlrs.exact", "jrp.exact", "placement.lp")


@pytest.mark.parametrize("id", PROGRAMS)
def test_every_part_is_found_by_its_name(id: str) -> None:
    program = sp.program(id)
    instance = sp.generate(program.family)
    model = program.build(instance)
    lines = parts(program, instance)
    for line in lines:
        name = line["name"].partition("[")[0]
        component = model.find_component(name)
        assert f"{len(component)} " == line["many"].removesuffix("rows").removesuffix("columns")
        if len(component):
            one = eval(f"model.{line['name']}", {"model": model})
            assert one is next(iter(component.values()))
    named = {line["name"].partition(".")[0] for line in lines}
    assert {g.name for g in program.groups if g.role == "variables"} <= named
    assert sum(int(line["many"].split()[0]) for line in lines if "columns" in line["many"]) == sum(
        len(variable) for g in program.groups if g.role == "variables" for variable in _variables(model, g.name)
    )


def _variables(model: object, group: str) -> list[object]:
    return [*model.component(group).component_objects(pyo.Var, descend_into=False)]  # type: ignore[attr-defined]


def test_conic_programs_have_parts_and_programs_of_a_slot_none() -> None:
    names = {line["name"] for line in on_a_draw(sp.jrp.conic)}
    assert "variables['compute'][0]" in names and "constraints['storage'][0]" in names
    assert on_a_draw(sp.program("dmlrs.slot", job="none", slot=0, workload=1, prices={})) == ()
