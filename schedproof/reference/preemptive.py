"""Algorithms 1-4 of Wang et al. 2022 and two job-level baselines, exactly.

The implementations are slow, for tiny instances. A_online prices a chunk on every qualified worker by running a copy of
the worker's queue from now to t0 = r_j + Delta_js. A(t0) is every unfinished chunk, landed or in transit. The cheapest
worker takes the chunk; each worker runs its landed chunks by rate.

A worker is (server index, type, number); a cloud worker is (server index, "", number of the chunk), new each time. A
row of a schedule is (job, chunk, server, kind, worker, start, end), as in `schedproof.instances.preemptive`.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedproof.instances.preemptive import Instance, Job, Server

Worker = tuple[int, str, int]
Order = Literal["static", "residual"]
Price = Literal["eq5", "eq5_landed", "marginal"]
Row = tuple[int, ...]


@dataclass(frozen=True)
class Options:
    """A reading of the algorithm.

    Attributes
    ----------
    order
        HAPRF by the job's constant rate (printed), or by the rate of each chunk's remaining work.
    price
        (5) over every unfinished chunk, (5) over landed chunks only, or the exact growth of the worker's total.
    speed
        The speed 1 + eps, which divides a duration before any rounding.
    whole_slots
        Whether each chunk takes ceil(p) slots; otherwise p.
    storage
        Whether only servers with storage for the chunk are priced (section VI).
    cloud
        Whether chunks may go to the cloud; A_online-E keeps them on the edge.
    """

    order: Order = "static"
    price: Price = "eq5"
    speed: Fraction = Fraction(1)
    whole_slots: bool = True
    storage: bool = False
    cloud: bool = True


AS_PRINTED = Options()


@dataclass(frozen=True)
class Chunk:
    """A chunk in A_online: its worker, its price on every worker, and its work."""

    number: int  # in the order of placement
    job: Job
    index: int
    server: Server
    worker: Worker
    landing: Fraction
    work: Fraction
    prices: dict[Worker, Fraction] = field(repr=False)

    @property
    def weight(self) -> Fraction:
        """The weight mu_jd = 1/D_j of the chunk."""
        return Fraction(1, self.job.chunks)

    @property
    def alpha(self) -> Fraction:
        """alpha_jd, the least price."""
        return self.prices[self.worker]


class Queue:
    """A worker's chunks: unfinished slots at ``now``, and the slots run so far.

    An interrupted chunk needs ``restart`` more slots, without progress.
    """

    def __init__(self, order: Order, chunks: Iterable[Chunk] = (), restart: int = 0) -> None:
        self.order, self.now, self.restart = order, Fraction(0), restart
        self.unfinished_slots: dict[int, Fraction] = {}
        self.owed: dict[int, Fraction] = {}
        self.chunks: dict[int, Chunk] = {}
        self.runs: dict[int, list[tuple[Fraction, Fraction]]] = {}
        for chunk in chunks:
            self.add(chunk)

    def copy(self) -> Queue:
        """Return a copy that foresees no interruption."""
        ahead = Queue(self.order)
        ahead.now, ahead.unfinished_slots, ahead.chunks = self.now, dict(self.unfinished_slots), dict(self.chunks)
        ahead.owed = dict(self.owed)
        ahead.runs = {n: list(r) for n, r in self.runs.items() if n in self.unfinished_slots}
        return ahead

    def add(self, chunk: Chunk) -> None:
        self.chunks[chunk.number], self.unfinished_slots[chunk.number], self.runs[chunk.number] = chunk, chunk.work, []
        self.owed[chunk.number] = Fraction(0)

    def rank(self, number: int) -> tuple[Fraction, int]:
        """Return the inverse rate p D (or that of the remaining work), smallest first.

        Ties go to the chunk that was placed first.
        """
        chunk = self.chunks[number]
        work = chunk.work if self.order == "static" else self.unfinished_slots[number]
        return work / chunk.weight, number

    def advance(self, until: Fraction | int | None = None) -> Queue:
        """Run the queue up to a time, or to its end."""
        while self.unfinished_slots and (until is None or self.now < until):
            coming = [self.chunks[n].landing for n in self.unfinished_slots if self.chunks[n].landing > self.now]
            landed = [n for n in self.unfinished_slots if self.chunks[n].landing <= self.now]
            stops = ([min(coming)] if coming else []) + ([Fraction(until)] if until is not None else [])
            if not landed:
                self.now = min(stops)
                continue
            first = min(landed, key=self.rank)
            for other in landed:
                if self.restart and other != first and self.runs[other] and self.runs[other][-1][1] == self.now:
                    self.owed[other] = Fraction(self.restart)
            then = min([*stops, self.now + self.owed[first] + self.unfinished_slots[first]])
            pieces = self.runs[first]
            begin = pieces.pop()[0] if pieces and pieces[-1][1] == self.now else self.now
            pieces.append((begin, then))
            without_progress = min(self.owed[first], then - self.now)
            self.owed[first] -= without_progress
            self.unfinished_slots[first] -= then - self.now - without_progress
            if not self.unfinished_slots[first]:
                del self.unfinished_slots[first]
            self.now = then
        if until is not None:
            self.now = max(self.now, Fraction(until))
        return self

    def completion(self, number: int) -> Fraction:
        return self.runs[number][-1][1]

    def total(self) -> Fraction:
        """Return the final sum of (completion - arrival)/D over the unfinished chunks."""
        ahead, mine = self.copy().advance(), [self.chunks[n] for n in self.unfinished_slots]
        return sum((c.weight * (ahead.completion(c.number) - c.job.arrival) for c in mine), Fraction(0))


@dataclass
class Outcome:
    """A run of A_online: its chunks in order of placement, and the completed queues."""

    instance: Instance
    options: Options
    chunks: list[Chunk]
    queues: dict[Worker, Queue]

    def runs(self, chunk: Chunk) -> list[tuple[Fraction, Fraction]]:
        return self.queues[chunk.worker].runs[chunk.number]

    def completion(self, chunk: Chunk) -> Fraction:
        """Return the completion time c_jd of a chunk."""
        return self.queues[chunk.worker].completion(chunk.number)

    def beta(self, worker: Worker, time: Fraction) -> Fraction:
        """Return beta_sw(t): the weight of the worker's chunks in the system at t."""
        mine = (c for c in self.chunks if c.worker == worker)
        return sum((c.weight for c in mine if c.job.arrival <= time < self.completion(c)), Fraction(0))

    @property
    def alpha_total(self) -> Fraction:
        """The sum of the multipliers alpha_jd."""
        return sum((c.alpha for c in self.chunks), Fraction(0))

    @property
    def beta_total(self) -> Fraction:
        """Sum of beta_sw(t) over workers and time, equal to the sum of (c_jd - r_j)/D_j."""
        return sum((c.weight * (self.completion(c) - c.job.arrival) for c in self.chunks), Fraction(0))

    @property
    def total_jct(self) -> Fraction:
        """The total JCT: the sum of c_j - r_j."""
        done = (max(self.completion(c) for c in self.chunks if c.job is job) for job in self.instance.jobs)
        return sum(done, Fraction(0)) - sum(job.arrival for job in self.instance.jobs)

    @property
    def rows(self) -> list[Row]:
        """Return the schedule's rows, for whole slots."""
        result: list[Row] = []
        for c in self.chunks:
            where = (-1, -1) if c.server.cloud else (list(c.server.workers).index(c.worker[1]), c.worker[2])
            result += [(c.job.index, c.index, c.server.index, *where, int(a), int(b)) for a, b in self.runs(c)]
        return result

    @property
    def all_in_cloud(self) -> set[int]:
        """Return the jobs whose chunks are all in the cloud."""
        return {job.index for job in self.instance.jobs} - {c.job.index for c in self.chunks if not c.server.cloud}


def duration(job: Job, options: Options, in_cloud: bool = False) -> Fraction:
    """Return p_j at the options' speed, in slots."""
    if options.whole_slots:
        return Fraction(job.slots(in_cloud=in_cloud, speed=options.speed))
    return (job.chunk_time_in_cloud if in_cloud else job.chunk_time) / options.speed


def price(queue: Queue, chunk: Chunk, options: Options) -> Fraction:
    """Return Q of (5) on an edge worker: Algorithm 3, lines 10-12, or exact growth."""
    if options.price == "marginal":
        with_it = queue.copy()
        with_it.add(chunk)
        return with_it.total() - queue.total()
    then = queue.copy().advance(chunk.landing)
    waiting, postponed = Fraction(0), Fraction(0)
    for number, rest in then.unfinished_slots.items():
        other = then.chunks[number]
        if options.price == "eq5_landed" and other.landing > chunk.landing:
            continue
        size = other.work if options.order == "static" else rest
        if size / other.weight <= chunk.work / chunk.weight:
            waiting += rest + then.owed[number]
        else:
            postponed += other.weight
    return chunk.weight * (chunk.landing - chunk.job.arrival + waiting + chunk.work) + chunk.work * postponed


def a_online(instance: Instance, options: Options = AS_PRINTED) -> Outcome:
    """Run Algorithm 1, lines 1-3, and Algorithm 2.

    Raises
    ------
    ValueError
        If no server can take a chunk.
    """
    out = Outcome(instance, options, [], {})
    for job in sorted(instance.jobs, key=lambda j: j.arrival):
        for queue in out.queues.values():
            queue.advance(job.arrival)
        for index in range(job.chunks):
            chunk = _cheapest(out, job, index)
            out.chunks.append(chunk)
            queue = out.queues.setdefault(chunk.worker, Queue(options.order, restart=instance.restart))
            queue.advance(job.arrival).add(chunk)
    for queue in out.queues.values():
        queue.advance()
    return out


def _cheapest(out: Outcome, job: Job, index: int) -> Chunk:
    instance, options, number = out.instance, out.options, len(out.chunks)
    mine = out.chunks[number - index : number]
    all_in_cloud = all(c.server.cloud for c in mine)
    idle = Queue(options.order)
    prices: dict[Worker, Fraction] = {}
    tried: dict[Worker, Chunk] = {}
    for q, delay in (
        [] if mine and all_in_cloud else instance.qualified(job)
    ):  # a job that started in the cloud stays there
        if not options.storage or _can_store(out, q.server, job):
            for worker in ((q.server.index, q.type, n) for n in range(q.count)):
                landing, work = Fraction(job.arrival + delay), duration(job, options)
                tried[worker] = Chunk(number, job, index, q.server, worker, landing, work, prices)
                prices[worker] = price(out.queues.get(worker, idle), tried[worker], options)
    upload = instance.cloud_delay(job) if options.cloud else None
    if upload is not None and instance.cloud is not None:  # Algorithm 3, lines 2-8
        fresh, work = (instance.cloud.index, "", number), duration(job, options, in_cloud=all_in_cloud)
        tried[fresh] = Chunk(number, job, index, instance.cloud, fresh, Fraction(job.arrival + upload), work, prices)
        prices[fresh] = (upload + work) / job.chunks
    if not prices:
        raise ValueError(f"job '{job.name}': no server can take a chunk")
    return tried[min(prices, key=lambda worker: prices[worker])]  # the first of equal prices


def _can_store(out: Outcome, server: Server, job: Job) -> bool:
    alive = {c.job.name for c in out.chunks if c.number in out.queues[c.worker].unfinished_slots} | {job.name}
    used = sum((c.job.chunk_size for c in out.chunks if c.server is server and c.job.name in alive), Fraction(0))
    return server.storage is None or used + job.chunk_size <= server.storage


# --- SRTF and Tiresias-L of section V-A: whole jobs, all or nothing, slot by slot ------------------------------------


@dataclass
class Gang:
    """A job whose workers run together: each chunk's worker and slots."""

    job: Job
    slots: int  # of one chunk
    restart: int = 0
    landed: int = 0
    homes: list[Row] = field(default_factory=list)
    trained: list[list[int]] = field(default_factory=list)

    def unfinished_slots(self, now: int) -> Counter[Row]:
        """Return the slots in which a job must still run, by worker."""
        held: Counter[Row] = Counter()
        for home, slots in zip(self.homes, self.trained, strict=True):
            held[home] += self.left(slots, now)
        return +held

    def left(self, slots: list[int], now: int) -> int:
        """Return in how many slots a chunk must still run, with a restart after a gap."""
        runs = [end - start for start, end in _merge(slots)]
        left = self.slots - progress(slots, self.restart)
        if not left or not runs:
            return left
        return left + (self.restart if now - 1 not in slots else max(0, self.restart - runs[-1]) if runs[1:] else 0)

    def run(self, slot: int) -> None:
        """Train one slot of the first unfinished chunk on every worker."""
        unfinished = [n for n, slots in enumerate(self.trained) if self.left(slots, slot)]
        for chunk in {self.homes[n]: n for n in reversed(unfinished)}.values():
            self.trained[chunk].append(slot)


def progress(slots: list[int], restart: int) -> int:
    """Return the slots in which a chunk trained; after a gap it first restarts."""
    runs = [end - start for start, end in _merge(slots)]
    return sum(runs[:1]) + sum(max(0, run - restart) for run in runs[1:])


def srtf(gang: Gang, slot: int) -> tuple[object, ...]:
    """Order by least remaining time; ties to a job that ran in the last slot."""
    return max(gang.unfinished_slots(slot).values()), not any(slot - 1 in t for t in gang.trained)


def tiresias_l(gang: Gang, slot: int, thresholds: tuple[int, ...]) -> tuple[object, ...]:
    """Order by the queue of attained service, then the first start."""
    slots = [t for trained in gang.trained for t in trained]
    return bisect_right(thresholds, len(slots)), min(slots, default=slot + 1), gang.landed


def job_level(instance: Instance, order: Callable[[Gang, int], tuple[object, ...]], speed: Fraction) -> list[Row]:
    """Schedule slot by slot: run, in order, each landed job whose workers are free."""
    gangs: list[Gang] = []
    slot = 0
    while len(gangs) < len(instance.jobs) or any(gang.unfinished_slots(slot) for gang in gangs):
        for job in (job for job in instance.jobs if job.arrival == slot):
            gangs.append(gang := Gang(job, job.slots(speed=speed), instance.restart))
            able = {place: delay for q, delay in instance.qualified(job) for place in q.places}
            for _ in range(job.chunks):
                pending = sum((other.unfinished_slots(slot) for other in gangs), Counter[Row]())
                worker = min(able, key=lambda place: (pending[place], place))
                gang.homes.append(worker)
                gang.trained.append([])
                gang.landed = max(gang.landed, slot + able[worker])
        taken: set[Row] = set()
        ready = [gang for gang in gangs if gang.unfinished_slots(slot) and gang.landed <= slot]
        for gang in sorted(ready, key=lambda g: (order(g, slot), g.job.arrival, g.job.index)):
            if not taken & gang.unfinished_slots(slot).keys():
                taken |= gang.unfinished_slots(slot).keys()
                gang.run(slot)
        slot += 1
    return [
        (gang.job.index, chunk, *home, *run)
        for gang in gangs
        for chunk, (home, slots) in enumerate(zip(gang.homes, gang.trained, strict=True))
        for run in _merge(slots)
    ]


def _merge(slots: list[int]) -> list[tuple[int, int]]:
    starts = [t for t in slots if t - 1 not in slots]
    ends = [t + 1 for t in slots if t + 1 not in slots]
    return list(zip(starts, ends, strict=True))
