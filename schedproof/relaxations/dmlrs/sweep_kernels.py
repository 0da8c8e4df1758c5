"""The hot loops of the best-schedule sweep: cheapest progress, slot after slot.

D_t(v) is the least cost of a progress of at least v in the first t slots. D_0(v) is 0 for v <= 0, else infinite, and

    D_t+1(v) = min(D_t(v), min over the slot's options (g, c) of D_t(v - g) + c).

If the two rates have no common unit, the progress is a pair, D_t(a, b). Every entry is exact if all costs are integers
and sums stay below 2^53.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel

TILE = 512  # block of D_t+1 that fits the fastest cache while all options of the slot are applied


class Options(NamedTuple):
    """Gains and costs of workers: table n's options are first[n] to first[n + 1].

    A table's options are in order of decreasing gain.
    """

    first: np.ndarray
    gain: np.ndarray
    cost: np.ndarray


@kernel
def options(gains: np.ndarray, costs: np.ndarray) -> Options:
    """List the undominated options (gain, cost) of each table.

    Parameters
    ----------
    gains
        Progress of 0, ..., F workers at the internal and external rate, shape (2, F + 1), int64, not decreasing.
    costs
        Costs of these workers, shape (tables, 2, F + 1), float64; inf for an infeasible option.
    """
    tables, limit = costs.shape[0], gains.shape[1] - 1
    first, gain, cost = np.full(tables + 1, 0), np.full(tables * 2 * limit, 0), np.full(tables * 2 * limit, 0.0)
    filled = 0
    for n in range(tables):
        cheapest = np.inf
        i = j = limit
        while i > 0 or j > 0:  # merge both rows from their large ends; entry 0 uses no workers
            if j == 0 or (i > 0 and gains[0, i] >= gains[1, j]):
                g, c = gains[0, i], costs[n, 0, i]
                i -= 1
            else:
                g, c = gains[1, j], costs[n, 1, j]
                j -= 1
            if g > 0 and c < cheapest:
                cheapest = c
                if filled > first[n] and gain[filled - 1] == g:
                    filled -= 1
                gain[filled] = g
                cost[filled] = c
                filled += 1
        first[n + 1] = filled
    return Options(first, gain, cost)


@kernel
def forward(options: Options, table: np.ndarray, need: int, pad: int, rows: np.ndarray) -> np.ndarray:
    """Return D_t(need) for t = 1, 2, ..., by a sweep over the slots.

    Parameters
    ----------
    table
        The table of each slot, shape (slots,).
    need
        The progress that completes the job.
    pad
        At least the largest gain; D_t(v) is entry v + pad of a row.
    rows
        Scratch, shape (slots + 1, pad + need + 1) to keep every D_t, or (2, pad + need + 1) to use two rows in turn.
    """
    first, gain, cost = options
    slots = table.size
    best = np.full(slots, np.inf)
    within = np.full(slots + 1, 0)  # the largest v with a finite D_t(v)
    for t in range(slots):
        n = table[t]
        largest = gain[first[n]] if first[n + 1] > first[n] else 0
        within[t + 1] = min(need, within[t] + largest)
    useful = np.full(slots + 1, need)  # no later slot can need less
    for t in range(slots - 1, -1, -1):
        n = table[t]
        largest = gain[first[n]] if first[n + 1] > first[n] else 0
        useful[t] = max(0, useful[t + 1] - largest)
    for row in range(rows.shape[0]):
        for v in range(rows.shape[1]):
            rows[row, v] = 0.0 if v <= pad else np.inf
    for t in range(slots):
        old = rows[t % rows.shape[0]]
        new = rows[(t + 1) % rows.shape[0]]
        low, high = pad + max(1, useful[t + 1]), pad + within[t + 1] + 1
        begin, end = first[table[t]], first[table[t] + 1]
        for rest in range(low, high, TILE):
            right = min(rest + TILE, high)
            part = new[rest:right]
            for v in range(right - rest):
                part[v] = old[rest + v]
            j = begin
            while j + 3 < end:
                c0, c1 = cost[j], cost[j + 1]
                c2, c3 = cost[j + 2], cost[j + 3]
                old0 = old[rest - gain[j] : right - gain[j]]
                old1 = old[rest - gain[j + 1] : right - gain[j + 1]]
                old2 = old[rest - gain[j + 2] : right - gain[j + 2]]
                old3 = old[rest - gain[j + 3] : right - gain[j + 3]]
                for v in range(right - rest):
                    part[v] = min(min(part[v], min(old0[v] + c0, old1[v] + c1)), min(old2[v] + c2, old3[v] + c3))
                j += 4
            while j < end:
                c0 = cost[j]
                old0 = old[rest - gain[j] : right - gain[j]]
                for v in range(right - rest):
                    part[v] = min(part[v], old0[v] + c0)
                j += 1
        best[t] = new[pad + need]
    return best


@kernel
def forward_pairs(costs: np.ndarray, table: np.ndarray, pad: int, rows: np.ndarray) -> None:
    """Sweep over the slots with pairs (a, b) of internal and external worker-slots.

    Parameters
    ----------
    costs
        A(n) and B(n) of each table, shape (tables, 2, F + 1); inf for an infeasible option.
    table
        Of each slot, shape (slots,).
    pad
        F. D_t(a, b) is rows[t, a, b + pad]; the first ``pad`` entries are D_t(a, 0).
    rows
        Shape (slots + 1, most a + 1, pad + most b + 1), to be filled.
    """
    rows[0] = np.inf
    rows[0, 0, : pad + 1] = 0.0
    for t in range(table.size):
        inside, outside = costs[table[t], 0], costs[table[t], 1]
        for a in range(rows.shape[1]):
            old = rows[t, a]
            new = rows[t + 1, a]
            part = new[pad:]
            part[:] = old[pad:]
            for n in range(1, pad + 1):
                if outside[n] < np.inf:
                    cost = outside[n]
                    before = old[pad - n : old.size - n]
                    for v in range(part.size):
                        part[v] = min(part[v], before[v] + cost)
                if inside[n] < np.inf:
                    cost = inside[n]
                    before = rows[t, max(0, a - n), pad:]
                    for v in range(part.size):
                        part[v] = min(part[v], before[v] + cost)
            new[:pad] = new[pad]
