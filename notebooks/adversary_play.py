"""Helpers of the notebook `adversary`: a strategy against a policy, instances, pictures."""

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
    """Run the present job with the most remaining work."""

    def order(self, gang: Any, now: int) -> tuple[int]:
        return (-gang.remaining(now),)


def with_chunks(instance: Instance, chunks: int) -> Instance:
    """Return the instance with so many chunks in every job, and a sufficient horizon."""
    document = instance.to_json()
    jobs = [row | {"chunks": chunks} for row in document["jobs"]]
    return Instance.from_json(document | {"horizon": 7 * chunks, "jobs": jobs})


def of_pool(eps: int, jobs: int, order: str = "static") -> Fraction:
    """Return A_online's ratio on a pool of jobs, against a known schedule at speed 1."""
    pool = Trap(Fraction(1 + eps), jobs).online
    run = policy("a_online", order=order, speed=1 + eps).run(pool.instance)
    return run.objective / total_jct(pieces(pool, whole_slots=True))


def arriving(jobs: Arrivals, workers: int = 2) -> Instance:
    """Return the jobs on one server's workers, with a parameter server for each."""
    rows = [job(f"j{n}", slots, {"edge": 0}, arrival) for n, (arrival, slots) in enumerate(jobs, 1)]
    horizon = sum(arrival + slots for arrival, slots in jobs)
    return build_instance([edge("edge", workers, len(jobs))], rows, horizon)


def play_against(strategy: Strategy, player: Policy) -> Run:
    """Return the policy's run on the jobs of the strategy, which reacts slot by slot.

    Each slot runs the policy again on all jobs so far: an online policy repeats its earlier decisions.
    """
    rows = {(row["slot"], tuple(row["arrived"]), row["left"]): row for row in strategy.rows}
    slot, jobs, left = 0, Arrivals(), Slots()  # no job has arrived
    while (row := rows.get((slot, jobs, left))) is not None:
        jobs += tuple((slot, slots) for slots in row["arrive"])
        run = player.run(arriving(jobs, strategy.setting["workers"]))
        slot += 1
        left = _left(run, jobs, slot)
    return run


def _left(run: Run, jobs: Arrivals, until: int) -> Slots:
    """Return the jobs' remaining slots at a time, in increasing order, without finished jobs."""
    intervals = run.schedule.intervals
    left = [slots for _, slots in jobs]
    for n, start, end in zip(intervals.job, intervals.start, intervals.end, strict=True):
        left[n] -= max(0, min(int(end), until) - int(start))
    return tuple(sorted(slots for slots in left if slots))
