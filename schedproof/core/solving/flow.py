"""Minimum-cost flows with integer data, exactly."""

from __future__ import annotations

import numpy as np

from schedproof.core.solving.status import Outcome

LARGEST_TOTAL = 2**53  # of cost times flow: beyond it OR-tools' own checks may overflow


def solve(
    tails: np.ndarray, heads: np.ndarray, capacities: np.ndarray, costs: np.ndarray, supplies: np.ndarray
) -> tuple[Outcome, np.ndarray]:
    """The cheapest flow of all supplies.

    Parameters
    ----------
    tails, heads, capacities, costs
        One int64 entry per arc.
    supplies
        One int64 entry per node, positive at sources; they add to zero.

    Returns
    -------
    Outcome, flows
        ``exact`` is the integer optimum; ``flows`` has one entry per arc, empty when infeasible.

    Raises
    ------
    OverflowError
        When the largest possible cost would not be exact in the solver.
    """
    from fractions import Fraction

    from ortools.graph.python import min_cost_flow

    total = int(supplies[supplies > 0].sum())
    if costs.size and int(np.abs(costs).max()) * max(total, 1) * 4 > LARGEST_TOTAL:
        raise OverflowError("the costs are too large for an exact min-cost flow")
    network = min_cost_flow.SimpleMinCostFlow()
    network.add_arcs_with_capacity_and_unit_cost(tails, heads, capacities, costs)
    network.set_nodes_supplies(np.arange(supplies.size), supplies)
    ended = network.solve()
    if ended == network.OPTIMAL:
        value = int(network.optimal_cost())
        return Outcome("optimal", float(value), float(value), exact=Fraction(value)), network.flows(
            np.arange(tails.size)
        )
    if ended in (network.INFEASIBLE, network.UNBALANCED):
        return Outcome("infeasible"), np.empty(0, dtype=np.int64)
    return Outcome("solver_failed", message=str(ended)), np.empty(0, dtype=np.int64)
