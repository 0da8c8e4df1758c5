"""Section IV-A: the completion times are the sum, over all timesteps, of the tasks in the system."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    FalseVariant,
    Finding,
    Proof,
    Reading,
    Regime,
    Repair,
    with_settings,
)
from schedproof.families.placement import LI23
from schedproof.instances.placement import Mode, Task
from schedproof.proofs_checks.placement.shared.enumeration import latest, least
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import Scheduled

Credit = Callable[[Task], "tuple[int, ...]"]  # the clusters with which a waiting task is associated


def identity(case: Scheduled, end: int = 0, waiting: bool = True) -> Answer:
    """Sum of phi_j = sum of R_t.

    Parameters
    ----------
    end
        Whether a task is alive in timestep t^ + phi too: 1 or 0.
    waiting
        Whether R_t counts the tasks that wait.
    """
    rows, total = case.rows(), 0
    for t in range(case.instance.horizon + 1):
        total += sum((task.arrival if waiting else s) <= t < s + mode.slots + end for task, mode, _, s in rows)
    return Finding(Fraction(total), Fraction(case.completion_times), "equal", "sum of R_t, of phi_j")


def of_clusters(case: Scheduled, credit: Credit) -> Answer:
    """The sum of R_nt over all clusters and timesteps is the sum of phi_j."""
    total = 0
    for task, mode, cluster, start in case.rows():
        for t in range(task.arrival, start + mode.slots):
            total += len(credit(task) if t < start else (cluster,))
    return Finding(Fraction(total), Fraction(case.completion_times), "equal", "sum of R_nt, of phi_j")


def of_best(case: Scheduled, credit: Credit) -> Answer:
    """Of the schedules with the largest sum of the rewards -R_nt, the best has the least sum of phi_j of all."""

    def cost(task: Task, start: tuple[int, Mode] | None) -> tuple[int, int] | None:
        if start is None:
            return None
        waits, runs = start[0] - task.arrival, start[1].slots
        return len(credit(task)) * waits + runs, waits + runs

    end = latest(case.instance)
    found, optimum = least(case.instance, cost, horizon=end), least(case.instance, horizon=end)
    assert found is not None and optimum is not None
    return Finding(
        Fraction(found[1]), Fraction(optimum[0]), "equal", "sum of phi_j with the largest reward, least of all"
    )


def every_queue(task: Task) -> tuple[int, ...]:
    """All of D_j, in whose queues it stands."""
    return task.clusters


def first_queue(task: Task) -> tuple[int, ...]:
    """The first of D_j."""
    return task.clusters[:1]


SYSTEM_PROOF = Proof(
    """
    Task j is in the system in the phi_j timesteps t^_j, ..., t^_j + phi_j - 1, in each of which R_t counts it once:
    both sums count the pairs of a task and a timestep in which it is in the system.
    """,
    answers={
        "Over [T]?": "Over all timesteps, as printed; to T if all tasks complete by T.",
        "And a task that completes within a timestep?": "phi_j counts whole timesteps: the last one counts.",
    },
)
ONCE_PROOF = Proof(
    """
    A task that waits is associated with one cluster, one that runs with the cluster on which it runs. So the sum of
    R_nt over n is R_t, and the sum of R_t over t is that of phi_j.
    """,
    answers={
        "Which cluster?": "Any rule will do that names one for each task and timestep; here it is the first of D_j. "
        "Shares that add up to 1 do as well.",
    },
)
OF_SCHEDULES = Domain(
    Scheduled,
    draw.scheduled(),
    (
        Regime("a task waits", lambda c: any(start > task.arrival for task, _, _, start in c.rows())),
        Regime("several tasks", lambda c: len(c.starts) > 1),
        Regime("a task in several queues", lambda c: any(len(task.clusters) > 1 for task in c.instance.tasks)),
    ),
)
RUNNING = FalseVariant[Scheduled]("the running tasks alone", with_settings(identity, waiting=False))

IDENTITY = Claim(
    id="placement.reward_identity",
    source=LI23.at("section IV-A, Reward: 'the total completion time equals [...] sum_j phi_j = sum_t R_t'"),
    statement="The total completion time is the sum over all timesteps of the number of alive tasks, waiting or "
    "running.",
    severity="slip",
    readings=(
        Reading("in the system", "Alive in phi_j timesteps, from t^_j on.", identity, proof=SYSTEM_PROOF),
        Reading(
            "alive as in (5)",
            "Alive, once it runs, for t in [t*_j, t^_j + phi_j], both ends included.",
            with_settings(identity, end=1),
        ),
    ),
    domain=OF_SCHEDULES,
    false_variants=(RUNNING,),
    old_repair=Repair(
        statement="sum_j phi_j = sum_t R_t with R_t the number of tasks j with t in [t^_j, t^_j + phi_j).",
        readings=(Reading("half-open", "As stated.", identity, proof=SYSTEM_PROOF),),
        false_variants=(RUNNING, FalseVariant("both ends", with_settings(identity, end=1))),
        small=True,
    ),
)

CLUSTERS = Claim(
    id="placement.reward_identity_clusters",
    source=LI23.at("section IV-A, Reward: 'R_nt is the number of tasks associated with the edge cluster n'"),
    statement="The rewards -R_nt of all clusters and timesteps add up to minus the total completion time, and are "
    "largest where it is least.",
    severity="slip",
    readings=(
        Reading(
            "every queue",
            "A waiting task is associated with each cluster in whose queue it stands.",
            with_settings(of_clusters, credit=every_queue),
        ),
        Reading("every queue, best", "The same; the best schedules.", with_settings(of_best, credit=every_queue)),
        Reading(
            "one queue",
            "With one of them, the first.",
            with_settings(of_clusters, credit=first_queue),
            proof=ONCE_PROOF,
        ),
    ),
    domain=OF_SCHEDULES,
    false_variants=(FalseVariant("no cluster", with_settings(of_clusters, credit=lambda task: ())),),
    old_repair=Repair(
        statement="If a waiting task is associated with one cluster at a time, the rewards add up to minus the total "
        "completion time, and are largest where it is least.",
        readings=(
            Reading("the sums", "The first of D_j.", with_settings(of_clusters, credit=first_queue), proof=ONCE_PROOF),
            Reading("the best", "The best schedules.", with_settings(of_best, credit=first_queue), proof=ONCE_PROOF),
        ),
        false_variants=(FalseVariant("every queue", with_settings(of_clusters, credit=every_queue)),),
        small=True,
    ),
)
