"""Minimum-cost flows with integer data, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.solvers.status import Outcome


def solve(
    tails: np.ndarray, heads: np.ndarray, capacities: np.ndarray, costs: np.ndarray, supplies: np.ndarray
) -> tuple[Outcome, np.ndarray]:
    """The cheapest flow of all supplies; `potentials.potentials` proves that none is cheaper.

    OR-tools holds Python's lock while it solves: an interrupt is heard when it is done.

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
        When the solver could leave 63 bits.
    """
    from ortools.graph.python import min_cost_flow

    network = min_cost_flow.SimpleMinCostFlow()
    network.add_arcs_with_capacity_and_unit_cost(tails, heads, capacities, costs)
    network.set_nodes_supplies(np.arange(supplies.size), supplies)
    ended = network.solve()
    if ended in (network.BAD_COST_RANGE, network.BAD_CAPACITY_RANGE):
        raise OverflowError("the numbers are too large for an exact min-cost flow")
    if ended == network.OPTIMAL:
        flows = network.flows(np.arange(tails.size))
        used = np.flatnonzero(flows)
        value = sum(x * c for x, c in zip(flows[used].tolist(), costs[used].tolist(), strict=True))
        return Outcome("optimal", float(value), float(value), exact=Fraction(value)), flows
    if ended in (network.INFEASIBLE, network.UNBALANCED):
        return Outcome("infeasible"), np.empty(0, dtype=np.int64)
    return Outcome("solver_failed", message=str(ended)), np.empty(0, dtype=np.int64)
