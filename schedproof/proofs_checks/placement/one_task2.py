"""Section III-B: what sum_{j in Q_nt} y_jnt <= 1 says."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claim import Answer, Claim, Domain, FalseVariant, Finding, Outside, Proof, Reading, Regime, Repair
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_binary as draw
from schedproof.proofs_checks.strategies.placement_binary import OneSlot

ONE, ZERO = Fraction(1), Fraction(0)


def starts(case: OneSlot) -> int:
    """The most tasks that a cluster starts."""
    return max(len(case.of_cluster(n)) for n in range(len(case.queues)))


def places(case: OneSlot) -> int:
    """The most clusters that start one task."""
    return max((len(case.of_task(j)) for j, _ in case.started), default=0)


def one_cluster(case: OneSlot) -> Answer:
    """Where the sum of y_jnt over j in Q_nt is at most 1 for each n, each task is scheduled to at most one cluster."""
    if starts(case) > 1:
        return Outside("sum_{j in Q_nt} y_jnt <= 1 for each n")
    return Finding(Fraction(places(case)), ONE, "at most", "clusters of one task")


def one_task(case: OneSlot) -> Answer:
    """Where that is so, each cluster starts at most one task."""
    if starts(case) > 1:
        return Outside("sum_{j in Q_nt} y_jnt <= 1 for each n")
    return Finding(Fraction(starts(case)), ONE, "at most", "tasks of one cluster")


def by3(case: OneSlot) -> Answer:
    """Where the sum of y_jnt over n is at most 1 for each j, each task is scheduled to at most one cluster."""
    if any(sum((j, n) in case.started for n in range(len(case.queues))) > 1 for queue in case.queues for j in queue):
        return Outside("sum_n y_jnt <= 1 for each j")
    return Finding(Fraction(places(case)), ONE, "at most", "clusters of one task")


def nobody(case: OneSlot) -> Answer:
    """False: nobody starts anything."""
    return Finding(Fraction(len(case.started)), ZERO, "at most")


BY_SUMS = Proof(
    """
    The sum of y_jnt over j in Q_nt is the number of tasks that n starts in t, as y is binary; the sum over n, that of
    clusters that start j.
    """,
    answers={
        "Does (3) sum over a single t?": "Over all t; if that sum is at most 1, the sum of one t is.",
    },
)

ONE_TASK = Claim(
    id="placement.one_task2",
    source=LI23.at(
        "section III-B: 'sum_{j in Q_nt} y_jnt <= 1, i.e., the task is only scheduled to at most one cluster'"
    ),
    statement="sum_{j in Q_nt} y_jnt <= 1 for each n and t, that is, the task is only scheduled to at most one "
    "cluster at each timestep.",
    severity="slip",
    readings=(
        Reading("that is", "The sums, for each n, imply it: sum_{j in Q_nt} y_jnt <= 1 for each n.", one_cluster),
    ),
    domain=Domain(
        OneSlot,
        draw.one_slots(),
        (
            Regime("several clusters", lambda case: len(case.queues) > 1),
            Regime("a task in several queues", lambda case: len(sum(case.queues, ())) > len(set(sum(case.queues, ())))),
            Regime("several starts", lambda case: len(case.started) > 1),
        ),
    ),
    false_variants=(FalseVariant("no start", nobody),),
    old_repair=Repair(
        statement="sum_{j in Q_nt} y_jnt <= 1 for each n, (2), says that each cluster starts at most one task in t, as "
        "is printed below (8); sum_n y_jnt <= 1 for each j, which (3) implies, that a task goes to one cluster.",
        readings=(
            Reading("(2)", "Tasks of a cluster.", one_task, proof=BY_SUMS),
            Reading("(3)", "Clusters of a task.", by3, proof=BY_SUMS),
        ),
        false_variants=(FalseVariant("(2) for one cluster", one_cluster),),
        small=True,
    ),
)
