"""Gang scheduling of one slot (III-E) as a mixed-integer program."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from schedproof.core.programs.program import Program
from schedproof.core.programs.route import Route
from schedproof.formulations.multiserver import gang_groups as groups
from schedproof.formulations.multiserver.brute_force import by_brute_force
from schedproof.formulations.multiserver.tangents import by_tangents

GAINS = {"node": groups.gang_gain_by_node, "total": groups.gang_gain_by_total}


def gang(*, slot: int, gain: str = "node") -> Program:
    """The default route ``tangents`` approximates concave gains from above.

    HiGHS solves it with more and more tangents until they match the gains; SCIP takes the gains directly.
    """
    term = GAINS[gain]
    program = Program(
        id="multiserver.gang",
        sense="maximize",
        groups=(term, *groups.TASKS),
        parameters={"slot": slot},
        default_solver="tangents",
    )
    tangents = Route(partial(by_tangents, program=program, gains=term.name), "highs")
    brute = Route(partial(by_brute_force, gain=gain), "clarabel")
    return replace(program, routes={"highs": tangents, "tangents": tangents, "brute": brute})
