"""FAIRNESS: every node is divided among its ports in proportion to their demands.

In addition to the rules of `baseline`:

==========================================  ============================================================================
section IV says                             implemented
==========================================  ============================================================================
"the type-k resource of each node r to      a present port gets y = a_l^k if the summed demands fit into c_r^k,
each port l that yield a job according to   otherwise min(a_l^k, c_r^k a_l^k / sum). The paper omits the channel's cap;
the job's share a_l^k / sum_{l in L_r}      without it a port could exceed its demand
a_l^k"
the demands in the sum                      ``fairness``: all connected copies, as printed; the shares of absent copies
                                            stay unused. ``fairness_arrived``: the present copies only, which allocates
                                            more
rounding                                    shares are doubles with a few rounding errors. An amount never exceeds the
                                            free amount, so the last copies of a full node may get less by these errors
==========================================  ============================================================================
"""

from __future__ import annotations

import numpy as np

from schedproof.online.multiserver.baseline import Baseline
from schedproof.online.multiserver.baseline_kernels import by_shares


class Fairness(Baseline):
    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        by_shares(present, np.ones_like(present), self.channels, out)


class FairnessArrived(Baseline):
    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        by_shares(present, present, self.channels, out)
