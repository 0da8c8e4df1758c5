"""The LP of (4) as an exact min-cost flow, if each job has one rate everywhere."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.base.numbers import common_denominator
from schedproof.core.errors import NoSolution, ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import flow
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.preemptive.index import HALVES, slots
from schedproof.instances.preemptive import Instance
from schedproof.relaxations.preemptive.prices import NoRoom


def by_flow(
    instance: Instance,
    *,
    reading: str,
    speed: Fraction,
    cost: str,
    context: Context,
    solve: flow.Solver = flow.solve,
) -> Outcome:
    """Solve the class LP as a min-cost flow with integer costs; the optimum is exact.

    Parameters
    ----------
    solve
        The method for min-cost flows; each computes the same optimum.

    Raises
    ------
    ProgramError
        When a job has two rates, chunk times are not whole slots, or the costs are too large to be exact.
    """
    from schedproof.relaxations.preemptive import ascent  # imported here, because it compiles kernels
    from schedproof.relaxations.preemptive.slot_flow import SlotFlow, one_rate

    if any(slots(job, away, reading, speed).denominator != 1 for job in instance.jobs for away in (False, True)):
        raise ProgramError(
            "a min-cost flow ('flow', 'network_simplex') needs chunk times in whole slots; "
            "use reading=ceil_chunk or the method matrix"
        )
    try:
        market, _ = ascent.market(instance, speed)
        if (rate := one_rate(market)) is None:
            raise ProgramError(
                "a min-cost flow ('flow', 'network_simplex') needs jobs that take as long in the cloud as at the edge: "
                "use the method matrix"
            )
        half = HALVES[cost]
        scale = common_denominator(Fraction(1, 2 * w) for w in set((market.chunks * rate).tolist()))
        search = SlotFlow(market, rate, half, scale, instance.horizon, solve)
        while not search.round(context):
            pass
    except (NoRoom, NoSolution):
        return Outcome("infeasible")
    return Outcome("optimal", float(search.value), float(search.value), exact=search.value)
