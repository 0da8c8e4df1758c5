"""A preemptive schedule: chunks on workers and jobs on parameter servers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from schedproof.core.simulation.instance import Schedule as AnySchedule
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.timeline import Timeline, steps
from schedproof.instances.preemptive.alone import time_alone
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule_file import INTERVALS, SERVICES


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """The decisions of a policy or program on one instance.

    Attributes
    ----------
    intervals, services
        When workers train chunks, and when parameter servers serve jobs.
    """

    intervals: Annotated[Intervals, INTERVALS]
    services: Annotated[Services, SERVICES] = field(metadata={"key": "parameter_servers"})

    family = "preemptive"

    def completions(self, instance: Instance) -> np.ndarray:
        """Return c_j, the end of each job's last interval; its arrival if it never runs."""
        ends = np.array([job.arrival for job in instance.jobs], dtype=np.int64)
        np.maximum.at(ends, self.intervals.job, self.intervals.end)
        return ends

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """Return the total JCT, the sum of c_j - r_j, in slots (2)."""
        return Fraction(int(self.completions(instance).sum()) - sum(job.arrival for job in instance.jobs))

    def preemptions(self) -> int:
        """Return the number of interruptions of chunks; a move is not an interruption."""
        i = self.intervals
        order = np.lexsort([i.start, i.chunk, i.job])
        row = np.stack([i.job, i.chunk, i.server, i.kind, i.worker])[:, order]
        alike, place = np.split(row[:, 1:] == row[:, :-1], [2])
        moves = (i.start[order][1:] == i.end[order][:-1]) & ~place.all(axis=0)
        return int(np.count_nonzero(alike.all(axis=0) & ~moves))

    def split_jobs(self) -> int:
        """Return the number of jobs that at some time run on only some of their workers.

        A worker is busy while it holds an unfinished chunk of the job. In the cloud, and if chunks move, each chunk
        has its own worker.
        """
        i = self.intervals
        on = np.unique([i.job, i.chunk, i.server, i.kind, i.worker], axis=1)
        moves = np.isin(i.job, on[0, 1:][np.all(on[:2, 1:] == on[:2, :-1], axis=0)])
        chunk = np.where((i.worker < 0) | moves, i.chunk, -1)
        place = np.where(moves, -1, [i.server, i.kind, i.worker])
        places, of = np.unique([i.job, *place, chunk], axis=1, return_inverse=True)
        times, at = np.unique(np.concatenate([i.start, i.end]), return_inverse=True)
        begin, end = (
            i.job * len(times) + when for when in np.split(at, 2)
        )  # the times of each job, one job after another
        first, last = np.full(places.shape[1], i.job.max(initial=0) + 1) * len(times), np.zeros(places.shape[1], int)
        np.maximum.at(last, of, end)
        np.minimum.at(first, places[0].searchsorted(i.job), begin)
        first = first[places[0].searchsorted(places[0])]
        running = steps(begin, end)
        pausing = steps(np.append(first, begin), np.append(last, end), np.repeat([1, -1], [len(first), len(begin)]))
        return len(np.unique(running.time[(running.value > 0) & (pausing.value > 0)] // max(1, len(times))))

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """Yield the worker of each interval and the parameter server of each service."""
        workers = [list(server.workers) for server in instance.servers]
        servers = [list(server.parameter_servers) for server in instance.servers]
        for j, _, s, kind, _, start, end in self.intervals.rows():
            yield Occupied(j, s, "worker" if kind < 0 else f"worker {workers[s][kind]}", start, end, 1)
        for j, s, kind, start, end in self.services.rows():
            yield Occupied(j, s, f"parameter server {'*' if kind < 0 else servers[s][kind]}", start, end, 1)

    def timeline(self, instance: Instance) -> Timeline:
        """Return the utilisation of the edge workers over time."""
        i, cloud = self.intervals, -1 if instance.cloud is None else instance.cloud.index
        starts, ends = (times[i.server != cloud].tolist() for times in (i.start, i.end))
        workers = sum(group.count for group in instance.classes)
        return Timeline.of(
            (job.arrival for job in instance.jobs),
            self.completions(instance),
            np.stack([i.job, i.start, i.end], axis=1),
            use={"the workers": [(*span, 1) for span in zip(starts, ends, strict=True)]},
            room={"the workers": [(0, instance.horizon, workers), *_closed(instance)]},
            alone=lambda j, n: time_alone(instance, instance.jobs[j], n),
        )

    def frame_of(self, instance: Instance) -> Any:
        """Return one row per job: arrival, completion, JCT, intervals, use of the cloud."""
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


def _closed(instance: Instance) -> list[tuple[int, int, int]]:
    """Return the spans of breaks, with minus the number of their workers."""
    breaks = instance.calendar.breaks
    return [(start, end, -q.count) for q in instance.classes for start, end in breaks[q.server.index]]
