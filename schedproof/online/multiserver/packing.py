"""BINPACKING and SPREADING: every job on the fullest, or on the emptiest, of its nodes.

Beside the rules of `baseline`:

==========================================  ============================================================================
section IV says                             done here
==========================================  ============================================================================
"scores the computing instances based on    every copy that is present, in file order, takes each resource from one of
the utilization of resources, favoring the  its nodes: of those that have all of a_l^k left, the one of which the
ones with higher allocation"; the order of  largest part of that resource is given away already (SPREADING: the
jobs, whether a job has one node or         smallest part). The resources are placed one by one, so that a job may have
several, and how the utilizations of        different ones from different nodes
several resources make one score, are not
said
a job that fits nowhere                     takes all of the node that has most left
(``nodes=all``, a reading in which it       every copy that is present, in file order, takes min(a_l^k, what is left) on
earns what it does in the paper's figures)  each of its nodes: a_l^k caps a channel, not a job; the order of the nodes
                                            then makes no difference, so that BINPACKING and SPREADING are one rule
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
        """In file order, on one node each or on all."""
        if self.nodes == "one":
            one_node_each(present, self.fullest, self.channels, out)
        else:
            in_turn(present, np.arange(present.shape[1]), self.channels, out)


class Spreading(BinPacking):
    fullest = False
