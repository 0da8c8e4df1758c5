"""The data of given jobs on servers by local search: moves and swaps that overload the servers no more than before.

Where a relaxation leaves little of the servers, its rounded point overloads them by a little, and there are very many
ways to shift a little: this finds one in a fraction of a second where a solver of integer programs looks for minutes.
"""

from __future__ import annotations

import random
from math import sqrt

from schedproof.core.runtime.context import Context
from schedproof.formulations.jrp.eliminated import shares
from schedproof.instances.jrp import Instance, Placement
from schedproof.instances.jrp.instance import serves_alone

STEPS = 200  # for each data node, at most
ROUNDING = 1e-12  # an overload, as a part of a server, that is only a double's rounding
Load = tuple[float, float, float, float]  # of a server: stored / r^s, 1 - u, 1 - v, w
EMPTY: Load = (0.0, 0.0, 0.0, 0.0)


def improve(placed: list[Placement], instance: Instance, context: Context) -> list[Placement]:
    """The same jobs placed with less overload, often with none; always the same for the same instance and start.

    It starts with data nodes on servers that could serve each of them alone, and stops when its time is over.
    """
    search = LocalSearch(placed, instance)
    for _ in range(STEPS * len(placed)):
        if not any(search.over) or context.over:
            break
        search.step()
    return [Placement(row.job, row.node, j) for j, here in enumerate(search.here) for row in here]


class LocalSearch:
    """Data nodes on servers (``here``, by the placements of the start), and how much they overload each (``over``)."""

    def __init__(self, placed: list[Placement], instance: Instance) -> None:
        self._random = random.Random(0)
        self._needs = {row: _needs(row, instance) for row in placed}
        self._load = [EMPTY] * len(instance.servers)
        self.here: list[list[Placement]] = [[] for _ in instance.servers]
        for row in placed:
            self.here[row.server].append(row)
            self._load[row.server] = _exchange(self._load[row.server], EMPTY, self._needs[row][row.server])
        self.over = [overload(*load) for load in self._load]

    def step(self) -> None:
        """Move a data node, or let two change places, unless that overloads their servers more than before."""
        j = self._random.randrange(len(self.here))
        if not self.here[j]:
            return
        one = self._random.choice(self.here[j])
        k = self._random.choice(list(self._needs[one]))
        other = self._random.choice([None, *self.here[k]])
        if k == j or (other and j not in self._needs[other]):
            return
        back = self._needs[other] if other else {j: EMPTY, k: EMPTY}
        loads = (
            _exchange(self._load[j], self._needs[one][j], back[j]),
            _exchange(self._load[k], back[k], self._needs[one][k]),
        )
        over = [overload(*load) for load in loads]
        if sum(over) > self.over[j] + self.over[k]:
            return
        self._load[j], self._load[k] = loads
        self.over[j], self.over[k] = over
        self.here[j].remove(one)
        self.here[k].append(one)
        if other:
            self.here[k].remove(other)
            self.here[j].append(other)


def _needs(row: Placement, instance: Instance) -> dict[int, Load]:
    """What a data node takes of each server that can serve it."""
    job = instance.jobs[row.job]
    node = job.nodes[row.node]
    servers = [instance.servers[j] for j in node.servers if serves_alone(instance.servers[j], job, node)]
    return {s.index: (float(node.size / s.storage) if node.size else 0.0, *shares(job, node, s)) for s in servers}


def _exchange(load: Load, less: Load, more: Load) -> Load:
    (s, a, b, w), (s0, a0, b0, w0), (s1, a1, b1, w1) = load, less, more
    return s - s0 + s1, a - a0 + a1, b - b0 + b1, w - w0 + w1


def overload(stored: float, compute: float, bandwidth: float, root: float) -> float:
    """By how much a load exceeds a server: storage, compute, bandwidth, and the cone of `eliminated`."""
    u, v = 1 - compute, 1 - bandwidth
    over = max(stored - 1, 0.0) + max(-u, 0.0) + max(-v, 0.0) + max(root - sqrt(max(u, 0.0) * max(v, 0.0)), 0.0)
    return over if over > ROUNDING else 0.0
