"""SRTF: shortest remaining time first, whole jobs.

The paper: "jobs are scheduled in the non-decreasing order of remaining training time" (V-A), with preemption of whole
jobs and a fixed number of workers (V-C). In addition to the rules of ``gang``:

1. The remaining training time is the number of slots for which the job must still run on its workers without
   interruption, with its restart if it was interrupted. Waiting for workers and finished uploads do not count.
2. On equal remaining time a running job comes first, then the earlier arrival, then file order.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from schedproof.online.preemptive.gang import Gang, GangPolicy


class ShortestRemainingTimeFirst(GangPolicy):
    falls = 1

    def order(self, gang: Gang, now: int) -> tuple[int, ...]:
        """Return the remaining slots; running jobs first on ties."""
        return gang.remaining(now), not gang.running
