"""Random allocations of every kind, independent of the policies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.reward import Account
from schedproof.instances.multiserver.utility import Enclosure


def cumulative(instance: Instance, blocks: Iterable[np.ndarray], gain: str = "node") -> Enclosure:
    """Rational enclosure of the cumulative reward (9) of blocks (n, E, K)."""
    account = Account(instance, gain)
    for block in blocks:
        account.add(block)
    return account.reward()


def feasible(instance: Instance, seed: int) -> np.ndarray:
    """(T, E, K): feasible multiples of 2^-20, a quarter of them 0."""
    rng, graph = np.random.default_rng(seed), instance.graph
    shape = (instance.horizon, *graph.shape)
    sharers = np.bincount(graph.edge_node, minlength=len(instance.nodes))[graph.edge_node, None]
    most = np.minimum(graph.demand[graph.edge_copy], graph.capacity[graph.edge_node] / np.maximum(sharers, 1))
    amounts = rng.random(shape) * most * (rng.random(shape) < 0.75)
    return np.floor(np.ldexp(amounts, 20)) / 2**20


def awkward(instance: Instance, seed: int) -> np.ndarray:
    """(T, E, K): doubles of all magnitudes, feasible or not."""
    rng = np.random.default_rng(seed)
    shape = (instance.horizon, *instance.graph.shape)
    amounts = rng.random(shape) * 10.0 ** rng.integers(-18, 3, size=shape)
    return np.where(rng.random(shape) < 0.3, np.round(amounts), amounts)
