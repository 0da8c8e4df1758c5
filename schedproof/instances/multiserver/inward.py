"""Rounding inward: from nearly feasible doubles to feasible doubles."""

from __future__ import annotations

import numpy as np

from schedproof.instances.multiserver.graph import Graph

TINY = 2.0**-900  # smaller amounts become 0: their rounding errors would not be relative


def inward(graph: Graph, point: np.ndarray) -> np.ndarray:
    """Return a feasible allocation (E, K) near a point feasible up to rounding.

    Amounts only shrink. With u = 2^-53, a sum S of n doubles >= 0 is at least (1 - n u) times the exact sum. A row
    with S (1 + 2 n u) <= c, its capacity, therefore fits. In any other row, amounts times fl(c / S (1 - 2 n u -
    2^-48)) add up to at most c: 2^-48 = 32 u covers the rounding errors of the factor and the products.
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
