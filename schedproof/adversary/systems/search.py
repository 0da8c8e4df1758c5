"""The largest ratio of two costs over cycles, or paths from the start, exactly.

At a ratio p/q a step with the costs a and o has the weight q a - p o. The largest weight of a walk to each node is
computed in rounds (Bellman-Ford). A cycle of positive weight, or a path if no additive constant is allowed, has a
larger ratio, which is tried next (Dinkelbach). Otherwise the weights are a potential, and no walk has a larger ratio.
All numbers are integers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from schedproof.adversary.systems.graph import Graph
from schedproof.core.runtime.context import Context

MOST_WEIGHT = 2**62


@dataclass(frozen=True)
class Worst:
    """The largest ratio that is known, and its proof.

    Attributes
    ----------
    ratio
        The ratio of the walk; infinite if the offline cost of the walk is 0.
    walk
        The steps of a cycle, or of a path from the start.
    closed
        Whether the walk is a cycle.
    potential
        Weight of the worst walk to each node, or None if larger ratios are not excluded.
    """

    ratio: Fraction | float = Fraction(0)
    walk: tuple[int, ...] = ()
    closed: bool = True
    potential: np.ndarray | None = None


def search(graph: Graph, context: Context, keep: Callable[[Worst], object]) -> Worst:
    """Return the largest ratio with its proof; pass ratios found on the way to `keep`."""
    own, other = (graph.other, graph.own) if graph.asked.gains else (graph.own, graph.other)
    strict = not graph.asked.constant
    worst = Worst()
    while worst.potential is None:
        ratio = Fraction(worst.ratio)
        potential, walk, closed = _longest(graph, ratio.numerator, ratio.denominator, own, other, strict)
        if not walk:
            return Worst(ratio, worst.walk, worst.closed, potential)
        a, o = sum(int(own[step]) for step in walk), sum(int(other[step]) for step in walk)
        worst = Worst(Fraction(a, o) if o else inf, walk, closed)
        if worst.ratio == inf:
            return worst
        keep(worst)
        context.progress(f"ratio at least {worst.ratio}")
    return worst


def _longest(
    graph: Graph, p: int, q: int, own: np.ndarray, other: np.ndarray, strict: bool
) -> tuple[np.ndarray, tuple[int, ...], bool]:
    """Return each node's worst weight, and a walk of positive weight if one exists."""
    nodes = len(graph.pairs)
    small = (nodes + 1) * (q * int(own.max()) + p * int(other.max())) < MOST_WEIGHT
    weight = np.subtract(
        *(times * costs.astype(np.int64 if small else object) for times, costs in ((q, own), (p, other)))
    )
    total = np.zeros(nodes, dtype=weight.dtype)
    parent = np.full(nodes, -1)
    if strict:
        parent = graph.parent.copy()
        for node in range(1, nodes):  # each after its parent, in the order of discovery
            total[node] = total[graph.tail[parent[node]]] + weight[parent[node]]
    heads, first = np.unique(graph.head, return_index=True)
    many = np.diff(np.append(first, len(graph.head)))
    rounds = check = 1
    while True:
        reached = total[graph.tail] + weight
        best = np.maximum.reduceat(reached, first)
        better = best > total[heads]
        if strict and (found := int(np.argmax(total))) and total[found] > 0 and not better.any():
            return total, _back(graph, parent, found), False
        if not better.any():
            return total, (), True
        chosen = np.flatnonzero((reached == np.repeat(best, many)) & np.repeat(better, many))
        into, at = np.unique(graph.head[chosen], return_index=True)
        total[into], parent[into] = reached[chosen[at]], chosen[at]
        if rounds == check:
            check *= 2
            cycle = _cycle(graph, parent)
            if cycle and sum(int(weight[step]) for step in cycle) > 0:
                return total, cycle, True
        rounds += 1


def _back(graph: Graph, parent: np.ndarray, node: int) -> tuple[int, ...]:
    """Return the steps from the start to a node along the parents."""
    steps = []
    while node:
        steps.append(int(parent[node]))
        node = int(graph.tail[steps[-1]])
    return tuple(reversed(steps))


def _cycle(graph: Graph, parent: np.ndarray) -> tuple[int, ...]:
    """Return a cycle of the parents, or nothing."""
    before = np.where(parent >= 0, graph.tail[parent], -1).tolist()
    seen = [0] * len(before)
    for root in range(len(before)):
        node = root
        while node >= 0 and not seen[node]:
            seen[node] = root + 1
            node = before[node]
        if node >= 0 and seen[node] == root + 1:
            steps, here = [int(parent[node])], before[node]
            while here != node:
                steps.append(int(parent[here]))
                here = before[here]
            return tuple(reversed(steps))
    return ()
