"""(6) and (7): maxima over the binary y_jnt, and a task's start."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, Regime, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneTask

SPOTS = (
    Regime[OneTask]("scheduled once", lambda case: len(case.ones) == 1),
    Regime[OneTask]("several clusters in D_j", lambda case: len(case.reach) > 1),
    Regime[OneTask]("a cluster outside of D_j", lambda case: len(case.reach) < len(case.capacities)),
)


def once(everywhere: bool) -> Premise[OneTask]:
    return Premise("y satisfies (3)", lambda case: case.at_most_once(everywhere))


LINEAR = Claim(
    "placement.max_constraints",
    LI23.at("(6)-(7), a statement of ours: the paper only prints the maxima"),
    "If y satisfies (3), with a y_jnt only for n in D_j, (6) is t*_j = sum t y_jnt and (7) is x_jrn <= "
    "C_rn sum_t y_jnt: both are linear.",
    Domain.of(
        OneTask,
        draw.one_tasks(),
        {"not scheduled": lambda case: not case.positive(everywhere=False)},
        *SPOTS,
        premises=(once(everywhere=False),),
    ),
)

LINEAR_PROOF = """
By (3) and (4) at most one y_nt, over the clusters of D_j and all t, is 1. If every y_nt is 0, maximum and sum are 0 in
(6) and in (7). Let y_nt = 1 for one pair. The maximum in (6) is t = sum t y_nt, since the other terms are 0 and t >= 1.
In (7) the maximum is C for this n and 0 for the others. C times the sums has the same values.
Coq: placement.v maximum_is_sum. Objects: binary, largest. In words: pairs are those of a cluster of D_j and a slot; in
(7) the weight of a pair is C_rn of its cluster n and 0 for the others, in a common unit.
- *(3) sums over the clusters of D_j, (6) takes the maximum over all.* Here no y_jnt exists for n outside of D_j, as a
task cannot be offloaded there. `max_constraints_only_time` treats the other reading.
- *And with a relaxed y?* Then maximum and sum differ: y = 1/2 in slots 1 and 3 has the maximum 3/2 and the sum 2. The
statement is about binary y, (4).
"""


@LINEAR.reading("(6)", "The maximum is the start t*_j of (6).", LINEAR_PROOF)
def start6(case: OneTask) -> Finding:
    times = [t for _, t in case.positive(everywhere=False)]
    return Finding(Fraction(sum(times)), Fraction(max(times, default=0)), "equal", "t*_j")


@LINEAR.reading("(7)", "The maximum is the capacity of each cluster in (7).", LINEAR_PROOF)
def room7(case: OneTask) -> Answer:
    result = []
    for n in case.reach:
        here, capacity = [t for m, t in case.ones if m == n], case.capacities[n]
        printed = max((capacity for _ in here), default=0)
        result.append(Finding(Fraction(capacity * len(here)), Fraction(printed), "equal", f"room on cluster {n}"))
    return worst(result)


TWICE = OneTask((1,), (0,), ((0, 1), (0, 2)))
LINEAR.false_variant("(6) without (3)")(lambda case: start6(TWICE))
LINEAR.false_variant("(7) without (3)")(lambda case: room7(TWICE))


ONLY_TIME = Claim(
    "placement.max_constraints_only_time",
    LI23.at(
        "section III-C, below (8): 'the start time that j is scheduled, which is the only time that y is positive'"
    ),
    "For a scheduled task t*_j of (6) is the only time at which y_jnt is positive, if y satisfies (3).",
    Domain(OneTask, draw.one_tasks(), SPOTS),
    severity="slip",
)
ONLY_TIME_REPAIRED = ONLY_TIME.repair(
    "If (3) sums over all n, and y satisfies (3), t*_j is the only such time of a scheduled task.", small=True
)

ONLY_TIME_PROOF = """
By (3) and (4) at most one y is positive, since (3) sums over all y. For a scheduled task one y is positive, say at t.
So t*_j = t, and no other y is positive.
Coq: placement.v only_time. Objects: binary. In words: pairs are those of any cluster and a slot, over which (3) sums.
- *And of a task that is not scheduled?* (6) gives t*_j = 0, which is not a timestep of [T]; no y is positive.
"""


def scheduled(everywhere: bool) -> Premise[OneTask]:
    return Premise("it is a scheduled task", lambda case: bool(case.positive(everywhere)))


@ONLY_TIME.reading(
    "all n",
    "A y_jnt for all j, n, t as in (4); (3) sums over n in D_j, as printed.",
    where=(once(everywhere=False), scheduled(everywhere=True)),
)
@ONLY_TIME.reading(
    "n in D_j",
    "y_jnt exists only for n in D_j.",
    ONLY_TIME_PROOF,
    where=(once(everywhere=False), scheduled(everywhere=False)),
    variables=False,
)
@ONLY_TIME_REPAIRED.reading(
    "all n",
    "y_jnt exists for all n, also in (3).",
    ONLY_TIME_PROOF,
    where=(once(everywhere=True), scheduled(everywhere=True)),
)
def only_time(case: OneTask, variables: bool = True) -> Finding:
    """t*_j of (6) is the only t with a positive y for a scheduled task.

    y satisfies (3).

    Parameters
    ----------
    variables
        Whether y_jnt exists for all clusters or only for those of D_j.
    """
    on = case.positive(variables)
    others = [spot for spot in on if spot[1] != max(t for _, t in on)]
    return Finding(Fraction(len(others)), Fraction(0), "equal", "other positive y")


APART = OneTask((1, 1), (0,), ((0, 1), (1, 2)))
ONLY_TIME_REPAIRED.false_variant("(3) as printed")(lambda case: only_time(APART))


@ONLY_TIME.false_variant("timestep 1")
def earliest(case: OneTask) -> Answer:
    return Finding(Fraction(sum(t > 1 for _, t in case.ones)), Fraction(0), "equal")
