"""(21) and Algorithm 3: the dynamic program over slots, for given prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.dmlrs import YU22
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs.shared import regimes
from schedproof.proofs_checks.dmlrs.shared.premises import CAN_FINISH
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import Priced
from schedproof.reference.dmlrs_given_prices import algorithm3, capacity_value, cost
from schedproof.reference.dmlrs_schedules import placements, plans

DP21 = Claim(
    "dmlrs.dp21",
    YU22.at("section 4.3, (21) and Algorithm 3"),
    "The dynamic program (21) computes the optimum of (16).",
    Domain(
        Priced,
        draw.also_roomy(draw.priced_cases),
        (*regimes.SHAPES, regimes.LATE, regimes.LOCALITY, regimes.BROKEN_RATE, regimes.FREE_OF_CHARGE),
        (CAN_FINISH,),
    ),
    severity="slip",
)
REPAIRED = DP21.repair(
    "The dynamic program over worker-slots (a internal, b external) computes the optimum of (16).", small=True
)

ZERO = Fraction(0)


@DP21.reading("whole samples", "Algorithm 3: v = 0, 1, ..., V, with theta exact.")
def whole_samples(case: Priced) -> Answer:
    return against_schedules(case, lambda job: algorithm3(case.instance, job, case.prices, integers_up_to))


REAL_SAMPLES_PROOF = """
A schedule that completes by t trains v >= 0 samples in slot t, or more than the remaining number; then let v be the
remaining number. Its part in slot t is feasible for (19) with v. The rest completes by t - 1 and trains V - v. So the
schedule costs at least the right-hand side. Conversely, a placement for v and a schedule for V - v together train V,
and slots share no row of (18). theta(t, .) does not decrease and is constant between the rates n/c_i and n/c_e. So
these rates and V are enough values of v. Before the arrival Theta is 0 for V = 0 and infinite otherwise, which
Algorithm 3 does not state.
- *Real v are infinitely many.* theta(t, .) is a step function with jumps at n/c_i and n/c_e, n <= F; a v between two
jumps costs as much as the next jump and leaves more samples.
- *Is theta exact?* Yes, here. With the theta of Algorithm 4 the recursion adds up the costs that Algorithm 4 finds.
"""


@DP21.reading("real v", "(21) over all v in [0, V], with theta exact.", REAL_SAMPLES_PROOF)
def real_samples(case: Priced) -> Answer:
    return against_schedules(case, lambda job: algorithm3(case.instance, job, case.prices, jumps(job)))


WORKER_SLOTS_PROOF = """
After each slot, keep for every (a, b) the least cost of the placements so far with a worker-slots at the internal rate
and b at the external rate. Whether a schedule trains V depends only on (a, b). Slots share no row of (18). In one slot
the program tries the cheapest placement for each number of workers and each rate. By induction over slots the table is
exact. The least entry with a/c_i + b/c_e >= V is the least cost of completing by that slot.
- *A fractional number of samples?* a/c_i + b/c_e is compared with V exactly, without rounding to whole samples in a
slot.
- *The table may be large.* (a, b) takes at most (T F + 1)^2 values; the statement is about the optimum, not the time.
"""


@REPAIRED.reading("worker-slots", "A job is complete when a/c_i + b/c_e >= V.", WORKER_SLOTS_PROOF)
@DP21.false_variant("a worker-slot too few", spared=1)
def worker_slots(case: Priced, spared: int = 0) -> Answer:
    given = case.prices
    never = 1 + capacity_value(case.instance, given)

    def forward(job: Job) -> list[Fraction]:
        table: dict[tuple[int, int], Fraction] = {(0, 0): ZERO}
        costs = []
        for slot in range(job.arrival, case.instance.horizon):
            after = dict(table)
            for p in placements(case.instance, job, slot):
                step = (p.workers, 0) if p.internal else (0, p.workers)
                for (a, b), spent in table.items():
                    key = (a + step[0], b + step[1])
                    after[key] = min(after.get(key, never), spent + cost(p.use, given))
            table = after
            full = [c for (a, b), c in table.items() if job.done(a + spared, b)]
            costs.append(min(full, default=never))
        return costs

    return against_schedules(case, forward)


def against_schedules(case: Priced, found: Callable[[Job], list[Fraction]]) -> Answer:
    """A dynamic program's cost against the least cost of all schedules.

    The costs are compared for completion by each slot.
    """
    given = case.prices
    rows = []
    for job in case.instance.jobs:
        costs = [(plan.time, cost(plan.use, given)) for plan in plans(case.instance, job)]
        for n, least in enumerate(found(job), 1):
            if fitting := [price for time, price in costs if time <= n]:
                rows.append(Finding(least, min(fitting), "equal", f"{job.name}, within {n} slots"))
    return worst(rows)


def integers_up_to(v: Fraction) -> Iterable[Fraction]:
    return map(Fraction, range(int(v) + 1))


def jumps(job: Job) -> Callable[[Fraction], Iterable[Fraction]]:
    """The workloads at which theta(t, .) jumps, and the rest: enough for every real v."""
    rates = {n / c for n in range(job.batch_size + 1) for c in (job.internal_time, job.external_time)}
    return lambda v: {min(rate, v) for rate in rates}
