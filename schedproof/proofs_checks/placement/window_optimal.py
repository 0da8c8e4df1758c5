"""Section IV-B: the cost of seeing only the P earliest tasks of each queue.

The paper makes no statement on this cost.
"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.enumeration import latest, least_cost
from schedproof.proofs_checks.placement.shared.pending import best
from schedproof.proofs_checks.strategies import placement_runs as draw
from schedproof.proofs_checks.strategies.placement_runs import Ahead, Windowed

PENDING = LI23.at("section IV-B, 'up to |P_nt| tasks that have the earliest arrival times'; a statement of ours")

OPTIMAL = Claim(
    "placement.window_optimal",
    PENDING,
    "With P tasks or fewer, the best schedule that starts only pending tasks is an optimum.",
    Domain.of(
        Windowed,
        draw.windowed_cases(),
        {
            "two clusters": lambda case: len(case.instance.clusters) > 1,
            "several tasks": lambda case: len(case.instance.tasks) > 1,
            "two tasks come at once": lambda case: together(case),
        },
        premises=(Premise("P tasks or fewer", lambda case: len(case.instance.tasks) <= case.window),),
    ),
)

LARGE_PROOF = """
With P tasks or fewer no queue is ever longer than P. So every task in a queue is pending, and every schedule of (1)-(8)
starts only pending tasks. So an optimum is among these schedules, and each of them is feasible.
Coq, core: placement.v window_optimal. Outside: schedules, queues and the pending set of placement. The pending tasks
are the first P tasks of a cluster's queue. A schedule starts tasks of the queue.
- *It is enough that no queue has more than P tasks at any time.* For an optimum, yes. But the number of tasks is known
before an optimum is.
- *With more tasks it need not fail.* True, but it may fail, see `window_optimal_gap`.
"""


@OPTIMAL.reading("by enumeration", "Both optima of tiny instances are found by enumeration.", LARGE_PROOF)
@OPTIMAL.false_variant("a window of one suffices", window=1)
def sufficient(case: Windowed, window: int | None = None) -> Finding:
    instance = case.instance
    optimum = least_cost(instance, horizon=latest(instance))
    assert optimum is not None
    return Finding(Fraction(best(instance, window or case.window)), Fraction(optimum[0]), "equal", f"P = {case.window}")


GAP = Claim(
    "placement.window_optimal_gap",
    PENDING,
    "Let P tasks of L slots come first and n tasks of one slot after them, on a cluster with room for "
    "one. With P pending tasks the best total completion time is n (L - 1) above the optimum. For L = c n "
    "and large n the ratio tends to 1 + 2 c.",
    Domain.of(
        Ahead,
        draw.aheads(),
        {
            "P = 1": lambda case: case.window == 1,
            "P = 2": lambda case: case.window == 2,
            "long tasks": lambda case: case.slots > 1,
        },
    ),
)

GAP_PROOF = """
At the start the P pending tasks are the long ones. So one of them runs first, from slot 0 to L; waiting does not help.
It leaves room in the pending set for a short task, and each short task that starts leaves room for the next. From L on
take the shortest task first. The short tasks complete at L + 1, ..., L + n, and the other long tasks at n + 2 L, ...,
n + P L. No schedule in which a long task is first has a smaller total. Without the limit, shortest first is optimal:
the completions are 1, ..., n and n + L, ..., n + P L. The sums differ by L + n L - (n + L) = n (L - 1). The optimum is
n (n + 1)/2 + P n + L P (P + 1)/2. With L = c n the quotient tends to 1 + 2 c as n tends to infinity, for every P.
Coq, core: placement.v window_optimal_gap. Outside: that both orders are the best ones. The two orders are those above.
- *The long tasks are not earlier, only first in the file.* If the short tasks come a slot later, the optimum may leave
slot 0 empty, and the quotient has the same limit.
- *A policy may also wait without a start.* The pending set does not change until one of its tasks starts.
- *Is P = 10 not enough in practice?* Ten long tasks fill it. The frequency of this case is a question for the
comparisons, not for this claim.
"""


@GAP.reading("the difference", "The difference is between the total completion times.", GAP_PROOF)
@GAP.false_variant("the P earliest suffice", gain=False)
def gap(case: Ahead, gain: bool = True) -> Finding:
    instance = case.instance()
    optimum = least_cost(instance, horizon=latest(instance))
    assert optimum is not None
    cost = best(instance, case.window) - optimum[0]
    return Finding(Fraction(cost), Fraction(case.short * (case.slots - 1) * gain), "equal", str(case))


def together(case: Windowed) -> bool:
    arrivals = [task.arrival for task in case.instance.tasks]
    return len(set(arrivals)) < len(arrivals)
