"""The hot loops of `dual`: data costs, and the smooth dual function."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from schedproof.core.runtime.kernels import kernel

COLD = -40.0  # exp of a smaller number is negligible against the 1 of the cheapest server


class Offers(NamedTuple):
    """The edges node by node, for nodes with edges, and their resource use.

    Attributes
    ----------
    first
        (n + 1,): the edges of node i are first[i] to first[i + 1].
    job, size
        (n,): the job of each node, and its size d_i in GB.
    server, extra
        (E,): the server of each edge, and the edge's cost in addition to the server's prices.
    compute, bandwidth, root
        (p,): a_k, b_k and w_jk relative to sqrt(p_j q_j).
    """

    first: np.ndarray
    job: np.ndarray
    size: np.ndarray
    server: np.ndarray
    extra: np.ndarray
    compute: np.ndarray
    bandwidth: np.ndarray
    root: np.ndarray


@kernel
def costs(offers: Offers, prices: np.ndarray) -> np.ndarray:
    """Return the cost c_ij of each edge (E,) at prices (m, 4).

    The prices are those of storage, compute and bandwidth, and the root of p q."""
    result = np.empty(offers.server.size)
    for i in range(offers.job.size):
        k, size = offers.job[i], offers.size[i]
        a, b, root = offers.compute[k], offers.bandwidth[k], offers.root[k]
        for e in range(offers.first[i], offers.first[i + 1]):
            j = offers.server[e]
            price = prices[j, 0] + a * prices[j, 1] + b * prices[j, 2] + root * prices[j, 3]
            result[e] = size * price + offers.extra[e]
    return result


@kernel
def below_least(offers: Offers, costs: np.ndarray, temperature: float) -> tuple[np.ndarray, np.ndarray]:
    """Return each edge's distance to its node's least cost, and the least costs.

    The distances (E,), least cost minus cost, are divided by the temperature; the least costs have shape (n,)."""
    below, least = np.empty(costs.size), np.empty(offers.job.size)
    for i in range(least.size):
        cheapest = np.inf
        for e in range(offers.first[i], offers.first[i + 1]):
            cheapest = min(cheapest, costs[e])
        least[i] = cheapest
        for e in range(offers.first[i], offers.first[i + 1]):
            below[e] = max(COLD, (cheapest - costs[e]) / temperature)
    return below, least


@kernel
def smooth(
    offers: Offers, weights: np.ndarray, least: np.ndarray, surplus: np.ndarray, temperature: float, servers: int
) -> tuple[float, np.ndarray]:
    """Return the jobs' term of the smooth function, and their resource use (m, 4).

    Parameters
    ----------
    weights
        (E,): exp of `below_least`.
    surplus
        (p,): the surplus of accepting each job; overwritten by y.
    """
    totals = np.empty(least.size)
    for i in range(least.size):
        total = 0.0
        for e in range(offers.first[i], offers.first[i + 1]):
            total += weights[e]
        totals[i] = total
        surplus[offers.job[i]] -= least[i] - temperature * np.log(total)
    value = 0.0
    for k in range(surplus.size):
        above = surplus[k] / (4 * temperature)
        value += 4 * temperature * (max(above, 0.0) + np.log1p(np.exp(-abs(above))))
        surplus[k] = 1 / (1 + np.exp(-above)) if above > COLD else 0.0
    used = np.zeros((servers, 4))
    for i in range(least.size):
        k = offers.job[i]
        if surplus[k] == 0.0:
            continue
        each = offers.size[i] * surplus[k] / totals[i]
        a, b, root = offers.compute[k], offers.bandwidth[k], offers.root[k]
        for e in range(offers.first[i], offers.first[i + 1]):
            j, data = offers.server[e], each * weights[e]
            used[j, 0] += data
            used[j, 1] += data * a
            used[j, 2] += data * b
            used[j, 3] += data * root
    return value, used
