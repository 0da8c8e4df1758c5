"""Compiled kernels for one pass over an allocation: rows in doubt, and gains.

A row is a group of channels (of a node, for example) and a resource. Its amounts are summed in the order of the edges.
`TILE` groups are processed at a time, as one vector: the sums stay in the fastest cache, and the amounts are read once,
in memory order.
"""

from __future__ import annotations

from math import frexp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import njit
from schedproof.instances.multiserver.utility import LOG, RECIPROCAL

TILE = 64  # groups
LARGE = 2.0**600  # a product up to this, times `FACTORS` factors of at most 1 + 1e18, is finite
FACTORS = 7

PLAIN = {"cache": True, "error_model": "numpy"}  # a test for zero divisors would prevent vectorised division


class Stretches(NamedTuple):
    """The edges in pieces, each with one holder and successive groups of one tile.

    Attributes
    ----------
    first, count, group, holder
        (S,) for each of S pieces: its first edge, number of edges, group of the first edge, and holder.
    tile
        (B + 1,): the pieces of tile b are ``tile[b]`` to ``tile[b + 1] - 1``, in the order of the edges.
    """

    first: Any
    count: Any
    group: Any
    holder: Any
    tile: Any

    @classmethod
    def of(cls, holder: np.ndarray, group: np.ndarray, groups: int) -> Stretches:
        """Return the pieces of edges with holders and groups (E,)."""
        starts = np.ones(len(group), dtype=bool)
        starts[1:] = (np.diff(holder) != 0) | (np.diff(group) != 1) | (group[1:] % TILE == 0)
        first = np.flatnonzero(starts)
        count = np.diff(np.append(first, len(group)))
        by_tile = np.argsort(group[first] // TILE, kind="stable")
        first, count = first[by_tile], count[by_tile]
        tile = np.searchsorted(group[first] // TILE, np.arange(-(-groups // TILE) + 1))
        return cls(first, count, group[first], holder[first], tile)


def frozen(values: np.ndarray) -> np.ndarray:
    """Return the same numbers as a contiguous read-only array, as the kernels expect."""
    view = np.ascontiguousarray(values).view()
    view.setflags(write=False)
    return view


@njit(**PLAIN)
def look_through(
    block: np.ndarray, stretches: Stretches, most: np.ndarray, capacity: np.ndarray
) -> tuple[bool, np.ndarray]:
    """Return whether all amounts (n, E, K) are valid, and the rows in doubt.

    An amount is valid if it is a number from 0 to its holder's ``most`` (C, K). The rows in doubt (m, 3) have slot,
    group and resource of each row that is not certainly within its capacity (G, K).

    A row's sum is ``total + rest``: the rounding error of an addition is known exactly (two-sum) and collected in
    ``rest``, its absolute value in ``lost``. If ``lost`` is 0, ``total`` is the sum. Otherwise, with n terms and u =
    2^-53, ``rest`` has an error of at most (n - 1) u times ``lost``. A row is in doubt if its sum is not a number, or
    if its distance to the capacity is less than four times that error.
    """
    slots, _, resources = block.shape
    width = TILE * resources
    values, limits = block.reshape(slots, -1), capacity.reshape(-1)
    total, rest, lost, limit = np.empty(width), np.empty(width), np.empty(width), np.empty(width)
    wrong = 0
    result = []
    for t in range(slots):
        for n in range(len(stretches.tile) - 1):
            total[:], rest[:], lost[:] = 0.0, 0.0, 0.0
            begin = n * width
            for s in range(stretches.tile[n], stretches.tile[n + 1]):
                for i in range(stretches.count[s]):
                    for k in range(resources):
                        limit[i * resources + k] = most[stretches.holder[s], k]
                size = stretches.count[s] * resources
                at, to = stretches.first[s] * resources, stretches.group[s] * resources - begin
                here, sums = values[t][at : at + size], total[to : to + size]
                rests, losses = rest[to : to + size], lost[to : to + size]
                for j in range(size):
                    amount, before = here[j], sums[j]
                    wrong += not ((amount >= 0.0) & (amount <= limit[j]))
                    both = before + amount
                    back = both - before
                    error = (before - (both - back)) + (amount - back)
                    sums[j] = both
                    rests[j] += error
                    losses[j] += abs(error)
            share = (stretches.tile[n + 1] - stretches.tile[n] + 2) * 2.0**-51
            for j in range(min(width, limits.size - begin)):
                gap = total[j] - limits[begin + j]
                if not (gap <= 0 if lost[j] == 0 else gap + rest[j] <= -(share * lost[j] + 2.0**-50 * abs(gap))):
                    result.append((t, (begin + j) // resources, j % resources))
    rows = np.empty((len(result), 3), dtype=np.int64)
    for i, (t, g, k) in enumerate(result):
        rows[i, 0], rows[i, 1], rows[i, 2] = t, g, k
    return wrong == 0, rows


@njit(**PLAIN)
def add_totals(block: np.ndarray, copy: np.ndarray, present: np.ndarray, totals: np.ndarray) -> None:
    """Add present copies' amounts (n, E, K) to their totals (n, C, K), in order."""
    slots, edges, resources = block.shape
    for t in range(slots):
        for e in range(edges):
            if present[t, copy[e]]:
                for k in range(resources):
                    totals[t, copy[e], k] += block[t, e, k]


@njit(**PLAIN)
def add_gains(
    amounts: np.ndarray,
    present: np.ndarray,
    stretches: Stretches,
    divisor: np.ndarray,
    kind: np.ndarray,
    alpha: np.ndarray,
    sums: np.ndarray,
    mantissa: np.ndarray,
    exponent: np.ndarray,
) -> np.ndarray:
    """Return the gains of the amounts (n, M, K) in each slot (n,), in doubles.

    Only present copies (n, C) count. ``divisor`` (3, G, K) has a, b, c of each row: an amount y >= 0 gains
    y / (a y + b + c sqrt(1 + y)), times alpha or 1/alpha by the kind of its utility (G, K). Each slot's sum of gains,
    without the factor alpha or 1/alpha, is added to ``sums`` (G, K). Logarithms have factors 1 + y; each slot's
    product of them is multiplied into ``mantissa`` times 2 to the ``exponent``.
    """
    slots, _, resources = amounts.shape
    width = TILE * resources
    values = amounts.reshape(slots, -1)
    slope, constant, root = divisor[0].reshape(-1), divisor[1].reshape(-1), divisor[2].reshape(-1)
    kinds, alphas, all_sums = kind.reshape(-1), alpha.reshape(-1), sums.reshape(-1)
    mantissas, exponents = mantissa.reshape(-1), exponent.reshape(-1)
    total, product, scale = np.empty(width), np.empty(width), np.empty(width, dtype=np.int64)
    earned = np.zeros(slots)
    for t in range(slots):
        for n in range(len(stretches.tile) - 1):
            total[:], product[:], scale[:] = 0.0, 1.0, 0
            begin, factors = n * width, 0
            for s in range(stretches.tile[n], stretches.tile[n + 1]):
                if not present[t, stretches.holder[s]]:
                    continue
                size = stretches.count[s] * resources
                at, row = stretches.first[s] * resources, stretches.group[s] * resources
                here, gains = values[t][at : at + size], total[row - begin : row - begin + size]
                products = product[row - begin : row - begin + size]
                a, b, c = slope[row : row + size], constant[row : row + size], root[row : row + size]
                for j in range(size):
                    amount = here[j]
                    above = 1.0 + amount
                    gains[j] += amount / (a[j] * amount + b[j] + c[j] * sqrt(above))
                    products[j] *= above
                factors += 1
                if factors % FACTORS == 0:
                    for j in range(width):
                        if product[j] > LARGE:
                            product[j], more = frexp(product[j])
                            scale[j] += more
            for j in range(min(width, kinds.size - begin)):
                i = begin + j
                if kinds[i] == LOG:
                    earned[t] += alphas[i] * (log(product[j]) + scale[j] * log(2.0))
                    mantissas[i], more = frexp(mantissas[i] * product[j])
                    exponents[i] += scale[j] + more
                else:
                    all_sums[i] += total[j]
                    earned[t] += total[j] / alphas[i] if kinds[i] == RECIPROCAL else alphas[i] * total[j]
    return earned
