"""The dual function of the three relaxations in doubles, minimised without an LP.

In the symbols of `certificate`, for prices of storage, compute and bandwidth,

    g = sum of price times amount + sum_k max(0, 1 - sum_{i in C_k} min_{j in A_i} c_ij),

is a convex function whose minimum is the relaxation's optimum. A temperature mu smooths g: -mu ln sum exp(-c/mu), which
is smaller, replaces the least cost, and 4 mu ln(1 + exp(s/(4 mu))), which is larger, replaces the surplus max(0, s).
BFGS minimises the smooth function, which is above g, with warm starts while mu falls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.dual_kernels import Offers, below_least, costs, smooth
from schedproof.relaxations.jrp.quasi_newton import minimum

TEMPERATURES = 10.0 ** -np.arange(1, 8)
STEPS = 300  # steps at one temperature
LEAST_PRICE = 1e-100  # the root of a product has no slope at 0
PROHIBITIVE_COST = 1 + 1e-9  # price of any data, above the value 1 of a job


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The data by which the three relaxations differ, in doubles.

    Attributes
    ----------
    storage, compute, bandwidth
        (m,): S_j, C_j and B_j.
    roots
        (p,): sqrt(a_k b_k), or zeros if computing and communicating do not share their time.
    """

    storage: np.ndarray
    compute: np.ndarray
    bandwidth: np.ndarray
    roots: np.ndarray


class Dual:
    """The dual function g of a relaxation: a bound from prices (3, m) of resources.

    Parameters
    ----------
    alive
        (E,): the allowed edges, by default all. A job that has a data node without edges is left out.
    extra
        (E,): data costs in addition to the servers' prices, by default 0.

    Attributes
    ----------
    amounts
        (3, m): the servers' resources.
    prohibitive_price
        (3, m): where the amount is 0, a price at which no job would use it; 0 elsewhere.
    """

    def __init__(
        self,
        instance: Instance,
        relaxation: Relaxation,
        alive: np.ndarray | None = None,
        extra: np.ndarray | None = None,
    ) -> None:
        edges, servers = instance.edges, len(instance.servers)
        here = np.arange(len(edges.node)) if alive is None else np.flatnonzero(alive)
        node, first = np.unique(edges.node[here], return_index=True)
        self._some = bool(len(node))
        placeless = np.bincount(edges.node[here], minlength=len(edges.size)) == 0
        self._worth = np.ones(len(instance.jobs))
        self._worth[edges.job[placeless]] = -np.inf
        self._offers = Offers(
            np.append(first, len(here)),
            edges.job[node],
            edges.size[node],
            edges.server[here],
            np.zeros(len(here)) if extra is None else extra[here],
            edges.compute_rate,
            edges.bandwidth_rate,
            2 * relaxation.roots,
        )
        self.amounts = np.stack([relaxation.storage, relaxation.compute, relaxation.bandwidth])
        job = edges.job[edges.node[here]]
        rates = np.stack([np.ones_like(edges.compute_rate), edges.compute_rate, edges.bandwidth_rate])
        least = _smallest_needs(edges.size[edges.node[here]] * rates[:, job], edges.server[here], servers)
        wanted = (self.amounts == 0) & (least > 0)
        self.prohibitive_price = np.divide(PROHIBITIVE_COST, least, out=np.zeros_like(least), where=wanted)

    def value(self, prices: np.ndarray) -> float:
        """Return the dual function g at given prices, up to rounding errors."""
        return float((prices * self.amounts).sum() + np.maximum(self.surplus(self.costs(prices)), 0).sum())

    def best(self, *prices: np.ndarray) -> np.ndarray:
        """Return the prices with the least g, made prohibitive where the amount is 0."""
        every = (*prices, np.zeros_like(self.amounts))
        return min((np.where(self.amounts > 0, row, self.prohibitive_price) for row in every), key=self.value)

    def costs(self, prices: np.ndarray) -> np.ndarray:
        return costs(self._offers, _with_root(prices))

    def surplus(self, costs: np.ndarray) -> np.ndarray:
        """Return each job's value minus its data nodes' least costs; -inf if left out."""
        least = np.minimum.reduceat(costs, self._offers.first[:-1]) if self._some else np.zeros(0)
        return self._worth - np.bincount(self._offers.job, least, len(self._worth))

    def smooth(self, prices: np.ndarray, temperature: float) -> tuple[float, np.ndarray]:
        """Return the smooth function above g, and its slopes (3, m)."""
        below, least = below_least(self._offers, self.costs(prices), temperature)
        weights = np.exp(below, out=below)
        value, used = smooth(self._offers, weights, least, self._worth.copy(), temperature, prices.shape[1])
        slope = np.sqrt(prices[2] / prices[1]) / 2
        storage, compute, bandwidth, root = used.T
        slopes = self.amounts - np.stack([storage, compute + root * slope, bandwidth + root / (4 * slope)])
        return float((prices * self.amounts).sum() + value), slopes

    def descend(
        self,
        gap: float,
        context: Context = USUAL,
        *,
        start: np.ndarray | None = None,
        temperatures: np.ndarray = TEMPERATURES,
    ) -> np.ndarray:
        """Return prices near the best: descend until the gain is below ``gap`` times g.

        The descent begins at the prices ``start``, by default at equal prices of all amounts.
        """
        best, some = self.prohibitive_price, self.amounts > 0
        if not self._some:
            return best
        unit = np.sqrt(np.where(some, self.amounts, 1.0))
        root = np.where(some, np.sqrt(len(self._worth) / (2 * some.size)), np.sqrt(self.prohibitive_price))
        if start is not None:
            root = np.where(some, np.sqrt(start) * unit, root)
        for temperature in temperatures:

            def along(root: np.ndarray, temperature: float = temperature) -> tuple[float, np.ndarray]:
                root = root.reshape(unit.shape) / unit
                value, slopes = self.smooth(np.maximum(root**2, LEAST_PRICE), temperature)
                return value, np.where(some, 2 * root * slopes / unit, 0.0).ravel()

            awake = np.where(some, np.maximum(np.abs(root), np.sqrt(temperature)), root)  # at 0 all slopes are 0
            root = minimum(along, awake.ravel(), STEPS, context).reshape(unit.shape)
            prices = (root / unit) ** 2
            before, after = self.value(best), self.value(prices)
            best = prices if after < before else best
            context.progress(f"temperature {temperature:.0e}: at most {min(before, after):.6f}")
            if context.over or 0 <= before - after <= gap * after:
                break
        return best


def _with_root(prices: np.ndarray) -> np.ndarray:
    return np.column_stack([*prices, np.sqrt(prices[1] * prices[2])])


def _smallest_needs(needs: np.ndarray, server: np.ndarray, servers: int) -> np.ndarray:
    least = np.full((len(needs), servers), np.inf)
    for row, need in zip(least, needs, strict=True):
        np.minimum.at(row, server[need > 0], need[need > 0])
    return np.where(np.isinf(least), 0.0, least)
