"""The slot optimum: in every slot the best allocation for what arrived there, to within a gap.

It plays the easier game: x(t) is seen first. No policy earns more in any slot (`multiserver.slot_optimum` bounds it),
and nothing is learned. A pattern of arrivals is solved once, always from the same beginning, so that its allocation
depends on nothing else: played slot by slot, in blocks or again, the digits are the same. The allocation is rounded
inward as `schedproof.instances.multiserver.inward` proves.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.bound import Guarantee
from schedproof.core.options import pick
from schedproof.core.policy import Hidden
from schedproof.instances.multiserver import Graph, Instance
from schedproof.instances.multiserver.reward import GAINS
from schedproof.relaxations.multiserver.bounds import share
from schedproof.relaxations.multiserver.solver import StationarySolver

KEPT_BYTES = 1 << 28  # of allocations; patterns beyond are solved again when they come again


def slot_optimum(*, gain: str = "node", gap: str | float = 1e-6) -> SlotOptimum:
    """The best allocation of every slot.

    Parameters
    ----------
    gain
        ``node`` for (12), ``total`` for (7).
    gap
        Of each slot, relative to its optimum.
    """
    pick("gain", gain, dict.fromkeys(GAINS))
    return SlotOptimum(gain, share("gap", gap))


class SlotOptimum:
    """Solves each pattern of arrivals that it meets."""

    protocol = "responds"

    graph: Graph

    def __init__(self, gain: str, gap: float) -> None:
        self.gain, self.gap = gain, gap

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose arrivals are not known; for the same one again, what was solved is kept."""
        if getattr(self, "graph", None) is not system.graph:
            self.graph = system.graph
            self._kept: dict[bytes, np.ndarray] = {}
            self._room = KEPT_BYTES

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        """(E, K): the best for the copies (C,) that are present."""
        key = present.tobytes()
        found = self._kept.get(key)
        if found is None:
            found = StationarySolver(self.graph, self.gain).solve(present, self.gap).allocation
            self._room -= found.nbytes
            if self._room >= 0:
                self._kept[key] = found
        return found

    def play(self, present: np.ndarray) -> np.ndarray:
        """(n, E, K): the same for the next slots, (n, C)."""
        found = np.empty((len(present), *self.graph.shape))
        for n, row in enumerate(present):
            found[n] = self.respond(n, row)
        return found

    def guarantee(self, instance: Instance) -> Guarantee:
        """No theorem: the bound `multiserver.slot_optimum` certifies it run by run."""
        return Guarantee(None, "none", {})
