"""Exact minimum-cost flows with integer data, by two methods."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from schedproof.core.base.lazy import networkx
from schedproof.core.solvers.status import Outcome

Solver = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[Outcome, np.ndarray]]


def solve(
    tails: np.ndarray, heads: np.ndarray, capacities: np.ndarray, costs: np.ndarray, supplies: np.ndarray
) -> tuple[Outcome, np.ndarray]:
    """Return a minimum-cost flow; `potentials.potentials` proves that it is optimal.

    `network_simplex` is a slower second method. OR-tools holds Python's lock while it solves, so an interrupt waits for
    it.

    Parameters
    ----------
    tails, heads, capacities, costs
        One int64 entry per arc.
    supplies
        One int64 entry per node, positive at sources; the sum is zero.

    Returns
    -------
    Outcome, flows
        ``exact`` is the integer optimum; ``flows`` has one entry per arc, empty if infeasible.

    Raises
    ------
    OverflowError
        If the solver could exceed 63 bits.
    """
    from ortools.graph.python import min_cost_flow

    network = min_cost_flow.SimpleMinCostFlow()
    network.add_arcs_with_capacity_and_unit_cost(tails, heads, capacities, costs)
    network.set_nodes_supplies(np.arange(supplies.size), supplies)
    ended = network.solve()
    if ended in (network.BAD_COST_RANGE, network.BAD_CAPACITY_RANGE):
        raise OverflowError("the numbers are too large for an exact min-cost flow")
    if ended == network.OPTIMAL:
        return _optimal(network.flows(np.arange(tails.size)), costs)
    if ended in (network.INFEASIBLE, network.UNBALANCED):
        return Outcome("infeasible"), np.empty(0, dtype=np.int64)
    return Outcome("solver_failed", message=str(ended)), np.empty(0, dtype=np.int64)


def network_simplex(
    tails: np.ndarray, heads: np.ndarray, capacities: np.ndarray, costs: np.ndarray, supplies: np.ndarray
) -> tuple[Outcome, np.ndarray]:
    """Solve by networkx's network simplex: slower than `solve`, without overflow.

    Raises
    ------
    TypeError
        For numbers that are not integers; the method might not end.
    """
    columns = (tails, heads, capacities, costs, supplies)
    if not all(np.issubdtype(column.dtype, np.integer) for column in columns):
        raise TypeError("expected integers: the network simplex method is exact only for integers")
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from((node, {"demand": -supply}) for node, supply in enumerate(supplies.tolist()))
    rows = zip(*(column.tolist() for column in columns[:4]), strict=True)
    graph.add_edges_from((u, v, arc, {"capacity": most, "weight": c}) for arc, (u, v, most, c) in enumerate(rows))
    try:
        _, chosen = networkx.network_simplex(graph)
    except networkx.NetworkXUnfeasible:
        return Outcome("infeasible"), np.empty(0, dtype=np.int64)
    ends = zip(tails.tolist(), heads.tolist(), strict=True)
    return _optimal(np.array([chosen[u][v][arc] for arc, (u, v) in enumerate(ends)], dtype=np.int64), costs)


def _optimal(flows: np.ndarray, costs: np.ndarray) -> tuple[Outcome, np.ndarray]:
    used = np.flatnonzero(flows)
    value = sum(x * c for x, c in zip(flows[used].tolist(), costs[used].tolist(), strict=True))
    return Outcome("optimal", float(value), float(value), exact=Fraction(value)), flows
