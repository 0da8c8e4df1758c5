"""Section III-B: the meaning of sum_{j in Q_nt} y_jnt <= 1."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneSlot

ONE_TASK = Claim(
    "placement.one_task2",
    LI23.at("section III-B: 'sum_{j in Q_nt} y_jnt <= 1, i.e., the task is only scheduled to at most one cluster'"),
    "sum_{j in Q_nt} y_jnt <= 1 for each n and t, that is, the task is only scheduled to at most one "
    "cluster at each timestep.",
    Domain.of(
        OneSlot,
        draw.one_slots(),
        {
            "several clusters": lambda case: len(case.queues) > 1,
            "a task in several queues": lambda case: len(sum(case.queues, ())) > len(set(sum(case.queues, ()))),
            "several starts": lambda case: len(case.started) > 1,
        },
    ),
    severity="slip",
)
REPAIRED = ONE_TASK.repair(
    "sum_{j in Q_nt} y_jnt <= 1 for each n, (2), means that each cluster starts at most one task in t, as "
    "printed below (8). sum_n y_jnt <= 1 for each j, which (3) implies, means that a task goes to one "
    "cluster.",
    small=True,
)

ONE, ZERO = Fraction(1), Fraction(0)
SUM2: Premise[OneSlot] = Premise("sum_{j in Q_nt} y_jnt <= 1 for each n", lambda case: starts(case) <= 1)
SUM3: Premise[OneSlot] = Premise("sum_n y_jnt <= 1 for each j", lambda case: places(case) <= 1)


@ONE_TASK.reading(
    "that is", "The inequality for each n, sum_{j in Q_nt} y_jnt <= 1, implies the statement.", where=(SUM2,)
)
@REPAIRED.false_variant("(2) for one cluster")
def one_cluster(case: OneSlot) -> Finding:
    return Finding(Fraction(places(case)), ONE, "at most", "clusters of one task")


BY_SUMS = """
As y is binary, the sum of y_jnt over j in Q_nt is the number of tasks that n starts in t. The sum over n is the number
of clusters that start j.
Coq, core: placement.v one_task2. Outside: the converse, and that (3) implies sum_n y_jnt <= 1. In (2) the theorem's
list has the tasks of a cluster; in (3) it has the clusters and slots of a task.
- *Does (3) sum over a single t?* It sums over all t; if that sum is at most 1, so is the sum of one t.
"""


@REPAIRED.reading("(2)", "The sum is over the tasks of a cluster.", BY_SUMS, where=(SUM2,))
def one_task(case: OneSlot) -> Finding:
    return Finding(Fraction(starts(case)), ONE, "at most", "tasks of one cluster")


@REPAIRED.reading("(3)", "The sum is over the clusters of a task.", BY_SUMS, where=(SUM3,))
def by3(case: OneSlot) -> Finding:
    return Finding(Fraction(places(case)), ONE, "at most", "clusters of one task")


@ONE_TASK.false_variant("no start")
def nobody(case: OneSlot) -> Finding:
    return Finding(Fraction(len(case.started)), ZERO, "at most")


def starts(case: OneSlot) -> int:
    return max(len(case.of_cluster(n)) for n in range(len(case.queues)))


def places(case: OneSlot) -> int:
    return max((len(case.of_task(j)) for j, _ in case.started), default=0)
