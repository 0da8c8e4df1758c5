"""Kernels of the search: chunks on workers that run least remaining work first.

A worker's chunks are in a line by landing time, then by number. The landed chunk with the least D_j times
remaining slots runs; ties go by file order.

The effect of a change is simulated from the changed position in the line on, in blocks of a few landings. The waiting
chunks at the begin of each block are stored, so that a simulation starts at the block of the first change. After this
block the waiting chunks mostly differ in one or two chunks of low priority, by some slots of work. A block is skipped
if the chunks that run before these two are the same (`skip`). So most chunks with unchanged ends are not examined.
Tests compare the result with plain runs of whole lines.

All functions are in this file because numba's cache does not detect a change in another file.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from schedproof.core.runtime.kernels import njit
from schedproof.offline.kernels import accepts, below, draw

kernel = njit(cache=True, _nrt=False)  # no allocations; counting references took a third of the time

NEVER = 1 << 62
NONE = -1  # no chunk
CLOUD = -1  # the worker number of the cloud
BLOCK = 4  # chunks that land in a block
PLACE, LEFT, SPREAD = range(3)  # columns of a waiting chunk: position in the line, slots left, D_j
FIRST, UNDER, GAP, MOST = range(4)  # columns of a block, see `keep`
TRIES = 20  # draws of a waiting chunk
PATIENT = 10  # the first draws, which require the last chunk of its job
CANDIDATES = 3  # random workers, among which the least loaded is taken
SWAPS = 0.95  # share of exchanges among moves between workers
PARTNERS = 8  # random chunks for an exchange, among which the most promising is taken
WITHIN = 1024  # largest distance of a partner in the order by length and arrival
ALIKE = 4  # random chunks on a worker, among which that of most similar length is exchanged otherwise
NEAR = 4  # largest distance of such a chunk in the order of landings
TO_CLOUD = 16  # one of this many steps moves a job to or from the cloud


class Work(NamedTuple):
    """The jobs, their chunks, numbered by job, and the workers.

    Attributes
    ----------
    arrival, chunks, takes
        r_j, D_j and p_j at the edge, (jobs,).
    cloud, cloud_takes
        Delta_jc, NEVER without the cloud, and p_j if all chunks are in the cloud, (jobs,).
    first, owner
        The number of a job's first chunk, (jobs + 1,); the job of each chunk, (chunks,).
    delay, kind
        Delta by pattern and class of workers, -1 if not qualified, and each job's pattern, (jobs,).
    place
        The class of each worker, (workers,).
    order, rank
        The chunks by p_j, to a quarter of a power of two, then by arrival; the position of each, (chunks,).
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
    order: Any
    rank: Any


class State(NamedTuple):
    """The current schedule.

    Attributes
    ----------
    where
        The worker of each chunk, or `CLOUD`.
    end
        The end of each chunk on a worker.
    away
        The number of chunks of each job in the cloud.
    done
        The end of each job's last chunk.
    line, lands, takes, spread, until, ends
        For each worker, (workers, room): its chunks, their landings, p_j and D_j, the end of all work up to each chunk
        without later chunks, and their ends.
    size
        The number of chunks in each line.
    known
        The number of blocks of each line with a stored end.
    blocks
        (workers, blocks, 4), see `keep`.
    stack
        (workers, room, 3): the waiting chunks at the begin of each block, the next to run last.
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
    ends: Any
    size: Any
    known: Any
    blocks: Any
    stack: Any


class Room(NamedTuple):
    """Scratch of the simulation.

    Ends, twice; waiting chunks, the next to run last; and changed jobs.
    """

    ends: Any
    other: Any
    queue: Any
    jobs: Any
    done: Any
    mark: Any
    random: Any


@kernel
def landing(work: Any, chunk: Any, worker: Any) -> Any:
    """Return when a chunk can start on a worker."""
    j = work.owner[chunk]
    return work.arrival[j] + work.delay[work.kind[j], work.place[worker]]


@kernel
def qualified(work: Any, j: Any, worker: Any) -> Any:
    """Return whether a worker may train a job."""
    return work.delay[work.kind[j], work.place[worker]] >= 0


@kernel
def position(work: Any, state: Any, worker: Any, chunk: Any) -> Any:
    """Return a chunk's present or future position in a worker's line."""
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
def insert(line: Any, queue: Any, n: Any, place: Any, takes: Any, spread: Any) -> Any:
    """Add a chunk of a line to the ``n`` waiting chunks; return the new number."""
    chunk, key, at = line[place], takes * spread, n
    while at > 0:
        next_key = queue[at - 1, LEFT] * queue[at - 1, SPREAD]
        if next_key > key or (next_key == key and line[queue[at - 1, PLACE]] > chunk):
            break
        for c in range(3):
            queue[at, c] = queue[at - 1, c]
        at -= 1
    queue[at, PLACE], queue[at, LEFT], queue[at, SPREAD] = place, takes, spread
    return n + 1


@kernel
def train(queue: Any, n: Any, now: Any, time: Any, ends: Any, count: Any) -> Any:
    """Run the ``n`` waiting chunks until a time; append their ends to ``ends``.

    Returns
    -------
    (n, count, now)
        The number of waiting chunks, the rows of ``ends``, and the begin of idle time.
    """
    while n > 0 and now < time:
        ran = min(queue[n - 1, LEFT], time - now)
        now += ran
        queue[n - 1, LEFT] -= ran
        if queue[n - 1, LEFT] == 0:
            n -= 1
            ends[count, 0], ends[count, 1] = queue[n, PLACE], now
            count += 1
    return n, count, now


@kernel
def keep(blocks: Any, stack: Any, block: Any, queue: Any, n: Any, most: Any, idle: Any) -> Any:
    """Store the ``n`` waiting chunks at a block's end, and the block's effect on them.

    Returns False without space. The stored columns of a block are: the stack row of its first waiting chunk (`FIRST`);
    how many of the waiting chunks, of lowest priority, still wait at its end (`UNDER`); how long the first of these
    ran, or the worker idled if there are none (`GAP`); and the largest D_j times p_j of its landing chunks (`MOST`).
    """
    first, then = blocks[block, FIRST], blocks[block + 1, FIRST]
    if then + n > stack.shape[0]:
        return False
    blocks[block + 2, FIRST] = then + n
    for k in range(n):
        for c in range(3):
            stack[then + k, c] = queue[k, c]
    under = 0
    while under < min(then - first, n) and stack[first + under, PLACE] == queue[under, PLACE]:
        under += 1
    blocks[block, UNDER], blocks[block, MOST] = under, most
    blocks[block, GAP] = stack[first + under - 1, LEFT] - queue[under - 1, LEFT] if under > 0 else idle
    return True


@kernel
def recall(blocks: Any, stack: Any, block: Any, under: Any, queue: Any, n: Any) -> Any:
    """Push a block's initial waiting chunks, except the ``under`` lowest; return n."""
    for k in range(blocks[block, FIRST] + under, blocks[block + 1, FIRST]):
        for c in range(3):
            queue[n, c] = stack[k, c]
        n += 1
    return n


@kernel
def skip(blocks: Any, stack: Any, block: Any, queue: Any, n: Any) -> Any:
    """Advance the ``n`` waiting chunks over a block; return their number, or `NONE`.

    `NONE` means that the block must be simulated. Otherwise the block's landing chunks end as before, and so do the
    initial chunks above the `UNDER` lowest. This requires that the higher chunks are equal, with equal remaining slots,
    and that the first of the present lower chunks stays behind all of them while it runs for `GAP`.
    """
    under, gap = blocks[block, UNDER], blocks[block, GAP]
    top = blocks[block, FIRST] + under
    ours = n - (blocks[block + 1, FIRST] - top)
    if ours < 0:
        return NONE
    if ours > 0:
        left = queue[ours - 1, LEFT] - gap
        if left * queue[ours - 1, SPREAD] <= blocks[block, MOST]:
            return NONE
    for k in range(n - ours):
        if queue[ours + k, PLACE] != stack[top + k, PLACE] or queue[ours + k, LEFT] != stack[top + k, LEFT]:
            return NONE
    if ours > 0:
        queue[ours - 1, LEFT] -= gap
    return recall(blocks, stack, block + 1, under, queue, ours)


@kernel
def changes(work: Any, state: Any, worker: Any, out: Any, into: Any, ends: Any, room: Any) -> Any:
    """Write the changed ends of a worker with chunk ``into`` and without ``out``.

    Returns the number of rows (chunk, end) of ``ends``. ``into`` always has a row, ``out`` never.
    """
    leaves = position(work, state, worker, out) if out != NONE else NEVER
    enters = position(work, state, worker, into) if into != NONE else NEVER
    line, lands, size = state.line[worker], state.lands[worker], state.size[worker]
    takes, spread, before = state.takes[worker], state.spread[worker], state.ends[worker]
    blocks, stack, known, queue = state.blocks[worker], state.stack[worker], state.known[worker], room.queue
    line[size] = into  # an entry that the waiting chunks can refer to
    block = min(min(leaves, enters) // BLOCK, known)
    i, now, count = block * BLOCK, lands[block * BLOCK - 1] if block > 0 else 0, 0
    n = recall(blocks, stack, block, 0, queue, 0)
    while i < size or enters != NEVER:
        if leaves == NEVER and enters == NEVER and i % BLOCK == 0 and 0 < i < known * BLOCK and now == lands[i - 1]:
            then = skip(blocks, stack, i // BLOCK, queue, n)
            if then != NONE:
                i, n, now = i + BLOCK, then, lands[i + BLOCK - 1]
                continue
        time = landing(work, into, worker) if i == enters else lands[i]
        n, count, _ = train(queue, n, now, time, ends, count)
        now = time
        if i == enters:
            n, enters = insert(line, queue, n, size, work.takes[work.owner[into]], work.chunks[work.owner[into]]), NEVER
        elif i == leaves:
            i, leaves = i + 1, NEVER
        else:
            n, i = insert(line, queue, n, i, takes[i], spread[i]), i + 1
    _, total, _ = train(queue, n, now, NEVER, ends, count)
    count = 0
    for k in range(total):
        place, end = ends[k, 0], ends[k, 1]
        if place == size or before[place] != end:
            ends[count, 0], ends[count, 1] = line[place], end
            count += 1
    return count


@kernel
def renew(state: Any, worker: Any, begin: Any, room: Any) -> Any:
    """Run a worker's line from the block of ``begin`` on, and store the blocks."""
    line, lands, until, size = state.line[worker], state.lands[worker], state.until[worker], state.size[worker]
    takes, spread = state.takes[worker], state.spread[worker]
    blocks, stack, queue, ends = state.blocks[worker], state.stack[worker], room.queue, room.ends
    block = known = min(begin // BLOCK, state.known[worker])
    now, most, idle, count = lands[block * BLOCK - 1] if block > 0 else 0, 0, 0, 0
    n = recall(blocks, stack, block, 0, queue, 0)
    for i in range(block * BLOCK, size):
        n, count, since = train(queue, n, now, lands[i], ends, count)
        now, idle, most = lands[i], idle + lands[i] - since, max(most, takes[i] * spread[i])
        n = insert(line, queue, n, i, takes[i], spread[i])
        until[i] = max(until[i - 1] if i > 0 else 0, now) + takes[i]
        if (i + 1) % BLOCK == 0:
            if known == block and keep(blocks, stack, block, queue, n, most, idle):
                known += 1
            block, most, idle = block + 1, 0, 0
    state.known[worker] = known
    _, count, _ = train(queue, n, now, NEVER, ends, count)
    for k in range(count):
        state.ends[worker, ends[k, 0]] = state.end[line[ends[k, 0]]] = ends[k, 1]


@kernel
def splice(work: Any, state: Any, worker: Any, out: Any, into: Any, room: Any) -> Any:
    """Remove a chunk from a worker's line and insert another."""
    begin = NEVER
    if out != NONE:
        begin = position(work, state, worker, out)
        state.size[worker] -= 1
        for column in (state.line, state.lands, state.takes, state.spread, state.ends):
            for k in range(begin, state.size[worker]):
                column[worker, k] = column[worker, k + 1]
    if into != NONE:
        place, j = position(work, state, worker, into), work.owner[into]
        begin = min(begin, place)
        for column in (state.line, state.lands, state.takes, state.spread, state.ends):
            for k in range(state.size[worker], place, -1):
                column[worker, k] = column[worker, k - 1]
        state.size[worker] += 1
        state.line[worker, place], state.lands[worker, place] = into, landing(work, into, worker)
        state.takes[worker, place], state.spread[worker, place] = work.takes[j], work.chunks[j]
    renew(state, worker, begin, room)


@kernel
def completion(work: Any, state: Any, j: Any) -> Any:
    """Return when a job's last chunk ends."""
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
    """Update a job's completion; return its change."""
    old = state.done[j]
    state.done[j] = completion(work, state, j)
    return state.done[j] - old


@kernel
def shift(work: Any, state: Any, chunk: Any, to: Any, room: Any) -> Any:
    """Move a chunk to a worker or to the cloud; return the cost change."""
    j, source, change = work.owner[chunk], state.where[chunk], 0
    state.where[chunk] = to
    state.away[j] += int(to == CLOUD) - int(source == CLOUD)
    for worker, out, into in ((source, chunk, NONE), (to, NONE, chunk)):
        if worker == CLOUD:
            continue
        count = changes(work, state, worker, out, into, room.other, room)
        splice(work, state, worker, out, into, room)
        for k in range(count):
            change += settle(work, state, work.owner[room.other[k, 0]])
    return change + settle(work, state, j)


@kernel
def waiting_chunk(work: Any, state: Any, random: Any) -> Any:
    """Draw a waiting chunk; the first draws require the last chunk of its job."""
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
    """Return, of random workers, the least loaded at the chunk's landing, or `CLOUD`."""
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
def partner(work: Any, state: Any, chunk: Any, random: Any) -> Any:
    """Return the most promising of some random chunks of similar length, or `NONE`.

    If the later chunk is the last of its job, an exchange of ends lets this job complete earlier; the other job may
    have to wait. Differences in length count as a loss.
    """
    j, worker, end = work.owner[chunk], state.where[chunk], state.end[chunk]
    best, most = NONE, -NEVER
    for _ in range(PARTNERS):
        other = work.order[(work.rank[chunk] + below(random, 2 * WITHIN + 1) - WITHIN) % work.order.size]
        q, place, its = work.owner[other], state.where[other], state.end[other]
        if place in (CLOUD, worker) or q == j or not (qualified(work, j, place) and qualified(work, q, worker)):
            continue
        if landing(work, other, place) + work.takes[q] >= end or landing(work, chunk, worker) + work.takes[j] >= its:
            continue
        late, last, first = max(end, its), j if end >= its else q, q if end >= its else j
        gain = abs(end - its) if state.done[last] == late else 0
        gain -= max(0, late - state.done[first]) + abs(work.takes[q] - work.takes[j])
        if gain > most:
            best, most = other, gain
    return best


@kernel
def alike(work: Any, state: Any, chunk: Any, worker: Any, random: Any) -> Any:
    """Return, of random chunks on a worker with similar landings, the nearest in p_j."""
    other, nearest = NONE, NEVER
    around, takes = position(work, state, worker, chunk), work.takes[work.owner[chunk]]
    for _ in range(ALIKE):
        place = around + below(random, 2 * NEAR + 1) - NEAR
        if 0 <= place < state.size[worker] and abs(state.takes[worker, place] - takes) < nearest:
            other, nearest = state.line[worker, place], abs(state.takes[worker, place] - takes)
    return other


@kernel
def try_cloud(work: Any, state: Any, j: Any, temperature: Any, room: Any) -> Any:
    """Try to move a job to the cloud, or back to workers; return the cost change."""
    first, chunks = work.first[j], work.chunks[j]
    back = room.jobs  # the former places of the job's chunks
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
def exchange(state: Any, ends: Any, count: Any) -> Any:
    """Swap the chunks' ends with those in ``ends``."""
    for k in range(count):
        state.end[ends[k, 0]], ends[k, 1] = ends[k, 1], state.end[ends[k, 0]]


@kernel
def try_workers(work: Any, state: Any, chunk: Any, temperature: Any, means: Any, room: Any) -> Any:
    """Try to move a chunk, or to exchange it with one of similar length or landing.

    The cost is the total JCT plus ``means`` times the mean end of each job's chunks.
    """
    j, source = work.owner[chunk], state.where[chunk]
    swaps = draw(room.random) < SWAPS
    other = partner(work, state, chunk, room.random) if swaps else NONE
    if other != NONE:
        target = state.where[other]
    else:
        target = less_busy(work, state, chunk, 1 if swaps else CANDIDATES, room.random)
        if target == CLOUD:
            return 0
        other = alike(work, state, chunk, target, room.random) if swaps else NONE
        if other != NONE and (work.owner[other] == j or not qualified(work, work.owner[other], source)):
            return 0
    here = changes(work, state, source, chunk, other, room.ends, room)
    there = changes(work, state, target, other, chunk, room.other, room)
    exchange(state, room.ends, here)
    exchange(state, room.other, there)
    n, change, mean = 0, 0, 0.0
    for ends, count in ((room.ends, here), (room.other, there)):
        for k in range(count):
            q = work.owner[ends[k, 0]]
            mean += (state.end[ends[k, 0]] - ends[k, 1]) / work.chunks[q]
            if room.mark[q] == 0:
                room.mark[q] = 1
                room.jobs[n], room.done[n] = q, completion(work, state, q)
                change += room.done[n] - state.done[q]
                n += 1
    for k in range(n):
        room.mark[room.jobs[k]] = 0
    if not accepts(change + means * mean, temperature, room.random):
        exchange(state, room.ends, here)
        exchange(state, room.other, there)
        return 0
    for k in range(n):
        state.done[room.jobs[k]] = room.done[k]
    splice(work, state, source, chunk, other, room)
    splice(work, state, target, other, chunk, room)
    state.where[chunk] = target
    if other != NONE:
        state.where[other] = source
    return change


@kernel
def anneal(work: Any, state: Any, steps: Any, temperature: Any, means: Any, room: Any) -> Any:
    """Run ``steps`` steps at a temperature in slots; return the cost change."""
    change = 0
    for _ in range(steps):
        chunk = waiting_chunk(work, state, room.random)
        j = work.owner[chunk]
        if work.cloud[j] < NEVER and below(room.random, TO_CLOUD) == 0:
            change += try_cloud(work, state, j, temperature, room)
        elif state.where[chunk] != CLOUD:
            change += try_workers(work, state, chunk, temperature, means, room)
    return change
