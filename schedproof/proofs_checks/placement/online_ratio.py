"""(1)-(8) online: no policy without preemption has a bounded ratio."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.errors import expect
from schedproof.families.placement import LI23
from schedproof.instances.placement import Mode, Schedule, Start, Task
from schedproof.proofs_checks.placement.shared.enumeration import Value, completion_time, least_cost
from schedproof.proofs_checks.strategies import placement_runs as draw
from schedproof.proofs_checks.strategies.placement_runs import Committed

FEW = 3  # short tasks, with which all schedules are tried

ONLINE = Claim(
    "placement.online_ratio",
    LI23.at("(1)-(8), section III-C; a statement of ours"),
    "No deterministic online policy that lets each task run to its end has a ratio below n/4 on all "
    "instances of n + 1 tasks, for the total completion time. On one unit, once it starts a task of n "
    "slots, n tasks of one slot come, one a slot.",
    Domain.of(
        Committed,
        draw.committed(),
        {
            "it starts at once": lambda case: case.start == 0,
            "it waits for less than n slots": lambda case: 0 < case.start < case.short,
            "it waits for n slots or more": lambda case: case.start >= case.short,
            "all schedules are tried": lambda case: case.short <= FEW,
            "many short tasks": lambda case: case.short > 8,
        },
    ),
)
BOTH_WAYS = """
One cluster has one unit. A task of n slots comes in slot 0. Let the policy start it in slot s; then n tasks of one slot
come, the k-th in slot s + k. A policy that never starts it violates (3) with = 1, and its cost is infinite. First
consider the policy. The unit is in use until s + n, as the long task runs to its end. So the i-th short task to
complete ends at s + n + i or later. The short tasks cost at least n^2, the sum of n + i - k over i = k = 1..n. The long
task costs s + n. The total is at least n^2 + n + s. Now consider the best schedule. If s >= n, run the long task in the
slots 0 to n - 1 and each short task on arrival; the cost is 2 n. If s < n, run each short task on arrival and the long
task in s + n + 1; the cost is n + s + 2 n + 1 = 3 n + s + 1. If s >= n, the quotient is at least (n^2 + 2 n)/(2 n),
above n/4. If s < n, it is at least (n^2 + n + s)/(3 n + 1 + s). Four times the numerator less n times the denominator
is n^2 + 3 n - (n - 4) s. For n <= 4 this is positive. Otherwise s <= n - 1, and it is at least n^2 + 3 n - (n - 4)(n -
1) = 8 n - 4, which is positive.
Coq: placement.v online_ratio_policies. Objects: policy, online, schedules, task, phi, on_one_unit. In words: an
instance lists arrivals and durations on a cluster with one unit, a policy gives starts, and the cost is the sum of phi.
- *And policies that stop a task?* The bound does not apply to them. By (3) of (1)-(8) each task runs once, to its end.
Our policies may stop tasks only under the rule `preemption=allowed`.
- *And randomised policies?* The adversary must know s. The claim does not cover an adversary who does not know it.
- *And (5) with closed intervals?* Then a unit is free a slot later, and the numbers differ. Here a task holds it in the
slots in which it runs.
- *The policy may know durations.* Yes, and even the two lengths in advance. It does not know the arrivals.
"""


@ONLINE.reading("ratio", "The ratio of total completion times; for few tasks, all schedules are tried.", BOTH_WAYS)
@ONLINE.false_variant("n/2", share=2)
@ONLINE.false_variant("against the long task first", long_first=True)
def ratio(case: Committed, share: int = 4, long_first: bool = False) -> Finding:
    n, s = case.short, case.start
    after = range(s + n, s + 2 * n)
    as_they_come = range(s + 1, s + n + 1)
    if case.short <= FEW and not long_first:
        paid, possible = _tried(case, s), _tried(case, None)
    else:
        paid = _cost(case, s, after)
        first = long_first or s >= n
        possible = _cost(
            case,
            0 if first else s + n + 1,
            [max(n + k, slot) if first else slot for k, slot in enumerate(as_they_come)],
        )
    return Finding(paid / possible, Fraction(n, share), "at least", "the policy, and a schedule")


def _cost(case: Committed, long: int, short: Sequence[int]) -> Fraction:
    instance = case.instance
    rows = [Start(j, 0, (1,), slot) for j, slot in enumerate((long, *short))]
    schedule = Schedule.by("shown", instance, tuple(rows))
    expect(not schedule.violations(instance), "expected a feasible schedule", "starts", rows)
    return schedule.objective(instance)


def _tried(case: Committed, start: int | None) -> Fraction:
    """The least cost of all schedules, with a given or any start of the long task."""

    def cost(task: Task, begin: tuple[int, Mode] | None) -> Value | None:
        other = task.index == 0 and start is not None and begin is not None and begin[0] != start
        return None if other else completion_time(task, begin)

    best = least_cost(case.instance, cost)
    assert best is not None
    return Fraction(best[0])
