"""DRF: in order of dominant shares, ports take their demand or the free rest.

In addition to the rules of `baseline`:

==========================================  ============================================================================
section IV says                             implemented
==========================================  ============================================================================
"allocates resources to ports that yield    in this order every present copy takes min(a_l^k, free amount) of each
jobs in the ascending order of their        resource on each of its nodes, the most that a channel may carry. The paper
dominant resource shares"                   does not fix the amount; the last ports may get nothing
s_l = max_k a_l^k / sum_{r in R_l} c_r^k    as printed, in rationals. A resource without demand counts 0. A port is last
                                            if it demands a resource that none of its nodes has
ties                                        the earlier port in the file, then the earlier copy
==========================================  ============================================================================
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import inf

import numpy as np

from schedproof.core.simulation.policy import Hidden
from schedproof.instances.multiserver.entities import Port
from schedproof.online.multiserver.baseline import NOTHING, Baseline
from schedproof.online.multiserver.baseline_kernels import in_turn


class DominantResourceFairness(Baseline):
    def start(self, system: Hidden) -> None:
        super().start(system)
        shares = dominant_shares(system)
        ports = system.graph.port.tolist()
        self._order = np.array(sorted(range(len(ports)), key=lambda c: (shares[ports[c]], c)), dtype=np.int64)

    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        in_turn(present, self._order, self.channels, out)


def dominant_shares(system: Hidden) -> list[Fraction | float]:
    """Return s_l of every port; infinite if none of its nodes has a demanded resource."""

    @cache  # on a full graph all ports have the same nodes
    def capacity(nodes: tuple[int, ...], name: str) -> Fraction:
        return sum((system.nodes[r].capacity.get(name, NOTHING) for r in nodes), NOTHING)

    def share(port: Port, name: str) -> Fraction | float:
        demanded, there = port.demand.get(name, NOTHING), capacity(port.nodes, name)
        return demanded / there if there else inf if demanded else NOTHING

    return [max(share(port, name) for name in system.resources) for port in system.ports]
