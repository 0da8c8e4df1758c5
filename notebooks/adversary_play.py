"""Play the adversary's strategy of the game ``preemptive.arrivals`` against a policy."""

from __future__ import annotations

from schedproof.adversary.games import Strategy
from schedproof.adversary.preemptive.arrivals import Arrivals, Slots
from schedproof.core.run import Policy, Run
from schedproof.instances.preemptive import Instance
from schedproof.proofs_checks.strategies.preemptive import build_instance, edge, job


def arriving(jobs: Arrivals, workers: int = 2) -> Instance:
    """The jobs on one server's workers, with a parameter server for each."""
    rows = [job(f"j{n}", slots, {"edge": 0}, arrival) for n, (arrival, slots) in enumerate(jobs, 1)]
    horizon = sum(arrival + slots for arrival, slots in jobs)
    return build_instance([edge("edge", workers, len(jobs))], rows, horizon)


def play_against(strategy: Strategy, policy: Policy) -> Run:
    """The policy's run on the jobs that the strategy lets arrive, slot by slot, after what the policy has done so far.

    The policy is run anew for each slot, on the jobs that have arrived by then: it is online, so that what it did
    before stays what it was.
    """
    rows = {(row["slot"], tuple(row["arrived"]), row["left"]): row for row in strategy.rows}
    slot, jobs, left = 0, Arrivals(), Slots()  # nothing has arrived
    while (row := rows.get((slot, jobs, left))) is not None:
        jobs += tuple((slot, slots) for slots in row["arrive"])
        run = policy.run(arriving(jobs, strategy.setting["workers"]))
        slot += 1
        left = _left(run, jobs, slot)
    return run


def _left(run: Run, jobs: Arrivals, until: int) -> Slots:
    """What is left of the jobs' slots after a time, in increasing order, without those that are done."""
    intervals = run.schedule.intervals
    left = [slots for _, slots in jobs]
    for n, start, end in zip(intervals.job, intervals.start, intervals.end, strict=True):
        left[n] -= max(0, min(int(end), until) - int(start))
    return tuple(sorted(slots for slots in left if slots))
