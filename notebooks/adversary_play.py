"""What the notebook `adversary` begins with: a strategy played against a policy, families of instances, pictures."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from IPython.display import Markdown
from sliders import sliders
from style import BLUE, GREEN, ORANGE, RED, beside, panels

from schedproof.adversary.games import Strategy
from schedproof.adversary.lift import along, expression
from schedproof.adversary.preemptive.arrivals import Arrivals, Slots
from schedproof.core.results.run import Policy, Run, policy
from schedproof.instances.preemptive import Instance
from schedproof.online.preemptive.gang import GangPolicy
from schedproof.proofs_checks.preemptive.shared.comparison_schedules import pieces, total_jct
from schedproof.proofs_checks.strategies.preemptive import build_instance, edge, job
from schedproof.proofs_checks.strategies.preemptive_traps import Trap

__all__ = [
    "BLUE",
    "GREEN",
    "ORANGE",
    "RED",
    "Fraction",
    "LongestFirst",
    "Markdown",
    "along",
    "beside",
    "expression",
    "of_pool",
    "panels",
    "partial",
    "play_against",
    "sliders",
    "with_chunks",
]


class LongestFirst(GangPolicy):
    """Of the jobs that are there, the one with most left."""

    def order(self, gang: Any, now: int) -> tuple[int]:
        """The most left first."""
        return (-gang.remaining(now),)


def with_chunks(instance: Instance, chunks: int) -> Instance:
    """The same with so many chunks in every job, and time for them."""
    document = instance.to_json()
    jobs = [row | {"chunks": chunks} for row in document["jobs"]]
    return Instance.from_json(document | {"horizon": 7 * chunks, "jobs": jobs})


def of_pool(eps: int, jobs: int, order: str = "static") -> Fraction:
    """The ratio of A_online on a pool of jobs to the schedule at single speed that is written down for it."""
    pool = Trap(Fraction(1 + eps), jobs).online
    run = policy("a_online", order=order, speed=1 + eps).run(pool.instance)
    return run.objective / total_jct(pieces(pool, whole_slots=True))


def arriving(jobs: Arrivals, workers: int = 2) -> Instance:
    """The jobs on one server's workers, with a parameter server for each."""
    rows = [job(f"j{n}", slots, {"edge": 0}, arrival) for n, (arrival, slots) in enumerate(jobs, 1)]
    horizon = sum(arrival + slots for arrival, slots in jobs)
    return build_instance([edge("edge", workers, len(jobs))], rows, horizon)


def play_against(strategy: Strategy, player: Policy) -> Run:
    """The policy's run on the jobs that the strategy lets arrive, slot by slot, after what the policy has done so far.

    The policy is run anew for each slot, on the jobs that have arrived by then: it is online, so that what it did
    before stays what it was.
    """
    rows = {(row["slot"], tuple(row["arrived"]), row["left"]): row for row in strategy.rows}
    slot, jobs, left = 0, Arrivals(), Slots()  # nothing has arrived
    while (row := rows.get((slot, jobs, left))) is not None:
        jobs += tuple((slot, slots) for slots in row["arrive"])
        run = player.run(arriving(jobs, strategy.setting["workers"]))
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
