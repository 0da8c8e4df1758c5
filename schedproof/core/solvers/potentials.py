"""What proves that a flow is the cheapest: a potential for each node, the integer dual of a min-cost flow.

A flow is the cheapest if no cycle of arcs on which it can still grow, and of used arcs backwards, costs less than
nothing; then the shortest ways through these arcs are potentials by which no such arc is too cheap.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.untyped import Array, Compiled
from schedproof.core.errors import SchedproofError
from schedproof.core.runtime.kernels import kernel


def potentials(tails: Array, heads: Array, capacities: Array, costs: Array, flows: Array, nodes: int) -> Array:
    """Of each node, int64: what the shortest way to it costs, from wherever it begins, at most 0.

    On an arc with flow below its capacity the head's is at most the tail's and the cost; with flow above 0, at least.

    Raises
    ------
    SchedproofError
        For a flow that is not the cheapest.
    """
    result, least = shortest(tails, heads, capacities, costs, flows, nodes)
    if not least:
        raise SchedproofError("the flow that the solver calls optimal is not the cheapest: please report this")
    return result


def _shortest(tails: Array, heads: Array, capacities: Array, costs: Array, flows: Array, nodes: Array) -> Array:
    """The potentials, and whether there are any: nodes are looked at again, first in, first out, until none changes."""
    first = np.zeros(nodes + 1, dtype=np.int64)  # of each node's arcs, forwards and backwards, among ``arc``
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
                if reached < -dearest * nodes:  # no way without a cycle is so cheap
                    return result, False
                result[w] = reached
                if not waits[w]:
                    line[(head + waiting) % nodes], waits[w] = w, True
                    waiting += 1
    return result, True


shortest: Compiled = kernel(_shortest)
