"""Can a task wait forever? The paper makes no statement on it."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.pending import play
from schedproof.proofs_checks.strategies import placement_runs as draw
from schedproof.proofs_checks.strategies.placement_runs import Choosing, Starved

OURS = LI23.at("section IV-B, the pending set; a statement of ours")

BY = Claim(
    "placement.no_starvation",
    OURS,
    "Let P = 1, and let tasks fit each empty cluster of their D_j. A scheduler that starts a pending task"
    " whenever one fits starts the k-th task in order of arrival by its arrival + k L - 1, where L is the"
    " longest duration.",
    Domain.of(
        Choosing,
        draw.choosing(),
        {
            "P = 1": lambda case: case.window == 1,
            "a task waits": lambda case: any(
                slot > case.instance.tasks[j].arrival for j, (_, slot, _) in play(case, choose_what_fits=True).items()
            ),
            "two clusters": lambda case: len(case.instance.clusters) > 1,
        },
        premises=(Premise("P = 1", lambda case: case.window == 1),),
    ),
)

BY_PROOF = """
Order the tasks by arrival, equals as in the file. Let all tasks before k have started by s. From t = max(a_k, s + 1)
on, task k is the first in each of its queues. So with P = 1 no other task starts on a cluster of D_k before k has
started. The tasks running there started by t - 1 and end by t - 1 + L. Then an empty cluster of D_k takes k, if it has
not started before. So k starts by max(a_k, s + 1) + L - 1. By induction s <= a_(k-1) + (k-1) L - 1, so k starts by
a_k + k L - 1.
- *Several clusters may choose k.* One of these clusters starts k. If k fits on none of these clusters, they start no
task.
- *Must it start the task when it fits?* Yes, by the premise: a policy that may pass can wait for ever (`terminates`).
- *A task may not fit an empty cluster of its D_j.* Then it blocks that queue for ever; each task here has an allocation
for each of its clusters.
- *So P = 1 is best?* With P = 1 all tasks after the first task wait as well (`window_optimal_gap`).
"""


@BY.reading("every choice", "The statement is for every choice of cluster and allocation.", BY_PROOF)
@BY.false_variant("a slot sooner", sooner=1)
def starts_by(case: Choosing, sooner: int = 0) -> Answer:
    tasks = case.instance.tasks
    longest = max(mode.slots for task in tasks for mode in task.modes)
    starts, result = play(case, choose_what_fits=True), []
    for k, task in enumerate(sorted(tasks, key=lambda task: task.arrival), 1):
        bound = task.arrival + k * longest - 1 - sooner
        result.append(Finding(Fraction(starts[task.index][1]), Fraction(bound), "at most", f"start of {task.name}"))
    return worst(result)


FOR_EVER = Claim(
    "placement.no_starvation_window",
    OURS,
    "With P of 2 or more, a scheduler that starts a pending task whenever one fits may let a task wait as "
    "long as others come. m tasks of one unit, one a slot, prevent a task that needs two units from "
    "starting before slot m + 1.",
    Domain.of(
        Starved,
        draw.starved_cases(),
        {
            "P = 2": lambda case: case.window == 2,
            "P > 2": lambda case: case.window > 2,
            "many": lambda case: case.small > 4,
        },
    ),
)

WAITS_PROOF = """
Small task t comes in slot t and can start at once. One unit is free: the previous small task, which started in slot t -
1, holds one unit, and the small task before has ended. The large task is first in the queue and the small task second.
So P = 2 allows the scheduler to choose the small task. It starts a task that fits in each slot. From slot 1 on a unit
is in use until the last small task, which starts in slot m - 1, ends at m + 1.
- *No learned policy would do that.* (10)-(14) do not forbid it: the reward counts tasks, so it prefers many short
tasks. The cost of a waiting task in a slot does not grow with its waiting time.
- *For ever?* As long as small tasks come, for any m.
"""


@FOR_EVER.reading("by simulation", "There is one cluster with two units.", WAITS_PROOF)
@FOR_EVER.false_variant("a slot sooner", one=0)
def waits(case: Starved, one: int = 1) -> Finding:
    start = play(case.case(), choose_what_fits=True)[0][1]
    return Finding(Fraction(start), Fraction(case.small + one), "equal", "start of the large task")
