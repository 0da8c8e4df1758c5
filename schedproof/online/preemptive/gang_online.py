"""GangOnline: whole jobs on A_online's lists, by completion and others' delay.

A_online places chunks one by one by the average chunk's completion; but a job completes with its last chunk. GangOnline
places all D_j chunks together, on arrival, on the workers that minimise

    T - r_j + sum over other jobs' chunks c behind them of (1 - theta) x_c / D_c + theta max(0, x_c - s_c).

T is the end of the last new chunk, x_c the time of the new chunks before c, and s_c the time that c's job runs after c.
The estimate assumes no further arrivals, and workers that wait for chunks in transit. New chunks that end before T add
no cost of their own, and go where other chunks are delayed least. Chunks run by residual rates, as in A_online. All of
a job's chunks go to the cloud, or no chunk does. A worker gets as few of a job's chunks as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Array
from schedproof.core.certificates.bound import UNPROVEN, Guarantee
from schedproof.core.runtime.kernels import kernel
from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance
from schedproof.online.preemptive.a_online import AOnline, no_worker
from schedproof.online.preemptive.edge_workers import IN_CLOUD
from schedproof.online.preemptive.kernels import END, MORE_EVENTS, NO_WORKER, New, has_room, put, reach
from schedproof.online.preemptive.worker_lists import Chunk


class GangOnline(AOnline):
    """This policy has no proven guarantee; ``critical`` is theta."""

    def __init__(
        self, *, critical: Fraction = Fraction(1, 32), ps_release: str = "printed", speed: Fraction = Fraction(1)
    ) -> None:
        super().__init__(order="residual", ps_release=ps_release, speed=speed)
        self._critical = float(critical)

    def start(self, system: AnyFamily) -> None:
        super().start(system)
        self._server = self._edge.places[:-1, 0].copy()
        self._first = np.empty(64, dtype=np.int64)  # by placed chunk, the first one of its job
        self._ends = np.empty(64)

    @property
    def values(self) -> dict[tuple[int, int], Fraction]:
        """Return no values: a job's cost is not the sum of its chunks'."""
        return {}

    def guarantee(self, instance: Instance) -> Guarantee:
        return UNPROVEN

    def _call_kernel(
        self, chunks: Sequence[Chunk], rows: Sequence[tuple[int, ...]], delays: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        about = self._critical, self._server, len(self._edge.free_storage), *self._columns(sum(row[1] for row in rows))
        return self._lists.dispatch(place_gangs, chunks, rows, delays, *about)

    def _columns(self, more: int) -> tuple[np.ndarray, np.ndarray]:
        if self._owned + more > self._first.size:
            self._first = np.concatenate([self._first, np.empty(self._owned + more, dtype=np.int64)])
            self._ends = np.empty(self._first.size)
        return self._first, self._ends

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        mine, delay, room = self._chunk(job), self._edge.upload_delays(job), self._edge.room(job)
        about = job.chunks, self._critical, self._server, room, *self._columns(job.chunks)
        cost, workers = self._lists.ask(best_workers, mine, job.chunks, delay, *about)
        cloud, takes = self._system.cloud_delay(job), job.slots(in_cloud=True, speed=self._speed)
        if cloud is not None and (cost < 0 or cloud + takes < cost):
            for chunk in range(job.chunks):
                self._send(time + cloud, takes, job.index, chunk)
            return {IN_CLOUD: [*range(job.chunks)]}
        if cost < 0:
            raise no_worker(job, 0)
        placed: dict[int, list[int]] = {}
        for chunk, worker in enumerate(sorted(workers.tolist())):
            number = self._lists.place_chunk(worker, mine, int(delay[self._lists.place[worker]]))
            self._first[number] = number - chunk
            self._own(np.array([[job.index, chunk]]))
            placed.setdefault(worker, []).append(chunk)
        self._edge.store(job, placed)
        return placed


@kernel
def best_workers(
    new: Array,
    place: Array,
    lists: Array,
    chunks: Array,
    number: Array,
    critical: Array,
    server: Array,
    room: Array,
    job: Array,
    ends: Array,
) -> Array:
    """Return a job's least cost (-1.0 without a place), and the workers of its chunks.

    Costs and times are doubles. They are exact if they have at most 53 bits as multiples of 1/D_j and theta's unit.

    Parameters
    ----------
    number
        D_j.
    server, room
        The server of each worker, and how many of the chunks each server can store.
    job
        The first chunk of the job of each placed chunk.
    ends
        Memory for an entry for each placed chunk.
    """
    begin, size, entry, _, _ = lists
    remaining, key, _, landing, spread, _ = chunks
    workers, mine = begin.size, new.spread * new.slots
    deep = 1  # chunks of one worker; as few as possible
    if number > 1:
        able_at = np.zeros(room.size, np.int64)
        for w in range(workers):
            able_at[server[w]] += new.delay[place[w]] >= 0
        while deep < number and np.minimum(room, deep * able_at).sum() < number:
            deep += 1
    for w in range(workers):
        for i in range(begin[w], begin[w] + size[w]):
            ends[job[entry[i]]] = 0.0
    for w in range(workers):
        t = float(new.now)
        for i in range(begin[w], begin[w] + size[w]):
            t = max(t, landing[entry[i]]) + remaining[entry[i]]
            ends[job[entry[i]]] = max(ends[job[entry[i]]], t)
    done, loss = np.zeros(workers * deep), np.zeros(workers * deep)  # of the n-th chunk on a worker, by worker and n
    able = np.zeros(workers * deep, np.bool_)
    for w in range(workers):
        wait = new.delay[place[w]]
        if wait < 0:
            continue
        t = before = float(new.now)
        for i in range(begin[w], begin[w] + size[w]):
            chunk = entry[i]
            t = max(t, landing[chunk]) + remaining[chunk]
            if key[chunk] <= mine:
                before = t
                continue
            slack = ends[job[chunk]] - t
            for n in range(deep):
                late = max(0.0, (n + 1) * new.slots - slack) - max(0.0, n * new.slots - slack)
                loss[w * deep + n] += (1 - critical) * new.slots / spread[chunk] + critical * late
        for n in range(deep):
            able[w * deep + n] = True
            done[w * deep + n] = max(before, float(new.now + wait)) + (n + 1) * new.slots
    if number == 1:  # the least cost; of these the earliest end, the least loss, the first worker
        least, at = -1.0, 0
        for w in range(workers):
            if able[w] and room[server[w]] > 0:
                value = done[w] - new.now + loss[w]
                if least < 0 or value < least or (value == least and (done[w], loss[w]) < (done[at], loss[at])):
                    least, at = value, w
        return least, np.full(1, at)
    places = np.flatnonzero(able)
    if places.size > number and room.min() >= number:  # places that end after a known cost are not chosen
        value = done[places] + loss[places]
        known = value <= np.partition(value, number - 1)[number - 1]
        bound = done[places][known].max() + loss[places][known].sum() + 1  # 1: sums are rounded
        places = places[done[places] <= bound]
    least = done[places].min() if places.size else 0.0
    idle = places[(done[places] == least) & (loss[places] == 0)]
    if idle.size >= number and room.min() >= number:  # idle workers are the best choice, without sorting
        places = cheap = idle
    else:
        places = places[np.argsort(done[places], kind="mergesort")]
        cheap = places[np.argsort(loss[places], kind="mergesort")]
    best, chosen, taken = -1.0, np.zeros(number, np.int64), np.zeros(number, np.int64)
    for i in range(number - 1, places.size):
        last = done[places[i]]
        if i + 1 < places.size and done[places[i + 1]] == last:
            continue
        cost, found, left = last - new.now, 0, room.copy()
        if best >= 0 and cost >= best:
            break
        for p in cheap:
            if found == number:
                break
            if done[p] <= last and left[server[p // deep]] > 0:
                left[server[p // deep]] -= 1
                cost += loss[p]
                taken[found] = p // deep
                found += 1
        if found == number and (best < 0 or cost < best):
            best = cost
            chosen[:] = taken
    return best, chosen


@kernel
def place_gangs(
    jobs: Array,
    delays: Array,
    residual: Array,
    restart: Array,
    place: Array,
    lists: Array,
    chunks: Array,
    running: Array,
    home: Array,
    space: Array,
    state: Array,
    out: Array,
    events: Array,
    scratch: Array,
    cost: Array,
    critical: Array,
    server: Array,
    servers: Array,
    first: Array,
    ends: Array,
) -> Array:
    """Place whole jobs in order of arrival, without storage; as `kernels.dispatch`.

    Parameters
    ----------
    servers
        The number of servers.
    first, ends
        ``job`` and ``ends`` of `best_workers`.
    """
    room = np.zeros(servers, np.int64)
    while state[0] < len(jobs):
        now, slots, spread, number, weight, row, cloud, in_cloud = jobs[state[0]]
        if not reach(now, residual, restart, lists, chunks, running, state, events):
            return MORE_EVENTS
        new = New(now, slots, spread, weight, delays[row], 0)
        if state[1] == 0:
            room[:] = number
            least, chosen = best_workers(new, place, lists, chunks, number, critical, server, room, first, ends)
            if cloud >= 0 and (least < 0 or cloud + in_cloud < least):
                out[state[3] : state[3] + number] = -1
                state[3] += number
                state[0] += 1
                continue
            if least < 0:
                return NO_WORKER
            out[state[3] : state[3] + number, 0] = np.sort(chosen)
        while state[1] < number:
            worker = out[state[3], 0]
            if not has_room(worker, lists, home, space):
                return worker
            first[state[2]] = state[2] - state[1]
            put(worker, new, place, lists, chunks, state)
        state[0] += 1
        state[1] = 0
    return END
