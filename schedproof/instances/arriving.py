"""What instances of arriving jobs have in common, whatever the jobs are: the drive of a policy, and identity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

from schedproof.core.files import sha256
from schedproof.core.policy import Hidden, drive_arrivals


class Arriving:
    """An instance whose ``jobs`` have an ``arrival``; a family adds its data, and the methods that raise here."""

    jobs: tuple[Any, ...]

    def system(self) -> Hidden:
        """What an arrival policy may know beforehand."""
        raise NotImplementedError

    def schedule_type(self) -> Any:
        """The family's Schedule."""
        raise NotImplementedError

    def canonical(self) -> bytes:
        """The instance's canonical JSON bytes."""
        raise NotImplementedError

    @property
    def extent(self) -> tuple[int, str]:
        """How much there is to do, and of what."""
        return len(self.jobs), "job"

    def arrivals(self) -> Iterator[tuple[int, Sequence[Any]]]:
        """Jobs by arrival slot, file order within a slot."""
        ordered = sorted(self.jobs, key=lambda job: job.arrival)
        for time, jobs in groupby(ordered, key=lambda job: job.arrival):
            yield time, tuple(jobs)

    def drive(
        self, policy: Any, name: str, options: Mapping[str, Any], seed: int, progress: Callable[[int], None]
    ) -> Any:
        """Run an arrival policy on this instance; returns its Schedule."""
        log = drive_arrivals(policy, self.system(), self.arrivals(), progress)
        return self.schedule_type().from_decisions(log, self, name, options, seed)

    def read_schedule(self, value: Any) -> Any:
        """A Schedule of this instance from a parsed JSON object."""
        return self.schedule_type().from_json(value, self)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the instance's canonical JSON: the same for every spacing of the same file."""
        return sha256(self.canonical())
