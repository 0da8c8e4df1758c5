"""A_online slot by slot, on plain lists and rationals, written from the project's description of it alone.

Nothing is kept between looks: a worker is the list of the chunks that were given to it, and every price runs a copy.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Any

from schedproof.instances.preemptive import Instance, Job, Server

Interval = tuple[int, int, int, int, int, int, int]  # job, chunk, server, kind, worker, start, end


class NoRoom(Exception):
    """A chunk that no server can take."""


@dataclass
class Piece:
    """One placed chunk."""

    number: int
    job: int
    chunk: int
    weight: Fraction  # 1/D
    takes: int  # p
    left: int
    lands: int
    slots: list[int] = field(default_factory=list)  # those in which it was trained


@dataclass
class Worker:
    """One edge worker and everything ever placed on it."""

    server: Server
    kind: int
    number: int
    type: str
    pieces: list[Piece] = field(default_factory=list)

    def unfinished(self) -> list[Piece]:
        return [p for p in self.pieces if p.left]

    def work(self, slot: int, residual: bool) -> None:
        """Train one slot of the landed chunk of highest rate 1/(D p), the earlier placed of equals."""
        landed = [p for p in self.unfinished() if p.lands <= slot]
        if landed:
            first = min(landed, key=lambda p: ((p.left if residual else p.takes) / p.weight, p.number))
            first.left -= 1
            first.slots.append(slot)

    def finish(self, slot: int, residual: bool) -> None:
        while self.unfinished():
            self.work(slot, residual)
            slot += 1


@dataclass
class Outcome:
    """What happened: prices by (job, chunk), intervals, and who is where."""

    values: dict[tuple[int, int], Fraction]
    intervals: set[Interval]


def a_online(
    instance: Instance, *, residual: bool, marginal: bool, speed: Fraction = Fraction(1), use_cloud: bool = True
) -> Outcome:
    """Run it on an instance.

    Raises
    ------
    NoRoom
        When no server can take a chunk.
    """
    workers = [
        Worker(server, kind, number, name)
        for server in instance.servers
        if not server.cloud
        for kind, (name, count) in enumerate(server.workers.items())
        for number in range(count)
    ]
    values: dict[tuple[int, int], Fraction] = {}
    sky: dict[tuple[int, int], tuple[int, int]] = {}  # chunks in the cloud -> start, end
    placed = 0
    last = max((job.arrival for job in instance.jobs), default=0)
    for now in range(last + 1):
        for job in (job for job in instance.jobs if job.arrival == now):
            for chunk in range(job.chunks):
                p0, p1 = _slots(job, speed)
                best: tuple[Fraction, Any] | None = None
                for worker in workers:
                    delay = _delay(job, worker.server)
                    if delay is None or worker.type not in job.worker_types:
                        continue
                    if not _fits(instance, workers, sky, worker.server, job, now):
                        continue
                    new = Piece(placed, job.index, chunk, Fraction(1, job.chunks), p0, p0, now + delay)
                    price = _growth(worker, new, now, residual) if marginal else _eq5(worker, new, now, residual)
                    if best is None or price < best[0]:
                        best = (price, (worker, new))
                cloud = next((s for s in instance.servers if s.cloud), None)
                if use_cloud and cloud is not None and (delay := _delay(job, cloud)) is not None:
                    at_edge = any(p.job == job.index for w in workers for p in w.pieces)
                    takes = p0 if at_edge else p1
                    price = Fraction(delay + takes, job.chunks)
                    if best is None or price < best[0]:
                        best = (price, (now + delay, now + delay + takes))
                if best is None:
                    raise NoRoom(job.name)
                values[job.index, chunk] = best[0]
                if isinstance(best[1][0], Worker):
                    best[1][0].pieces.append(best[1][1])
                else:
                    sky[job.index, chunk] = best[1]
                placed += 1
        for worker in workers:
            worker.work(now, residual)
    intervals = {
        (j, c, s.index, -1, -1, start, end) for (j, c), (start, end) in sky.items() for s in instance.servers if s.cloud
    }
    for worker in workers:
        worker.finish(last + 1, residual)
        intervals |= {
            (p.job, p.chunk, worker.server.index, worker.kind, worker.number, start, end)
            for p in worker.pieces
            for start, end in _runs(p.slots)
        }
    return Outcome(values, intervals)


def _eq5(worker: Worker, new: Piece, now: int, residual: bool) -> Fraction:
    """Q of (5): what lies before it, itself, and what it pushes back, as things will stand when it lands."""
    then = deepcopy(worker)
    for slot in range(now, new.lands):
        then.work(slot, residual)
    price = new.weight * (new.lands - now + new.takes)
    for other in then.unfinished():
        if (other.left if residual else other.takes) / other.weight <= new.takes / new.weight:
            price += new.weight * other.left
        else:
            price += new.takes * other.weight
    return price


def _growth(worker: Worker, new: Piece, now: int, residual: bool) -> Fraction:
    """By how much the worker's sum of (completion - arrival)/D grows."""
    without, with_it = deepcopy(worker), deepcopy(worker)
    with_it.pieces.append(deepcopy(new))
    sums = []
    for one in (without, with_it):
        mine = one.unfinished()
        one.finish(now, residual)
        sums.append(sum((p.weight * (p.slots[-1] + 1 - now) for p in mine), Fraction(0)))
    return sums[1] - sums[0]


def _fits(
    instance: Instance,
    workers: list[Worker],
    sky: dict[tuple[int, int], tuple[int, int]],
    server: Server,
    job: Job,
    now: int,
) -> bool:
    """Whether the server's storage has room for one more chunk beside those of jobs that are not complete."""
    if server.storage is None:
        return True
    alive = {p.job for w in workers for p in w.unfinished()} | {j for (j, _), (_, end) in sky.items() if end > now}
    used = sum(
        (instance.jobs[p.job].chunk_size for w in workers if w.server is server for p in w.pieces if p.job in alive),
        Fraction(0),
    )
    return used + job.chunk_size <= server.storage


def _slots(job: Job, speed: Fraction) -> tuple[int, int]:
    work = job.epochs * job.minibatches
    together = work * (job.minibatch_time + job.update_time)
    return ceil((together + work * 2 * job.gradient_size / job.bandwidth) / speed), ceil(together / speed)


def _delay(job: Job, server: Server) -> int | None:
    if server.name in job.upload_delay:
        return job.upload_delay[server.name]
    return None if server.cloud else job.upload_delay.get("*")


def _runs(slots: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for slot in slots:
        if found and found[-1][1] == slot:
            found[-1] = (found[-1][0], slot + 1)
        else:
            found.append((slot, slot + 1))
    return found
