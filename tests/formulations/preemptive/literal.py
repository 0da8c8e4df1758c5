"""Programs (2), (7), (4) and (8) by trying everything, written from their text alone; shares no code with any route.

`least_jct` is (2) or (7) with pinned chunks: every way of giving a job's chunks to workers, then every way of using the
workers slot by slot. `least_flow` is (4) or (8): every way of using workers for chunks slot by slot, at (3)'s cost.
Slots run to the instance's horizon, and nothing is cut off before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import ceil

from schedproof.instances.preemptive import Instance, Job

FAR = None  # the place of a chunk that sits in the cloud but trains at the edge rate
Worker = tuple[int, int] | None  # class, number


def have_servers(instance: Instance, running: Sequence[Job]) -> bool:
    """Whether all running jobs can have a parameter server of their own; the cloud has one for whoever may use it."""
    needy = [job for job in running if instance.cloud is None or instance.cloud.name not in job.upload_delay]

    def rest(n: int, left: dict[tuple[str, str], int]) -> bool:
        if n == len(needy):
            return True
        job = needy[n]
        for (server, kind), count in left.items():
            reached = server in job.upload_delay or "*" in job.upload_delay
            typed = kind == "*" or job.ps_types is None or kind in job.ps_types
            if count and reached and typed and rest(n + 1, left | {(server, kind): count - 1}):
                return True
        return False

    return rest(0, {(s.name, kind): n for s in instance.edges for kind, n in s.parameter_servers.items()})


def times(job: Job, speed: Fraction) -> tuple[int, int]:
    """Whole slots of one chunk at the edge and in the cloud."""
    together = job.epochs * job.minibatches * (job.minibatch_time + job.update_time)
    apart = together + job.epochs * job.minibatches * 2 * job.gradient_size / job.bandwidth
    return ceil(apart / speed), ceil(together / speed)


def landing(instance: Instance, job: Job, name: str) -> int | None:
    """When a chunk sent to a server can first be trained there."""
    default = None if instance.cloud is not None and name == instance.cloud.name else job.upload_delay.get("*")
    delay = job.upload_delay.get(name, default)
    return None if delay is None else job.arrival + delay


def places(instance: Instance, job: Job) -> list[tuple[tuple[int, int], str, int]]:
    """The edge workers that may train the job: (class, number), server, first slot."""
    found = []
    for q in instance.classes:
        lands = landing(instance, job, q.server.name)
        if q.type in job.worker_types and lands is not None:
            found += [((q.index, n), q.server.name, lands) for n in range(q.count)]
    return found


def in_cloud(instance: Instance, job: Job, slots: int) -> int | None:
    """When chunks sent to the cloud on arrival are done there; None where that is impossible."""
    lands = None if instance.cloud is None else landing(instance, job, instance.cloud.name)
    return None if lands is None or lands + slots > instance.horizon else lands + slots


def least_jct(instance: Instance, speed: Fraction = Fraction(1), stored: str | None = None) -> int | None:
    """The least total JCT with pinned chunks; None when there is no schedule.

    Parameters
    ----------
    stored
        None for (2); ``one_server`` for (7) as its text means it, ``as_printed`` for (7c) to the letter.
    """
    options = [list(_ways(instance, job, speed)) for job in instance.jobs]
    values = [_least_jct(instance, speed, stored, way) for way in product(*options)]
    return min((v for v in values if v is not None), default=None)


def _ways(instance: Instance, job: Job, speed: Fraction) -> Iterator[tuple[str, tuple[Worker, ...]]]:
    """Where the job's chunks may go: all in the cloud, or each to some worker or the cloud at the edge rate."""
    p0, p1 = times(job, speed)
    if in_cloud(instance, job, p1) is not None:
        yield "cloud", ()
    workers: list[Worker] = [worker for worker, _, _ in places(instance, job)]
    if in_cloud(instance, job, p0) is not None:
        workers.append(FAR)
    for chosen in combinations_with_replacement(workers, job.chunks):
        yield "apart", chosen


def _least_jct(
    instance: Instance, speed: Fraction, stored: str | None, ways: Sequence[tuple[str, tuple[Worker, ...]]]
) -> int | None:
    p = [times(job, speed) for job in instance.jobs]
    reach = [{w: lands for w, _, lands in places(instance, job)} for job in instance.jobs]
    until = []  # when what a job has in the cloud is done
    for job, (mode, chunks), (p0, p1) in zip(instance.jobs, ways, p, strict=True):
        far = in_cloud(instance, job, p1 if mode == "cloud" else p0) if mode == "cloud" or FAR in chunks else None
        until.append(job.arrival if far is None else far)
    held = {(j, w): p[j][0] * chunks.count(w) for j, (_, chunks) in enumerate(ways) for w in chunks if w is not FAR}
    keys = sorted(held)
    workers = sorted({w for _, w in keys})
    server = {(q.index, n): q.server.name for q in instance.classes for n in range(q.count)}

    def fits(alive: set[int]) -> bool:
        for s in instance.edges:
            if s.storage is None or stored is None:
                continue
            if stored == "as_printed":
                used = sum(instance.jobs[j].chunks * instance.jobs[j].chunk_size for j in alive)
            else:
                mine = {(j, w): n // p[j][0] for (j, w), n in held.items() if server[w] == s.name}
                used = sum(n * instance.jobs[j].chunk_size for (j, _), n in mine.items() if j in alive)
            if used > s.storage:
                return False
        return True

    @cache
    def best(t: int, left: tuple[int, ...]) -> int | None:
        working = {j for (j, _), n in zip(keys, left, strict=True) if n}
        alive = {j for j, job in enumerate(instance.jobs) if job.arrival <= t and (j in working or t < until[j])}
        if not working and t >= max(until):
            return 0
        if t >= instance.horizon or not fits(alive):
            return None
        found = None
        able = [
            [None, *(n for n, (j, w) in enumerate(keys) if w == v and left[n] and reach[j][v] <= t)] for v in workers
        ]
        for use in product(*able):
            chosen = [n for n in use if n is not None]
            far = {j for j, (m, c) in enumerate(ways) if m == "apart" and FAR in c and t >= until[j] - p[j][0]}
            running = {keys[n][0] for n in chosen} | {j for j in far if t < until[j]}
            if not have_servers(instance, [instance.jobs[j] for j in sorted(running)]):
                continue
            rest = best(t + 1, tuple(n - (i in chosen) for i, n in enumerate(left)))
            if rest is not None and (found is None or rest < found):
                found = rest
        return None if found is None else found + len(alive)

    return best(0, tuple(held[k] for k in keys))


def least_flow(
    instance: Instance, cost: str = "printed", speed: Fraction = Fraction(1), stored: bool = False
) -> Fraction | None:
    """The least average fractional flow time (4), or with storage (8), where a chunk stays on its server.

    Parameters
    ----------
    cost
        ``printed`` or ``half``.
    stored
        Whether chunks stay on one server and take room there from arrival to completion.
    """
    modes = [
        ["apart", "cloud"] if in_cloud(instance, job, times(job, speed)[1]) else ["apart"] for job in instance.jobs
    ]
    servers = [
        [s.name for s in instance.servers if landing(instance, job, s.name) is not None] for job in instance.jobs
    ]
    values = []
    for mode in product(*modes):
        homes: list[list[tuple[str, ...]]] = [
            list(combinations_with_replacement(servers[j], job.chunks)) if stored and mode[j] == "apart" else [()]
            for j, job in enumerate(instance.jobs)
        ]
        for home in product(*homes):
            value = _least_flow(instance, cost, speed, mode, home if stored else None)
            values += [] if value is None else [value]
    return min(values, default=None)


def _least_flow(
    instance: Instance, cost: str, speed: Fraction, mode: Sequence[str], home: Sequence[tuple[str, ...]] | None
) -> Fraction | None:
    jobs = instance.jobs
    p = [times(job, speed) for job in jobs]
    extra = [[Fraction(n + 1, 2) if cost == "half" else Fraction(0) for n in pair] for pair in p]
    known = Fraction(0)
    for j, job in enumerate(jobs):
        if mode[j] == "cloud":
            done = in_cloud(instance, job, p[j][1])
            assert done is not None
            known += sum((t - job.arrival + extra[j][1] for t in range(done - p[j][1], done)), Fraction(0)) / p[j][1]
    chunks = [(j, d) for j, job in enumerate(jobs) if mode[j] == "apart" for d in range(job.chunks)]
    reach = [
        {q.index: lands for q in instance.classes for w, _, lands in places(instance, job) if w[0] == q.index}
        for job in jobs
    ]
    sky = instance.cloud
    far = [None if sky is None else landing(instance, job, sky.name) for job in jobs]

    def fits(alive: set[int]) -> bool:
        for s in instance.edges:
            used = sum(
                jobs[j].chunk_size for j, d in chunks if home is not None and j in alive and home[j][d] == s.name
            )
            if s.storage is not None and home is not None and used > s.storage:
                return False
        return True

    def able(n: int, t: int) -> Iterator[int | None]:
        j, d = chunks[n]
        for q, lands in reach[j].items():
            if lands <= t and (home is None or home[j][d] == instance.classes[q].server.name):
                yield q
        lands = far[j]
        if lands is not None and lands <= t and sky is not None and (home is None or home[j][d] == sky.name):
            yield FAR

    @cache
    def best(t: int, left: tuple[int, ...]) -> Fraction | None:
        if not any(left):
            return Fraction(0)
        alive = {j for (j, _), n in zip(chunks, left, strict=True) if n and jobs[j].arrival <= t}
        if t >= instance.horizon or not fits(alive):
            return None
        found = None
        for use in uses(t, left):
            running = sorted({chunks[n][0] for n in use})
            if not have_servers(instance, [jobs[j] for j in running]):
                continue
            rest = best(t + 1, tuple(n - (i in use) for i, n in enumerate(left)))
            if rest is not None:
                now = sum(
                    (
                        (t - jobs[j].arrival + extra[j][0]) / (jobs[j].chunks * p[j][0])
                        for j, _ in (chunks[n] for n in use)
                    ),
                    Fraction(0),
                )
                found = rest + now if found is None else min(found, rest + now)
        return found

    def uses(t: int, left: tuple[int, ...]) -> set[frozenset[int]]:
        """Every set of chunks that can be trained together in slot t."""
        found: set[frozenset[int]] = set()

        def extend(n: int, free: tuple[int, ...], use: tuple[int, ...]) -> None:
            if n == len(chunks):
                found.add(frozenset(use))
                return
            extend(n + 1, free, use)
            if left[n]:
                for q in able(n, t):
                    if q is FAR:
                        extend(n + 1, free, (*use, n))
                    elif free[q]:
                        extend(n + 1, (*free[:q], free[q] - 1, *free[q + 1 :]), (*use, n))

        extend(0, tuple(q.count for q in instance.classes), ())
        return found

    value = best(0, tuple(p[j][0] for j, _ in chunks))
    return None if value is None else known + value
