"""Kernels of A_online: every worker's ordered list of pending chunks.

A worker's list is a slice [begin, begin + size) of a pool, in running order: highest rate gamma = 1/(D p) first, equal
rates in order of placement. The list includes chunks in transit, which are skipped until they land. Each entry has
two sums over itself and the entries after it,

    tail_time = sum of remaining slots,      tail_weight = sum of L w_j  (w_j = 1/D_j, L: common multiple of all D).

So the sums of (5) over chunks of higher and of lower rate are differences of entries found by bisection: ten steps for
a list of a thousand chunks.

No kernel except those of `dispatch` calls another: their ``py_func`` then runs on arrays of Python integers if 63 bits
do not suffice.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from typing import NamedTuple

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel

END, NO_WORKER, MORE_EVENTS = -1, -2, -3  # answers of `dispatch`


class Lists(NamedTuple):
    """The begin and size of each worker's list; then chunk, tail_time, tail_weight."""

    begin: Array
    size: Array
    entry: Array
    tail_time: Array
    tail_weight: Array


class Chunks(NamedTuple):
    """For each chunk: slots left, 1/gamma (or residual), L w, landing, D, restart.

    ``restart`` is the part of the slots left that makes no progress; rates do not count it.
    """

    remaining: Array
    key: Array
    weight: Array
    landing: Array
    spread: Array
    owed: Array


class New(NamedTuple):
    """A chunk to be priced.

    The time, the chunk's p and D, L w, the upload delay by class (-1: not qualified), and how many workers of least
    possible price are enough (0 disables it).
    """

    now: Array
    slots: Array
    spread: Array
    weight: Array
    delay: Array
    enough: Array


@kernel
def advance(
    now: Array,
    until: Array,
    residual: Array,
    restart: Array,
    lists: Array,
    chunks: Array,
    running: Array,
    out: Array,
    filled: Array,
) -> Array:
    """Run every worker from ``now`` to ``until``; add starts and stops to ``out``.

    A row is (time, chunk, worker, is start). The first landed chunk of the list runs until it ends or a chunk before
    it lands. With ``residual`` the rate is 1/(D times remaining training), so that the running chunk moves up past
    chunks in transit. An interrupted chunk then has ``restart`` more slots, without progress and before the others.

    Returns
    -------
    int
        The number of rows of ``out``.
    """
    begin, size, entry, tail_time, tail_weight = lists
    remaining, key, weight, landing, spread, owed = chunks
    for w in range(begin.size):
        t = now
        while t < until and size[w] > 0:
            first = begin[w]
            last = first + size[w]
            position = first
            turn = until
            while position < last and landing[entry[position]] > t:
                turn = min(turn, landing[entry[position]])
                position += 1
            if position == last:  # all chunks are in transit
                t = turn
                continue
            chunk = entry[position]
            if running[w] != chunk:
                if running[w] >= 0:
                    stopped = running[w]
                    out[filled, 0], out[filled, 1], out[filled, 2], out[filled, 3] = t, stopped, w, 0
                    filled += 1
                    more = restart - owed[stopped]
                    owed[stopped] = restart
                    remaining[stopped] += more
                    i = first
                    while entry[i] != stopped:
                        tail_time[i] += more
                        i += 1
                    tail_time[i] += more
                out[filled, 0], out[filled, 1], out[filled, 2], out[filled, 3] = t, chunk, w, 1
                filled += 1
                running[w] = chunk
            done = min(turn, t + remaining[chunk])
            worked = done - t
            remaining[chunk] -= worked
            owed[chunk] -= min(owed[chunk], worked)
            for i in range(first, position + 1):
                tail_time[i] -= worked
            t = done
            if remaining[chunk] == 0:
                out[filled, 0], out[filled, 1], out[filled, 2], out[filled, 3] = t, chunk, w, 0
                filled += 1
                running[w] = -1
                for i in range(position, first, -1):  # close the gap from the front
                    entry[i] = entry[i - 1]
                    tail_time[i] = tail_time[i - 1]
                    tail_weight[i] = tail_weight[i - 1] - weight[chunk]
                begin[w] += 1
                size[w] -= 1
            elif residual:
                key[chunk] = spread[chunk] * (remaining[chunk] - owed[chunk])
                i = position
                while i > first and (
                    key[chunk] < key[entry[i - 1]] or (key[chunk] == key[entry[i - 1]] and chunk < entry[i - 1])
                ):
                    other = entry[i - 1]
                    entry[i - 1], entry[i] = chunk, other
                    tail_time[i] += remaining[other] - remaining[chunk]
                    tail_weight[i] += weight[other] - weight[chunk]
                    i -= 1
    return filled


@kernel
def insert(w: Array, chunk: Array, lists: Array, chunks: Array) -> None:
    """Insert a chunk behind every chunk of equal or higher rate; the pool has space."""
    begin, size, entry, tail_time, tail_weight = lists
    remaining, key, weight, _, _, _ = chunks
    last = begin[w] + size[w]
    position = begin[w]
    while position < last and key[entry[position]] <= key[chunk]:
        tail_time[position] += remaining[chunk]
        tail_weight[position] += weight[chunk]
        position += 1
    for i in range(last, position, -1):
        entry[i] = entry[i - 1]
        tail_time[i] = tail_time[i - 1]
        tail_weight[i] = tail_weight[i - 1]
    entry[position] = chunk
    behind = position < last
    tail_time[position] = remaining[chunk] + (tail_time[position + 1] if behind else 0)
    tail_weight[position] = weight[chunk] + (tail_weight[position + 1] if behind else 0)
    size[w] += 1


@kernel
def price(
    low: Array,
    high: Array,
    new: Array,
    residual: Array,
    place: Array,
    lists: Array,
    chunks: Array,
    scratch: Array,
    cost: Array,
) -> Array:
    """Compute L Q_jdsw of (5) for workers ``low`` to ``high``; -1 if not qualified.

    The least possible price is that of an idle worker with the least delay. Once ``new.enough`` workers have it, later
    ones are unchanged, because ties go to the first worker. Returns the position reached, or ``high``.

    The sums over the pending chunks are taken now by bisection, and corrected by the worker's progress until the new
    chunk lands: in so short a time the worker runs only few of the landed chunks.
    """
    begin, size, entry, tail_time, tail_weight = lists
    remaining, key, weight, landing, spread, owed = chunks
    touched, rest, rank = scratch  # number, slots left and 1/gamma of the touched chunks
    mine = new.spread * new.slots
    shortest = -1
    for wait in new.delay:
        if wait >= 0 and (shortest < 0 or wait < shortest):
            shortest = wait
    matches = 0
    for w in range(low, high):
        wait = new.delay[place[w]]
        if wait < 0:
            cost[w] = -1
            continue
        first = begin[w]
        last = first + size[w]
        below, above = first, last  # bisection: the first entry of a lower rate than the new chunk's
        while below < above:
            middle = (below + above) // 2
            if key[entry[middle]] <= mine:
                below = middle + 1
            else:
                above = middle
        before = (tail_time[first] - (tail_time[below] if below < last else 0)) if size[w] > 0 else 0
        behind = tail_weight[below] if below < last else 0
        lands = new.now + wait
        t = new.now
        count = 0
        while t < lands and size[w] > 0:
            best = -1  # among touched chunks: index of the one that runs first
            for i in range(count):
                if rest[i] > 0 and (
                    best < 0 or rank[i] < rank[best] or (rank[i] == rank[best] and touched[i] < touched[best])
                ):
                    best = i
            turn = lands
            fresh = -1  # the first landed chunk that has not run yet
            for position in range(first, last):
                chunk = entry[position]
                seen = False
                for i in range(count):
                    if touched[i] == chunk:
                        seen = True
                if seen:
                    continue
                if landing[chunk] > t:
                    turn = min(turn, landing[chunk])  # a chunk that lands may run first: select again at that time
                    continue
                fresh = chunk
                break
            if best < 0 and fresh < 0:
                t = turn  # all chunks are in transit, or done
                continue
            if fresh >= 0 and (
                best < 0 or key[fresh] < rank[best] or (key[fresh] == rank[best] and fresh < touched[best])
            ):
                touched[count], rest[count], rank[count] = fresh, remaining[fresh], key[fresh]
                best = count
                count += 1
            done = min(turn, t + rest[best])
            rest[best] -= done - t
            if residual:
                rank[best] = spread[touched[best]] * min(rest[best], remaining[touched[best]] - owed[touched[best]])
            t = done
        for i in range(count):
            chunk = touched[i]
            if key[chunk] <= mine:
                before -= remaining[chunk] - rest[i]
            elif rest[i] == 0:
                behind -= weight[chunk]
            elif rank[i] <= mine:
                behind -= weight[chunk]
                before += rest[i]
        cost[w] = new.weight * (wait + before + new.slots) + new.slots * behind
        if cost[w] == new.weight * (shortest + new.slots):
            matches += 1
            if matches == new.enough:
                return w + 1
    return high


@kernel
def reach(
    now: Array,
    residual: Array,
    restart: Array,
    lists: Array,
    chunks: Array,
    running: Array,
    state: Array,
    events: Array,
) -> Array:
    """Run every worker up to ``now``; return False if ``events`` may be too short."""
    if now > state[7]:
        if state[8] + 4 * lists.size.sum() + 2 * running.size > len(events):
            return False
        before = state[8]
        state[8] = advance(state[7], now, residual, restart, lists, chunks, running, events, before)
        state[4] += restart * (state[8] - before)
        state[7] = now
    return True


@kernel
def has_room(worker: Array, lists: Array, home: Array, space: Array) -> Array:
    """Move a worker's list; return whether its slice has space behind the list."""
    begin, size, entry, tail_time, tail_weight = lists
    first, count = begin[worker], size[worker]
    if first + count < home[worker] + space[worker]:
        return True
    if 2 * count > space[worker]:
        return False
    for i in range(count):  # move the list to the begin of the slice
        to = home[worker] + i
        entry[to], tail_time[to], tail_weight[to] = entry[first + i], tail_time[first + i], tail_weight[first + i]
    begin[worker] = home[worker]
    return True


@kernel
def put(worker: Array, new: Array, place: Array, lists: Array, chunks: Array, state: Array) -> None:
    """Place the next chunk of a job on a worker, and count it in ``state``."""
    remaining, key, weight, landing, spread, owed = chunks
    chunk = state[2]
    remaining[chunk], key[chunk], weight[chunk] = new.slots, new.spread * new.slots, new.weight
    landing[chunk], spread[chunk], owed[chunk] = new.now + new.delay[place[worker]], new.spread, 0
    insert(worker, chunk, lists, chunks)
    state[4] = max(state[4], lists.tail_time[lists.begin[worker]])
    state[5] = max(state[5], lists.tail_weight[lists.begin[worker]])
    state[1] += 1
    state[2] += 1
    state[3] += 1


@kernel
def dispatch(
    jobs: Array,
    delays: Array,
    residual: Array,
    restart: Array,
    place: Array,
    lists: Array,
    chunks: Array,
    running: Array,
    home: Array,
    space: Array,
    state: Array,
    out: Array,
    events: Array,
    scratch: Array,
    cost: Array,
) -> Array:
    """Run Algorithm 2 for jobs in order of arrival with prices (5), without storage.

    Parameters
    ----------
    jobs
        Rows of r, p, D, the number of chunks, L w, the row of ``delays``, the delay to the cloud (-1: not allowed), and
        p in the cloud.
    delays
        Upload delays by class, a row for each pattern of the jobs.
    home, space
        The begin and the capacity of each worker's slice of the pool.
    state
        Next job and chunk, chunks placed so far in ``chunks`` and ``out``, largest tail_time and tail_weight, the
        number of workers with a price, the time, and the filled rows of ``events``.
    out
        Rows of worker (-1: the cloud) and L Q, one for each chunk.
    events
        Rows of `advance`.
    cost
        L Q by worker, kept between calls.

    Returns
    -------
    int
        A worker whose list is full (the caller enlarges it and calls again), `END`, `NO_WORKER` if no worker can take
        a chunk, or `MORE_EVENTS` if ``events`` may be too short.
    """
    begin, size, _, _, _ = lists
    while state[0] < len(jobs):
        now, slots, of_rate, number, counts, row, cloud, in_cloud = jobs[state[0]]
        if not reach(now, residual, restart, lists, chunks, running, state, events):
            return MORE_EVENTS
        new = New(now, slots, of_rate, counts, delays[row], number)
        if state[1] == 0:
            state[6] = price(0, begin.size, new, residual, place, lists, chunks, scratch, cost)
        while state[1] < number:
            worker = -1
            for w in range(state[6]):
                if cost[w] >= 0 and (worker < 0 or cost[w] < cost[worker]):
                    worker = w
            takes = in_cloud if state[1] == 0 else slots  # zeta_j = 1 until an edge worker is used
            away = counts * (cloud + takes)
            if cloud >= 0 and (worker < 0 or away < cost[worker]):
                for _ in range(number if state[1] == 0 else 1):
                    out[state[3], 0], out[state[3], 1] = -1, away
                    state[1] += 1
                    state[3] += 1
                continue
            if worker < 0:
                return NO_WORKER
            if size[worker] + 1 >= scratch[0].size or not has_room(worker, lists, home, space):
                return worker
            out[state[3], 0], out[state[3], 1] = worker, cost[worker]
            put(worker, new, place, lists, chunks, state)
            if state[1] < number:
                price(worker, worker + 1, new, residual, place, lists, chunks, scratch, cost)
        state[0] += 1
        state[1] = 0
    return END
