"""The hot loops of the best-schedule sweep: cheapest progress, slot after slot.

D_t(v) is the least cost of a progress of at least v in the first t slots. D_0(v) is 0 for v <= 0, else infinite, and

    D_t+1(v) = min(D_t(v), min over the slot's options (g, c) of D_t(v - g) + c).

If the two rates have no common unit, the progress is a pair, D_t(a, b). Every entry is exact if all costs are integers
and sums stay below 2^53.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.runtime.kernels import kernel, njit

TILE = 512  # block of D_t+1 that fits the fastest cache while all options of the slot are applied


@njit(cache=True, _nrt=False)
def forward(
    first: np.ndarray,
    gain: np.ndarray,
    cost: np.ndarray,
    table: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    rows: np.ndarray,
    best: np.ndarray,
) -> None:
    """Sweep over the slots t = 0, 1, ...; best[t] is the last entry of D_t+1.

    Parameters
    ----------
    first, gain, cost
        Table n's options (gain, cost) are first[n] to first[n + 1].
    table
        The table of each slot, shape (slots,).
    low, high
        The entries of each D_t+1 to compute, shape (slots,).
    rows
        Shape (slots + 1, entries) to keep every D_t, or (2, entries) to use two rows in turn; each with D_0.
    """
    for t in range(table.size):
        old = rows[t % rows.shape[0]]
        new = rows[(t + 1) % rows.shape[0]]
        begin, end = first[table[t]], first[table[t] + 1]
        for rest in range(low[t], high[t], TILE):
            right = min(rest + TILE, high[t])
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
        best[t] = new[new.size - 1]


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
