"""JRP (5)-(13), and JRP with the split of time (16)-(17)."""

from __future__ import annotations

from functools import partial

from schedproof.core.programs.program import Program
from schedproof.core.programs.route import EXHAUSTIVE, Route
from schedproof.formulations.jrp import groups
from schedproof.formulations.jrp.brute_force import by_brute_force
from schedproof.formulations.jrp.tangents import by_tangents
from schedproof.formulations.jrp.to_point import to_point
from schedproof.formulations.jrp.to_schedule import placed_schedule


def exact() -> Program:
    """SCIP solves (10) as cones; the route ``tangents`` approximates them.

    The route ``tangents``, also called ``highs``, eliminates the resources. It adds tangents of the cones until the
    exact server test holds everywhere.
    """
    return Program(
        id="jrp.exact",
        sense="maximize",
        groups=(*groups.OFFLOADING, *groups.ALLOCATION, groups.completion, *groups.VARIABLES),
        routes={
            "tangents": Route(by_tangents, "highs"),
            "highs": Route(by_tangents, "highs"),
            "brute": Route(partial(by_brute_force, rule="cone", program="jrp.exact"), EXHAUSTIVE),
        },
        to_schedule=partial(placed_schedule, rule="cone"),
        to_point=to_point,
        default_solver="tangents",
        provable=True,
        require_solvable=groups.require_solvable,
    )


def split() -> Program:
    """The optimum is at most that of `jrp.exact`."""
    return Program(
        id="jrp.split",
        sense="maximize",
        groups=(
            *groups.OFFLOADING,
            *groups.ALLOCATION,
            groups.communication_time,
            groups.computing_time,
            *groups.VARIABLES,
        ),
        routes={"brute": Route(partial(by_brute_force, rule="split", program="jrp.split"), EXHAUSTIVE)},
        to_schedule=partial(placed_schedule, rule="split"),
        to_point=to_point,
        require_solvable=groups.require_solvable,
    )
