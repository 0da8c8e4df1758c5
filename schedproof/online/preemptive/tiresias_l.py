"""Tiresias-L: two-dimensional least attained service in queues, whole jobs.

The paper: "for each job, the algorithm computes its priority according to the number and the occupation time of GPUs
allocated, and groups the job into a corresponding priority queue. The jobs of the queue with the highest priority are
scheduled first", all-or-nothing (V-A). In addition to the rules of ``gang``:

1. A job's attained service is the sum over its workers of their occupied time, in worker-slots. It starts in the first
   queue and moves to queue k + 1 at the slot boundary at which its service reaches threshold k.
2. Within a queue jobs are ordered by their first run, as in Tiresias; then come jobs that never ran, by landing. Ties
   go to the earlier arrival, then file order.
3. The thresholds are worker-slots. Tiresias sets them per trace; the defaults 500 and 3000 are about the smallest
   tenth and the median of the jobs' work in the paper's ranges (Table II, V-A).
4. Starved jobs are not promoted: promotion is off by default in Tiresias, and the paper does not mention it.

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
        """Return the job's queue, then its first start."""
        started = FOREVER if gang.started is None else gang.started
        return bisect_right(self.thresholds, gang.service(now)), started, gang.landed

    def until_change(self, gang: Gang, now: int) -> int:
        """Return the running slots until the job's service reaches the next threshold."""
        attained = gang.service(now)
        queue = bisect_right(self.thresholds, attained)
        if queue == len(self.thresholds):
            return FOREVER
        return -(-(self.thresholds[queue] - attained) // gang.width)
