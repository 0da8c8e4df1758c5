"""Programs (2), (7), (4), (8) by enumeration, independent of the routes.

A home is the set of places that may train a chunk: one worker if pinned, (2) and (7); the workers of one server in (8);
all workers in (4). The search tries every home of every chunk, and every set of chunks that can be trained together,
slot by slot without pruning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil
from typing import NamedTuple

from schedproof.instances.preemptive import Instance, Job


class Place(NamedTuple):
    """A worker (server, class, number), or the cloud at the edge rate (name, -1, -1)."""

    server: str
    worker_class: int
    number: int


Home = tuple[Place, ...]


def have_servers(instance: Instance, running: Sequence[Job], t: int | None) -> bool:
    """Whether each running job can have its own parameter server.

    Only servers that the job has reached by slot t count, or all if t is None. The cloud never lacks them.
    """

    def landed(job: Job, server: str) -> bool:
        lands = landing(instance, job, server)
        return lands is not None and (t is None or lands <= t)

    needy = [job for job in running if instance.cloud is None or not landed(job, instance.cloud.name)]

    def rest(n: int, left: dict[tuple[str, str], int]) -> bool:
        if n == len(needy):
            return True
        job = needy[n]
        for (server, kind), count in left.items():
            typed = kind == "*" or not job.ps_types or kind in job.ps_types
            if count and landed(job, server) and typed and rest(n + 1, left | {(server, kind): count - 1}):
                return True
        return False

    return rest(0, {(s.name, kind): n for s in instance.edges for kind, n in s.parameter_servers.items()})


def times(job: Job, speed: Fraction) -> tuple[int, int]:
    """Whole slots of one chunk at the edge and in the cloud."""
    together = job.epochs * job.minibatches * (job.minibatch_time + job.update_time)
    apart = together + job.epochs * job.minibatches * 2 * job.gradient_size / job.bandwidth
    return ceil(apart / speed), ceil(together / speed)


def landing(instance: Instance, job: Job, name: str) -> int | None:
    """The first slot in which a chunk sent to a server can be trained there."""
    default = None if instance.cloud is not None and name == instance.cloud.name else job.upload_delay.get("*")
    delay = job.upload_delay.get(name, default)
    return None if delay is None else job.arrival + delay


def places(instance: Instance, job: Job) -> Home:
    """The workers that may train the job, and the cloud at the edge rate."""
    found = [
        Place(q.server.name, q.index, n)
        for q in instance.classes
        if q.type in job.worker_types and landing(instance, job, q.server.name) is not None
        for n in range(q.count)
    ]
    sky = instance.cloud
    reached = sky is not None and landing(instance, job, sky.name) is not None
    return (*found, Place(sky.name, -1, -1)) if reached and sky is not None else tuple(found)


def least_jct(
    instance: Instance, speed: Fraction = Fraction(1), stored: str | None = None, at_once: bool = False
) -> Fraction | None:
    """The least total JCT with pinned chunks, or None if infeasible.

    Parameters
    ----------
    stored
        None for (2); ``one_server`` for (7) as intended, ``as_printed`` for (7c) literally.
    at_once
        Whether parameter servers need not wait for uploads.
    """
    homes = [[(place,) for place in places(instance, job)] for job in instance.jobs]
    return least(instance, "jct", speed, stored, homes, at_once)


def least_flow(
    instance: Instance,
    cost: str = "printed",
    speed: Fraction = Fraction(1),
    stored: bool = False,
    at_once: bool = False,
) -> Fraction | None:
    """The least average fractional flow time (4) or, with storage, (8)."""
    homes: list[list[Home]] = []
    for mine in (places(instance, job) for job in instance.jobs):
        servers = dict.fromkeys(place.server for place in mine)
        homes.append([tuple(p for p in mine if p.server == s) for s in servers] if stored else [mine])
    return least(instance, cost, speed, "one_server" if stored else None, homes, at_once)


def least(
    instance: Instance,
    cost: str,
    speed: Fraction,
    stored: str | None,
    homes: Sequence[Sequence[Home]],
    at_once: bool,
) -> Fraction | None:
    """The least cost over every job's mode and every home of every chunk."""
    modes: list[list[tuple[Home, ...] | None]] = []
    for job, mine in zip(instance.jobs, homes, strict=True):
        lands = None if instance.cloud is None else landing(instance, job, instance.cloud.name)
        reached = lands is not None and lands + times(job, speed)[1] <= instance.horizon
        modes.append([*([None] if reached else []), *combinations_with_replacement(mine, job.chunks)])
    values = [_least(instance, cost, speed, stored, mode, at_once) for mode in product(*modes)]
    return min((value for value in values if value is not None), default=None)


def _least(
    instance: Instance,
    cost: str,
    speed: Fraction,
    stored: str | None,
    mode: Sequence[tuple[Home, ...] | None],
    at_once: bool,
) -> Fraction | None:
    jobs, sky = instance.jobs, "" if instance.cloud is None else instance.cloud.name
    done = [
        (landing(instance, job, sky) or 0) + times(job, speed)[1] if mode[j] is None else 0
        for j, job in enumerate(jobs)
    ]
    chunks = [(j, home) for j, mine in enumerate(mode) if mine is not None for home in mine]

    def charge(j: int, t: int, slots: int) -> Fraction:
        return (t - jobs[j].arrival + (Fraction(slots + 1, 2) if cost == "half" else 0)) * Fraction(1, slots)

    def flow(t: int, use: frozenset[int]) -> Fraction:
        return sum((charge(chunks[n][0], t, p0[n]) / jobs[chunks[n][0]].chunks for n in use), Fraction(0))

    @cache
    def fits(alive: frozenset[int]) -> bool:
        for s in instance.edges if stored else ():
            if stored == "as_printed":
                used = sum(jobs[j].chunks * jobs[j].chunk_size for j in alive)
            else:
                used = sum(jobs[j].chunk_size for j, home in chunks if j in alive and home[0].server == s.name)
            if s.storage is not None and used > s.storage:
                return False
        return True

    @cache
    def served(t: int | None, running: frozenset[int]) -> bool:
        return have_servers(instance, [jobs[j] for j in running], t)

    @cache
    def best(t: int, left: tuple[int, ...]) -> Fraction | None:
        working = {j for (j, _), n in zip(chunks, left, strict=True) if n}
        alive = frozenset(j for j, job in enumerate(jobs) if job.arrival <= t and (j in working or t < done[j]))
        if not working and t >= max(done):
            return Fraction(0)
        if t >= instance.horizon or not fits(alive):
            return None
        found = []
        for use in together(min(t, latest), tuple(map(bool, left))):
            if served(None if at_once else t, frozenset(chunks[n][0] for n in use)):
                rest = best(t + 1, tuple(n - (i in use) for i, n in enumerate(left)))
                found += [] if rest is None else [rest + (len(alive) if cost == "jct" else flow(t, use))]
        return min(found, default=None)

    @cache
    def together(t: int, unfinished: tuple[bool, ...]) -> set[frozenset[int]]:
        def extend(n: int, taken: tuple[Place, ...], use: tuple[int, ...]) -> Iterator[frozenset[int]]:
            if n == len(chunks):
                yield frozenset(use)
                return
            yield from extend(n + 1, taken, use)
            j, home = chunks[n]
            for place in home if unfinished[n] else ():
                if lands[j][place.server] <= t and (place not in taken or place.server == sky):
                    yield from extend(n + 1, (*taken, place), (*use, n))

        return set(extend(0, (), ()))

    p0 = [times(jobs[j], speed)[0] for j, _ in chunks]
    lands = [{s.name: landing(instance, job, s.name) or 0 for s in instance.servers} for job in jobs]
    latest = max((slot for mine in lands for slot in mine.values()), default=0)
    value = best(0, tuple(p0))
    if value is None or cost == "jct":
        return value
    in_cloud = [(j, times(jobs[j], speed)[1]) for j, mine in enumerate(mode) if mine is None]
    return value + sum((charge(j, t, p) for j, p in in_cloud for t in range(done[j] - p, done[j])), Fraction(0))
