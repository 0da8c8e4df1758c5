"""Common part of FIFO, DRF and Dorm: the loop over slots, and exact progress.

====================================  ==================================================================================
section 5 says                        implemented, in all three policies
====================================  ==================================================================================
progress: open                        a slot trains at the rates of Fact 1, in rationals; a job leaves in the slot in
                                      which it has trained V samples, and its resources are free in the next slot
jobs that cannot finish: open         a job is dropped when it could not finish by the horizon with all its possible
                                      workers on one machine from now on. The original systems would run it; dropping
                                      the job favours the policy's utility
====================================  ==================================================================================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.simulation.policy import Decisions, Hidden
from schedproof.instances.dmlrs import Job
from schedproof.instances.dmlrs.drive import COLUMNS, GIVEN_UP

Rows = list[tuple[int, int, int]]  # a job's (machine, workers, parameter servers) in a slot


@dataclass
class Training:
    """A job that has arrived, and its progress.

    Attributes
    ----------
    worker, ps
        Demands alpha and beta in grid units, shape (R,), int64.
    inside, outside
        Worker-slots so far at the internal and at the external rate.
    """

    job: Job
    worker: np.ndarray
    ps: np.ndarray
    inside: int = 0
    outside: int = 0

    @property
    def started(self) -> bool:
        return self.inside + self.outside > 0

    @property
    def samples_to_train(self) -> Fraction:
        return self.job.work - self.inside / self.job.internal_time - self.outside / self.job.external_time

    @property
    def enough(self) -> int:
        """Return the workers that finish the job in a slot on any machines, at most F."""
        return min(self.job.batch_size, ceil(self.samples_to_train * self.job.external_time))

    def could_finish(self, workers: int, slots: int) -> bool:
        """Return whether ``workers`` workers on a machine finish in ``slots`` slots."""
        return self.samples_to_train <= workers * slots / self.job.internal_time

    def use(self, rows: Rows) -> tuple[list[int], np.ndarray]:
        """Return the machines of the rows, and the use of each, shape (rows, R)."""
        table = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return table[:, 0].tolist(), table[:, 1:2] * self.worker + table[:, 2:] * self.ps

    def train(self, rows: Rows) -> bool:
        """Train for a slot on these rows; return whether the job is done."""
        workers = sum(row[1] for row in rows)
        if len(rows) == 1:
            self.inside += workers
        else:
            self.outside += workers
        return self.job.done(self.inside, self.outside)


class SlotBySlot(ABC):
    """An arrival policy that allocates slot by slot."""

    def start(self, system: Hidden) -> None:
        self.horizon, self.grid = system.horizon, system.grid
        self.present: dict[int, Training] = {}  # by file index, in order of arrival, then file
        self._now = 0

    @abstractmethod
    def allocate(self, slot: int) -> dict[int, Rows]:
        """Return the rows of every present job with workers in the slot, by file index."""

    def max_workers(self, training: Training) -> int:
        """Return the largest number of workers that the job may have in a slot."""
        return training.job.batch_size

    def welcome(self, training: Training, slot: int) -> bool:
        """Return whether an arriving job can finish."""
        return training.could_finish(self.max_workers(training), self.horizon - slot)

    def arrive(self, time: int, jobs: Sequence[Job]) -> None:
        for job in jobs:
            training = Training(job, self.grid.worker(job), self.grid.ps(job))
            if self.welcome(training, time):
                self.present[job.index] = training

    def advance(self, until: int) -> Decisions:
        end = max(self._now, min(until, self.horizon))
        rows: list[tuple[int, ...]] = []
        for slot in range(self._now, end):
            if not self.present:
                break
            rows += self._run(slot)
        self._now = end
        table = np.array(rows, dtype=np.int64).reshape(-1, 2 + len(COLUMNS)).T
        return Decisions(table[0], table[1], dict(zip(COLUMNS, table[2:], strict=True)))

    def _run(self, slot: int) -> list[tuple[int, ...]]:
        decisions: list[tuple[int, ...]] = []
        for j, rows in sorted(self.allocate(slot).items()):
            decisions += [(slot, j, *row) for row in rows]
            if self.present[j].train(rows):
                del self.present[j]
        for j, training in list(self.present.items()):
            if not training.could_finish(self.max_workers(training), self.horizon - slot - 1):
                decisions += [(slot, j, GIVEN_UP, 0, 0)] * training.started
                del self.present[j]
        return decisions
