"""What the baselines of section IV share: amounts that decide exactly, the two games, and nothing that is proven.

===============================  =======================================================================================
section IV says                  done here, the same for DRF, FAIRNESS, BINPACKING and SPREADING
===============================  =======================================================================================
ports "that yield jobs" are      the slot's arrivals are seen first (``protocol=responds``). OGASched commits to y(t)
given resources                  before x(t) is seen; for its game (``protocol=commits``) a baseline takes the arrivals
                                 of the slot before for those of this one, and nobody's for those of the first slot
nothing of several jobs          every copy of a port is a port, the copies of one in turn
nothing of the next slot         every slot starts from free nodes: allocations are made anew, at no cost
nothing of the gain              no baseline looks at the reward; ``gain`` says how it is counted, ``node`` or ``total``
===============================  =======================================================================================

**Rounding.** A resource's demands and capacities are counted in the largest unit that divides all of them: whole
numbers, whose differences doubles hold exactly, so that who comes first, what fits and what is left is decided as the
file's rationals decide it. Where that takes more than 2^53 units, amounts are the doubles just below them. What is
given through a channel is at most what is left at the node, and both what is then left and what is given are rounded
down: by induction the amounts given so far and what is left add up to the capacity at most, exactly. So 0 <= y <= a and
sum_l y <= c hold for the doubles that are handed out, as the checker decides them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import below, common_denominator
from schedproof.core.simulation.policy import Hidden
from schedproof.online.multiserver.baseline_kernels import Channels

LARGEST_EXACT = 2**53  # whole numbers up to here are doubles
NOTHING = Fraction(0)


def channels(system: Hidden) -> Channels:
    """The channels of a system, its amounts as whole numbers of units where 2^53 of them suffice."""
    graph = system.graph
    demand, capacity = np.empty_like(graph.demand), np.empty_like(graph.capacity)
    scale = np.ones(len(system.resources))
    for k, name in enumerate(system.resources):
        demanded = [port.demand.get(name, NOTHING) for port in system.ports]
        there = [node.capacity.get(name, NOTHING) for node in system.nodes]
        units = common_denominator(demanded + there)
        if units * max(1, *demanded, *there) > LARGEST_EXACT:
            units = 1
        scale[k] = units
        demand[:, k] = np.array([below(amount * units) for amount in demanded])[graph.port]
        capacity[:, k] = [below(amount * units) for amount in there]
    first = np.searchsorted(graph.edge_copy, np.arange(len(graph.port) + 1))
    return Channels(first, graph.edge_node, demand, capacity, scale)


class Baseline(ABC):
    """Allocates slot by slot after observing the slot's arrivals, or before, to those of the slot before."""

    def __init__(self, *, gain: str = "node", protocol: str = "responds") -> None:
        self.gain, self.protocol = gain, protocol

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose arrivals are not known yet."""
        self.channels, self._shape = channels(system), system.graph.shape
        self._last = np.zeros(len(system.graph.port), dtype=np.uint8)

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        """(E, K): allocate to the copies (C,) that are present."""
        return self._allocations(present[None])[0]

    def decide(self, slot: int) -> np.ndarray:
        """(E, K): allocate as if the arrivals of the slot before came again."""
        return self._allocations(self._last[None])[0]

    def observe(self, slot: int, present: np.ndarray) -> None:
        """Learn which copies (C,) are present."""
        self._last = present

    def play(self, present: np.ndarray) -> np.ndarray:
        """(n, E, K): the next slots at once, for their arrivals (n, C)."""
        if self.protocol == "commits":
            present = np.concatenate([self._last[None], present])
            present, self._last = present[:-1], present[-1]
        return self._allocations(present)

    def _allocations(self, present: np.ndarray) -> np.ndarray:
        out = np.zeros((len(present), *self._shape))
        self.allocate(present, out)
        return out

    @abstractmethod
    def allocate(self, present: np.ndarray, out: np.ndarray) -> None:
        """Fill ``out`` (n, E, K), which is 0, for ``present`` (n, C)."""
