"""FIFO: jobs in order of arrival, each with a fixed number of workers.

In addition to the rules of `slot_by_slot`:

========================================  ==============================================================================
section 5 says                            implemented
========================================  ==============================================================================
"processed in the order of their arrival  by arrival, then file order; strictly: a job that does not fit next to the
times"                                    the running jobs blocks all later jobs until a running job completes
"the fixed number of workers (parameter   drawn uniformly from 1..30 for each job, from the seed and the job's file
servers) is between 1 to 30"              index, or one given number for all; at most F; ceil(n / gamma) PSs
"placed in a round-robin fashion on       machine by machine in file order, a round for each job starting at the first
available machines"                       machine; a parameter server before the worker that needs it
duration: open                            a job keeps its places until it completes. So they must be free, besides the
                                          running jobs, in every slot in which the job may need them at the external
                                          rate (reserved amounts differ between slots)
a job that can never fit: open            rejected on arrival, if it does not fit on the empty cluster early enough
a job that would end late: open           rejected if it would not finish by the horizon at its places' rate; so every
                                          job that starts completes
========================================  ==============================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.simulation.policy import Hidden
from schedproof.online.dmlrs.filling import RoundRobin
from schedproof.online.dmlrs.slot_by_slot import Rows, SlotBySlot, Training

MOST_WORKERS = 30  # section 5


class FirstInFirstOut(SlotBySlot):
    def __init__(self, *, workers: int | str = "drawn", context: Context = USUAL) -> None:
        self.workers, self.seed = workers, context.seed

    def start(self, system: Hidden) -> None:
        super().start(system)
        self._running: dict[int, Rows] = {}

    def max_workers(self, training: Training) -> int:
        if isinstance(self.workers, int):
            return min(self.workers, training.job.batch_size)
        rng = np.random.default_rng((self.seed, training.job.index))
        return min(int(rng.integers(1, MOST_WORKERS + 1)), training.job.batch_size)

    def welcome(self, training: Training, slot: int) -> bool:
        """Return whether the job would finish by the horizon on an empty cluster."""
        starts = range(slot, self.horizon) if len(self.grid.free) > 1 else (slot,)
        alone = np.zeros_like(self.grid.capacity)
        return any(
            training.could_finish(self.max_workers(training), self.horizon - start)
            and self._places(training, start, alone) is not None
            for start in starts
        )

    def allocate(self, slot: int) -> dict[int, Rows]:
        self._running = {j: rows for j, rows in self._running.items() if j in self.present}
        used = np.zeros_like(self.grid.capacity)
        for j, rows in self._running.items():
            self._add(used, self.present[j], rows)
        for j, training in list(self.present.items()):
            if j in self._running:
                continue
            places = self._places(training, slot, used)
            if places is None:
                break
            time = training.job.internal_time if len(places) == 1 else training.job.external_time
            if slot + self._slots(training, time) > self.horizon:
                del self.present[j]
                continue
            self._running[j] = places
            self._add(used, training, places)
        return dict(self._running)

    def _places(self, training: Training, slot: int, used: np.ndarray) -> Rows | None:
        end = min(self.horizon, slot + self._slots(training, training.job.external_time))
        every = self.grid.free  # one matrix for all slots if no amounts are reserved
        free = every[slot:end].min(axis=0) if len(every) > 1 else every[0]
        machines = RoundRobin(np.maximum(free - used, 0))  # negative if reserved amounts grow after a running job ends
        workers = self.max_workers(training)
        return machines.placement(training.job.index) if machines.several(training, workers) == workers else None

    def _slots(self, training: Training, time: Fraction) -> int:
        return ceil(training.job.work * time / self.max_workers(training))

    @staticmethod
    def _add(used: np.ndarray, training: Training, rows: Rows) -> None:
        machines, amounts = training.use(rows)
        used[machines] += amounts
