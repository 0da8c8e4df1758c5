"""OGASched once more, as Definition 2 says it: loops over ports, nodes and resources, projections in rationals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import fsum, log, sqrt

import numpy as np

from schedproof.instances.multiserver import Graph
from tests.online.multiserver.exact import project

Sizes = Callable[[int, list[float]], float]  # slot and |g_s|^2 of the slots up to it -> eta


def cluster(ports: int, nodes: int, density: float, seed: int = 0, resources: int = 3) -> Graph:
    """A graph in which every port is connected to every node with the given probability; numbers without ties."""
    rng = np.random.default_rng(seed)
    port, node = np.nonzero(rng.random((ports, nodes)) < density)
    shape = (nodes, resources)
    return Graph(
        port=np.arange(ports),
        edge_copy=port,
        edge_node=node,
        demand=rng.uniform(0, 4, (ports, resources)) * (rng.random((ports, resources)) < 0.9),
        capacity=rng.uniform(1, 9, shape) * (rng.random(shape) < 0.9),
        kind=rng.integers(0, 4, shape).astype(np.int8),
        alpha=rng.uniform(0.5, 2, shape),
        total_kind=rng.integers(0, 4, resources).astype(np.int8),
        total_alpha=rng.uniform(0.5, 2, resources),
        overhead=rng.uniform(0, 1, resources),
    )


def value(kind: int, alpha: float, y: float) -> float:
    """f(y) (54)."""
    if kind == 0:
        return alpha * y
    if kind == 1:
        return alpha * log(y + 1)
    return 1 / alpha - 1 / (y + alpha) if kind == 2 else alpha * sqrt(y + 1) - alpha


def slope(kind: int, alpha: float, y: float) -> float:
    """f'(y)."""
    if kind == 0:
        return alpha
    if kind == 1:
        return alpha / (y + 1)
    return 1 / (y + alpha) ** 2 if kind == 2 else alpha / (2 * sqrt(y + 1))


def play(graph: Graph, present: np.ndarray, sizes: Sizes, gain: str) -> Iterator[tuple[np.ndarray, float, float]]:
    """(y(t), reward, |g_t|^2) of every slot; y (E, K)."""
    edges = list(zip(graph.edge_copy.tolist(), graph.edge_node.tolist(), strict=True))
    resources = range(len(graph.overhead))
    mine = [[e for e, (port, _) in enumerate(edges) if port == c] for c in range(len(graph.port))]
    y = np.zeros(graph.shape)
    squares: list[float] = []
    for t, here in enumerate(present.tolist()):
        g = np.zeros(graph.shape)
        reward = 0.0
        for port, arrived in enumerate(here):
            if not arrived:
                continue
            totals = [fsum(y[e, k] for e in mine[port]) for k in resources]
            costs = [graph.overhead[k] * totals[k] for k in resources]
            worst = costs.index(max(costs))
            reward -= costs[worst]
            for k in resources:
                if gain == "total":
                    reward += value(graph.total_kind[k], graph.total_alpha[k], totals[k])
                for e in mine[port]:
                    r = edges[e][1]
                    if gain == "node":
                        reward += value(graph.kind[r, k], graph.alpha[r, k], y[e, k])
                        g[e, k] = slope(graph.kind[r, k], graph.alpha[r, k], y[e, k])
                    else:
                        g[e, k] = slope(graph.total_kind[k], graph.total_alpha[k], totals[k])
                    g[e, k] -= graph.overhead[k] if k == worst else 0.0
        squares.append(fsum((g * g).flat))
        yield y, reward, squares[-1]
        z = y + sizes(t, squares) * g
        y = np.zeros(graph.shape)
        for r in range(len(graph.capacity)):
            there = [e for e, (_, node) in enumerate(edges) if node == r]
            for k in resources:
                point = [Fraction(z[e, k]) for e in there]
                demand = [Fraction(graph.demand[edges[e][0], k]) for e in there]
                y[there, k] = [float(v) for v in project(point, demand, Fraction(graph.capacity[r, k]))]
