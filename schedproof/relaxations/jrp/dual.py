"""The dual function of the three relaxations in doubles, and its descent: good prices without any linear program.

What `certificate` computes exactly is here, for prices of storage, compute and bandwidth,

    g = sum of price times amount + sum_k max(0, 1 - sum_{i in C_k} min_{j in A_i} c_ij),

a convex function whose least value is the relaxation's optimum. Its corners are rounded off by a temperature mu: the
least cost becomes -mu ln sum exp(-c/mu), which is below it, and the surplus s becomes 4 mu ln(1 + exp(s/(4 mu))), which
is above it. BFGS goes down the smooth function above g while mu falls, each time from where it was.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from schedproof.core.context import USUAL, Context
from schedproof.instances.jrp import Instance
from schedproof.relaxations.jrp.quasi_newton import minimum

TEMPERATURES = 10.0 ** -np.arange(1, 8)
STEPS = 300  # at one temperature
LEAST_PRICE = 1e-100  # at 0 the root of a product has no slope
PROHIBITIVE_COST = 1 + 1e-9  # in jobs, of any data: no job is worth it


@dataclass(frozen=True, eq=False)
class Relaxation:
    """What tells the three relaxations apart, in doubles.

    Attributes
    ----------
    compute, bandwidth
        (m,): C_j and B_j.
    roots
        (p,): sqrt(a_k b_k), or zeros where computing and communicating do not share their time.
    """

    compute: np.ndarray
    bandwidth: np.ndarray
    roots: np.ndarray


class Dual:
    """g of a relaxation of an instance; prices are (3, m): of storage, compute and bandwidth.

    Attributes
    ----------
    amounts
        (3, m): what there is.
    prohibitive_price
        (3, m): where there is nothing, a price at which no job would take the least of it; 0 elsewhere.
    """

    def __init__(self, instance: Instance, relaxation: Relaxation) -> None:
        edges, servers, self._jobs = instance.edges, len(instance.servers), len(instance.jobs)
        node, self._first = np.unique(edges.node, return_index=True)
        self._job, self._where = edges.job[node], np.searchsorted(node, edges.node)
        placeless = np.bincount(edges.node, minlength=len(edges.size)) == 0
        self._beyond = np.zeros(self._jobs)
        self._beyond[edges.job[placeless]] = np.inf
        a, b, data, job = edges.compute_rate, edges.bandwidth_rate, edges.size[edges.node], edges.job[edges.node]
        needs = data * np.stack([np.ones_like(a), a, b, 2 * relaxation.roots])[:, job]
        columns = [sparse.coo_array((row, (edges.server, np.arange(len(job)))), (servers, len(job))) for row in needs]
        self._needs = sparse.csr_array(sparse.vstack(columns))  # (4 m, E): storage, A, B, and what w belongs to
        self._costs_of = sparse.csr_array(self._needs.T)
        self.amounts = np.stack([edges.storage, relaxation.compute, relaxation.bandwidth])
        least = _least(needs[:3], edges.server, servers)
        wanted = (self.amounts == 0) & (least > 0)
        self.prohibitive_price = np.divide(PROHIBITIVE_COST, least, out=np.zeros_like(least), where=wanted)

    def value(self, prices: np.ndarray) -> float:
        """g, as near as doubles come."""
        paid = np.minimum.reduceat(self._costs(prices), self._first) if len(self._first) else np.zeros(0)
        return float((prices * self.amounts).sum() + np.maximum(self._surplus(paid), 0).sum())

    def best(self, *prices: np.ndarray) -> np.ndarray:
        """Those of least g, at the prohibitive price where there is nothing of a resource."""
        every = (*prices, np.zeros_like(self.amounts))
        return min((np.where(self.amounts > 0, row, self.prohibitive_price) for row in every), key=self.value)

    def _costs(self, prices: np.ndarray) -> np.ndarray:
        """(E,): c_ij."""
        return self._costs_of @ np.concatenate([prices.ravel(), np.sqrt(prices[1] * prices[2])])

    def _surplus(self, paid: np.ndarray) -> np.ndarray:
        """(p,): what jobs are worth beyond what their data nodes pay."""
        return 1 - self._beyond - np.bincount(self._job, paid, self._jobs)

    def smooth(self, prices: np.ndarray, temperature: float) -> tuple[float, np.ndarray]:
        """The smooth function above g, and its slopes (3, m)."""
        from scipy.special import expit

        costs = self._costs(prices)
        least = np.minimum.reduceat(costs, self._first)
        weights = np.exp((least[self._where] - costs) / temperature)
        total = np.add.reduceat(weights, self._first)
        surplus = self._surplus(least - temperature * np.log(total)) / (4 * temperature)
        value = (prices * self.amounts).sum() + 4 * temperature * np.logaddexp(0, surplus).sum()
        placed = weights * (expit(surplus)[self._job] / total)[self._where]
        storage, compute, bandwidth, root = (self._needs @ placed).reshape(4, -1)
        slope = np.sqrt(prices[2] / prices[1]) / 2
        used = np.stack([storage, compute + root * slope, bandwidth + root / (4 * slope)])
        return float(value), self.amounts - used

    def descend(self, gap: float, context: Context = USUAL) -> np.ndarray:
        """Prices near the best: down, until a lower temperature gains less than this part of g, or time is over."""
        best, some = self.prohibitive_price, self.amounts > 0
        if not len(self._first):
            return best
        unit = np.sqrt(np.where(some, self.amounts, 1.0))
        root = np.where(some, np.sqrt(self._jobs / (2 * some.size)), np.sqrt(self.prohibitive_price))
        for temperature in TEMPERATURES:

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


def _least(needs: np.ndarray, server: np.ndarray, servers: int) -> np.ndarray:
    """(3, m): the least positive need of an edge for each resource of each server; 0 where there is none."""
    least = np.full((len(needs), servers), np.inf)
    for row, need in zip(least, needs, strict=True):
        np.minimum.at(row, server[need > 0], need[need > 0])
    return np.where(np.isinf(least), 0.0, least)
