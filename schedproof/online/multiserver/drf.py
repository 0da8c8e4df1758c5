"""DRF: ports in the order of their dominant shares take their demand, or the rest.

Beside the rules of `baseline`:

==========================================  ============================================================================
section IV says                             done here
==========================================  ============================================================================
"allocates resources to ports that yield    in that order every copy that is present takes min(a_l^k, what is left) of
jobs in the ascending order of their        each resource on each of its nodes: it gets all that a channel may give, and
dominant resource shares"                   whoever comes last may find nothing; how much is given is not said
s_l = max_k a_l^k / sum_{r in R_l} c_r^k    the same, in rationals; a resource without demand counts 0, one that is
                                            demanded and on none of the nodes puts the port last
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
        """Prepare for a system whose arrivals are not known yet."""
        super().start(system)
        shares = dominant_shares(system)
        ports = system.graph.port.tolist()
        self._order = np.array(sorted(range(len(ports)), key=lambda c: (shares[ports[c]], c)), dtype=np.int64)

    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        """In the order of the shares."""
        in_turn(present, self._order, self.channels, out)


def dominant_shares(system: Hidden) -> list[Fraction | float]:
    """s_l of every port; infinite for one that asks for what none of its nodes has."""

    @cache  # on a full graph all ports have the same nodes
    def capacity(nodes: tuple[int, ...], name: str) -> Fraction:
        return sum((system.nodes[r].capacity.get(name, NOTHING) for r in nodes), NOTHING)

    def share(port: Port, name: str) -> Fraction | float:
        demanded, there = port.demand.get(name, NOTHING), capacity(port.nodes, name)
        return demanded / there if there else inf if demanded else NOTHING

    return [max(share(port, name) for name in system.resources) for port in system.ports]
