"""FAIRNESS: every node is divided among its ports in proportion to what they ask for.

Beside the rules of `baseline`:

==========================================  ============================================================================
section IV says                             done here
==========================================  ============================================================================
"the type-k resource of each node r to      y = a_l^k where the demands that are added up fit into c_r^k together,
each port l that yield a job according to   otherwise min(a_l^k, c_r^k a_l^k / their sum), to ports that are present;
the job's share a_l^k / sum_{l in L_r}      the channel's cap is not said, without it a port could get more than it may
a_l^k"
whose a_l^k are added up                    ``fairness``: those of all connected copies, present or not, as printed, so
                                            that the shares of absent ones stay unused; ``fairness_arrived``: those of
                                            the copies that are present, which hands out more
rounding                                    shares are doubles, off by a few roundings; nobody gets more than is left,
                                            so that the last copies of a full node may get so much less
==========================================  ============================================================================
"""

from __future__ import annotations

import numpy as np

from schedproof.online.multiserver.baseline import Baseline
from schedproof.online.multiserver.baseline_kernels import by_shares


class Fairness(Baseline):
    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        """Shares among all."""
        by_shares(present, np.ones_like(present), self.channels, out)


class FairnessArrived(Baseline):
    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        """Shares among those that are present."""
        by_shares(present, present, self.channels, out)
