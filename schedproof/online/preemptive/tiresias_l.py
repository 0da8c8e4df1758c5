"""Tiresias-L: least attained service in two dimensions, discretised into queues, whole jobs.

The paper: "for each job, the algorithm computes its priority according to the number and the occupation time of GPUs
allocated, and groups the job into a corresponding priority queue. The jobs of the queue with the highest priority are
scheduled first", all-or-nothing (V-A). Beside the rules of ``gang``:

1. A job's attained service is the number of its workers times the time for which each was occupied, in worker-slots.
   It enters the first queue and moves to queue k + 1 in the slot boundary at which its service reaches threshold k.
2. Within a queue first come, first served by the time at which the job first ran, as in Tiresias; those that have not
   run yet follow in order of landing, which on equal times means arrival, then file order.
3. The thresholds are worker-slots. Tiresias sets them per trace; ours (500 and 3000) are about the smallest tenth and
   the median of the work of the jobs that the paper's ranges (Table II, V-A) give.
4. No promotion of starved jobs: Tiresias has a knob for it that is off by default, and the paper does not mention it.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction

from schedproof.core.simulation.policy import FOREVER
from schedproof.online.preemptive.gang import Gang, GangPolicy


class TiresiasL(GangPolicy):
    def __init__(
        self,
        *,
        chunks: str = "pinned",
        ps_release: str = "printed",
        speed: Fraction = Fraction(1),
        thresholds: tuple[int, ...] = (500, 3000),
    ) -> None:
        super().__init__(chunks=chunks, ps_release=ps_release, speed=speed)
        self.thresholds = thresholds

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """The queue, and the first start within it."""
        started = FOREVER if gang.started is None else gang.started
        return bisect_right(self.thresholds, gang.service(now)), started, gang.landed

    def until_change(self, gang: Gang, now: int) -> int:
        """Slots of running until the next threshold is reached with the workers of this round."""
        attained = gang.service(now)
        queue = bisect_right(self.thresholds, attained)
        if queue == len(self.thresholds):
            return FOREVER
        return -(-(self.thresholds[queue] - attained) // gang.width)
