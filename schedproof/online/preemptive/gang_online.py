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

from fractions import Fraction

import numpy as np

from schedproof.core.base.untyped import AnyFamily, Array
from schedproof.core.certificates.bound import UNPROVEN, Guarantee
from schedproof.core.runtime.kernels import kernel
from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance
from schedproof.online.preemptive.a_online import AOnline, no_worker
from schedproof.online.preemptive.edge_workers import IN_CLOUD


class GangOnline(AOnline):
    """This policy has no proven guarantee; ``critical`` is theta."""

    def __init__(
        self, *, critical: Fraction = Fraction(1, 32), ps_release: str = "printed", speed: Fraction = Fraction(1)
    ) -> None:
        super().__init__(order="residual", ps_release=ps_release, speed=speed)
        self._critical = float(critical)

    def start(self, system: AnyFamily) -> None:
        super().start(system)
        self._server = np.array([server for server, _, _ in self._edge.places[:-1]], dtype=np.int64)
        self._job = np.empty(64, dtype=np.int64)  # the job of each placed chunk

    def guarantee(self, instance: Instance) -> Guarantee:
        return UNPROVEN

    def _dispatch_all(self, time: int, jobs: object) -> bool:
        return False

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        mine, delay, room = self._chunk(job), self._edge.upload_delays(job), self._edge.room(job)
        able = np.bincount(self._server[delay[self._lists.place] >= 0], minlength=room.size)
        deep = 1  # chunks of one worker; as few as possible
        while deep < job.chunks and np.minimum(room, deep * able).sum() < job.chunks:
            deep += 1
        about = job.chunks, deep, self._critical, self._server, room, self._job
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
            if number == self._job.size:
                self._job = np.concatenate([self._job, np.empty_like(self._job)])
            self._job[number] = job.index
            self._owner.append((job.index, chunk))
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
    deep: Array,
    critical: Array,
    server: Array,
    room: Array,
    job: Array,
) -> Array:
    """Return a job's least cost (-1.0 without a place), and the workers of its chunks.

    Costs and times are doubles. They are exact if they have at most 53 bits as multiples of 1/D_j and theta's unit.

    Parameters
    ----------
    number, deep
        D_j, and the largest number of the job's chunks on one worker.
    server, room
        The server of each worker, and how many of the chunks each server can store.
    job
        The job of each placed chunk.
    """
    begin, size, entry, _, _ = lists
    remaining, key, _, landing, spread, _ = chunks
    workers, mine = begin.size, new.spread * new.slots
    most = 0
    for w in range(workers):
        for i in range(begin[w], begin[w] + size[w]):
            most = max(most, job[entry[i]] + 1)
    ends = np.zeros(most)
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
    places = np.flatnonzero(able)
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
