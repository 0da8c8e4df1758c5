"""Local search for offline schedules: ruin and recreate (Schrimpf et al. 2000).

All tasks and durations are known. Some tasks with similar starts are removed and reinserted one by one at the best
place (`kernels`). A smaller total is accepted, a total larger by ``x`` slots with probability exp(-x/T). T falls from
the initial mean waiting time to 1/200 of that value. The initial schedule takes the tasks in order of arrival, each
with the earliest possible end. A task without a place before the horizon stays unstarted, as in an online policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schedproof.core.base.numbers import plural
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.instances.placement import Instance, Schedule, Start
from schedproof.offline.annealing import GOES_ON, Annealing, read_start
from schedproof.offline.kernels import seeded
from schedproof.offline.placement.kernels import MOST, NONE, Room, State, Work, anneal, hold, put_all
from schedproof.relaxations.placement.modes import ways

COOLS = 200.0  # ratio of the first to the last temperature


class LocalSearch:
    def __init__(self, *, rounds: int = 200, start: Path | None = None, context: Context = USUAL) -> None:
        self._rounds, self._start, self._context = rounds, start, context

    def assign(self, instance: Instance) -> list[Start]:
        """Return all starts.

        Raises
        ------
        Interrupted
            On the user's interrupt, with the starts of the best schedule so far.
        """
        start = None if self._start is None else read_start(self._start, instance)
        search = Search(instance, start, self._rounds, self._context.seed)
        return answer_of(lambda: search.best_within(self._context), search.starts)


class Search(Annealing[np.ndarray]):
    """The ways and starts of all tasks during the search; a schedule is (2, tasks)."""

    PIECE = 1000

    def __init__(self, instance: Instance, start: Schedule | None, rounds: int, seed: int) -> None:
        self._instance, self._work = instance, work_of(instance)
        self._state = self._begun(() if start is None else start.starts)
        self._room = Room._make([*(np.full(MOST, NONE) for _ in range(3)), seeded(seed)])
        way, arrival = self._state.way, self._work.arrival
        runs = way != NONE
        times = np.full(way.size, self._work.never)
        times[runs] = (self._state.start - arrival)[runs] + self._work.slots[way[runs]]
        alone = np.array([instance.shortest(task) or 0 for task in instance.tasks], dtype=np.int64)
        waits = int((times - alone)[runs].sum())
        self._hot = max(1, waits) / max(1, way.size) / (1 if start is None else GOES_ON)
        super().__init__(0 if runs.all() and not waits else rounds * way.size, int(times.sum()))

    def __str__(self) -> str:
        without, total = divmod(self._least, self._work.never)
        return f"total JCT {total}" + (f", {plural(without, 'task')} without a start" if without else "")

    def present(self) -> np.ndarray:
        return np.stack([self._state.way, self._state.start])

    def anneal(self, count: int, part: float) -> int:
        return int(anneal(self._work, self._state, count, self._hot * COOLS**-part, self._room))

    def starts(self, places: np.ndarray) -> list[Start]:
        """Return a schedule's starts, without unstarted tasks."""
        work = self._work
        return [
            Start(j, int(work.cluster[w]), tuple(work.allocation[w].tolist()), s)
            for j, (w, s) in enumerate(places.T.tolist())
            if w != NONE
        ]

    def _begun(self, rows: Sequence[Start]) -> State:
        work, instance = self._work, self._instance
        last = max((row.slot + instance.tasks[row.task].duration[row.allocation] for row in rows), default=0)
        state = _empty(instance, work, min(instance.horizon, max(instance.enough, last)))
        for row in rows:
            state.way[row.task], state.start[row.task] = self._no_worse(row), row.slot
            hold(work, state, row.task, 1)
        waiting = np.flatnonzero(state.way == NONE)
        put_all(work, state, waiting[np.argsort(work.arrival[waiting], kind="stable")])
        return state

    def _no_worse(self, row: Start) -> int:
        work, slots = self._work, self._instance.tasks[row.task].duration[row.allocation]
        mine = slice(work.first[row.task], work.first[row.task + 1])
        fits = (work.cluster[mine] == row.cluster) & (work.slots[mine] <= slots)
        return int(mine.start + (fits & (work.allocation[mine] <= row.allocation).all(axis=1)).argmax())


def work_of(instance: Instance) -> Work:
    """Return the instance as arrays."""
    rows = [
        (j, n, slots, *allocation)
        for j, here in enumerate(ways(instance))
        for n, modes in here
        for allocation, slots in zip(modes.allocations.tolist(), modes.slots.tolist(), strict=True)
    ]
    table = np.array(rows, dtype=np.int64).reshape(-1, 3 + len(instance.resources))
    owner, cluster, slots = table[:, :3].T.copy()
    allocation = table[:, 3:].copy()
    share = (allocation / np.maximum(1, _capacity(instance)[cluster])).max(axis=1, initial=0.0)
    arrival = np.array([task.arrival for task in instance.tasks], dtype=np.int64)
    first = np.searchsorted(owner, np.arange(arrival.size + 1))
    return Work(arrival, first, cluster, slots, share, allocation, instance.horizon * (1 + arrival.size))


def _empty(instance: Instance, work: Work, slots: int) -> State:
    capacity = _capacity(instance)
    needs = 8.0 * slots * (capacity.size + len(capacity))
    memory.require_bytes("the table of free amounts by cluster and slot would take", needs, "take a shorter window")
    free = np.repeat(capacity[:, None], slots, axis=1)
    starts = np.full(free.shape[:2], NONE)
    return State(np.full(work.arrival.size, NONE), work.arrival.copy(), free, starts)


def _capacity(instance: Instance) -> np.ndarray:
    amounts = [cluster.amounts for cluster in instance.clusters]
    return np.array(amounts, dtype=np.int64).reshape(-1, len(instance.resources))
