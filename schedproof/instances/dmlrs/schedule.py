"""A dmlrs schedule: workers and parameter servers by job, machine and slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from schedproof.core.data.codecs import Codec, ref
from schedproof.core.data.reading import Number
from schedproof.core.simulation.instance import Schedule as AnySchedule
from schedproof.core.simulation.occupied import Occupied
from schedproof.core.simulation.policy import DecidedBy
from schedproof.core.simulation.timeline import Span, Timeline
from schedproof.instances.dmlrs.alone import time_alone
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.job import NOTHING

JOB = ref("jobs")
UNFINISHED = Codec(
    tuple[str, ...],
    lambda names, path, *around: frozenset(JOB.read(name, f"{path}[{n}]", *around) for n, name in enumerate(names)),
    lambda jobs, *around: tuple(JOB.write(job, *around) for job in sorted(jobs)),
    (),
)


@dataclass(frozen=True, order=True, slots=True)
class Placement:
    """A job's workers and parameter servers on one machine in one slot."""

    job: Annotated[int, JOB]
    slot: Number
    machine: Annotated[int, ref("machines")]
    workers: Number
    ps: Number


@dataclass(frozen=True, repr=False)
class Schedule(AnySchedule):
    """The decisions of a policy or program on one instance.

    Attributes
    ----------
    placements
        Sorted by job, slot, machine.
    unfinished
        File positions of jobs that held workers and were given up or cut off by the horizon: x_i = 0, no utility.
    """

    placements: tuple[Placement, ...] = field(metadata={"key": "slots"})
    unfinished: Annotated[frozenset[int], UNFINISHED] = frozenset()

    family = "dmlrs"

    def __post_init__(self) -> None:
        object.__setattr__(self, "placements", tuple(sorted(self.placements)))

    @classmethod
    def of(cls, rows: Iterable[Placement], instance: Instance, decided_by: DecidedBy | str, **more: Any) -> Schedule:
        """Return the schedule of placements; empty placements are skipped."""
        return cls.by(decided_by, instance, tuple(row for row in rows if row.workers or row.ps), **more)

    def completions(self, instance: Instance) -> dict[int, int]:
        """Return each finished job's completion (6): its last slot with workers, plus 1."""
        done: dict[int, int] = {}
        for row in self.placements:
            if row.workers and row.job not in self.unfinished:
                done[row.job] = max(done.get(row.job, 0), row.slot + 1)
        return done

    def objective(self, instance: Instance, /, **rules: Any) -> Fraction:
        """Return the total utility, from the lower ends of enclosures."""
        done = self.completions(instance)
        jobs = instance.jobs
        return sum((jobs[j].utility.lower(end - jobs[j].arrival) for j, end in done.items()), Fraction(0))

    def occupied(self, instance: Instance) -> Iterator[Occupied]:
        """Yield the amounts of each placement and resource."""
        for p in self.placements:
            job = instance.jobs[p.job]
            for name in instance.resources:
                amount = p.workers * job.worker.get(name, NOTHING) + p.ps * job.ps.get(name, NOTHING)
                if amount:
                    yield Occupied(p.job, p.machine, name, p.slot, p.slot + 1, amount)

    def timeline(self, instance: Instance) -> Timeline:
        """Return the utilisation of all unreserved resources over time."""
        done, use = self.completions(instance), defaultdict[str, list[Span]](list)
        for row in self.occupied(instance):
            use[row.resource].append((row.start, row.end, row.amount))
        room: dict[str, list[Span]] = {name: [] for name in instance.resources}
        for machine in instance.machines:
            for name, amount in machine.capacity.items():
                room[name].append((0, instance.horizon, amount))
        for (slot, _, name), amount in instance.reserved.items():
            room[name].append((slot, slot + 1, -amount))
        return Timeline.of(
            (job.arrival for job in instance.jobs),
            (done.get(job.index, instance.horizon) for job in instance.jobs),
            ((row.job, row.slot, row.slot + 1) for row in self.placements if row.workers),
            use=use,
            room=room,
            alone=lambda j, n: time_alone(instance.grid, instance.jobs[j], instance.horizon, n),
        )

    def frame_of(self, instance: Instance) -> Any:
        """Return one row per job: arrival, completion, training time, utility and size.

        Times are in slots; the size is the job's worker-slots and its most machines at once.
        """
        import pandas as pd

        done = self.completions(instance)
        workers = np.zeros(len(instance.jobs), dtype=np.int64)
        spread: dict[tuple[int, int], int] = {}
        for row in self.placements:
            workers[row.job] += row.workers
            spread[row.job, row.slot] = spread.get((row.job, row.slot), 0) + 1
        widest = [max((n for (j, _), n in spread.items() if j == job.index), default=0) for job in instance.jobs]
        rows = []
        for job in instance.jobs:
            end = done.get(job.index)
            time = None if end is None else end - job.arrival
            rows.append((job.name, job.arrival, end, time, 0.0 if time is None else float(job.utility.lower(time))))
        frame = pd.DataFrame(rows, columns=["job", "arrival", "completion", "training_time", "utility"])
        frame = frame.astype({"completion": "Int64", "training_time": "Int64"})
        return frame.assign(worker_slots=workers, machines_at_once=widest)
