"""Kernels of the baselines.

Shapes: ``present`` (n, C), ``out`` (n, E, K), ``rest`` (R, K). Amounts are in units of the resource.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel

SPLITTER = 2.0**27 + 1  # Veltkamp's constant, splits the 53 bits of a double


class Channels(NamedTuple):
    """The graph in arrays.

    Attributes
    ----------
    first
        (C + 1,): the edges of copy c are first[c] to first[c + 1].
    node
        (E,): the node of each edge.
    demand, capacity
        (C, K) and (R, K), in units of the resource.
    scale
        (K,): units per amount 1.
    """

    first: Array
    node: Array
    demand: Array
    capacity: Array
    scale: Array


@kernel
def less(remaining: Array, taken: Array) -> Array:
    """Return ``remaining - taken``, rounded down; 0 <= taken <= remaining.

    The subtraction's rounding error is a double, and ``(remaining - rest) - taken`` computes it exactly (Dekker's fast
    two-sum).
    """
    rest = remaining - taken
    return np.nextafter(rest, 0.0) if (remaining - rest) < taken else rest


@kernel
def amount(units: Array, scale: Array) -> Array:
    """Return ``units / scale``, rounded down.

    Both are 0 or between 1e-100 and 1e20, so that no product underflows. The nearest double is too large if its
    product with ``scale`` exceeds ``units``; this product equals ``product + error`` (Dekker's two-product).
    """
    nearest = units / scale
    product = nearest * scale
    if product < units:
        return nearest
    if product == units:
        big = SPLITTER * nearest
        high = big - (big - nearest)
        low = nearest - high
        big = SPLITTER * scale
        scale_high = big - (big - scale)
        scale_low = scale - scale_high
        error = ((high * scale_high - product) + high * scale_low + low * scale_high) + low * scale_low
        if error <= 0:
            return nearest
    return np.nextafter(nearest, 0.0)


@kernel
def give(channels: Array, t: Array, e: Array, k: Array, wish: Array, rest: Array, out: Array) -> None:
    """Give edge e the amount ``wish``, at most the free amount of its node."""
    r = channels.node[e]
    taken = min(wish, rest[r, k])
    rest[r, k] = less(rest[r, k], taken)
    out[t, e, k] = amount(taken, channels.scale[k])


@kernel
def in_turn(present: Array, order: Array, channels: Array, out: Array) -> None:
    """Give the copies, in the given order, their demand or the free rest of each node."""
    rest = np.empty_like(channels.capacity)
    for t in range(len(present)):
        rest[:] = channels.capacity
        for c in order:
            if present[t, c]:
                for e in range(channels.first[c], channels.first[c + 1]):
                    for k in range(len(channels.scale)):
                        give(channels, t, e, k, channels.demand[c, k], rest, out)


@kernel
def by_shares(present: Array, counted: Array, channels: Array, out: Array) -> None:
    """Give each present copy its share of each node, at most the copy's demand.

    The demands of the copies ``counted`` (n, C) define the shares.
    """
    first, node, demand, capacity, scale = channels
    demanded, rest = np.empty_like(capacity), np.empty_like(capacity)
    for t in range(len(present)):
        demanded[:] = 0
        rest[:] = capacity
        for c in range(len(first) - 1):
            if counted[t, c]:
                for e in range(first[c], first[c + 1]):
                    for k in range(len(scale)):
                        demanded[node[e], k] += demand[c, k]
        for c in range(len(first) - 1):
            if present[t, c]:
                for e in range(first[c], first[c + 1]):
                    for k in range(len(scale)):
                        r, share = node[e], demand[c, k]
                        if demanded[r, k] > capacity[r, k]:  # then at least by a factor of 1 + 2u
                            share = capacity[r, k] * share / demanded[r, k]  # below the demand despite two roundings
                        give(channels, t, e, k, share, rest, out)


@kernel
def one_node_each(present: Array, fullest: Array, channels: Array, out: Array) -> None:
    """Give each copy in turn its demand on the fullest or emptiest node with room.

    A copy that fits nowhere takes all of the node with the largest free amount.
    """
    first, node, demand, capacity, scale = channels
    sign = 1.0 if fullest else -1.0  # minimise sign * free, free = 1 - utilisation
    rest, free = np.empty_like(capacity), np.empty_like(capacity)
    for t in range(len(present)):
        rest[:] = capacity
        free[:] = sign
        for c in range(len(first) - 1):
            for k in range(len(scale)):
                wish = demand[c, k]
                if wish == 0 or not present[t, c]:
                    continue
                best = -1
                for e in range(first[c], first[c + 1]):
                    r = node[e]
                    if rest[r, k] >= wish and (best < 0 or (free[r, k], r) < (free[node[best], k], node[best])):
                        best = e
                if best < 0:
                    for e in range(first[c], first[c + 1]):
                        r = node[e]
                        if rest[r, k] > 0 and (best < 0 or (-rest[r, k], r) < (-rest[node[best], k], node[best])):
                            best = e
                if best >= 0:
                    give(channels, t, best, k, wish, rest, out)
                    free[node[best], k] = sign * (rest[node[best], k] / capacity[node[best], k])
