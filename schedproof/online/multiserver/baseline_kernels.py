"""The loops of the baselines over slots, present copies, channels and resources; what they hand out is safe.

``present`` (n, C), ``out`` (n, E, K), ``rest`` (R, K). Amounts are in units of the resource.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.base.untyped import Array
from schedproof.core.runtime.kernels import kernel

SPLITTER = 2.0**27 + 1  # Veltkamp's, to halve the 53 bits of a double


class Channels(NamedTuple):
    """The graph as the loops read it.

    Attributes
    ----------
    first
        (C + 1,): the edges of copy c are first[c] to first[c + 1].
    node
        (E,): of each edge.
    demand, capacity
        (C, K) and (R, K), in units of the resource.
    scale
        (K,): so many units are 1.
    """

    first: Array
    node: Array
    demand: Array
    capacity: Array
    scale: Array


@kernel
def less(remaining: Array, taken: Array) -> Array:
    """``left - taken``, rounded down; 0 <= taken <= left.

    With taken <= left what the subtraction rounds away is a double, and ``(left - rest) - taken`` computes it exactly
    (Dekker's fast two-sum).
    """
    rest = remaining - taken
    return np.nextafter(rest, 0.0) if (remaining - rest) < taken else rest


@kernel
def amount(units: Array, scale: Array) -> Array:
    """``units / scale``, rounded down; both are 0 or between 1e-100 and 1e20, so that nothing below underflows.

    The nearest double lies too high if it times ``scale`` is above ``units``. That product is ``product + error``
    exactly (Dekker's two-product), and it is above if ``product`` is, or if they are equal and ``error`` is positive.
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
    """Through edge e so much of what is wished as its node has left."""
    r = channels.node[e]
    taken = min(wish, rest[r, k])
    rest[r, k] = less(rest[r, k], taken)
    out[t, e, k] = amount(taken, channels.scale[k])


@kernel
def in_turn(present: Array, order: Array, channels: Array, out: Array) -> None:
    """One copy after the other in the given order takes its demand on each of its nodes, or the rest there."""
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
    """Each copy that is present gets its share of each of its nodes among those ``counted`` (n, C), or its demand."""
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
                        if demanded[r, k] > capacity[r, k]:  # by a factor of 1 + 2u at least
                            share = capacity[r, k] * share / demanded[r, k]  # two roundings keep it below
                        give(channels, t, e, k, share, rest, out)


@kernel
def one_node_each(present: Array, fullest: Array, channels: Array, out: Array) -> None:
    """One copy after the other takes its demand on one node, the fullest or the emptiest where it fits.

    Where it fits nowhere it takes all of the node with most left.
    """
    first, node, demand, capacity, scale = channels
    sign = 1.0 if fullest else -1.0  # the least sign * free is sought, free = 1 - utilisation
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
