"""A_online, said again in exact arithmetic for tiny instances; it shares no code with ``schedproof.online``.

Paper 000, Algorithms 1-3 and (5), as ``formulations.md`` reads them: a chunk is priced on every worker that may serve
its job by running a copy of that worker's list from now to t0 = r_j + Delta_js with the chunks placed so far; A(t0) is
every unfinished chunk, landed or in transit; the cheapest worker takes it; each worker runs its landed chunks by rate.

A worker is (server index, type, number); a cloud worker is (server index, "", number of the chunk), fresh every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from schedproof.instances.preemptive import Instance, Job, Server

Worker = tuple[int, str, int]
Order = Literal["static", "residual"]
Price = Literal["eq5", "eq5_landed", "marginal"]


@dataclass(frozen=True)
class Options:
    """How the algorithm is read.

    Attributes
    ----------
    order
        HAPRF by the job's constant rate (printed), or by the rate of what is left of each chunk.
    price
        (5) over every unfinished chunk, (5) over the landed ones only, or the exact growth of the worker's total.
    speed
        1 + eps; it divides a duration before any rounding.
    whole_slots
        Each chunk takes ceil(p) slots; otherwise p as it is.
    storage
        Before a server is priced, its storage must have room for the chunk (section VI).
    """

    order: Order = "static"
    price: Price = "eq5"
    speed: Fraction = Fraction(1)
    whole_slots: bool = True
    storage: bool = False


@dataclass(frozen=True)
class Chunk:
    """One chunk on its way through A_online: where it was put, what it was priced at everywhere, and its work there."""

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
        """mu_jd = 1/D_j."""
        return Fraction(1, self.job.chunks)

    @property
    def alpha(self) -> Fraction:
        """alpha_jd, the least price."""
        return self.prices[self.worker]


class Line:
    """One worker's list: what is left of each chunk at ``now``, and what has run so far."""

    def __init__(self, order: Order) -> None:
        self.order, self.now = order, Fraction(0)
        self.left: dict[int, Fraction] = {}
        self.chunks: dict[int, Chunk] = {}
        self.runs: dict[int, list[tuple[Fraction, Fraction]]] = {}

    def copy(self) -> Line:
        """A copy to run ahead with."""
        twin = Line(self.order)
        twin.now, twin.left, twin.chunks = self.now, dict(self.left), dict(self.chunks)
        twin.runs = {n: list(r) for n, r in self.runs.items() if n in self.left}
        return twin

    def add(self, chunk: Chunk) -> None:
        """Take a chunk into the list; it runs from its landing on."""
        self.chunks[chunk.number], self.left[chunk.number], self.runs[chunk.number] = chunk, chunk.work, []

    def rank(self, number: int) -> tuple[Fraction, int]:
        """Small runs first: the inverse rate p D (or what is left of it); of equals, the one placed earlier."""
        chunk = self.chunks[number]
        work = chunk.work if self.order == "static" else self.left[number]
        return work / chunk.weight, number

    def advance(self, until: Fraction | None) -> None:
        """Run the list up to a time, or to its end."""
        while self.left and (until is None or self.now < until):
            coming = [self.chunks[n].landing for n in self.left if self.chunks[n].landing > self.now]
            landed = [n for n in self.left if self.chunks[n].landing <= self.now]
            stops = ([min(coming)] if coming else []) + ([until] if until is not None else [])
            if not landed:
                self.now = min(stops)
                continue
            first = min(landed, key=self.rank)
            then = min([*stops, self.now + self.left[first]])
            pieces = self.runs[first]
            begin = pieces.pop()[0] if pieces and pieces[-1][1] == self.now else self.now
            pieces.append((begin, then))
            self.left[first] -= then - self.now
            if not self.left[first]:
                del self.left[first]
            self.now = then
        if until is not None:
            self.now = max(self.now, until)

    def total(self) -> Fraction:
        """The sum of (completion - arrival)/D of the unfinished chunks, when the list runs to its end."""
        twin, mine = self.copy(), list(self.left)
        twin.advance(None)
        return sum(
            (self.chunks[n].weight * (twin.runs[n][-1][1] - self.chunks[n].job.arrival) for n in mine), Fraction(0)
        )


@dataclass
class Outcome:
    """What A_online did: its chunks in the order of placement, and each worker's list, run to the end."""

    instance: Instance
    options: Options
    chunks: list[Chunk]
    lines: dict[Worker, Line]

    def runs(self, chunk: Chunk) -> list[tuple[Fraction, Fraction]]:
        """The intervals in which a chunk runs."""
        return self.lines[chunk.worker].runs[chunk.number]

    def completion(self, chunk: Chunk) -> Fraction:
        """c_jd."""
        return self.runs(chunk)[-1][1]

    def beta(self, worker: Worker, time: Fraction) -> Fraction:
        """beta_sw(t): the weight of the chunks placed there, from their job's arrival to their completion."""
        mine = (c for c in self.chunks if c.worker == worker)
        return sum((c.weight for c in mine if c.job.arrival <= time < self.completion(c)), Fraction(0))

    @property
    def alpha_total(self) -> Fraction:
        """Sum of alpha_jd."""
        return sum((c.alpha for c in self.chunks), Fraction(0))

    @property
    def beta_total(self) -> Fraction:
        """Sum of beta_sw(t) over workers and time, which is the sum of (c_jd - r_j)/D_j."""
        return sum((c.weight * (self.completion(c) - c.job.arrival) for c in self.chunks), Fraction(0))

    @property
    def total_jct(self) -> Fraction:
        """Sum of c_j - r_j."""
        done: dict[str, Fraction] = {}
        for c in self.chunks:
            done[c.job.name] = max(done.get(c.job.name, Fraction(0)), self.completion(c))
        return sum(done.values(), Fraction(0)) - sum(job.arrival for job in self.instance.jobs)


def duration(job: Job, options: Options, in_cloud: bool = False) -> Fraction:
    """p_j at the options' speed, in slots."""
    if options.whole_slots:
        return Fraction(job.slots(in_cloud=in_cloud, speed=options.speed))
    return (job.chunk_time_in_cloud if in_cloud else job.chunk_time) / options.speed


def workers(instance: Instance, job: Job) -> list[tuple[Server, Worker, int]]:
    """The edge workers that may serve a job, in file order, each with its upload delay."""
    return [
        (q.server, (q.server.index, q.type, n), delay) for q, delay in instance.qualified(job) for n in range(q.count)
    ]


def price(line: Line, chunk: Chunk, options: Options) -> Fraction:
    """Q of (5) for a chunk on an edge worker (or the exact growth of the worker's total)."""
    now, work = chunk.landing - chunk.job.arrival, chunk.work
    if options.price == "marginal":
        twin = line.copy()
        twin.add(chunk)
        return twin.total() - line.total()
    ahead = line.copy()
    ahead.advance(chunk.landing)
    waiting, postponed = Fraction(0), Fraction(0)
    for number, left in ahead.left.items():
        other = ahead.chunks[number]
        if options.price == "eq5_landed" and other.landing > chunk.landing:
            continue
        size = other.work if options.order == "static" else left
        if size / other.weight <= work / chunk.weight:
            waiting += left
        else:
            postponed += other.weight
    return chunk.weight * (now + waiting + work) + work * postponed


def simulate(instance: Instance, options: Options | None = None) -> Outcome:
    """A_online on an instance, exactly.

    Raises
    ------
    ValueError
        When no server has room for a chunk (with ``storage``).
    """
    options = options or Options()
    out = Outcome(instance, options, [], {})
    for job in sorted(instance.jobs, key=lambda j: j.arrival):
        for line in out.lines.values():
            line.advance(Fraction(job.arrival))
        for index in range(job.chunks):
            chunk = _cheapest(out, job, index)
            out.chunks.append(chunk)
            line = out.lines.setdefault(chunk.worker, Line(options.order))
            line.advance(Fraction(job.arrival))
            line.add(chunk)
    for line in out.lines.values():
        line.advance(None)
    return out


def _cheapest(out: Outcome, job: Job, index: int) -> Chunk:
    """Lines 3-24 of Algorithm 2: price the chunk everywhere; ties go to the first in file order, the cloud last."""
    instance, options, number = out.instance, out.options, len(out.chunks)
    mine = out.chunks[number - index : number]
    all_cloud = all(c.server.cloud for c in mine)
    idle = Line(options.order)
    prices: dict[Worker, Fraction] = {}
    tried: dict[Worker, Chunk] = {}
    places = [] if mine and all_cloud else workers(instance, job)  # a job that began in the cloud stays there
    for server, worker, delay in places:
        if not options.storage or _room(out, server, job):
            landing = Fraction(job.arrival + delay)
            tried[worker] = Chunk(number, job, index, server, worker, landing, duration(job, options), prices)
            prices[worker] = price(out.lines.get(worker, idle), tried[worker], options)
    far = instance.cloud_delay(job)
    if far is not None and instance.cloud is not None:
        fresh, work = (instance.cloud.index, "", number), duration(job, options, in_cloud=all_cloud)
        tried[fresh] = Chunk(number, job, index, instance.cloud, fresh, Fraction(job.arrival + far), work, prices)
        prices[fresh] = (far + work) / job.chunks
    if not prices:
        raise ValueError(f"no server has room for a chunk of {job.name}")
    return tried[min(prices, key=lambda worker: prices[worker])]  # min keeps the first of equals


def _room(out: Outcome, server: Server, job: Job) -> bool:
    """Whether a server's storage has room for one more chunk of a job, beside those of the jobs still alive."""
    if server.storage is None:
        return True
    alive = {c.job.name for c in out.chunks if _unfinished(out.lines[c.worker], c)} | {job.name}
    used = sum((c.job.chunk_size for c in out.chunks if c.server is server and c.job.name in alive), Fraction(0))
    return used + job.chunk_size <= server.storage


def _unfinished(line: Line, chunk: Chunk) -> bool:
    return chunk.number in line.left


def in_order(instance: Instance) -> bool:
    """Whether on each server chunks land in the order in which their jobs arrive (ties in file order)."""
    jobs: Sequence[Job] = sorted(instance.jobs, key=lambda j: j.arrival)
    for server in instance.edges:
        landings = [job.arrival + delay for job in jobs if (delay := job.delay(server)) is not None]
        if landings != sorted(landings):
            return False
    return True
