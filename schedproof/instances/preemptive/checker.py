"""Independent exact checker of preemptive schedules: one function per constraint.

It shares no code with any model or policy. Columns are int64 arrays, so a trace of a million intervals takes seconds;
every product that could exceed 63 bits is formed in Python integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from schedproof.core.base.numbers import ceil
from schedproof.core.data import checking
from schedproof.core.data.checking import Violation, violation
from schedproof.core.data.options import pick
from schedproof.instances.preemptive.entities import Job, Server
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule


def violations(
    schedule: Schedule,
    instance: Instance,
    *,
    speed: Fraction = Fraction(1),
    chunks: str = "pinned",
    reading: str = "ceil_chunk",
    ps_release: str = "printed",
) -> list[Violation]:
    """Return every broken constraint; if rows are malformed, only these rows.

    Parameters
    ----------
    speed, chunks, reading, ps_release
        The options with these names on the family's card.
    """
    rules = [*COMMON, *pick("ps_release", ps_release, {"printed": (parameter_server_has_landed,), "none": ()})]
    if pick("chunks", chunks, {"pinned": True, "floating": False}):
        pick("reading of pinned chunks", reading, {"ceil_chunk": None})
        rules += [*PINNED, partial(chunk_work, speed=speed)]
    else:
        together = pick("reading", reading, {"ceil_chunk": False, "ceil_job": True})
        rules += [at_most_one_worker_per_chunk, partial(job_work, speed=speed, together=together)]
        rules += [chunk_on_one_worker_at_a_time] if instance.restart else []  # an interruption is one of a chunk
    return checking.violations(schedule, instance, well_formed, rules)


def well_formed(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Jobs, chunks, servers and workers exist, and 0 <= start < end <= horizon."""
    i, p = schedule.intervals, schedule.services
    chunks = np.array([job.chunks for job in instance.jobs], dtype=np.int64)
    for n in np.flatnonzero((i.chunk < 0) | (i.chunk >= chunks[i.job])):
        yield violation("chunk_exists", f"{instance.jobs[i.job[n]].name} chunk {i.chunk[n]}")
    workers = _counts([server.workers for server in instance.servers])
    for n in np.flatnonzero(~_exists(instance, workers, i.server, i.kind, i.worker)):
        yield violation("worker_exists", f"{instance.servers[i.server[n]].name} worker {i.worker[n]}")
    types = _counts([dict.fromkeys(server.parameter_servers, 1) for server in instance.servers])
    for n in np.flatnonzero(~_exists(instance, types, p.server, p.kind, np.minimum(p.kind, 0))):
        yield violation("parameter_server_exists", f"{instance.servers[p.server[n]].name} type {p.kind[n]}")
    for rows, what in ((i, "intervals"), (p, "parameter_servers")):
        for n in np.flatnonzero(rows.end <= rows.start):
            yield violation("positive_length", f"{what}[{n}]", int(rows.start[n] - rows.end[n] + 1))
        for n in np.flatnonzero(rows.start < 0):
            yield violation("starts_in_time", f"{what}[{n}]", int(-rows.start[n]))
        for n in np.flatnonzero(rows.end > instance.horizon):
            where = f"{what}[{n}] ({instance.jobs[rows.job[n]].name})"
            yield violation("horizon", where, int(rows.end[n] - instance.horizon))


def _counts(types: Sequence[Mapping[str, int]]) -> np.ndarray:
    table = np.zeros((len(types), max(map(len, types), default=0) + 1), dtype=np.int64)
    for s, counts in enumerate(types):
        table[s, : len(counts)] = list(counts.values())
    return table


def _exists(
    instance: Instance, counts: np.ndarray, server: np.ndarray, kind: np.ndarray, number: np.ndarray
) -> np.ndarray:
    cloud = np.array([s.cloud for s in instance.servers], dtype=bool)[server]
    known = counts[server, np.clip(kind, 0, counts.shape[1] - 1)]
    edge = (kind >= 0) & (kind < counts.shape[1]) & (number >= 0) & (number < known)
    return np.where(cloud, (kind == -1) & (number == -1), edge)


def qualified_worker(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2a) A chunk runs only on a worker qualified for its job."""

    def qualified(job: Job, server: Server, kind: int) -> bool:
        return job.delay(server) is not None and (server.cloud or list(server.workers)[kind] in job.worker_types)

    yield from _not_allowed(schedule.intervals, instance, "qualified_worker", qualified)


def _not_allowed(
    rows: Intervals | Services, instance: Instance, constraint: str, allowed: Callable[[Job, Server, int], bool]
) -> Iterator[Violation]:
    """Yield each job with each server and kind that it may not use."""
    first, _ = _distinct(rows.job, rows.server, rows.kind)
    job, server = rows.job[first], rows.server[first]
    numbers, examples = instance.kinds_of_jobs
    alike = np.array(numbers, dtype=np.int64)[job]
    cases, of = _distinct(alike, server, rows.kind[first])
    wrong = [not allowed(examples[alike[n]], instance.servers[server[n]], int(rows.kind[first[n]])) for n in cases]
    for n in np.flatnonzero(np.array(wrong, dtype=bool)[of]):
        yield violation(constraint, f"{instance.jobs[job[n]].name} on {instance.servers[server[n]].name}")


def _distinct(*columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first of equal rows, and which of these each row equals."""
    order = np.lexsort(columns[::-1])
    new = np.ones(order.size, dtype=bool)
    new[1:] = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    of = np.empty(order.size, dtype=np.int64)
    of[order] = np.cumsum(new) - 1
    return order[new], of


def after_upload(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2i) A chunk starts no earlier than arrival plus upload delay to its server."""
    yield from _too_early(schedule.intervals, instance, "after_upload")


def parameter_server_has_landed(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2i), (4h) A parameter server serves a job only after arrival plus delay."""
    yield from _too_early(schedule.services, instance, "parameter_server_has_landed")


def _too_early(rows: Intervals | Services, instance: Instance, constraint: str) -> Iterator[Violation]:
    order = np.lexsort((rows.start, rows.server, rows.job))
    first = order[_distinct(rows.job[order], rows.server[order])[0]]
    job, server, start = rows.job[first], rows.server[first], rows.start[first]
    numbers, examples = instance.kinds_of_jobs
    alike = np.array(numbers, dtype=np.int64)[job]
    cases, of = _distinct(alike, server)
    delay = [examples[alike[n]].delay(instance.servers[server[n]]) or 0 for n in cases]
    landed = np.array([one.arrival for one in instance.jobs], dtype=np.int64)[job]
    landed += np.array(delay, dtype=np.int64)[of]
    for n in np.flatnonzero(start < landed):
        where = f"{instance.jobs[job[n]].name} on {instance.servers[server[n]].name} at {start[n]}"
        yield violation(constraint, where, int(landed[n] - start[n]))


def one_chunk_per_worker(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2d) An edge worker trains at most one chunk at a time; the cloud is unlimited."""
    i = schedule.intervals
    for n, over in _overlaps(i, np.flatnonzero(i.worker >= 0), "server", "kind", "worker"):
        where = f"{instance.servers[i.server[n]].name} worker {i.worker[n]} at {i.start[n]}"
        yield violation("one_chunk_per_worker", where, over)


def not_in_a_break(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """A worker trains nothing in a break of its server."""
    i = schedule.intervals
    for row in instance.breaks:
        away = [server.index for server in instance.servers if not server.cloud and row.machine in ("*", server.name)]
        over = np.minimum(i.end, row.end) - np.maximum(i.start, row.start)
        for n in np.flatnonzero(np.isin(i.server, away) & (over > 0)):
            where = f"{instance.servers[i.server[n]].name} worker {i.worker[n]} at {max(i.start[n], row.start)}"
            yield violation("not_in_a_break", where, int(over[n]))


def chunk_stays(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(III-A) One worker trains the whole chunk: its data never move."""
    i = schedule.intervals
    first, _ = _distinct(i.job, i.chunk, i.server, i.kind, i.worker)
    job, chunk = i.job[first], i.chunk[first]
    for n in np.flatnonzero((job[1:] == job[:-1]) & (chunk[1:] == chunk[:-1])):
        yield violation("chunk_stays", f"{instance.jobs[job[n]].name} chunk {chunk[n]}")


def chunk_on_one_worker_at_a_time(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(4e) At most one worker trains a chunk in any slot."""
    i = schedule.intervals
    for n, over in _overlaps(i, np.arange(len(i)), "job", "chunk"):
        yield violation("chunk_on_one_worker_at_a_time", f"{instance.jobs[i.job[n]].name} chunk {i.chunk[n]}", over)


def _overlaps(i: Intervals, rows: np.ndarray, *same: str) -> Iterator[tuple[int, int]]:
    """Yield rows that overlap the previous row with equal columns, and the overlap."""
    order = rows[np.lexsort([i.start[rows], *(getattr(i, name)[rows] for name in reversed(same))])]
    before, after = order[:-1], order[1:]
    alike = np.all([getattr(i, name)[after] == getattr(i, name)[before] for name in same], axis=0)
    over = i.end[before] - i.start[after]
    for n in np.flatnonzero(alike & (over > 0)):
        yield int(after[n]), int(over[n])


def cloud_does_not_preempt(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(III-A) A chunk in the cloud is not interrupted."""
    i = schedule.intervals
    cloud = np.flatnonzero(i.worker < 0)
    chunks, pieces = np.unique(np.stack([i.job[cloud], i.chunk[cloud]], axis=1), axis=0, return_counts=True)
    for n in np.flatnonzero(pieces > 1):
        where = f"{instance.jobs[chunks[n, 0]].name} chunk {chunks[n, 1]}"
        yield violation("cloud_does_not_preempt", where, int(pieces[n] - 1))


def chunk_work(schedule: Schedule, instance: Instance, speed: Fraction) -> Iterator[Violation]:
    """(4a) Besides restarts, a chunk runs for exactly its slots at its rate."""
    outside = _outside(schedule, instance)
    need = np.array([job.slots(in_cloud=not outside[job.index], speed=speed) for job in instance.jobs])
    first = np.concatenate([[0], np.cumsum([job.chunks for job in instance.jobs])]).astype(np.int64)
    got = np.zeros(first[-1], dtype=np.int64)
    jobs, chunks, slots = _progress(schedule.intervals, instance.restart)
    np.add.at(got, first[jobs] + chunks, slots)
    owner = np.repeat(np.arange(len(instance.jobs)), np.diff(first))
    for n in np.flatnonzero(got != need[owner]):
        job = instance.jobs[owner[n]]
        yield violation("chunk_work", f"{job.name} chunk {n - first[owner[n]]}", abs(int(got[n] - need[owner[n]])))


def _progress(i: Intervals, restart: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the job, chunk and slots of progress of each run.

    A run is a chunk's slots without a gap. All runs of a chunk but its first begin with a restart, or end within it.
    """
    order = np.lexsort([i.start, i.chunk, i.job])
    job, chunk, start, end = i.job[order], i.chunk[order], i.start[order], i.end[order]
    again = np.append(False, (job[1:] == job[:-1]) & (chunk[1:] == chunk[:-1]))[: len(i)]
    apart = np.cumsum(~again) * (end.max(initial=0) + 1)  # chunks one after another
    begins = np.flatnonzero(start + apart > np.append(0, np.maximum.accumulate(end + apart)[:-1])[: len(i)])
    slots = np.add.reduceat(end - start, begins) if begins.size else end - start
    return job[begins], chunk[begins], np.where(again[begins], np.maximum(0, slots - restart), slots)


def job_work(schedule: Schedule, instance: Instance, speed: Fraction, together: bool) -> Iterator[Violation]:
    """(2b) Besides restarts, a job of floating chunks runs for its total slots."""
    got = np.zeros(len(instance.jobs), dtype=np.int64)
    jobs, _, slots = _progress(schedule.intervals, instance.restart)
    np.add.at(got, jobs, slots)
    for job, outside in zip(instance.jobs, _outside(schedule, instance), strict=True):
        time = job.chunk_time if outside else job.chunk_time_in_cloud
        each = job.slots(in_cloud=not outside, speed=speed)
        need = ceil(job.chunks * time / speed) if together else job.chunks * each
        if got[job.index] < need:
            yield violation("job_work", job.name, need - int(got[job.index]))


def _outside(schedule: Schedule, instance: Instance) -> np.ndarray:
    """Return whether each job has the edge rate: some chunk is not in the cloud."""
    outside = np.zeros(len(instance.jobs), dtype=bool)
    outside[schedule.intervals.job[schedule.intervals.worker >= 0]] = True
    outside[schedule.services.job[schedule.services.kind >= 0]] = True
    idle = ~np.isin(np.arange(len(instance.jobs)), schedule.intervals.job)  # it never runs: the value does not matter
    return outside | idle


def served_while_running(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2e) A job has one parameter server while it runs, and none otherwise."""
    i, p = schedule.intervals, schedule.services
    job = np.concatenate([i.job, i.job, p.job, p.job])
    time = np.concatenate([i.start, i.end, p.start, p.end])
    running = np.concatenate([np.ones(len(i)), -np.ones(len(i)), np.zeros(2 * len(p))]).astype(np.int64)
    served = np.concatenate([np.zeros(2 * len(i)), np.ones(len(p)), -np.ones(len(p))]).astype(np.int64)
    order = np.lexsort((time, job))
    job, time = job[order], time[order]
    running, served = np.cumsum(running[order]), np.cumsum(served[order])  # each job's steps sum to zero
    lasts = np.flatnonzero((job[1:] == job[:-1]) & (time[1:] > time[:-1]))  # state between successive times of a job
    wrong = lasts[served[lasts] != (running[lasts] > 0)]
    for n in wrong:
        where = f"{instance.jobs[job[n]].name} in [{time[n]}, {time[n + 1]})"
        yield violation("served_while_running", where, abs(int(served[n] - (running[n] > 0))))


def open_parameter_server(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2f) A parameter server serves only jobs that may use it (o_jsp)."""

    def opens(job: Job, server: Server, kind: int) -> bool:
        return job.opens(server, "*" if server.cloud else list(server.parameter_servers)[kind])

    yield from _not_allowed(schedule.services, instance, "open_parameter_server", opens)


def parameter_server_capacity(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2f) At most as many jobs use a type of parameter servers as the type's count."""
    p = schedule.services
    for server in instance.edges:
        for k, count in enumerate(server.parameter_servers.values()):
            mine = np.flatnonzero((p.server == server.index) & (p.kind == k))
            limit, slot = _peak(p.start[mine], p.end[mine])
            if limit > count:
                yield violation("parameter_server_capacity", f"{server.name} in slot {slot}", limit - count)


def at_most_one_worker_per_chunk(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2c) A job has at most D_j workers in any slot."""
    i = schedule.intervals
    order = np.argsort(i.job, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(i.job[order])) + 1) if order.size else []:
        job = instance.jobs[i.job[rows[0]]]
        limit, slot = _peak(i.start[rows], i.end[rows])
        if limit > job.chunks:
            yield violation("at_most_one_worker_per_chunk", f"{job.name} in slot {slot}", limit - job.chunks)


def storage(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(7b) Chunks are stored from arrival to completion, within the storage."""
    i = schedule.intervals
    done = schedule.completions(instance)
    for server in instance.edges:
        if server.storage is None:
            continue
        mine = np.flatnonzero(i.server == server.index)
        chunks = np.unique(np.stack([i.job[mine], i.chunk[mine]], axis=1), axis=0)
        jobs, counts = np.unique(chunks[:, 0], return_counts=True)
        change: dict[int, Fraction] = defaultdict(Fraction)
        for j, count in zip(jobs.tolist(), counts.tolist(), strict=True):
            change[instance.jobs[j].arrival] += count * instance.jobs[j].chunk_size
            change[int(done[j])] -= count * instance.jobs[j].chunk_size
        used = Fraction(0)
        for time in sorted(change):
            used += change[time]
            if used > server.storage:
                yield violation("storage", f"{server.name} in slot {time}", used - server.storage)


def _peak(start: np.ndarray, end: np.ndarray) -> tuple[int, int]:
    """Return the largest number of concurrent intervals, and its slot."""
    if not start.size:
        return 0, 0
    time = np.concatenate([end, start])
    order = np.argsort(time, kind="stable")  # ends come before starts
    level = np.cumsum(np.where(order < end.size, -1, 1))
    top = int(np.argmax(level))
    return int(level[top]), int(time[order][top])


COMMON = (
    qualified_worker,
    after_upload,
    one_chunk_per_worker,
    not_in_a_break,
    served_while_running,
    open_parameter_server,
    parameter_server_capacity,
)
PINNED = (chunk_stays, chunk_on_one_worker_at_a_time, cloud_does_not_preempt, storage)
