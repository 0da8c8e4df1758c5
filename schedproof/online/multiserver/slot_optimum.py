"""The slot optimum: the best allocation for each slot, within a given gap.

The policy sees x(t) before it decides. No policy earns more in any slot (`multiserver.slot_optimum` is the bound). This
policy does not learn. Each pattern of arrivals is solved once, always from the same initial point. So the allocation
depends on the pattern only, in any grouping of slots. It is rounded inward as `schedproof.instances.multiserver.inward`
proves.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.simulation.policy import Hidden
from schedproof.instances.multiserver import Graph
from schedproof.relaxations.multiserver.solver import StationarySolver

KEPT_BYTES = 1 << 28  # limit of stored allocations; further patterns are solved each time


class SlotOptimum:
    protocol = "responds"

    graph: Graph

    def __init__(self, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6)) -> None:
        self.gain, self.gap = gain, float(gap)

    def start(self, system: Hidden) -> None:
        """Prepare for a system; keep the solved patterns if it is the same system again."""
        if getattr(self, "graph", None) is not system.graph:
            self.graph = system.graph
            self._kept: dict[bytes, np.ndarray] = {}
            self._left = KEPT_BYTES

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        key = present.tobytes()
        allocation = self._kept.get(key)
        if allocation is None:
            allocation = StationarySolver(self.graph, self.gain).solve(present, self.gap).allocation
            self._left -= allocation.nbytes
            if self._left >= 0:
                self._kept[key] = allocation
        return allocation

    def play(self, present: np.ndarray) -> np.ndarray:
        result = np.empty((len(present), *self.graph.shape))
        for n, row in enumerate(present):
            result[n] = self.respond(n, row)
        return result
