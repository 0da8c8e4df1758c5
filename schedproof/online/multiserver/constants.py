"""The constants D and G of Theorem 1, printed and sharper.

D is the diameter of the feasible region, G the largest norm of a supergradient. With a constant step eta the regret is
at most D^2/(2 eta) + eta T G^2/2. `rationals` computes the squares exactly, `doubles` quickly, by the same formulas.

Only entries (l, r, k) with m = min(a_l^k, c_r^k) > 0 count, because otherwise y = 0 in every allocation. The projection
of a row and (40)-(42) are unchanged without these entries, and the sharper G omits them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from schedproof.instances.multiserver.graph import Graph
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.utility import slopes

Number = Any  # a double or a Fraction


class Coefficients(NamedTuple):
    """Coefficients of D and G; arrays of doubles or of Fractions.

    Attributes
    ----------
    edge_copy, edge_node
        (E,) copy and node of each edge.
    demand, capacity, overhead
        (C, K) a, (R, K) c and (K,) beta.
    slope
        (R, K) f'(0) of f_r^k; if the gain is per total, f'(0) of f_k for every node.
    """

    edge_copy: np.ndarray
    edge_node: np.ndarray
    demand: np.ndarray
    capacity: np.ndarray
    overhead: np.ndarray
    slope: np.ndarray

    @property
    def most(self) -> np.ndarray:
        """Return (E, K): m = min(a, c), the upper bound of each entry."""
        return np.minimum(self.demand[self.edge_copy], self.capacity[self.edge_node])


def doubles(graph: Graph, gain: str = "node") -> Coefficients:
    """Return the coefficients of a graph for one reading of the gain, in doubles."""
    kind, alpha = (graph.total_kind, graph.total_alpha) if gain == "total" else (graph.kind, graph.alpha)
    slope = slopes(kind, alpha, np.zeros(graph.capacity.shape))
    return Coefficients(graph.edge_copy, graph.edge_node, graph.demand, graph.capacity, graph.overhead, slope)


def rationals(instance: Instance, gain: str = "node") -> Coefficients:
    """Return the exact coefficients of an instance for one reading of the gain."""
    names, graph = instance.resources, instance.graph

    def table(rows: list[Mapping[str, Fraction]]) -> np.ndarray:
        values = [[row.get(name, Fraction(0)) for name in names] for row in rows]
        return np.array(values, dtype=object).reshape(len(rows), len(names))

    def steepest(node: int) -> dict[str, Fraction]:
        own = {name: instance.utilities[name] if gain == "total" else instance.utility(node, name) for name in names}
        return {name: utility.steepest for name, utility in own.items()}

    return Coefficients(
        graph.edge_copy,
        graph.edge_node,
        table([instance.ports[p].demand for p in graph.port.tolist()]),
        table([node.capacity for node in instance.nodes]),
        table([instance.overhead])[0],
        table([steepest(node.index) for node in instance.nodes]),
    )


def diameter_squared(of: Coefficients, constants: str = "sharper") -> Number:
    """Return D^2, an upper bound on |y - z|^2 over all feasible y and z.

    ``printed`` is (51), 2 sum_k max_l a_l^k sum_r c_r^k. ``sharper`` is the sum over nodes and resources of

        min( sum_l m_l^2, 2 max_l m_l min(c, sum_l m_l) ),    m_l = min(a_l, c).

    The first term holds because |y_l - z_l| <= m_l. The second holds because |y_l - z_l|^2 <= max m (y_l + z_l), and
    neither y nor z has a sum above min(c, sum m).
    """
    if constants == "printed":
        if not len(of.demand):
            return 0 * of.capacity.sum()
        return 2 * (of.demand.max(axis=0) * of.capacity.sum(axis=0)).sum()
    demand, nodes = of.most, len(of.capacity)
    squares, sums = (_group_sums(of.edge_node, nodes, rows) for rows in (demand**2, demand))
    largest = np.zeros_like(sums)
    np.maximum.at(largest, of.edge_node, demand)
    return np.minimum(squares, 2 * largest * np.minimum(of.capacity, sums)).sum()


def steepest_squared(of: Coefficients, constants: str = "sharper") -> Number:
    """Return G^2, an upper bound on |g|^2 over all supergradients (30).

    All ports are assumed to have a job. ``printed`` is (48), the sum over edges of beta*^2 + K varpi_r*^2. ``sharper``
    is the sum over copies of

        max_kappa  sum_(r, k), k != kappa  s_rk^2  +  sum_r max(beta_kappa^2, (s_r,kappa - beta_kappa)^2)

    over the entries with m > 0, where s = f'(0). Slopes lie in [0, s] because f' is nonincreasing. The k* of a copy is
    the same kappa at all its nodes. Entries of kappa lie in [-beta, s - beta], and the largest square is at an end
    point.
    """
    beta = of.overhead
    if constants == "printed":
        return (beta.max() ** 2 + len(beta) * of.slope.max(axis=1)[of.edge_node] ** 2).sum()
    slope, movable = of.slope[of.edge_node], of.most > 0
    plain = slope**2 * movable
    more = (np.maximum(beta**2, (slope - beta) ** 2) - slope**2) * movable
    return plain.sum() + _group_sums(of.edge_copy, len(of.demand), more).max(axis=1).sum()


def _group_sums(groups: np.ndarray, count: int, rows: np.ndarray) -> np.ndarray:
    sums = np.zeros((count, rows.shape[1]), dtype=rows.dtype)
    np.add.at(sums, groups, rows)
    return sums
