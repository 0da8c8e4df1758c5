from __future__ import annotations

from typing import Any

import pytest

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.programs.program import Program
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.formulations.preemptive.micro import micro_instance
from tests.support import FAMILIES
from tests.tiny.jrp import tiny_cells
from tests.tiny.multiserver import tiny_ports
from tests.tiny.placement import tiny_instance

SMALL = {
    "preemptive": micro_instance(0, units=8, storage=True),
    "dmlrs": cluster(job_row("a"), job_row("b")),
    "multiserver": tiny_ports(0, gangs=True, horizon=1),
    "jrp": tiny_cells(1),
    "placement": tiny_instance(0),
}
SLOT = {"job": "a", "slot": "0", "workload": "1", "prices": "1"}
OPTIONS: dict[str, list[dict[str, Any]]] = {  # those of a program that needs some, and its other forms
    "preemptive.dual11": [{"eps": 1}],
    "preemptive.minlp2": [{}, {"chunks": "floating"}],
    "preemptive.minlp7": [{}, {"stored": "as_printed"}],
    "dmlrs.exact": [{}, {"ratio": "printed"}],
    "dmlrs.slot": [SLOT | {"form": form} for form in ("milp", "pattern", "printed22", "printed23")],
    "multiserver.stationary": [{}, {"gain": "total"}],
    "multiserver.projection": [{"point": 1}],
    "multiserver.slot_optimum": [{"slot": 0}, {"slot": 0, "gain": "total"}],
    "multiserver.gang": [{"slot": 0}, {"slot": 0, "gain": "total"}],
    "placement.exact": [{}, {"each": "at_most", "interval": "closed"}],
}
PROGRAMS = [
    sp.program(id, **options)
    for id in registry.entries("program")
    if id.split(".")[0] in FAMILIES
    for options in OPTIONS.get(id, [{}])
]
each_program = pytest.mark.parametrize(
    "program", PROGRAMS, ids=lambda program: f"{program.id}:{program.groups[1].name}"
)


@each_program
def test_every_group_has_a_sentence_a_source_and_a_row(program: Program) -> None:
    for group in program.groups:
        assert group.sentence.endswith(".") and group.source
        assert group.latex and group.latex.count("{") == group.latex.count("}")
        assert set(group.parameters) <= program.parameters.keys()
    if program.family == "dmlrs":  # elsewhere some choose between groups
        assert {name for group in program.groups for name in group.parameters} == program.parameters.keys()
    assert len(program.latex().splitlines()) == len(program.groups)


@each_program
def test_it_is_solved_and_each_constraint_can_be_dropped(program: Program) -> None:
    assert program.solve(SMALL[program.family]).ended == "optimal"
    for group in program.groups:
        if group.role == "constraints":
            assert program.drop(group.name).build(SMALL[program.family]) is not None
