"""OGASched slot by slot against the reference, and test instances of the policies."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.multiserver import Graph, Instance, Schedule, drive, from_json
from schedproof.reference import multiserver as model
from schedproof.reference.multiserver_oga import add, multiple, square
from tests.tiny.multiserver import tiny_multiserver

Sizes = Callable[[int, list[float]], float]  # slot and |g_s|^2 of the slots up to it -> eta


def played(policy: Any, instance: Instance, **options: Any) -> Schedule:
    """Return a policy's decisions on an instance."""
    return drive.drive(policy, instance, DecidedBy("policy", options, 0), USUAL)


def started(policy: Any, instance: Instance) -> Any:
    """Return the policy before its first slot on the instance."""
    policy.start(drive.system(instance))
    return policy


def untied(seed: int, **settings: Any) -> Instance:
    """Return a small instance with overheads of sixteen digits, without rounding ties."""
    rng, value = np.random.default_rng(seed), tiny_multiserver(seed, **settings)
    value["overhead"] = {name: Decimal(str(rng.random())) for name in value["resources"]}
    return from_json(value)


def check_slots(
    instance: Instance, present: np.ndarray, allocations: np.ndarray, sizes: Sizes, gain: model.Gain = "node"
) -> tuple[list[float], list[float]]:
    """Check that each allocation is the projected step; return rewards and |g_t|^2."""
    rewards, squares = [], []
    for t, here in enumerate(present.tolist()):
        y = [[Fraction(amount) for amount in row] for row in allocations[t].tolist()]
        rewards.append(float(model.reward(instance, here, y, gain)[0]))
        gradient = [[low for low, _ in row] for row in model.supergradient(instance, here, y, gain=gain)]
        squares.append(float(square(gradient)))
        if t + 1 < len(allocations):
            eta = Fraction(sizes(t, squares))
            wanted = np.array(model.project(instance, add(y, multiple(eta, gradient))), dtype=float)
            assert np.allclose(allocations[t + 1], wanted.reshape(instance.graph.shape), rtol=0, atol=1e-11), t
    return rewards, squares


def cluster(ports: int, nodes: int, density: float, seed: int = 0, resources: int = 3) -> Graph:
    """Return a random graph with this edge probability and numbers without ties."""
    rng = np.random.default_rng(seed)
    port, node = np.nonzero(rng.random((ports, nodes)) < density)
    shape = (nodes, resources)
    return Graph(
        port=np.arange(ports),
        edge_copy=port,
        edge_node=node,
        demand=rng.uniform(0, 4, (ports, resources)) * (rng.random((ports, resources)) < 0.9),
        capacity=rng.uniform(1, 9, shape) * (rng.random(shape) < 0.9),
        kind=rng.integers(0, 4, shape).astype(np.int8),
        alpha=rng.uniform(0.5, 2, shape),
        total_kind=rng.integers(0, 4, resources).astype(np.int8),
        total_alpha=rng.uniform(0.5, 2, resources),
        overhead=rng.uniform(0, 1, resources),
    )
