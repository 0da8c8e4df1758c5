"""The dynamic program over slots, (21) and Algorithm 3, for given prices: claim dp21."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading, worst
from schedproof.instances.dmlrs import Job
from schedproof.proofs_checks.dmlrs import regimes
from schedproof.proofs_checks.dmlrs.fees import bill, fees, worth
from schedproof.proofs_checks.dmlrs.house import WITNESSES
from schedproof.proofs_checks.dmlrs.schedules import placements, plans
from schedproof.proofs_checks.strategies import dmlrs as draw
from schedproof.proofs_checks.strategies.dmlrs import st
from schedproof.proofs_checks.writing import at, of_data, table

ZERO = Fraction(0)


def algorithm3(case: Case, job: Job, menu: Callable[[Fraction], Iterable[Fraction]]) -> list[Fraction]:
    """Theta(t, V) of (21) for t = a, ..., T - 1, with theta of (19) exact, trying the workloads v of ``menu``."""
    fee, never = fees(case), 1 + worth(case)  # more than everything there is stands for an infinite cost

    @cache
    def theta(slot: int, v: Fraction) -> Fraction:
        costs = [bill(p.use, fee) for p in placements(case.instance, job, slot) if p.trained(job) >= v]
        return min(costs, default=never) if v else ZERO

    @cache
    def total(slot: int, v: Fraction) -> Fraction:
        if slot < job.arrival:
            return never if v else ZERO
        return min([never, *(theta(slot, w) + total(slot - 1, v - w) for w in menu(v))])

    return [total(slot, Fraction(job.work)) for slot in range(job.arrival, case.instance.horizon)]


def whole(v: Fraction) -> Iterable[Fraction]:
    """Algorithm 3: v = 0, 1, 2, ..."""
    return map(Fraction, range(int(v) + 1))


def jumps(job: Job) -> Callable[[Fraction], Iterable[Fraction]]:
    """The workloads at which theta(t, .) jumps, and the whole rest: enough for every real v."""
    rates = {n / c for n in range(job.batch_size + 1) for c in (job.internal_time, job.external_time)}
    return lambda v: {min(rate, v) for rate in rates}


def against_schedules(case: Case, found: Callable[[Job], list[Fraction]]) -> Finding | None:
    """What a dynamic program finds beside the least cost of all schedules that complete by each slot."""
    fee = fees(case)
    rows = []
    for job in case.instance.jobs:
        bills = [(plan.time, bill(plan.use, fee)) for plan in plans(case.instance, job)]
        for n, cost in enumerate(found(job), 1):
            if fitting := [price for time, price in bills if time <= n]:
                rows.append(Finding(cost, min(fitting), "equal", f"{job.name}, within {n} slots"))
    return worst(rows)


def whole_samples(case: Case) -> Finding | None:
    """Algorithm 3 with v = 0, 1, 2, ... finds the optimum of (16) for each completion that a schedule has."""
    return against_schedules(case, lambda job: algorithm3(case, job, whole))


def real_samples(case: Case) -> Finding | None:
    """(21) over all real v in [0, V] gives the optimum of (16).

    Proof
    -----
    A schedule that completes by t trains v >= 0 samples in slot t, or more than are left; read v as the lesser. Its
    part in slot t is feasible for (19) with v, the rest is one that completes by t - 1 with V - v: it costs at least
    the right-hand side. Conversely a placement for v and a schedule for V - v together train V, and slots share no row
    of (18). theta(t, .) does not decrease and is constant between the rates n/c_i and n/c_e, so these and V suffice for
    v. Before the arrival Theta is 0 for V = 0 and never otherwise, which Algorithm 3 does not say.
    """
    return against_schedules(case, lambda job: algorithm3(case, job, jumps(job)))


def worker_slots(case: Case, spared: int = 0) -> Finding | None:
    """The dynamic program over worker-slots (a internal, b external), done when a/c_i + b/c_e >= V, is exact.

    Proof
    -----
    After each slot keep, for every (a, b), the least cost of the placements so far with those worker-slots at the two
    rates. Whether a schedule trains V depends on (a, b) only, slots share no row of (18), and in one slot the least
    placement for each number of workers and each rate is tried. By induction over slots the table is exact, and the
    least entry with a/c_i + b/c_e >= V is the least cost of completing by then.
    """
    fee, never = fees(case), 1 + worth(case)

    def forward(job: Job) -> list[Fraction]:
        table: dict[tuple[int, int], Fraction] = {(0, 0): ZERO}
        costs = []
        for slot in range(job.arrival, case.instance.horizon):
            after = dict(table)
            for p in placements(case.instance, job, slot):
                step = (p.workers, 0) if p.internal else (0, p.workers)
                for (a, b), cost in table.items():
                    key = (a + step[0], b + step[1])
                    after[key] = min(after.get(key, never), cost + bill(p.use, fee))
            table = after
            full = [c for (a, b), c in table.items() if job.done(a + spared, b)]
            costs.append(min(full, default=never))
        return costs

    return against_schedules(case, forward)


_PRICED = st.one_of(draw.priced(), draw.priced(roomy=True, scenes=("plain", "slow")))
_REGIMES = (
    *regimes.SHAPES,
    regimes.LATE,
    regimes.LOCALITY,
    regimes.BROKEN_RATE,
    of_data("a price of 0", lambda d: 0 in d["price"]),
)

DP21 = Claim(
    id="dmlrs.dp21",
    source="paper 001, section 4.3, (21) and Algorithm 3",
    statement="The dynamic program (21) computes the optimum of (16).",
    readings=(
        Reading("whole samples", "Algorithm 3: v = 0, 1, ..., V, with theta exact.", whole_samples),
        Reading("real v", "(21) over all v in [0, V], with theta exact.", real_samples),
    ),
    regimes=_REGIMES,
    strategy=_PRICED,
    planted=(Planted("a worker-slot too few", at(worker_slots, spared=1)),),
    witnesses=WITNESSES,
    repaired_by="dmlrs.dp21_repaired",
    small_repair=True,
)
DP21_REPAIRED = Claim(
    id="dmlrs.dp21_repaired",
    source="paper 001, section 4.3, (21), repaired",
    statement="The dynamic program over worker-slots (a internal, b external) computes the optimum of (16).",
    readings=(Reading("worker-slots", "Done when a/c_i + b/c_e >= V.", worker_slots),),
    regimes=_REGIMES,
    strategy=_PRICED,
    planted=DP21.planted,
)

CLAIMS = table(DP21, DP21_REPAIRED)
