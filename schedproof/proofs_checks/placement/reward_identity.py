"""Section IV-A: total completion time as a sum of the tasks in the system."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.instances.placement import Mode, Task
from schedproof.proofs_checks.placement.shared.enumeration import latest, least_cost
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import Scheduled

OF_SCHEDULES = Domain.of(
    Scheduled,
    draw.scheduled_cases(),
    {
        "a task waits": lambda c: any(start > task.arrival for task, _, _, start in c.rows()),
        "several tasks": lambda c: len(c.starts) > 1,
        "a task in several queues": lambda c: any(len(task.clusters) > 1 for task in c.instance.tasks),
    },
)

IDENTITY = Claim(
    "placement.reward_identity",
    LI23.at("section IV-A, Reward: 'the total completion time equals [...] sum_j phi_j = sum_t R_t'"),
    "The total completion time is the sum over all timesteps of the number of alive tasks, waiting or running.",
    OF_SCHEDULES,
)

SYSTEM_PROOF = """
Task j is in the system in the phi_j timesteps t^_j, ..., t^_j + phi_j - 1, and R_t counts it once in each of them. So
both sums count the pairs of a task and a timestep in which it is in the system.
Coq: placement.v reward_identity. Objects: task, alive, phi. In words: R_t counts the alive tasks, up to a slot T in
which all have ended.
- *Over [T]?* As printed, the sum is over all timesteps. Timesteps after T add 0 if all tasks complete by T.
- *(5) calls a task alive from t*_j to t^_j + phi_j, both ends included.* R_t counts the tasks "in the system", waiting
or running; a completed task is neither. The closed interval is a slip of (5) (`closed_interval5`).
- *And a task that completes within a timestep?* phi_j counts whole timesteps: the last one counts.
"""


@IDENTITY.reading("in the system", "The task is alive in phi_j timesteps, from t^_j on.", SYSTEM_PROOF)
@IDENTITY.false_variant("the running tasks alone", waiting=False)
@IDENTITY.false_variant("alive as in (5), both ends included", end=1)
def identity(case: Scheduled, end: int = 0, waiting: bool = True) -> Answer:
    """Sum of phi_j = sum of R_t.

    Parameters
    ----------
    end
        1 if a task also counts in timestep t^ + phi, else 0.
    waiting
        Whether R_t counts waiting tasks.
    """
    rows, total = case.rows(), 0
    for t in range(case.instance.horizon + 1):
        total += sum((task.arrival if waiting else s) <= t < s + mode.slots + end for task, mode, _, s in rows)
    return Finding(Fraction(total), Fraction(case.completion_times), "equal", "sum of R_t, of phi_j")


CLUSTERS = Claim(
    "placement.reward_identity_clusters",
    LI23.at("next to section IV-A, Reward: 'R_nt is the number of tasks associated with the edge cluster n'"),
    "If a waiting task is associated with one cluster at a time, the rewards -R_nt of all clusters and "
    "timesteps add up to minus the total completion time. They are largest if it is least.",
    OF_SCHEDULES,
)

Credit = Callable[[Task], "tuple[int, ...]"]  # the clusters with which a waiting task is associated


def every_queue(task: Task) -> tuple[int, ...]:
    """All clusters of D_j: the task waits in all their queues."""
    return task.clusters


ONCE_PROOF = """
A waiting task is associated with one cluster, a running task with the cluster on which it runs. So the sum of R_nt over
n is R_t, and the sum of R_t over t is the sum of phi_j.
Coq: placement.v reward_identity_clusters. Objects: task, alive, phi. In words: `home` is the one cluster with which an
alive task is associated; equal sums have equal best schedules.
- *The paper does not state it.* It prints no sum over n, and it does not print that a task counts in only one queue:
the statement is ours. In the released environment a task counts in each of its queues. Then a task that waits in two
queues counts twice, and the rewards may be largest for another schedule. This is the false variant.
- *Which cluster?* Any rule that names one for each task and timestep is valid; here it is the first of D_j. Shares that
add up to 1 are valid as well.
"""


def first_queue(task: Task) -> tuple[int, ...]:
    """Only the first cluster of D_j."""
    return task.clusters[:1]


@CLUSTERS.reading("the sums", "A task waits in the queue of the first cluster of D_j.", ONCE_PROOF, credit=first_queue)
@CLUSTERS.false_variant("no cluster", credit=lambda task: ())
@CLUSTERS.false_variant("every queue", credit=every_queue)
def of_clusters(case: Scheduled, credit: Credit) -> Answer:
    total = 0
    for task, mode, cluster, start in case.rows():
        for t in range(task.arrival, start + mode.slots):
            total += len(credit(task) if t < start else (cluster,))
    return Finding(Fraction(total), Fraction(case.completion_times), "equal", "sum of R_nt, of phi_j")


@CLUSTERS.reading("the best", "The statement is for the best schedules.", ONCE_PROOF, credit=first_queue)
@CLUSTERS.false_variant("every queue, best", credit=every_queue)
def of_best(case: Scheduled, credit: Credit) -> Answer:
    def cost(task: Task, start: tuple[int, Mode] | None) -> tuple[int, int] | None:
        if start is None:
            return None
        waits, runs = start[0] - task.arrival, start[1].slots
        return len(credit(task)) * waits + runs, waits + runs

    end = latest(case.instance)
    result, optimum = least_cost(case.instance, cost, horizon=end), least_cost(case.instance, horizon=end)
    assert result is not None and optimum is not None
    return Finding(
        Fraction(result[1]), Fraction(optimum[0]), "equal", "sum of phi_j with the largest reward, least of all"
    )
