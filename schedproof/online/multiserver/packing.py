"""BINPACKING and SPREADING: every job on the fullest or the emptiest nodes.

In addition to the rules of `baseline`:

==========================================  ============================================================================
section IV says                             implemented
==========================================  ============================================================================
"scores the computing instances based on    in file order every present copy takes each resource from one of its nodes.
the utilization of resources, favoring the  Of the nodes with a_l^k free, BINPACKING takes that with the largest used
ones with higher allocation"; open: the     share of the resource, SPREADING the node with the smallest. Resources are
order of jobs, the number of nodes of a     placed one by one, so a job may use several nodes
job, the score of several resources
a job that fits nowhere                     takes all of the node with the largest free amount
(``nodes=all``, a reading that reproduces   in file order every present copy takes min(a_l^k, free amount) on each of
the rewards of the paper's figures)         its nodes: a_l^k limits a channel, not a job. The order of the nodes is then
                                            irrelevant, and BINPACKING and SPREADING are equal
ties                                        the earlier node in the file; utilisations are compared as doubles
==========================================  ============================================================================
"""

from __future__ import annotations

import numpy as np

from schedproof.online.multiserver.baseline import Baseline
from schedproof.online.multiserver.baseline_kernels import in_turn, one_node_each


class BinPacking(Baseline):
    fullest = True

    def __init__(self, *, nodes: str = "one", gain: str = "node", protocol: str = "responds") -> None:
        super().__init__(gain=gain, protocol=protocol)
        self.nodes = nodes

    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        if self.nodes == "one":
            one_node_each(present, self.fullest, self.channels, out)
        else:
            in_turn(present, np.arange(present.shape[1]), self.channels, out)


class Spreading(BinPacking):
    fullest = False
