"""A dmlrs schedule: how many workers and parameter servers of which job stand on which machine in which slot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

import msgspec
import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.policy import Decisions
from schedproof.core.reading import convert
from schedproof.core.run import Violation
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.schedule_file import Header, header

Number = Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]
GIVEN_UP = -1  # in place of a machine: the policy lets go of the job for good
COLUMNS = ("machine", "workers", "ps")  # of a dmlrs decision, beside time (the slot) and job


class SlotRow(msgspec.Struct, forbid_unknown_fields=True):
    job: str
    slot: Number
    machine: str
    workers: Number
    ps: Number


class ScheduleFile(Header):
    slots: list[SlotRow]
    unfinished: list[str] = msgspec.field(default_factory=list)


@dataclass(frozen=True, order=True, slots=True)
class Placement:
    """So many workers and parameter servers of a job on one machine in one slot; job and machine are file positions."""

    job: int
    slot: int
    machine: int
    workers: int
    ps: int


@dataclass(frozen=True)
class Schedule:
    """What a policy or a program decided on one instance.

    Attributes
    ----------
    placements
        In the order of job, slot, machine.
    unfinished
        File positions of jobs that held workers and were given up or cut off by the horizon: x_i = 0, nothing earned.
    """

    placements: tuple[Placement, ...]
    instance_sha256: str
    policy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    unfinished: frozenset[int] = frozenset()

    @classmethod
    def of(cls, rows: Iterable[Placement], instance: Instance, decided_by: str, **more: Any) -> Schedule:
        """A schedule of placements; those without workers and parameter servers are left out."""
        kept = sorted(row for row in rows if row.workers or row.ps)
        return cls(tuple(kept), instance.sha256, decided_by, **more)

    def completions(self, instance: Instance) -> dict[int, int]:
        """Job's file position -> last slot with workers + 1, for every job that finishes (6)."""
        done: dict[int, int] = {}
        for row in self.placements:
            if row.workers and row.job not in self.unfinished:
                done[row.job] = max(done.get(row.job, 0), row.slot + 1)
        return done

    def objective(self, instance: Instance) -> Fraction:
        """The total utility; where a utility is irrational, its enclosure's lower end counts."""
        done = self.completions(instance)
        jobs = instance.jobs
        return sum((jobs[j].utility.lower(end - jobs[j].arrival) for j, end in done.items()), Fraction(0))

    def violations(self, instance: Instance) -> list[Violation]:
        """Every broken constraint, in exact arithmetic; empty for a feasible schedule."""
        from schedproof.instances.dmlrs.checker import violations

        return violations(self, instance)

    def to_frame(self, instance: Instance) -> Any:
        """One row per job: arrival, completion, training time (slots), utility, worker-slots, most machines at once."""
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

    def plot(self, instance: Instance, ax: Any = None) -> Any:
        """Who holds how many workers in each slot."""
        from schedproof.instances.dmlrs.picture import draw_slots

        return draw_slots(self, instance, ax)

    def to_json(self, instance: Instance) -> dict[str, Any]:
        """The schedule file's JSON object."""
        jobs, machines = instance.jobs, instance.machines
        row: dict[str, Any] = {
            **header(self, "dmlrs"),
            "slots": [
                SlotRow(jobs[p.job].name, p.slot, machines[p.machine].name, p.workers, p.ps) for p in self.placements
            ],
        }
        return row | ({"unfinished": [jobs[j].name for j in sorted(self.unfinished)]} if self.unfinished else {})

    @classmethod
    def from_json(cls, value: Any, instance: Instance) -> Schedule:
        """A schedule from a parsed JSON object, its names resolved on the instance.

        Raises
        ------
        InputError
            For a name that the instance does not have, or another instance's schedule.
        """
        file = convert(value, ScheduleFile)
        file.require(instance)
        job = {j.name: j.index for j in instance.jobs}
        machine = {m.name: m.index for m in instance.machines}
        rows = []
        for n, row in enumerate(file.slots):
            if row.job not in job:
                raise InputError("expected the name of a job", path=f"slots[{n}].job", value=row.job)
            if row.machine not in machine:
                raise InputError("expected the name of a machine", path=f"slots[{n}].machine", value=row.machine)
            rows.append(Placement(job[row.job], row.slot, machine[row.machine], row.workers, row.ps))
        for n, name in enumerate(file.unfinished):
            if name not in job:
                raise InputError("expected the name of a job", path=f"unfinished[{n}]", value=name)
        unfinished = frozenset(job[name] for name in file.unfinished)
        return cls(tuple(sorted(rows)), file.instance_sha256, file.policy, file.options, file.seed, unfinished)

    @classmethod
    def from_decisions(
        cls, log: list[Decisions], instance: Instance, policy: str, options: Mapping[str, Any], seed: int
    ) -> Schedule:
        """An arrival policy's decisions: each is a placement in the slot of its time, or `GIVEN_UP`."""
        rows = [
            Placement(*row)
            for d in log
            for row in zip(d.job.tolist(), d.time.tolist(), *(d.columns[n].tolist() for n in COLUMNS), strict=True)
        ]
        unfinished = frozenset(row.job for row in rows if row.machine == GIVEN_UP)
        placed = (row for row in rows if row.machine != GIVEN_UP)
        return cls.of(placed, instance, policy, options=options, seed=seed, unfinished=unfinished)
