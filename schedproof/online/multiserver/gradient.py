"""The supergradient (30) of a slot's reward in numpy."""

from __future__ import annotations

import numpy as np

from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.reward import port_totals
from schedproof.instances.multiserver.utility import slopes


def supergradient(graph: Graph, allocation: np.ndarray, present: np.ndarray, gain: str = "node") -> np.ndarray:
    """Return g = x_l (f'(y) - beta_k [k = k*]) at a slot's allocation.

    k* is the first resource of largest overhead. The allocation is (E, K), ``present`` (C,). For the gain
    ``node``, f' is the slope of f_r^k at the channel's amount; for ``total``, of f_k at the port's total.
    """
    totals = port_totals(graph, allocation[None], present[None])[0]
    if gain == "node":
        rise = slopes(graph.kind[graph.edge_node], graph.alpha[graph.edge_node], allocation)
    else:
        rise = slopes(graph.total_kind, graph.total_alpha, totals)[graph.edge_copy]
    worst = np.argmax(graph.overhead * totals, axis=1)  # the first of equal overheads
    charged = np.arange(len(graph.overhead)) == worst[graph.edge_copy, None]
    return (rise - charged * graph.overhead) * present[graph.edge_copy, None]
