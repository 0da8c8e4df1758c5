"""A preemptive schedule: which worker trains which chunk when, and which parameter server serves the job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Self

import numpy as np

from schedproof.core.instance import Schedule as AnySchedule
from schedproof.instances.preemptive.instance import Instance


class Table:
    """Intervals [start, end) as int64 columns, one entry each; the fields in the order of `rows`."""

    job: np.ndarray

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(field.name for field in fields(cls))  # type: ignore[arg-type]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, ...]]) -> Self:
        """From rows of whole numbers, in any order."""
        names = cls.columns()
        return cls(*np.array(sorted(rows), dtype=np.int64).reshape(-1, len(names)).T)

    def rows(self) -> list[tuple[int, ...]]:
        """The entries as tuples."""
        return list(zip(*(getattr(self, name).tolist() for name in self.columns()), strict=True))

    def __len__(self) -> int:
        return len(self.job)


@dataclass(frozen=True)
class Intervals(Table):
    """When workers train chunks.

    ``job`` and ``server`` are file positions, ``kind`` a position in the server's list of worker types, ``worker`` a
    number below the type's count; both are -1 in the cloud.
    """

    job: np.ndarray
    chunk: np.ndarray
    server: np.ndarray
    kind: np.ndarray
    worker: np.ndarray
    start: np.ndarray
    end: np.ndarray


@dataclass(frozen=True)
class Services(Table):
    """When parameter servers serve jobs; ``kind`` is a position in the server's PS types, -1 in the cloud."""

    job: np.ndarray
    server: np.ndarray
    kind: np.ndarray
    start: np.ndarray
    end: np.ndarray


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    options
        As they were given to the policy or the program; `violations` does not read them.
    """

    intervals: Intervals
    services: Services
    instance_sha256: str
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    family = "preemptive"

    def completions(self, instance: Instance) -> np.ndarray:
        """c_j, the end of each job's last interval; the arrival for a job that never runs. Shape (jobs,)."""
        ends = np.array([job.arrival for job in instance.jobs], dtype=np.int64)
        np.maximum.at(ends, self.intervals.job, self.intervals.end)
        return ends

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """The total JCT, sum of c_j - r_j, in slots (2), whatever the rules."""
        return Fraction(int(self.completions(instance).sum()) - sum(job.arrival for job in instance.jobs))

    def preemptions(self) -> int:
        """How often a chunk was interrupted."""
        return len(self.intervals) - np.unique([self.intervals.job, self.intervals.chunk], axis=1).shape[1]

    def to_frame(self, instance: Instance) -> Any:
        """One row per job: arrival, completion, JCT (slots), intervals and whether it used the cloud."""
        import pandas as pd

        done = self.completions(instance)
        arrivals = np.array([job.arrival for job in instance.jobs], dtype=np.int64)
        cloud = -1 if instance.cloud is None else instance.cloud.index
        in_cloud = np.bincount(self.intervals.job[self.intervals.server == cloud], minlength=len(instance.jobs))
        return pd.DataFrame(
            {
                "job": [job.name for job in instance.jobs],
                "chunks": [job.chunks for job in instance.jobs],
                "arrival": arrivals,
                "completion": done,
                "jct": done - arrivals,
                "intervals": np.bincount(self.intervals.job, minlength=len(instance.jobs)),
                "in_cloud": in_cloud > 0,
            }
        )
