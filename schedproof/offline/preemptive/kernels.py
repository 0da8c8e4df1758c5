"""The hot loop of the local search: chunks move between workers, each of which runs least remaining work first.

A worker's chunks stand in a line by the time at which they land, those of one time by number. Of those that have
landed the one with the least D_j times its remaining slots runs, of equal ones the one that stands first in the file.
A worker never idles while a chunk waits, so that its busy periods depend on the line alone. What changes in a line
changes nothing before the busy period in which it lies, and nothing after the next moment at which the worker idles
both with the change and without: that part alone is simulated again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from schedproof.core.kernels import kernel
from schedproof.offline.kernels import accepts, below, draw

NEVER = 1 << 62
NONE = -1  # in place of a chunk
CLOUD = -1  # in place of a worker
TRIES = 20  # draws of a chunk that waits
PATIENT = 10  # of these, draws of one that also ends last of its job
CANDIDATES = 3  # workers that are drawn, of which the one with the least work ahead is taken
SWAPS = 0.95  # of the moves between workers, those that are an exchange
ALIKE = 4  # chunks that are drawn for an exchange, of which the one that takes the most similar time is taken
NEAR = 4  # each is one of so many that land before, or after
TO_CLOUD = 16  # of so many steps for jobs that may use it, one leads to the cloud or from it


class Work(NamedTuple):
    """The jobs and their chunks, numbered job by job, and the workers.

    Attributes
    ----------
    arrival, chunks, takes
        r_j, D_j and p_j at the edge, (jobs,).
    cloud, cloud_takes
        Delta_jc, NEVER without the cloud, and p_j where all chunks are in the cloud, (jobs,).
    first, owner
        The number of a job's first chunk, (jobs + 1,); the job of each chunk, (chunks,).
    delay, kind
        Delta by pattern and class of workers, -1 where it cannot be, and each job's pattern, (jobs,).
    place
        The class of each worker, (workers,).
    """

    arrival: Any
    chunks: Any
    takes: Any
    cloud: Any
    cloud_takes: Any
    first: Any
    owner: Any
    delay: Any
    kind: Any
    place: Any


class State(NamedTuple):
    """Who trains what, and when it is done.

    Attributes
    ----------
    where
        Of each chunk, a worker or `CLOUD`.
    end
        Of each chunk on a worker.
    away
        How many chunks of each job are in the cloud.
    done
        Of each job, the end of its last chunk.
    line, lands, takes, spread, until
        Of each worker, (workers, room): its chunks, when each lands, its p_j and D_j, and the end of all work up to
        it, if there were no more.
    size
        Of each line.
    """

    where: Any
    end: Any
    away: Any
    done: Any
    line: Any
    lands: Any
    takes: Any
    spread: Any
    until: Any
    size: Any


class Room(NamedTuple):
    """Room for what is simulated: a part of a line with its ends, twice, and what waits, the next to run last."""

    line: Any
    end: Any
    other: Any
    other_end: Any
    waiting: Any
    key: Any
    left: Any
    spread: Any
    jobs: Any
    done: Any
    mark: Any
    random: Any


@kernel
def landing(work: Any, chunk: Any, worker: Any) -> Any:
    """When a chunk can start on a worker."""
    j = work.owner[chunk]
    return work.arrival[j] + work.delay[work.kind[j], work.place[worker]]


@kernel
def qualified(work: Any, j: Any, worker: Any) -> Any:
    """Whether a worker may train a job."""
    return work.delay[work.kind[j], work.place[worker]] >= 0


@kernel
def position(work: Any, state: Any, worker: Any, chunk: Any) -> Any:
    """Where a chunk stands in a worker's line, or would stand."""
    time, line, lands = landing(work, chunk, worker), state.line[worker], state.lands[worker]
    low, high = 0, state.size[worker]
    while low < high:
        middle = (low + high) >> 1
        if lands[middle] < time or (lands[middle] == time and line[middle] < chunk):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def changed(work: Any, state: Any, worker: Any, out: Any, into: Any, part: Any, end: Any, room: Any) -> Any:
    """What a worker's line becomes without one chunk and with another, where that makes a difference.

    Returns
    -------
    (begin, stop, count)
        ``part`` with its ``count`` chunks, which end at ``end``, would replace those from ``begin`` to ``stop``.
    """
    line, lands, until, size = state.line[worker], state.lands[worker], state.until[worker], state.size[worker]
    takes, spread = state.takes[worker], state.spread[worker]
    waiting, key, left, spread_of = room.waiting, room.key, room.left, room.spread
    leaves = position(work, state, worker, out) if out != NONE else NEVER
    enters = position(work, state, worker, into) if into != NONE else NEVER
    begin = min(leaves, enters)
    time = landing(work, into if enters <= leaves else out, worker)
    while begin > 0 and until[begin - 1] > time:
        begin -= 1
        time = lands[begin]
    i, now, n, count = begin, 0, 0, 0
    while True:
        if i == leaves and i != enters:
            i, leaves = i + 1, NEVER
        time = landing(work, into, worker) if i == enters else (lands[i] if i < size else NEVER)
        while n > 0 and now < time:
            k = waiting[n - 1]
            ran = min(left[k], time - now)
            now += ran
            left[k] -= ran
            key[n - 1] -= ran * spread_of[k]
            if left[k] == 0:
                end[k] = now
                n -= 1
        if i == enters:
            enters, chunk = NEVER, into
            left[count], spread_of[count] = work.takes[work.owner[into]], work.chunks[work.owner[into]]
        elif n == 0 and leaves == NEVER and enters == NEVER and (i in (begin, size) or until[i - 1] <= time):
            return begin, i, count
        else:
            chunk, left[count], spread_of[count] = line[i], takes[i], spread[i]
            i += 1
        now, place, mine = max(now, time), n, left[count] * spread_of[count]
        while place > 0 and (key[place - 1] < mine or (key[place - 1] == mine and part[waiting[place - 1]] < chunk)):
            waiting[place], key[place] = waiting[place - 1], key[place - 1]
            place -= 1
        waiting[place], key[place], part[count] = count, mine, chunk
        n, count = n + 1, count + 1


@kernel
def splice(work: Any, state: Any, worker: Any, begin: Any, stop: Any, part: Any, count: Any) -> Any:
    """Put a part in place of a part of a worker's line."""
    size, longer = state.size[worker], count - (stop - begin)
    for columns in (state.line, state.lands, state.takes, state.spread, state.until):
        column = columns[worker]
        if longer > 0:
            for k in range(size - 1, stop - 1, -1):
                column[k + longer] = column[k]
        elif longer < 0:
            for k in range(stop, size):
                column[k + longer] = column[k]
    busy = state.until[worker, begin - 1] if begin > 0 else 0
    for k in range(count):
        j, place = work.owner[part[k]], begin + k
        state.line[worker, place], state.lands[worker, place] = part[k], landing(work, part[k], worker)
        state.takes[worker, place], state.spread[worker, place] = work.takes[j], work.chunks[j]
        busy = max(busy, state.lands[worker, place]) + work.takes[j]
        state.until[worker, place] = busy
    state.size[worker] = size + longer


@kernel
def completion(work: Any, state: Any, j: Any) -> Any:
    """When a job's last chunk is done."""
    last = 0
    if state.away[j] > 0:
        takes = work.cloud_takes[j] if state.away[j] == work.chunks[j] else work.takes[j]
        last = work.arrival[j] + work.cloud[j] + takes
    for c in range(work.first[j], work.first[j + 1]):
        if state.where[c] != CLOUD:
            last = max(last, state.end[c])
    return last


@kernel
def settle(work: Any, state: Any, j: Any) -> Any:
    """Bring a job's completion up to date; by how much it changes."""
    old = state.done[j]
    state.done[j] = completion(work, state, j)
    return state.done[j] - old


@kernel
def shift(work: Any, state: Any, chunk: Any, to: Any, room: Any) -> Any:
    """Move a chunk to a worker, or to the cloud, whatever it costs; by how much the total changes."""
    j, source, change = work.owner[chunk], state.where[chunk], 0
    state.where[chunk] = to
    state.away[j] += (to == CLOUD) - (source == CLOUD)
    for worker, out, into in ((source, chunk, NONE), (to, NONE, chunk)):
        if worker == CLOUD:
            continue
        begin, stop, count = changed(work, state, worker, out, into, room.line, room.end, room)
        splice(work, state, worker, begin, stop, room.line, count)
        for k in range(count):
            state.end[room.line[k]] = room.end[k]
        for k in range(count):
            change += settle(work, state, work.owner[room.line[k]])
    return change + settle(work, state, j)


@kernel
def waiting_chunk(work: Any, state: Any, random: Any) -> Any:
    """A chunk on a worker that ends later than it could alone, if draws find one; at first, its job's last."""
    chunk = 0
    for n in range(TRIES):
        chunk = below(random, work.owner.size)
        j, worker = work.owner[chunk], state.where[chunk]
        if worker == CLOUD or state.end[chunk] == landing(work, chunk, worker) + work.takes[j]:
            continue
        if n >= PATIENT or state.end[chunk] == state.done[j]:
            break
    return chunk


@kernel
def less_busy(work: Any, state: Any, chunk: Any, among: Any, random: Any) -> Any:
    """Of so many workers drawn, the one with the least work ahead when the chunk lands; `CLOUD` for none."""
    best, least = CLOUD, NEVER
    for _ in range(among):
        worker = below(random, work.place.size)
        if worker == state.where[chunk] or not qualified(work, work.owner[chunk], worker):
            continue
        place = position(work, state, worker, chunk)
        ahead = max(0, state.until[worker, place - 1] - landing(work, chunk, worker)) if place > 0 else 0
        if ahead < least and state.size[worker] + 1 < state.line.shape[1]:
            best, least = worker, ahead
    return best


@kernel
def alike(work: Any, state: Any, chunk: Any, worker: Any, random: Any) -> Any:
    """Of chunks drawn that land on a worker when this one would, the one with the most similar p_j, or `NONE`."""
    other, nearest = NONE, NEVER
    around, takes = position(work, state, worker, chunk), work.takes[work.owner[chunk]]
    for _ in range(ALIKE):
        place = around + below(random, 2 * NEAR + 1) - NEAR
        if 0 <= place < state.size[worker] and abs(state.takes[worker, place] - takes) < nearest:
            other, nearest = state.line[worker, place], abs(state.takes[worker, place] - takes)
    return other


@kernel
def try_cloud(work: Any, state: Any, j: Any, temperature: Any, room: Any) -> Any:
    """A job to the cloud, or from there to workers; by how much the total changes, 0 if it does not."""
    first, chunks = work.first[j], work.chunks[j]
    back = room.jobs  # where its chunks were
    change, home = 0, state.away[j] > 0
    for d in range(chunks):
        back[d] = state.where[first + d]
        to = less_busy(work, state, first + d, 2 * CANDIDATES, room.random) if home else CLOUD
        if back[d] != to and (back[d] == CLOUD or not home):
            change += shift(work, state, first + d, to, room)
    if accepts(change, temperature, room.random):
        return change
    for d in range(chunks):
        if state.where[first + d] != back[d]:
            shift(work, state, first + d, back[d], room)
    return 0


@kernel
def exchange(state: Any, part: Any, count: Any, end: Any) -> Any:
    """The chunks' ends in place of those that they had, which are there afterwards."""
    for k in range(count):
        state.end[part[k]], end[k] = end[k], state.end[part[k]]


@kernel
def try_workers(work: Any, state: Any, chunk: Any, temperature: Any, means: Any, room: Any) -> Any:
    """A chunk to another worker, alone or in exchange for one that lands there at about the same time.

    It is judged by the total and by ``means`` times the mean end of each job's chunks.
    """
    j, source = work.owner[chunk], state.where[chunk]
    swaps = draw(room.random) < SWAPS
    target = less_busy(work, state, chunk, 1 if swaps else CANDIDATES, room.random)
    if target == CLOUD:
        return 0
    other = alike(work, state, chunk, target, room.random) if swaps else NONE
    if other != NONE and (work.owner[other] == j or not qualified(work, work.owner[other], source)):
        return 0
    begin, stop, count = changed(work, state, source, chunk, other, room.line, room.end, room)
    begin2, stop2, count2 = changed(work, state, target, other, chunk, room.other, room.other_end, room)
    exchange(state, room.line, count, room.end)
    exchange(state, room.other, count2, room.other_end)
    n, change, mean = 0, 0, 0.0
    for part, ends, size in ((room.line, room.end, count), (room.other, room.other_end, count2)):
        for k in range(size):
            q = work.owner[part[k]]
            mean += (state.end[part[k]] - ends[k]) / work.chunks[q]
            if state.end[part[k]] != ends[k] and room.mark[q] == 0:
                room.mark[q] = 1
                room.jobs[n], room.done[n] = q, completion(work, state, q)
                change += room.done[n] - state.done[q]
                n += 1
    for k in range(n):
        room.mark[room.jobs[k]] = 0
    if not accepts(change + means * mean, temperature, room.random):
        exchange(state, room.line, count, room.end)
        exchange(state, room.other, count2, room.other_end)
        return 0
    for k in range(n):
        state.done[room.jobs[k]] = room.done[k]
    splice(work, state, source, begin, stop, room.line, count)
    splice(work, state, target, begin2, stop2, room.other, count2)
    state.where[chunk] = target
    if other != NONE:
        state.where[other] = source
    return change


@kernel
def anneal(work: Any, state: Any, steps: Any, temperature: Any, means: Any, room: Any) -> Any:
    """So many steps at a temperature, in slots, with a weight of mean ends; by how much the total changes."""
    change = 0
    for _ in range(steps):
        chunk = waiting_chunk(work, state, room.random)
        j = work.owner[chunk]
        if work.cloud[j] < NEVER and below(room.random, TO_CLOUD) == 0:
            change += try_cloud(work, state, j, temperature, room)
        elif state.where[chunk] != CLOUD:
            change += try_workers(work, state, chunk, temperature, means, room)
    return change
