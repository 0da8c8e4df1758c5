"""The edge workers one by one, and the dispatch of a job's chunks to the least loaded of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from typing import Any

import numpy as np

from schedproof.core.policy import Decisions
from schedproof.instances.preemptive.drive import WORKER
from schedproof.instances.preemptive.instance import Job

IN_CLOUD = -1  # in place of a worker's position

Row = tuple[int, int, int, int, int]  # time, starts, job, chunk, worker


class EdgeWorkers:
    """Every worker of every edge server: servers in file order, worker types in file order, numbers upwards.

    Attributes
    ----------
    total
        How many there are.
    free_storage
        In GB by server; None where unlimited. Kept by the policy, which knows when a job completes.
    """

    def __init__(self, system: Any) -> None:
        self._system = system
        self.free_storage: list[Fraction | None] = [server.storage for server in system.servers]
        places = [place for q in system.classes for place in q.places]
        self.total = len(places)
        cloud = -1 if system.cloud is None else system.cloud.index
        self._places = np.array([*places, (cloud, -1, -1)], dtype=np.int64)  # the last row, number -1, is the cloud
        self._server_of = self._places[:, 0].tolist()
        self._first = np.cumsum([0, *(q.count for q in system.classes)]).tolist()  # of each class

    def dispatch(self, job: Job, slots: int, load: Sequence[int]) -> tuple[dict[int, list[int]], int] | None:
        """Give each chunk, one by one, to the qualified worker with the least pending work, and take its storage.

        On equal work the worker that comes first; a job with more chunks than qualified workers puts several on some.
        A server without storage for one more chunk is passed over.

        Parameters
        ----------
        slots
            Of one chunk.
        load
            Pending slots by worker, before this job.

        Returns
        -------
        (worker -> its chunks in the order in which they run, largest upload delay among these workers), or None
            None when the chunks do not all find a place.
        """
        delay: dict[int, int] = {}
        heap: list[tuple[int, int]] = []
        for q, upload in self._system.qualified(job):
            delay[q.server.index] = upload
            heap += [(load[w], w) for w in range(self._first[q.index], self._first[q.index + 1])]
        heapify(heap)
        before, placed = list(self.free_storage), dict[int, list[int]]()
        for chunk in range(job.chunks):
            while heap and not self.can_store(job, self._server_of[heap[0][1]]):
                heappop(heap)
            if not heap:
                self.free_storage = before
                return None
            work, w = heap[0]
            heapreplace(heap, (work + slots, w))
            placed.setdefault(w, []).append(chunk)
            self.store(job, {w: [chunk]})
        return placed, max(delay[self._server_of[w]] for w in placed)

    def qualifies(self, job: Job) -> bool:
        """Whether any edge worker can train the job."""
        return bool(self._system.qualified(job))

    def can_store(self, job: Job, server: int) -> bool:
        """Whether a server can store one more chunk of the job."""
        free = self.free_storage[server]
        return free is None or free >= job.chunk_size

    def store(self, job: Job, placed: dict[int, list[int]], sign: int = 1) -> None:
        """Take the storage of a job's chunks (sign 1), or give it back (-1)."""
        for w, chunks in placed.items():
            if (free := self.free_storage[self._server_of[w]]) is not None:
                self.free_storage[self._server_of[w]] = free - sign * len(chunks) * job.chunk_size

    def decisions(self, rows: Sequence[Row]) -> Decisions:
        """Starts and stops, already in order, as columns."""
        time, starts, job, chunk, worker = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        server, kind, number = self._places[worker].T
        columns = {"what": np.full_like(time, WORKER), "chunk": chunk, "server": server, "kind": kind}
        return Decisions(time, job, columns | {"worker": number, "starts": starts})
