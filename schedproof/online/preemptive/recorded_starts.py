"""The starts that a log records, as a policy.

Each job runs whole and to its end, on any free workers, from its recorded start on. Jobs take whole slots, so a job may
lack workers at its recorded start. Then this job waits, and so do the jobs with later recorded starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from schedproof.online.preemptive.gang import Gang
from schedproof.online.preemptive.queues import FirstInFirstOut


class RecordedStarts(FirstInFirstOut):
    """The recorded starts of an instance's jobs, in their order.

    Parameters
    ----------
    starts
        In slots; they are rounded down, as arrivals are.
    """

    def __init__(self, starts: Sequence[Fraction]) -> None:
        super().__init__(chunks="floating")
        self.starts = tuple(starts)

    def in_finer_slots(self, parts: int) -> RecordedStarts:
        """Return the policy for slots of 1/``parts``."""
        return RecordedStarts([start * parts for start in self.starts])

    def key(self, gang: Gang) -> tuple[int, ...]:
        return (floor(self.starts[gang.job.index]),)

    def _expect(self, gang: Gang, time: int) -> None:
        super()._expect(gang, max(time, *self.key(gang)))
