"""Jobs placed as a whole on A_online's lists: by when the last chunk is done, and by what others lose.

A_online places one chunk after another by the average chunk's completion; but a job is done with its last chunk. Here
all D_j chunks go at once, on arrival, to the workers for which

    T - r_j + sum over the chunks c of others behind them of (1 - theta) x_c / D_c + theta max(0, x_c - s_c)

is least: T is when the last of them is done, x_c the time of those before c, and s_c for how long c's job goes on
after c. All of it is as if no job arrived any more, and as if workers waited for chunks in transit. Chunks that are
done before T cost nothing, and go where others lose least. Chunks run by residual rates, as with A_online. A job goes
to the cloud as a whole or not at all, and a worker has no more of its chunks than it must.
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
    """Nothing is proven of this policy; ``critical`` is theta."""

    def __init__(
        self, *, critical: Fraction = Fraction(1, 32), ps_release: str = "printed", speed: Fraction = Fraction(1)
    ) -> None:
        super().__init__(order="residual", ps_release=ps_release, speed=speed)
        self._critical = float(critical)

    def start(self, system: AnyFamily) -> None:
        """Empty lists for a system whose jobs are not known yet."""
        super().start(system)
        self._server = np.array([server for server, _, _ in self._edge.places[:-1]], dtype=np.int64)
        self._job = np.empty(64, dtype=np.int64)  # by number of the placed chunk

    def guarantee(self, instance: Instance) -> Guarantee:
        """Nothing: the theorem is about A_online's prices."""
        return UNPROVEN

    def _dispatch_all(self, time: int, jobs: object) -> bool:
        """Jobs go one by one."""
        return False

    def _dispatch(self, time: int, job: Job) -> dict[int, list[int]]:
        """Worker -> the job's chunks (`IN_CLOUD` for the cloud)."""
        mine, delay, room = self._chunk(job), self._edge.upload_delays(job), self._edge.room(job)
        able = np.bincount(self._server[delay[self._lists.place] >= 0], minlength=room.size)
        deep = 1  # chunks of one worker; as few as will do
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
    """The least cost of a job by the module's rule, and the workers of its chunks; -1.0 where they have no place.

    Costs and times are doubles: exact where they, in parts of D_j and theta, have no more than 53 bits.

    Parameters
    ----------
    number, deep
        D_j, and how many of the chunks a worker may have.
    server, room
        Of each worker the server, and how many of the chunks each server can store.
    job
        Of each placed chunk.
    """
    begin, size, entry, _, _ = lists
    remaining, key, _, landing, spread = chunks
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
    if idle.size >= number and room.min() >= number:  # nothing is better, and there is nothing to sort
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
