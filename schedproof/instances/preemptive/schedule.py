"""A preemptive schedule: which worker trains which chunk when, and which parameter server serves the job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from schedproof.core.instance import Schedule as AnySchedule
from schedproof.core.occupied import Occupied
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule_file import INTERVALS, SERVICES


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    intervals, services
        When workers train chunks, and when parameter servers serve jobs.
    """

    intervals: Annotated[Intervals, INTERVALS]
    services: Annotated[Services, SERVICES] = field(metadata={"key": "parameter_servers"})

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

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """A worker of a type for each interval, and a parameter server for each service; of no type in the cloud."""
        workers = [list(server.workers) for server in instance.servers]
        servers = [list(server.parameter_servers) for server in instance.servers]
        for j, _, s, kind, _, start, end in self.intervals.rows():
            yield Occupied(j, s, "worker" if kind < 0 else f"worker {workers[s][kind]}", start, end, 1)
        for j, s, kind, start, end in self.services.rows():
            yield Occupied(j, s, f"parameter server {'*' if kind < 0 else servers[s][kind]}", start, end, 1)

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
