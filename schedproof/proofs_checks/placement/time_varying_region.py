"""Section III-C, below (8): the bound of (7) and (8) on x in a timestep."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneTask

LATER = Premise[OneTask](
    "the task is scheduled once, after the first timestep",
    lambda case: len(case.positive(False)) == len(case.ones) == 1 and case.ones[0][1] > 1,
)
REGION = Claim(
    "placement.time_varying_region",
    LI23.at("section III-C, below (8): '(7) and (8) define the time-varying feasible region of x in each time t'"),
    "The x that (7) and (8) allow differ between timesteps, for a task that is scheduled after the first timestep.",
    Domain.of(
        OneTask,
        draw.one_tasks(),
        {
            "in the second timestep": lambda case: any(t == 2 for _, t in case.ones),
            "several clusters": lambda case: len(case.capacities) > 1,
        },
        premises=(LATER,),
    ),
    severity="slip",
)
REPAIRED = REGION.repair(
    "With an x_jrnt for each timestep and x_jrnt <= y_jnt C_rn instead of (7), the allowed x differ "
    "between timesteps, for a task that is scheduled after the first timestep.",
    small=True,
)

Limits = Callable[[OneTask, int], tuple[int, ...]]


def overall(case: OneTask, t: int) -> tuple[int, ...]:
    return until(case, max(slot for _, slot in case.ones))


def until(case: OneTask, t: int) -> tuple[int, ...]:
    return tuple(max((c for m, s in case.ones if m == n and s <= t), default=0) for n, c in enumerate(case.capacities))


def at(case: OneTask, t: int) -> tuple[int, ...]:
    return tuple(max((c for m, s in case.ones if (m, s) == (n, t)), default=0) for n, c in enumerate(case.capacities))


KNOWN_PROOF = """
Let the task be scheduled at t* > 1. Before t* every known y is 0, so only x = 0 is allowed. From t* on x may be up to
C > 0 on its cluster. So the first timestep and t* differ.
- *(7) has its maximum over all t.* It does; this reading takes it over the timesteps so far.
"""
EACH_PROOF = """
In the first timestep y is 0, as the task is scheduled later, so only x = 0 is allowed. At t* x may be up to C > 0.
Coq, core: placement.v time_varying_region. Outside: the rows of the changed program. `start` is t*, and `before` is the
first timestep.
- *And while it runs?* The allocation is decided at t* and does not change; (5) keeps it in use.
"""


@REGION.reading("over all t", "x_jrn has no t, and (7) has the maximum over all t.", limits=overall)
@REPAIRED.false_variant("over all t", limits=overall)
@REGION.reading(
    "as it is known", "In timestep t, the y of later timesteps are undecided and count as 0.", KNOWN_PROOF, limits=until
)
@REPAIRED.reading("x_jrnt <= y_jnt C_rn", "Each timestep has its own region.", EACH_PROOF, limits=at)
@REGION.false_variant("three regions or more", limits=at, least=3)
def regions(case: OneTask, limits: Limits, least: int = 2) -> Finding:
    """The number of different upper bounds on x over time.

    Time runs from the first timestep to the one after the task is scheduled.
    """
    last = max(t for _, t in case.ones) + 1
    different = {limits(case, t) for t in range(1, last + 1)}
    return Finding(Fraction(len(different)), Fraction(least), "at least", "different regions")
