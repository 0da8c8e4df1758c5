"""Edge workers, and the dispatch of a job's chunks to the least loaded workers.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heapreplace

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.simulation.breaks import Calendar
from schedproof.instances.preemptive.entities import Job

IN_CLOUD = -1  # the position of a worker in the cloud
MOST_PATTERNS = 1000  # cached patterns of worker types and delays; a trace has few
MOST_BY_WORKER = 16  # patterns cached worker by worker

Row = tuple[int, int, int, int, int]  # time, starts, job, chunk, worker


class EdgeWorkers:
    """All workers of the edge servers, by server and worker type in file order.

    Attributes
    ----------
    total
        The number of workers.
    free_storage
        Free storage in GB by server; ``None`` if unlimited. The policy updates it.
    places
        Server, type and number of each worker, (workers + 1, 3); the last row, at `IN_CLOUD`, is the cloud's.
    limited
        Whether the storage of any edge server is limited.
    """

    def __init__(self, system: AnyFamily) -> None:
        self._system = system
        self.free_storage: list[Fraction | None] = [server.storage for server in system.servers]
        places = [place for q in system.classes for place in q.places]
        self.total = len(places)
        cloud = -1 if system.cloud is None else system.cloud.index
        self.places = np.array([*places, (cloud, -1, -1)], dtype=np.int64)
        self._class_of = np.repeat(np.arange(len(system.classes)), [q.count for q in system.classes])
        self._patterns: dict[object, np.ndarray] = {}
        self._ways: dict[bytes, list[tuple[int, int]]] = {}
        self._by_worker: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}  # by delays, for `_able`
        self.limited = any(server.storage is not None for server in system.edges)

    def closed(self, calendar: Calendar, slot: int) -> int:
        """Return the workers whose server is in a break in a slot, as a bit set."""
        if not calendar:
            return 0
        return sum(1 << w for w, server in enumerate(self.places[:-1, 0].tolist()) if calendar.closed(server, slot))

    def delays(self, job: Job) -> np.ndarray:
        """Return the upload delay by class; -1 if the class is not qualified or is full."""
        delay = self.upload_delays(job).copy()
        self.close_full_servers(job, delay)
        return delay

    def upload_delays(self, job: Job) -> np.ndarray:
        """Return the upload delay by class for unlimited storage; read-only.

        A class that is not qualified has -1.
        """
        pattern = (job.worker_types, *job.upload_delay.items())
        if pattern not in self._patterns:
            if len(self._patterns) == MOST_PATTERNS:
                self._patterns.clear()
            self._patterns[pattern] = np.full(len(self._system.classes), -1, dtype=np.int64)
            for q, slots in self._system.qualified(job):
                self._patterns[pattern][q.index] = slots
        return self._patterns[pattern]

    def close_full_servers(self, job: Job, delay: np.ndarray) -> None:
        """Set the delay to -1 at servers that cannot store one more chunk of the job."""
        if self.limited:
            for q in self._system.classes:
                if not self.can_store(job, q.server.index):
                    delay[q.index] = -1

    def dispatch(self, job: Job, slots: int, load: np.ndarray) -> tuple[dict[int, list[int]], int] | None:
        """Give each chunk in turn to the qualified worker with the least pending work.

        Ties go to the first worker; a job with more chunks than qualified workers puts several chunks on some workers.
        A server without storage for one more chunk is skipped. The storage of the chunks is taken.

        Parameters
        ----------
        slots
            The slots of one chunk.
        load
            Pending slots by worker, before this job; int64.

        Returns
        -------
        (worker -> its chunks in running order, largest upload delay among these workers), or None
            None if no server has storage for some chunk.
        """
        able, delay = self._able(job)
        mine = load if able.size == load.size else load[able]
        if job.chunks == 1 and not self.limited and able.size:
            w = int(able[mine.argmin()])
            return {w: [0]}, int(delay[w])
        near = able if self.limited else able[_indices_of_smallest(mine, job.chunks)]
        heap = list(zip(load[near].tolist(), near.tolist(), strict=True))
        heapify(heap)
        before, placed = list(self.free_storage), dict[int, list[int]]()
        for chunk in range(job.chunks):
            while heap and not self.can_store(job, self.places[heap[0][1], 0]):
                heappop(heap)
            if not heap:
                self.free_storage = before
                return None
            work, w = heap[0]
            heapreplace(heap, (work + slots, w))
            placed.setdefault(w, []).append(chunk)
            self.store(job, {w: [chunk]})
        return placed, int(delay[list(placed)].max())

    def _able(self, job: Job) -> tuple[np.ndarray, np.ndarray]:
        by_class = self.delays(job) if self.limited else self.upload_delays(job)
        if self.limited or id(by_class) not in self._by_worker:
            delay = by_class[self._class_of]
            if self.limited or len(self._by_worker) == MOST_BY_WORKER:
                self._by_worker.clear()
            self._by_worker[id(by_class)] = by_class, np.flatnonzero(delay >= 0), delay  # kept, so its id stays valid
        return self._by_worker[id(by_class)][1:]

    def by_delay(self, job: Job) -> list[tuple[int, int]]:
        """Return the qualified workers as a bit set for each upload delay; read-only."""
        delays = self.upload_delays(job)
        key = delays.tobytes()
        if key not in self._ways:
            if len(self._ways) == MOST_PATTERNS:
                self._ways.clear()
            each = delays[self._class_of]
            self._ways[key] = [
                (int(delay), sum(1 << w for w in np.flatnonzero(each == delay).tolist()))
                for delay in np.unique(each[each >= 0])
            ]
        return self._ways[key]

    def qualifies(self, job: Job) -> bool:
        return bool(self._system.qualified(job))

    def can_store(self, job: Job, server: int) -> bool:
        free = self.free_storage[server]
        return free is None or free >= job.chunk_size

    def room(self, job: Job) -> np.ndarray:
        """Return how many chunks of the job, at most all, each server can store."""
        if not self.limited:
            return np.full(len(self.free_storage), job.chunks)
        size = job.chunk_size
        rooms = (job.chunks if free is None or not size else int(free // size) for free in self.free_storage)
        return np.minimum(job.chunks, np.fromiter(rooms, np.int64))

    def store(self, job: Job, placed: dict[int, list[int]], sign: int = 1) -> None:
        """Take the storage of a job's chunks (sign 1), or release it (-1)."""
        for w, chunks in placed.items():
            if (free := self.free_storage[self.places[w, 0]]) is not None:
                self.free_storage[self.places[w, 0]] = free - sign * len(chunks) * job.chunk_size


def _indices_of_smallest(values: np.ndarray, count: int) -> np.ndarray:
    if count >= values.size:
        return np.arange(values.size)
    equal = np.flatnonzero(values == values.min())
    if count <= equal.size:  # if many workers are idle; partition is slow on equal values
        return equal[:count]
    largest = np.partition(values, count - 1)[count - 1]
    below = np.flatnonzero(values < largest)
    return np.concatenate([below, np.flatnonzero(values == largest)[: count - below.size]])
