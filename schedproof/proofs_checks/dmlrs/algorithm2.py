"""Algorithm 2: the best schedule at given prices, by its completion time."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Finding, worst
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs.dp21 import DP21, integers_up_to, jumps
from schedproof.proofs_checks.strategies.dmlrs import Priced
from schedproof.reference.dmlrs_given_prices import algorithm3, capacity_value, cost
from schedproof.reference.dmlrs_schedules import plans

ALGORITHM2 = Claim(
    "dmlrs.algorithm2",
    YU22.at("section 4.3, (15) and Algorithm 2"),
    "Enumerating all completion times and solving (21) for each solves (15), for a job that can finish.",
    DP21.domain,
    severity="slip",
)
REPAIRED = ALGORITHM2.repair(
    "With (21) over all real v in [0, V], Algorithm 2 solves (15), for a job that can finish.", small=True
)

BEST_PAYOFF_PROOF = """
With real v, Theta(t, V) is the least cost of the schedules that complete by t (dp21, real v). Let pi be one of these
schedules with that cost. It may complete earlier than t and then earns no less. So u_i(t - a_i) - Theta(t, V) is at
most the payoff of pi. If t is the completion time of a best schedule, the difference is at least the payoff of that
schedule. The maximum over t is therefore the optimum of (15), where step 1 starts with 0.
Coq, core: admission.v algorithm2. Outside: that Theta(t, V) of (21) is the least cost of the schedules that complete by
t. The claim dp21 proves this step for all real v.
- *The schedule of lambda may complete before t.* Then its payoff is at least lambda. By the second half it is at most
lambda.
- *A job that cannot finish?* Every Theta is infinite, lambda stays 0 and the job is rejected; (15) has no solution.
"""


@ALGORITHM2.reading("whole samples", "Theta by Algorithm 3: v = 0, 1, ..., V; theta exact.", real=False)
@ALGORITHM2.reading(
    "real v",
    "(21) over all v in [0, V], with theta exact.",
    BEST_PAYOFF_PROOF,
    also=REPAIRED,
)
@ALGORITHM2.false_variant("the last slot left out", slots=1, also=REPAIRED)
def best_payoff(case: Priced, real: bool = True, slots: int = 0) -> Answer:
    """Algorithm 2's lambda is the optimum of (15), or 0 if the optimum is negative.

    Theta follows (21).

    Parameters
    ----------
    real
        Whether (21) takes all real v; Algorithm 3 takes v = 0, 1, ...
    slots
        The number of skipped slots at the end.
    """
    instance, given = case.instance, case.prices
    result = []
    for job in instance.jobs:
        if menu := plans(instance, job):
            exact = max(plan.utility - cost(plan.use, given) for plan in menu)
            result.append(Finding(payoff(case, job, real, slots), max(exact, Fraction(0)), "equal", job.name))
    return worst(result)


def payoff(case: Priced, job: Job, real: bool, slots: int) -> Fraction:
    never, best = capacity_value(case.instance, case.prices), Fraction(0)
    costs = algorithm3(case.instance, job, case.prices, jumps(job) if real else integers_up_to)
    for time, least in enumerate(costs[: len(costs) - slots], 1):
        if least <= never:
            best = max(best, job.utility.lower(time) - least)
    return best
