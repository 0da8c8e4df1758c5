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

from collections.abc import Callable

import numpy as np

from schedproof.online.multiserver.baseline import Baseline, Guessing, in_game
from schedproof.online.multiserver.baseline_kernels import by_shares


class Fairness(Baseline):
    """In proportion to demands.

    Parameters
    ----------
    counted
        Of ``present`` (n, C), the copies whose demands are added up, (n, C).
    """

    def __init__(self, counted: Callable[[np.ndarray], np.ndarray]) -> None:
        self._counted = counted

    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        """By shares."""
        at = self.channels
        counted = self._counted(present)
        by_shares(present, counted, at.first, at.node, at.demand, at.capacity, at.scale, out)


def fairness(*, gain: str = "node", protocol: str = "responds") -> Baseline | Guessing:
    """FAIRNESS as printed, with the demands of all connected ports in the denominator; options as in `drf.drf`."""
    return in_game(Fairness(np.ones_like), protocol, gain)


def fairness_arrived(*, gain: str = "node", protocol: str = "responds") -> Baseline | Guessing:
    """FAIRNESS with the demands of those that arrived in the denominator; options as in `drf.drf`."""
    return in_game(Fairness(np.asarray), protocol, gain)
