"""A chunk's price by the exact growth of sum w (C - r) instead of (5)."""

from __future__ import annotations

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel


@kernel
def growth(
    low: Array,
    high: Array,
    new: Array,
    residual: Array,
    place: Array,
    lists: Array,
    chunks: Array,
    scratch: Array,
    cost: Array,
) -> None:
    """Compute L times the exact growth of sum w (C - r) on each worker.

    Each worker's list is run with and without the chunk, which is exact and slow. The first scratch array has one more
    place than the longest list.
    """
    begin, size, entry, _, _ = lists
    remaining, key, weight, landing, spread, owed = chunks
    rest = scratch[0]
    mine = new.spread * new.slots
    for w in range(low, high):
        wait = new.delay[place[w]]
        if wait < 0:
            cost[w] = -1
            continue
        first, count = begin[w], size[w]
        total = 0
        for extra in range(2):  # 0: without the new chunk, 1: with it, at index count
            for i in range(count):
                rest[i] = remaining[entry[first + i]]
            rest[count] = new.slots * extra
            unfinished = count + extra
            t = new.now
            while unfinished > 0:
                best = -1
                best_key = 0
                turn = -1
                for i in range(count + extra):
                    if rest[i] == 0:
                        continue
                    lands = new.now + wait if i == count else landing[entry[first + i]]
                    if lands > t:
                        turn = lands if turn < 0 else min(turn, lands)
                        continue
                    if i == count:
                        rank = new.spread * rest[i] if residual else mine
                    else:
                        chunk = entry[first + i]
                        train = min(rest[i], remaining[chunk] - owed[chunk])
                        rank = spread[chunk] * train if residual else key[chunk]
                    earlier = i < count and best < count and best >= 0 and entry[first + i] < entry[first + best]
                    if best < 0 or rank < best_key or (rank == best_key and earlier):
                        best = i
                        best_key = rank
                if best < 0:
                    t = turn
                    continue
                done = t + rest[best]
                if turn >= 0:
                    done = min(done, turn)
                rest[best] -= done - t
                t = done
                if rest[best] == 0:
                    unfinished -= 1
                    if best == count:
                        total += new.weight * (t - new.now)
                    else:
                        total += (2 * extra - 1) * weight[entry[first + best]] * (t - new.now)
        cost[w] = total
