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
    room
        Free storage in GB by server; None where unlimited. Kept by the policy, which knows when a job completes.
    """

    def __init__(self, system: Any) -> None:
        self._system = system
        self.room: list[Fraction | None] = [server.storage for server in system.servers]
        places: list[tuple[int, int, int]] = []
        self._first: list[int] = []
        for q in system.classes:
            self._first.append(len(places))
            places += q.places
        self.total = len(places)
        cloud = -1 if system.cloud is None else system.cloud.index
        self._places = np.array([*places, (cloud, -1, -1)], dtype=np.int64)  # the last row, number -1, is the cloud
        self.server_of = self._places[:, 0].tolist()

    def dispatch(self, job: Job, slots: int, load: Sequence[int]) -> tuple[dict[int, list[int]], int] | None:
        """Give each chunk, one after another, to the qualified worker with the least pending work.

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
            first = self._first[q.index]
            heap += [(load[w], w) for w in range(first, first + q.count)]
        heapify(heap)
        left = {s: None if not job.chunk_size else self.room[s] for s in delay}
        placed: dict[int, list[int]] = {}
        for chunk in range(job.chunks):
            while heap and (space := left[self.server_of[heap[0][1]]]) is not None and space < job.chunk_size:
                heappop(heap)
            if not heap:
                return None
            work, w = heap[0]
            heapreplace(heap, (work + slots, w))
            placed.setdefault(w, []).append(chunk)
            if (space := left[self.server_of[w]]) is not None:
                left[self.server_of[w]] = space - job.chunk_size
        return placed, max(delay[self.server_of[w]] for w in placed)

    def qualifies(self, job: Job) -> bool:
        """Whether any edge worker can train the job."""
        return bool(self._system.qualified(job))

    def store(self, job: Job, placed: dict[int, list[int]], sign: int = 1) -> None:
        """Take the storage of a job's chunks (sign 1), or give it back (-1)."""
        for w, chunks in placed.items():
            if (space := self.room[self.server_of[w]]) is not None:
                self.room[self.server_of[w]] = space - sign * len(chunks) * job.chunk_size

    def decisions(self, rows: Sequence[Row]) -> Decisions:
        """Starts and stops, already in order, as columns."""
        time, starts, job, chunk, worker = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        server, kind, number = self._places[worker].T
        columns = {"what": np.full_like(time, WORKER), "chunk": chunk, "server": server, "kind": kind}
        return Decisions(time, job, columns | {"worker": number, "starts": starts})
