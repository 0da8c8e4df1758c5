"""The slot optimum: in every slot the best allocation for what arrived there, to within a gap.

It plays the easier game: x(t) is seen first. No policy earns more in any slot (`multiserver.slot_optimum` bounds it),
and nothing is learned. A pattern of arrivals is solved once, always from the same beginning, so that its allocation
depends on nothing else: played slot by slot, in blocks or again, the digits are the same. The allocation is rounded
inward as `schedproof.instances.multiserver.inward` proves.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.simulation.policy import Hidden
from schedproof.instances.multiserver import Graph
from schedproof.relaxations.multiserver.solver import StationarySolver

KEPT_BYTES = 1 << 28  # of allocations; patterns beyond are solved again when they come again


class SlotOptimum:
    protocol = "responds"

    graph: Graph

    def __init__(self, *, gain: str = "node", gap: Fraction = Fraction(1, 10**6)) -> None:
        self.gain, self.gap = gain, float(gap)

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose arrivals are not known; for the same one again, what was solved is kept."""
        if getattr(self, "graph", None) is not system.graph:
            self.graph = system.graph
            self._kept: dict[bytes, np.ndarray] = {}
            self._left = KEPT_BYTES

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        """(E, K): the best for the copies (C,) that are present."""
        key = present.tobytes()
        allocation = self._kept.get(key)
        if allocation is None:
            allocation = StationarySolver(self.graph, self.gain).solve(present, self.gap).allocation
            self._left -= allocation.nbytes
            if self._left >= 0:
                self._kept[key] = allocation
        return allocation

    def play(self, present: np.ndarray) -> np.ndarray:
        """(n, E, K): the same for the next slots, (n, C)."""
        result = np.empty((len(present), *self.graph.shape))
        for n, row in enumerate(present):
            result[n] = self.respond(n, row)
        return result
