"""Local search for offline schedules with pinned chunks.

The search assigns chunks to workers, and each worker runs first the chunk with the least D_j times remaining slots. It
starts from the better schedule of A_online and gang_online, or from a given schedule, and anneals (`kernels`). A
waiting chunk moves to another worker, or is exchanged with a chunk of similar length, or with a chunk that lands there
at about the same time; a job moves to the cloud or back. A smaller cost is accepted, a cost larger by ``x`` slots with
probability exp(-x/T). T falls from the initial mean waiting time to a five-hundredth of it.

The cost is the total JCT plus a weight, which falls from 10 to 1/10, times the mean end of each job's chunks: a job
completes with its last chunk, so that often only several moves together change the total. The result is the schedule
with the least total JCT.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from schedproof.core.errors import NoSolution
from schedproof.core.runtime import memory
from schedproof.core.runtime.context import USUAL, Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.core.simulation.policy import FOREVER, DecidedBy, Decisions
from schedproof.instances.preemptive.drive import drive, system
from schedproof.instances.preemptive.entities import Job
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals
from schedproof.offline.annealing import GOES_ON, Annealing, read_start
from schedproof.offline.kernels import seeded
from schedproof.offline.preemptive.kernels import BLOCK, CLOUD, NEVER, Room, State, Work, anneal, shift
from schedproof.online.preemptive.a_online import AOnline
from schedproof.online.preemptive.edge_workers import EdgeWorkers, Row
from schedproof.online.preemptive.gang_online import GangOnline
from schedproof.online.preemptive.parameter_servers import ParameterServers

COOLS = 500.0  # ratio of the first to the last temperature
MEANS = 10.0  # the first weight of the chunks' mean ends; the last is 1/MEANS
DEEP = 2  # stored waiting chunks per chunk of a line
SPARE = 8  # extra entries of a line, beyond twice the initial maximum


class LocalSearch:
    def __init__(
        self, *, rounds: int = 500, ps_release: str = "printed", start: Path | None = None, context: Context = USUAL
    ) -> None:
        self._rounds, self._ps_release, self._start, self._context = rounds, ps_release, start, context

    def assign(self, instance: Instance) -> Decisions:
        """Return all starts and stops.

        Raises
        ------
        NoSolution
            If a server's storage is limited, or restarts take slots.
        Interrupted
            On the user's interrupt, with the starts and stops of the best schedule so far.
        """
        if any(server.storage is not None for server in instance.edges):
            raise NoSolution("preemptive.offline: the instance limits storage, expected servers with unlimited storage")
        if instance.restart:
            raise NoSolution(
                f"preemptive.offline: expected an instance without `restart`, not {instance.restart}: the search does "
                "not count interruptions"
            )
        search = Search(instance, self._first(instance), self._rounds, self._start is not None, self._context.seed)
        return answer_of(lambda: search.best_within(self._context), lambda best: self._decisions(instance, best))

    def _first(self, instance: Instance) -> Intervals:
        if self._start is None:
            context = Context(progress=self._context.progress)
            policies = AOnline(order="residual"), GangOnline()
            schedules = [drive(policy, instance, DecidedBy("start"), context) for policy in policies]
            return min(schedules, key=lambda schedule: schedule.objective(instance)).intervals
        intervals: Intervals = read_start(self._start, instance).intervals
        return intervals

    def _decisions(self, instance: Instance, where: np.ndarray) -> Decisions:
        servers = ParameterServers(system(instance), self._ps_release)
        first = np.cumsum([0, *(job.chunks for job in instance.jobs)])
        placed = [where[a:b].tolist() for a, b in pairwise(first)]
        servers.arrive(instance.jobs, {job.index for job in instance.jobs if {*placed[job.index]} == {CLOUD}})
        return servers.complete(rows(instance, placed), EdgeWorkers(instance).places, FOREVER)


class Search(Annealing[np.ndarray]):
    """The places of all chunks during the search: workers, or `CLOUD`."""

    PIECE = 20_000

    def __init__(self, instance: Instance, start: Intervals, rounds: int, goes_on: bool, seed: int) -> None:
        self._work, places = work_of(instance), _places(instance, start)
        counts = np.bincount(places[places != CLOUD], minlength=self._work.place.size)
        longest = 2 * int(counts.max(initial=0)) + SPARE
        memory.require_bytes("the workers' lines would take", 104.0 * longest * counts.size, "take fewer workers")
        self._state, self._room = _empty(self._work, longest, seed)
        for chunk, worker in enumerate(places.tolist()):
            shift(self._work, self._state, chunk, worker, self._room)
        total = int(self._state.done.sum() - self._work.arrival.sum())
        waits = total - sum(_alone(instance, job) for job in instance.jobs)
        self._hot = waits / max(1, len(instance.jobs)) / (GOES_ON if goes_on else 1)
        super().__init__(rounds * places.size if waits else 0, total)

    def present(self) -> np.ndarray:
        """Return the worker of each chunk, or `CLOUD`, (chunks,)."""
        where: np.ndarray = self._state.where.copy()
        return where

    def anneal(self, count: int, part: float) -> int:
        heat, means = self._hot * COOLS**-part, MEANS ** (1 - 2 * part)
        return int(anneal(self._work, self._state, count, heat, means, self._room))


def work_of(instance: Instance) -> Work:
    """Return the instance as arrays.

    Jobs with the same workers and delays share a pattern.
    """
    patterns: dict[tuple[tuple[int, int], ...], int] = {}
    kinds = [
        patterns.setdefault(tuple((q.index, delay) for q, delay in instance.qualified(job)), len(patterns))
        for job in instance.jobs
    ]
    delay = np.full((max(1, len(patterns)), len(instance.classes)), -1, dtype=np.int64)
    for pattern, n in patterns.items():
        for q, slots in pattern:
            delay[n, q] = slots
    chunks = [job.chunks for job in instance.jobs]
    cloud = [instance.cloud_delay(job) for job in instance.jobs]
    columns = [
        [job.arrival for job in instance.jobs],
        chunks,
        [job.slots() for job in instance.jobs],
        [NEVER if slots is None else slots for slots in cloud],
        [job.slots(in_cloud=True) for job in instance.jobs],
        [0, *accumulate(chunks)],
    ]
    arrays = (np.array(column, dtype=np.int64) for column in columns)
    owner, place = (
        np.repeat(np.arange(len(counts)), np.array(counts, dtype=np.int64))
        for counts in (chunks, [q.count for q in instance.classes])
    )
    arrival, takes = (np.repeat(columns[n], chunks) for n in (0, 2))
    part, power = np.frexp(takes)
    order = np.lexsort((arrival, np.floor(8 * part), power))
    return Work._make([*arrays, owner, delay, np.array(kinds, dtype=np.int64), place, order, np.argsort(order)])


def rows(instance: Instance, placed: Sequence[Sequence[int]]) -> list[Row]:
    """Return the starts and stops by time for these workers, in plain Python."""
    lines = defaultdict[int, list[tuple[int, int, int]]](list)
    classes = [q for q in instance.classes for _ in range(q.count)]
    runs: list[tuple[int, int, int, int, int]] = []  # start, end, job, chunk, worker
    for job, workers in zip(instance.jobs, placed, strict=True):
        delays = {q.index: delay for q, delay in instance.qualified(job)}
        for d, worker in enumerate(workers):
            if worker == CLOUD:
                start = job.arrival + (instance.cloud_delay(job) or 0)
                runs.append((start, start + job.slots(in_cloud={*workers} == {CLOUD}), job.index, d, CLOUD))
            else:
                lines[worker].append((job.arrival + delays[classes[worker].index], job.index, d))
    for worker, line in lines.items():
        runs += [(*times, j, d, worker) for times, j, d in _least_remaining_work_first(instance, line)]
    ends = [(end, 0, j, d, worker) for _, end, j, d, worker in runs]
    return sorted([(start, 1, j, d, worker) for start, _, j, d, worker in runs] + ends)


def _least_remaining_work_first(
    instance: Instance, line: list[tuple[int, int, int]]
) -> Iterator[tuple[tuple[int, int], int, int]]:
    coming = sorted(line, reverse=True)
    waiting: list[tuple[int, int, int, int]] = []  # heap of D_j times the slots left, job, chunk, slots left
    now, since, last = 0, 0, None
    while coming or waiting:
        now = now if waiting else max(now, coming[-1][0])
        while coming and coming[-1][0] <= now:
            _, j, d = coming.pop()
            slots = instance.jobs[j].slots()
            heappush(waiting, (instance.jobs[j].chunks * slots, j, d, slots))
        _, j, d, left = heappop(waiting)
        if last is not None and last != (j, d):
            yield (since, now), *last
        since, last = (since if last == (j, d) else now), (j, d)
        ran = min(left, coming[-1][0] - now) if coming else left
        now += ran
        if ran < left:
            heappush(waiting, (instance.jobs[j].chunks * (left - ran), j, d, left - ran))
        else:
            yield (since, now), j, d
            last = None


def _places(instance: Instance, start: Intervals) -> np.ndarray:
    numbers = {place: n for n, place in enumerate(map(tuple, EdgeWorkers(instance).places[:-1].tolist()))}
    first = [0, *accumulate(job.chunks for job in instance.jobs)]
    where = np.full(first[-1], CLOUD, dtype=np.int64)
    for j, chunk, *place, _, _ in start.rows():
        where[first[j] + chunk] = numbers.get((place[0], place[1], place[2]), CLOUD)
    return where


def _alone(instance: Instance, job: Job) -> int:
    on_edge = [delay + job.slots() for _, delay in instance.qualified(job)]
    cloud = instance.cloud_delay(job)
    return min(on_edge + ([] if cloud is None else [cloud + job.slots(in_cloud=True)]))


def _empty(work: Work, longest: int, seed: int) -> tuple[State, Room]:
    workers, jobs, chunks = work.place.size, work.arrival.size, work.owner.size
    lines = (np.zeros((workers, longest), dtype=np.int64) for _ in range(6))
    ends, done, size = (np.zeros(n, dtype=np.int64) for n in (chunks, jobs, workers))
    blocks = np.zeros((workers, longest // BLOCK + 3, 4), dtype=np.int64)
    stack = np.zeros((workers, DEEP * longest, 3), dtype=np.int64)
    state = State._make(
        [np.full(chunks, CLOUD), ends, work.chunks.copy(), done, *lines, size, size.copy(), blocks, stack]
    )
    pairs = (np.zeros((longest, 2), dtype=np.int64) for _ in range(2))
    queue = np.zeros((longest, 3), dtype=np.int64)
    touched = (np.zeros(max(2 * longest, int(work.chunks.max(initial=0))), dtype=np.int64) for _ in range(2))
    return state, Room._make([*pairs, queue, *touched, np.zeros(jobs, dtype=np.int64), seeded(seed)])
