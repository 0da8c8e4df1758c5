"""Every linear program, or linear relaxation, on tiny instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import SchedproofError
from schedproof.core.programs.program import Program
from schedproof.core.simulation.instance import Instance
from tests.certificates import instance_of
from tests.support import FAMILIES

OPTIONS: dict[str, Callable[[Any], dict[str, Any]]] = {  # of the programs that need some
    "dmlrs.slot": lambda instance: {
        "job": instance.jobs[0].name,
        "slot": 0,
        "workload": 1,
        "prices": {machine.name: dict.fromkeys(instance.resources, 1) for machine in instance.machines},
    },
    "multiserver.gang": lambda instance: {"slot": 0},
    "preemptive.dual11": lambda instance: {"eps": "1/3"},
}
CONES = {"jrp.exact", "jrp.conic", "multiserver.stationary", "multiserver.slot_optimum", "multiserver.projection"}
LINEAR = sorted(id for id in registry.entries("program").keys() - CONES if id.partition(".")[0] in FAMILIES)


def program_of(id: str, instance: Instance) -> Program:
    found = sp.program(id, **OPTIONS.get(id, lambda _: {})(instance))
    return found.relaxed() if found.integer else found


def draws(id: str, count: int) -> Iterator[tuple[Program, Instance]]:
    """Return a linear program on tiny instances where it has an optimum."""
    seed = found = 0
    while found < count:
        instance = instance_of(id.partition(".")[0], seed)
        seed += 1
        program = program_of(id, instance)
        try:
            solution = program.solve(instance, "highs")
        except SchedproofError:
            continue
        if solution.ended == "optimal":
            found += 1
            yield program, instance
