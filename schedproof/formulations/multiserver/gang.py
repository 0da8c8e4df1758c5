"""Gang scheduling of one slot (III-E): a mixed-integer program, linear or with concave gains."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from schedproof.core.options import pick, whole
from schedproof.core.program import Program
from schedproof.formulations.multiserver import gang_groups as groups
from schedproof.formulations.multiserver.brute_force import by_brute_force
from schedproof.formulations.multiserver.tangents import by_tangents

GAINS = {"node": groups.gang_gain_by_node, "total": groups.gang_gain_by_total}


def gang(*, slot: str | int, gain: str = "node") -> Program:
    """Gang scheduling (III-E): the largest reward of a slot in which a job starts enough of its tasks, or none.

    Parameters
    ----------
    slot
        From 0 on; its arrivals are known.
    gain
        ``node`` for (12), what a job's tasks get from a node through the node's utility; ``total`` as III-E prints it,
        f_k of all that they get.

    Notes
    -----
    On HiGHS, the default, concave gains are tangents from above, added until they are as good as the gains themselves
    (route ``tangents``); SCIP takes the gains as they are.
    """
    term = pick("gain", gain, GAINS)
    program = Program(
        id="multiserver.gang",
        sense="maximize",
        groups=(term, *groups.TASKS),
        parameters={"slot": whole("slot", slot, least=0)},
    )
    tangents = partial(by_tangents, program=program, gains=term.name)
    return replace(
        program, routes={"highs": tangents, "tangents": tangents, "brute": partial(by_brute_force, gain=gain)}
    )
