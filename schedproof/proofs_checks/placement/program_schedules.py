"""(3): each task at most once; no constraint requires it to be scheduled."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.instances.placement import Instance, Mode, Task
from schedproof.proofs_checks.placement.shared.enumeration import completion_time, least_cost
from schedproof.proofs_checks.strategies import placement as draw
from schedproof.proofs_checks.strategies.placement import OfInstance

SCHEDULES = Claim(
    "placement.program_schedules",
    LI23.at("(1)-(8), section III-C: 'minimize the total completion time of all tasks that arrive in [T]'"),
    "If all tasks can be scheduled by T, an optimum of (1)-(8) schedules all of them.",
    Domain.of(
        OfInstance,
        draw.of_instances(),
        {
            "several tasks": lambda case: len(case.instance.tasks) > 1,
            "two clusters": lambda case: len(case.instance.clusters) > 1,
            "a tight horizon": lambda case: case.instance.horizon < case.instance.enough,
            "a choice of allocations": lambda case: any(len(task.modes) > 1 for task in case.instance.tasks),
        },
    ),
    severity="slip",
)
REPAIRED = SCHEDULES.repair(
    "If (3) is an equation, sum = 1, every task is scheduled. A horizon T beyond the last arrival plus the sum of "
    "the shortest durations does not lower the optimum.",
    small=True,
)

LeftOut = Callable[[Instance, Task], "int | None"]  # phi_j of a task that is not scheduled; None if it is infinite

FINITE_PROOF = """
If all tasks can be scheduled by T, some solution has a finite sum (1). A solution that omits a task has an infinite sum
and is not an optimum.
- *Is that printed in (1)?* (1) does not define phi_j for y = 0; (6) would give it a start at 0. This is the most
favourable reading.
"""

ALL = (Premise[OfInstance]("all tasks can be scheduled by T", lambda case: least_cost(case.instance) is not None),)


def nothing(instance: Instance, task: Task) -> int:
    """An unscheduled task adds 0 to (1)."""
    return 0


def by_equation6(instance: Instance, task: Task) -> int:
    """An unscheduled task has t*_j = max(t y_jnt) = 0 and phi_j = 0 - t^_j.

    Timesteps are 1, ..., T.
    """
    return -(task.arrival + 1)


def to_the_end(instance: Instance, task: Task) -> int:
    """An unscheduled task is in the system until T."""
    return instance.horizon - task.arrival


def never(instance: Instance, task: Task) -> None:
    """An unscheduled task never completes.

    Its phi_j exceeds the cost of any schedule of all tasks.
    """


def a_slot_less(instance: Instance, task: Task) -> int:
    """A false variant: omitting the task costs 1 less than keeping it until T."""
    return to_the_end(instance, task) - 1


@SCHEDULES.reading("it adds nothing", "A task with y = 0 has no phi_j.", where=ALL, left_out=nothing)
@SCHEDULES.reading(
    "(6)",
    "An unscheduled task has the start t*_j = 0, the completion 0, and phi_j = -t^_j.",
    where=ALL,
    left_out=by_equation6,
)
@SCHEDULES.reading(
    "until T", "An unscheduled task is in the system until T, as in R_t of IV-A.", where=ALL, left_out=to_the_end
)
@SCHEDULES.reading(
    "never completes", "A task that never starts has phi_j = infinity.", FINITE_PROOF, where=ALL, left_out=never
)
@SCHEDULES.false_variant("leaving a task out pays", left_out=a_slot_less)
def all_tasks_run(case: OfInstance, left_out: LeftOut) -> Finding:
    instance = case.instance

    def cost(task: Task, start: tuple[int, Mode] | None) -> tuple[int, int] | None:
        phi = completion_time(task, start)
        value = left_out(instance, task) if phi is None else phi[0]
        return None if value is None else (value, -(start is not None))

    best = least_cost(instance, cost)
    assert best is not None
    return Finding(Fraction(-best[1]), Fraction(len(instance.tasks)), "at least", "tasks scheduled, of all")


EXACTLY_PROOF = """
If (3) is an equation, sum = 1, every feasible solution schedules every task. Number the tasks of some schedule by
completion. Let P_k be the last arrival plus the shortest durations of the first k tasks. Suppose that the last of the J
tasks completes after P_J. Take the first i such that the tasks i, ..., J complete after P_i, ..., P_J. The tasks before
i complete by P_(i-1). Let i, ..., J run one after the other from then on, without other tasks. They complete at P_i,
..., P_J, and each of these tasks completes sooner than before. So every optimum over all T ends by P_J, which is the T
of the statement.
- *(2) allows one start for each cluster and slot.* The moved tasks start one after the other, in different slots, and
after all others have completed.
- *A shortest duration may be on another cluster.* Tasks that run one after the other may each use their fastest cluster
and allocation; all these tasks have arrived by then.
- *At a shorter T?* Then the program may have no solution: the checker names the remaining tasks.
"""


@REPAIRED.reading("exactly once", "Each task runs on one of its clusters.", EXACTLY_PROOF)
@REPAIRED.false_variant("a shorter T", less=1)
def long_enough(case: OfInstance, more: int = 3, less: int = 0) -> Finding:
    end = case.instance.enough
    here, later = (least_cost(case.instance, horizon=horizon) for horizon in (end - less, end + more))
    assert later is not None
    if here is None:
        return Finding(Fraction(0), Fraction(1), "equal", "there is a schedule")
    return Finding(Fraction(here[0]), Fraction(later[0]), "equal", "optimum of (1)")
