"""The stationary problem as flat arrays, with scaled variables.

    maximize  sum_c n_c [gain_c(y) - o_c]   over u and o

    0 <= u <= 1,  y = m u,    m = min(a, c), the limit of a channel
    sum_l h u <= 1            for rows (resource, node), h = m / c; rows that cannot bind are left out
    o_c >= beta_k T_(k,c)     for pairs (resource, copy), T = sum_r y

The counts n are relative to the largest count. The variables are ordered by resource, then by edge.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.untyped import Compiled
from schedproof.instances.multiserver import Graph
from schedproof.instances.multiserver.utility import VALUES, Rule, at_each

SLOPES: tuple[Rule, ...] = (  # of the four utilities (54) at y
    lambda a, y: a + 0 * y,
    lambda a, y: a / (1 + y),
    lambda a, y: (y + a) ** -2.0,
    lambda a, y: a / (2 * np.sqrt(1 + y)),
)
CURVATURES: tuple[Rule, ...] = (  # -f''
    lambda a, y: 0 * y,
    lambda a, y: a * (1 + y) ** -2.0,
    lambda a, y: 2 * (y + a) ** -3.0,
    lambda a, y: a / 4 * (1 + y) ** -1.5,
)
BEST: tuple[Rule, ...] = (  # y at which f' equals a price
    lambda a, price: np.where(price < a, np.inf, 0.0),
    lambda a, price: a / price - 1,
    lambda a, price: price**-0.5 - a,
    lambda a, price: (a / (2 * price)) ** 2 - 1,
)


class Layout:
    """The variables of a stationary problem by resource, edge and row.

    V variables, N rows, K resources, C copies that have a variable.

    Attributes
    ----------
    resource, edge, copy
        (V,) the resource, edge and copy of each variable; ``copy`` is a position in ``copies``.
    most, share
        (V,) m and h; h = 0 outside the rows.
    row, pair
        (V,) the numbers of each variable's row (N without a row) and pair (k C + c).
    cells
        (N,) the position k R + r of each row.
    begin, member
        Row i's variables are ``member[begin[i]:begin[i + 1]]``.
    copies
        (C,) the numbers of the copies in the graph.
    counts, beta
        (C,) n and (K, C) beta_k.
    proximal
        The cost of squared steps, relative to the gains' slopes; it prevents long steps along sets of equal values.
    """

    proximal = 1e-6

    def __init__(self, graph: Graph, counts: np.ndarray, by_node: bool) -> None:
        self.by_node, self.scale = by_node, float(counts.max(initial=1))
        limit = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node])
        limit = limit * (counts > 0)[graph.edge_copy, None]
        self.resource, self.edge = np.nonzero(limit.T)
        self.most = limit[self.edge, self.resource]
        self.copies, self.copy = np.unique(graph.edge_copy[self.edge], return_inverse=True)
        self.shape = len(graph.overhead), len(self.copies)
        self.pair = self.resource * self.shape[1] + self.copy
        self.counts = counts[self.copies] / self.scale
        self.beta = np.repeat(graph.overhead[:, None], self.shape[1], axis=1)
        node = graph.edge_node[self.edge]
        if by_node:
            self.kind, self.alpha = graph.kind[node, self.resource], graph.alpha[node, self.resource]
            self.weight = self.counts[self.copy]
        else:
            totals = (np.repeat(f[:, None], self.shape[1], axis=1) for f in (graph.total_kind, graph.total_alpha))
            self.kind, self.alpha = totals
            self.weight = self.counts
        self._number_rows(graph.capacity.T.ravel(), self.resource * len(graph.capacity) + node)

    def _number_rows(self, capacity: np.ndarray, cell: np.ndarray) -> None:
        wanted = np.bincount(cell, self.most, minlength=len(capacity))
        self.cells = np.flatnonzero(wanted > capacity)
        number = np.full(len(capacity), len(self.cells))
        number[self.cells] = np.arange(len(self.cells))
        self.row = number[cell]
        self.capacity = capacity[self.cells]
        self.share = self.most / self.at_rows(self.capacity, np.inf)
        self.member = np.argsort(self.row, kind="stable")
        self.begin = np.searchsorted(self.row[self.member], np.arange(len(self.cells) + 1))

    def zeros(self, shape: int | tuple[int, ...]) -> np.ndarray:
        return np.zeros(shape)

    def settle(self, values: np.ndarray) -> np.ndarray:
        return values

    def kernel(self, compiled: Compiled) -> Compiled:
        return compiled

    def row_sums(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.row, values, minlength=len(self.cells) + 1)[:-1]

    def at_rows(self, values: np.ndarray, outside: float = 0.0) -> np.ndarray:
        """Return the value of each variable's row; ``outside`` without a row."""
        padded = self.zeros(len(self.cells) + 1)
        padded[:-1], padded[-1] = values, outside
        return padded[self.row]

    def pair_sums(self, values: np.ndarray) -> np.ndarray:
        return np.bincount(self.pair, values, minlength=self.beta.size).reshape(self.shape)

    def at_pairs(self, values: np.ndarray) -> np.ndarray:
        return values.ravel()[self.pair]

    def inside(self, u: np.ndarray) -> np.ndarray:
        """Return shares near ``u`` within the box and the rows, up to rounding."""
        u = np.minimum(u, 1.0)
        return u / self.at_rows(np.maximum(self.row_sums(self.share * u), 1.0), 1.0)

    def amounts(self, u: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Return the utilities' arguments: amounts of variables, or totals by pair.

        A pair is a resource and a copy of a port."""
        return self.most * u if self.by_node else totals

    def _each(self, rules: tuple[Rule, ...], amounts: np.ndarray) -> np.ndarray:
        return at_each(rules, self.kind, self.alpha, amounts)

    def gain(self, amounts: np.ndarray) -> float:
        return float((self.weight * self._each(VALUES, amounts)).sum())

    def slope(self, amounts: np.ndarray) -> np.ndarray:
        values = self.weight * self._each(SLOPES, amounts)
        return values if self.by_node else self.at_pairs(values)

    def curvature(self, amounts: np.ndarray) -> np.ndarray:
        values: np.ndarray = self.weight * self._each(CURVATURES, amounts)
        return values

    def value(self, amounts: np.ndarray, totals: np.ndarray) -> float:
        return self.gain(amounts) - float((self.counts * (self.beta * totals).max(axis=0)).sum())

    def bound(self, prices: np.ndarray, weights: np.ndarray, totals: np.ndarray) -> float:
        """Return the bound of prices (N,) and weights (K, C) of the overheads, in doubles."""
        cost = self.at_pairs(self.counts * self.beta * weights) + self.at_rows(prices / self.capacity)
        if self.by_node:
            best = np.clip(self._each(BEST, cost / self.weight), 0, self.most)  # variables without cost at their limit
            return float(prices.sum() + self.gain(best) - (cost * best).sum())
        slope = self.weight * self._each(SLOPES, totals)
        surplus = np.maximum(self.at_pairs(slope) - cost, 0) * self.most
        return float(prices.sum() + self.gain(totals) - (slope * totals).sum() + surplus.sum())
