"""A_ps (Alg. 5): one parameter server for every running job.

Where the paper says "randomly specifies a PS", a deterministic choice replaces it:

1. A job has one parameter server in every slot in which at least one of its chunks runs, and none otherwise.
2. It keeps this server while it runs without a gap. If its last chunk stops at t and another starts at t, there is no
   gap.
3. Otherwise it gets the first free server that is open to it (o_jsp = 1): servers in file order, then types in file
   order, the cloud last. The cloud has a server for every job and is open iff it is in the job's ``upload_delay``.
4. The parameter servers of server s are open from r_j + Delta_js on, as printed in (2i) and (4h); Algorithm 5 has no
such condition.
   With the option ``ps_release=none`` they are open on arrival, because a parameter server receives no chunk.
5. A job whose chunks are all in the cloud has its parameter server there: only then does the job run at rate p1.
6. When no server is free, the job runs without a server, because A_ps does not affect the workers; the checker reports
   these slots. The job then waits, and takes the first open server that becomes free. Jobs that waited longest come
   first (ties in file order), and all waiting jobs precede those that start in the same slot.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import heappop, heappush
from itertools import groupby
from operator import itemgetter

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Compiled
from schedproof.core.data.options import pick
from schedproof.core.simulation.policy import FOREVER, Decisions
from schedproof.instances.preemptive.drive import COLUMNS, PS, WORKER
from schedproof.instances.preemptive.entities import ANY, Job
from schedproof.online.preemptive.edge_workers import MOST_PATTERNS

WAITING = -1  # the class of a job without a parameter server

Event = tuple[int, int, int]  # time, job, whether it runs from then on
Row = tuple[int, int, int, int, int]  # time, job, server, kind, starts


class ParameterServers:
    """Derive the parameter servers' starts and stops from those of the workers.

    The classes (server, type) are numbered in the order in which they are tried. The classes with a free parameter
    server, and the classes open to a job, are Python integers used as bit sets. The first free open class is the lowest
    bit of their intersection.

    Parameters
    ----------
    ps_release
        ``printed``: a class opens to a job when the job's upload to its server is over; ``none``: on arrival.

    Attributes
    ----------
    always_served
        Whether every job has had a parameter server in every slot in which it ran, so far.
    """

    def __init__(self, system: AnyFamily, ps_release: str = "printed") -> None:
        self._after_upload = pick("ps_release", ps_release, {"printed": True, "none": False})
        self._classes = [
            (server.index, kind, count)
            for server in system.edges
            for kind, count in enumerate(server.parameter_servers.values())
        ]
        self._every_edge = (1 << len(self._classes)) - 1
        self._cloud = 0  # the cloud's classes, as a bit set
        if system.cloud is not None:
            self._cloud = 1 << len(self._classes)
            self._classes.append((system.cloud.index, -1, FOREVER))
        self._left = [count for _, _, count in self._classes]
        self._free = sum(1 << q for q, count in enumerate(self._left) if count)
        self._of_server: dict[str, int] = {}  # server name -> its classes
        self._of_type: dict[str, int] = {}
        labels = [(server.name, kind) for server in system.edges for kind in server.parameter_servers]
        for q, (name, kind) in enumerate(labels):
            for key, sets in ((name, self._of_server), (kind, self._of_type)):
                sets[key] = sets.get(key, 0) | 1 << q
        if system.cloud is not None:
            self._of_server[system.cloud.name] = self._cloud
        self._patterns: dict[object, list[tuple[int, int]]] = {}  # types and delays of a job -> as `_opening`
        self._open: dict[int, int] = {}  # job -> its open classes
        self._opening: dict[int, list[tuple[int, int]]] = {}  # job -> (time, classes that open then), the last first
        self._landings: list[tuple[int, int]] = []  # heap of (when, job) for waiting jobs; may be stale
        self._running: dict[int, int] = {}  # job -> its number of running chunks, if any
        self._place: dict[int, int] = {}  # running job -> class, or WAITING
        self._queues: dict[int, list[tuple[int, int]]] = {}  # open classes -> heap of (wait's start, job); may be stale
        self._since: dict[int, int] = {}  # waiting job -> start of its wait
        self.always_served = True
        self._held = np.empty((0, 3), dtype=np.int64)  # events at the last `until`, not yet processed

    def arrive(self, jobs: Iterable[Job], all_in_cloud: Collection[int] = ()) -> None:
        """Add jobs before their chunks start; ``all_in_cloud`` are wholly in the cloud."""
        for job in jobs:
            key = (job.ps_types, *job.upload_delay.items())
            if key not in self._patterns:
                if len(self._patterns) == MOST_PATTERNS:
                    self._patterns.clear()
                self._patterns[key] = sorted(self.open_classes(job).items(), reverse=True)
            opening = self._patterns[key]
            if job.index in all_in_cloud:
                opening = [(delay, classes & self._cloud) for delay, classes in opening]
            if not self._after_upload:
                opening = [(0, sum(classes for _, classes in opening))]
            self._open[job.index] = 0
            self._opening[job.index] = [(job.arrival + delay, classes) for delay, classes in opening]

    def open_classes(self, job: Job) -> dict[int, int]:
        """Return the classes open to the job (o_jsp), as a bit set for each upload delay."""
        typed = self._every_edge | self._cloud
        if job.ps_types:
            typed = self._of_type.get(ANY, 0) | self._cloud
            for kind in job.ps_types:
                typed |= self._of_type.get(kind, 0)
        by_delay: dict[int, int] = {}
        named = 0
        for name, delay in job.upload_delay.items():
            classes = self._of_server.get(name, 0)
            if name != ANY:
                by_delay[delay] = by_delay.get(delay, 0) | classes & typed
                named |= classes
        if ANY in job.upload_delay:
            delay = job.upload_delay[ANY]
            by_delay[delay] = by_delay.get(delay, 0) | self._every_edge & typed & ~named
        return {delay: classes for delay, classes in by_delay.items() if classes}

    def complete(self, workers: Compiled, places: Compiled, until: int) -> Decisions:
        """Return the latest starts and stops of workers and parameter servers.

        Parameters
        ----------
        workers
            Starts and stops of workers, by time, at most ``until``: an array or a sequence of rows.
        places
            The place of each worker: an array or a sequence of rows.
        """
        time, starts, job, chunk, worker = _table(workers, 5).T
        served = _table(self.serve(np.stack([time, job, 2 * starts - 1], axis=1), until), 5).T
        what = np.repeat([WORKER, PS], [time.size, served.shape[1]])
        columns = [
            np.concatenate(pair)
            for pair in zip(
                (time, starts, job, chunk, *_table(places, 3)[worker].T),
                (served[0], served[4], served[1], np.zeros_like(served[0]), *served[2:4], np.zeros_like(served[0])),
                strict=True,
            )
        ]
        order = np.lexsort((columns[1], columns[0]))
        time, starts, job, *place = (column[order] for column in columns)
        return Decisions(time, job, dict(zip(COLUMNS, (what[order], *place, starts), strict=True)))

    def serve(self, events: Compiled, until: int) -> list[Row]:
        """Return the starts and stops before ``until``, by time, stops first.

        Parameters
        ----------
        events
            The workers' decisions since the last call: time (nondecreasing, at most ``until``), the job's file index,
            +1 if a chunk starts and -1 if one stops. The order within one slot is irrelevant.
        until
            Events at ``until`` itself wait for the next call, which may add further starts at that time.
        """
        table = np.concatenate([self._held, _table(events, 3)])
        ready = int(np.searchsorted(table[:, 0], until))
        self._held = table[ready:]
        rows: list[Row] = []
        for now, there in groupby(self._changes(table[:ready]), key=itemgetter(0)):
            self._land_before(now, rows)
            self._slot(now, there, rows)
        self._land_before(until, rows)
        return rows

    def _changes(self, events: np.ndarray) -> list[Event]:
        """Return when jobs start to run (1) and stop (0), by time and job."""
        time, job, change = events[np.lexsort((events[:, 0], events[:, 1]))].T
        total, last = np.cumsum(change), np.ones(job.size, dtype=bool)  # last: of its job and time
        last[:-1] = (job[1:] != job[:-1]) | (time[1:] != time[:-1])
        time, job, total = time[last], job[last], total[last]
        first = np.ones(job.size, dtype=bool)
        first[1:] = job[1:] != job[:-1]
        of_job, jobs = np.cumsum(first) - 1, job[first].tolist()
        before = np.array([self._running.get(j, 0) for j in jobs], dtype=np.int64)
        running = total + (before - np.append(0, total)[:-1][first])[of_job]  # chunks that run after this time
        did = np.append(0, running)[:-1] > 0
        did[first] = before > 0
        for j, chunks in zip(jobs, running[np.append(first[1:], True)[: job.size]].tolist(), strict=True):
            self._running.pop(j, None)
            if chunks:
                self._running[j] = chunks
        changed = np.flatnonzero((running > 0) != did)
        changed = changed[np.lexsort((job[changed], time[changed]))]
        return list(zip(*(c[changed].tolist() for c in (time, job, running > 0)), strict=True))

    def _land_before(self, time: int, rows: list[Row]) -> None:
        while self._landings and self._landings[0][0] < time:
            self._slot(self._landings[0][0], (), rows)

    def _slot(self, now: int, events: Iterable[Event], rows: list[Row]) -> None:
        """Process one time: releases, then waiting jobs, then starts, in file order."""
        starting = []
        freed = False
        for _, j, runs in events:
            if runs:
                starting.append(j)
                continue
            if (q := self._place.pop(j)) == WAITING:
                del self._since[j]
                continue
            rows.append((now, j, *self._classes[q][:2], 0))
            self._left[q] += 1
            self._free |= 1 << q
            freed = True
        while self._landings and self._landings[0][0] <= now:
            _, j = heappop(self._landings)
            if j in self._since:
                self._queue(j, now)
                freed = True
        while freed and (waiting := self._longest_waiting()) is not None:
            del self._since[waiting]
            rows.append((now, waiting, *self._classes[self._take(waiting)][:2], 1))
        for j in starting:
            self._open_landed(j, now)
            if (q := self._take(j)) == WAITING:
                self._since[j], self.always_served = now, False
                self._queue(j, now)
            else:
                rows.append((now, j, *self._classes[q][:2], 1))

    def _open_landed(self, j: int, now: int) -> None:
        opening = self._opening[j]
        while opening and opening[-1][0] <= now:
            self._open[j] |= opening.pop()[1]

    def _queue(self, j: int, now: int) -> None:
        self._open_landed(j, now)
        heappush(self._queues.setdefault(self._open[j], []), (self._since[j], j))
        if self._opening[j]:
            heappush(self._landings, (self._opening[j][-1][0], j))

    def _take(self, j: int) -> int:
        q = WAITING
        if free := self._free & self._open[j]:
            q = (free & -free).bit_length() - 1
            self._left[q] -= 1
            if not self._left[q]:
                self._free ^= 1 << q
        self._place[j] = q
        return q

    def _longest_waiting(self) -> int | None:
        best: tuple[int, int] | None = None
        for pattern, queue in list(self._queues.items()):
            while queue and (self._since.get(queue[0][1]) != queue[0][0] or self._open[queue[0][1]] != pattern):
                heappop(queue)  # the job stopped, was served, or has more open classes
            if not queue:
                del self._queues[pattern]
            elif pattern & self._free and (best is None or queue[0] < best):
                best = queue[0]
        return None if best is None else best[1]


def _table(rows: Compiled, columns: int) -> np.ndarray:
    return np.asarray(rows, dtype=np.int64).reshape(-1, columns)
