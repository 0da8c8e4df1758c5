"""Placement of workers and parameter servers one by one: first fit or round robin."""

from __future__ import annotations

import numpy as np

from schedproof.online.dmlrs.slot_by_slot import Rows, Training


class Filling:
    """First-fit placement: the machines' free amounts and the placements so far.

    Parameters
    ----------
    free
        The free amounts in units, shape (H, R), int64; copied.

    Attributes
    ----------
    rows
        The job's file index -> machine -> [workers, parameter servers].
    """

    def __init__(self, free: np.ndarray) -> None:
        self.free = free.copy()
        self.rows: dict[int, dict[int, list[int]]] = {}
        self._turn = 0  # the machine to try first

    def one_more(self, training: Training) -> bool:
        """Place a worker and the parameter servers that it requires, or nothing."""
        job = training.job
        placed = self.rows.get(job.index, {})
        workers = sum(row[0] for row in placed.values()) + 1
        servers = job.ps_needed(workers) - sum(row[1] for row in placed.values())
        turn = self._turn
        taken: list[tuple[int, int, np.ndarray]] = []
        for kind, demand in ((1, training.ps),) * servers + ((0, training.worker),):
            machine = self._take(demand)
            if machine is None:
                self._turn = turn
                for where, _, amounts in taken:
                    self.free[where] += amounts
                return False
            taken.append((machine, kind, demand))
        placed = self.rows.setdefault(job.index, {})
        for machine, kind, _ in taken:
            placed.setdefault(machine, [0, 0])[kind] += 1
        return True

    def several(self, training: Training, workers: int) -> int:
        """Place up to ``workers`` workers, one by one; return how many fit."""
        return next((n for n in range(workers) if not self.one_more(training)), workers)

    def keep(self, training: Training, rows: Rows) -> bool:
        """Place exactly these rows if they fit; return whether they do."""
        machines, need = training.use(rows)
        if np.any(self.free[machines] < need):
            return False
        self.free[machines] -= need
        self.rows[training.job.index] = {h: [workers, ps] for h, workers, ps in rows}
        return True

    def remove(self, training: Training) -> None:
        machines, used = training.use(self.placement(training.job.index))
        self.free[machines] += used
        self.rows.pop(training.job.index, None)

    def placement(self, index: int) -> Rows:
        return [(h, workers, ps) for h, (workers, ps) in sorted(self.rows.get(index, {}).items())]

    def _take(self, demand: np.ndarray) -> int | None:
        fits = np.flatnonzero((self.free >= demand).all(axis=1))
        if not fits.size:
            return None
        machine = self._next(fits)
        self.free[machine] -= demand
        return machine

    def _next(self, fits: np.ndarray) -> int:
        return int(fits[0])


class RoundRobin(Filling):
    """Each worker and parameter server goes to the next machine with room.

    Turns follow the order of the file and begin with the first machine.
    """

    def _next(self, fits: np.ndarray) -> int:
        machine = int(fits[np.searchsorted(fits, self._turn) % fits.size])
        self._turn = machine + 1
        return machine
