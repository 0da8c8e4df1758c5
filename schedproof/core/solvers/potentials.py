"""Node potentials: the integer dual of a min-cost flow, which proves optimality.

A flow has minimum cost if its residual graph has no cycle of negative cost. Shortest distances in the residual graph
are then potentials under which no residual arc has negative reduced cost.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.untyped import Array, Compiled
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.kernels import kernel


def potentials(tails: Array, heads: Array, capacities: Array, costs: Array, flows: Array, nodes: int) -> Array:
    """Return node potentials, int64: least distances from any start, at most 0.

    On an arc with flow below its capacity, the head's potential is at most the tail's potential plus the cost. On an
    arc with flow above 0, the head's potential is at least this sum.

    Raises
    ------
    SchedproofError
        If the flow does not have minimum cost.
    """
    result, least = shortest(tails, heads, capacities, costs, flows, nodes)
    if not least:
        raise SchedproofError("the solver's optimal flow does not have minimum cost: please report this")
    return result


def _shortest(tails: Array, heads: Array, capacities: Array, costs: Array, flows: Array, nodes: Array) -> Array:
    """Return the potentials and whether they exist, by label correction in FIFO order."""
    first = np.zeros(nodes + 1, dtype=np.int64)  # offsets of each node's residual arcs in ``arc``
    dearest = 0
    for a in range(tails.size):
        first[tails[a] + 1] += flows[a] < capacities[a]
        first[heads[a] + 1] += flows[a] > 0
        dearest = max(dearest, abs(costs[a]))
    first = np.cumsum(first)
    arc, filled = np.empty(first[-1], dtype=np.int64), first[:-1].copy()
    for a in range(tails.size):
        if flows[a] < capacities[a]:
            arc[filled[tails[a]]] = a
            filled[tails[a]] += 1
        if flows[a] > 0:
            arc[filled[heads[a]]] = ~a
            filled[heads[a]] += 1
    result = np.zeros(nodes, dtype=np.int64)
    line, waits = np.arange(nodes), np.ones(nodes, dtype=np.bool_)
    head, waiting = 0, nodes
    while waiting > 0:
        v = line[head]
        head, waiting, waits[v] = (head + 1) % nodes, waiting - 1, False
        for i in range(first[v], first[v + 1]):
            a = arc[i]
            w, reached = (heads[a], result[v] + costs[a]) if a >= 0 else (tails[~a], result[v] - costs[~a])
            if reached < result[w]:
                if reached < -dearest * nodes:  # only a negative cycle allows this
                    return result, False
                result[w] = reached
                if not waits[w]:
                    line[(head + waiting) % nodes], waits[w] = w, True
                    waiting += 1
    return result, True


shortest: Compiled = kernel(_shortest)
