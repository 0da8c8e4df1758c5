"""Local search for the placement of given jobs: moves and swaps.

A relaxation that nearly fills the servers rounds to a small overload. The local search removes it in a fraction of a
second where an integer solver takes minutes.
"""

from __future__ import annotations

import random
from math import sqrt

from schedproof.core.runtime.context import Context
from schedproof.formulations.jrp.eliminated import shares
from schedproof.instances.jrp import Instance, Placement
from schedproof.instances.jrp.instance import serves_alone

STEPS = 200  # limit for each data node
ROUNDING = 1e-12  # overload, as a fraction of a server, within rounding error
Load = tuple[float, float, float, float]  # of a server: stored / r^s, 1 - u, 1 - v, w
EMPTY: Load = (0.0, 0.0, 0.0, 0.0)


def improve(placed: list[Placement], instance: Instance, context: Context) -> list[Placement]:
    """Return placements of the same jobs with less or no overload; deterministic.

    In ``placed`` each data node is on a server with room for it. The search stops at the time limit.
    """
    search = LocalSearch(placed, instance)
    for _ in range(STEPS * len(placed)):
        if not any(search.over) or context.over:
            break
        search.step()
    return [Placement(row.job, row.node, j) for j, here in enumerate(search.here) for row in here]


class LocalSearch:
    """Data nodes on servers (``here``) and each server's overload (``over``)."""

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
        """Move a data node or swap two, unless their servers' overload would increase."""
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
    job = instance.jobs[row.job]
    node = job.nodes[row.node]
    servers = [instance.servers[j] for j in node.servers if serves_alone(instance.servers[j], job, node)]
    return {s.index: (float(node.size / s.storage) if node.size else 0.0, *shares(job, node, s)) for s in servers}


def _exchange(load: Load, less: Load, more: Load) -> Load:
    (s, a, b, w), (s0, a0, b0, w0), (s1, a1, b1, w1) = load, less, more
    return s - s0 + s1, a - a0 + a1, b - b0 + b1, w - w0 + w1


def overload(stored: float, compute: float, bandwidth: float, root: float) -> float:
    """The excess of a load over a server: storage, compute, bandwidth, and the cone."""
    u, v = 1 - compute, 1 - bandwidth
    over = max(stored - 1, 0.0) + max(-u, 0.0) + max(-v, 0.0) + max(root - sqrt(max(u, 0.0) * max(v, 0.0)), 0.0)
    return over if over > ROUNDING else 0.0
