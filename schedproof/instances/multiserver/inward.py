"""Rounding inward: from doubles that are feasible up to roundings to doubles that are feasible."""

from __future__ import annotations

import numpy as np

from schedproof.instances.multiserver.graph import Graph

TINY = 2.0**-900  # amounts below it are none: their roundings would not be relative


def inward(graph: Graph, point: np.ndarray) -> np.ndarray:
    """An allocation (E, K) next to a point (E, K) that is feasible up to roundings; amounts only shrink.

    With u = 2^-53, a sum S of n doubles >= 0 is at least (1 - n u) times the exact one. A row with S (1 + 2 n u) <= c
    therefore fits. In any other, amounts times fl(c / S (1 - 2 n u - 2^-48)) add up to at most c: factor and products
    round a few times more, 2^-48 = 32 u.
    """
    amounts = np.clip(point, 0, graph.demand[graph.edge_copy])
    amounts[amounts < TINY] = 0
    total = np.zeros(graph.capacity.shape)
    np.add.at(total, graph.edge_node, amounts)
    terms = np.bincount(graph.edge_node, minlength=len(total))[:, None] * 2.0**-52
    over = total * (1 + terms) > graph.capacity
    factor = np.ones_like(total)
    np.divide(graph.capacity * (1 - terms - 2.0**-48), total, out=factor, where=over)
    return amounts * np.minimum(factor, 1)[graph.edge_node]
