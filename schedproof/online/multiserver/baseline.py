"""Common part of the baselines of section IV: exact amounts and two protocols.

===============================  =======================================================================================
section IV says                  implemented for DRF, FAIRNESS, BINPACKING and SPREADING
===============================  =======================================================================================
ports "that yield jobs" are      ``protocol=responds``: the policy first sees the slot's arrivals. OGASched commits to
given resources                  y(t) before it sees x(t); for its game (``protocol=commits``) a baseline assumes the
                                 arrivals of the previous slot, and no arrivals in the first slot
several jobs of a port: open     every copy counts as a port; copies are handled in turn
the next slot: open              every slot starts from free nodes; a new allocation costs nothing
the gain: open                   no baseline uses the reward; ``gain`` selects how it is counted, ``node`` or ``total``
===============================  =======================================================================================

**Rounding.** Demands and capacities of a resource are multiples of a common unit, the largest possible. These whole
numbers are exact in doubles, so that comparisons and free amounts are those of rationals. If an amount exceeds 2^53
units, amounts are the doubles just below the exact values. A channel gets at most the node's free amount. Both the free
amount and the channel's amount are rounded down, so that by induction their sum never exceeds the capacity. Hence
0 <= y <= a and sum_l y <= c hold exactly for the returned doubles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

import numpy as np

from schedproof.core.base.numbers import below, common_denominator
from schedproof.core.simulation.policy import Hidden
from schedproof.online.multiserver.baseline_kernels import Channels

LARGEST_EXACT = 2**53  # all whole numbers up to this are doubles
NOTHING = Fraction(0)


def channels(system: Hidden) -> Channels:
    """Return the system's channels, in whole units if at most 2^53 units suffice."""
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
    """Allocate slot by slot by the arrivals of the slot or of the previous slot."""

    def __init__(self, *, gain: str = "node", protocol: str = "responds") -> None:
        self.gain, self.protocol = gain, protocol

    def start(self, system: Hidden) -> None:
        self.channels, self._shape = channels(system), system.graph.shape
        self._last = np.zeros(len(system.graph.port), dtype=np.uint8)

    def respond(self, slot: int, present: np.ndarray) -> np.ndarray:
        return self._allocations(present[None])[0]

    def decide(self, slot: int) -> np.ndarray:
        """Return the allocation (E, K) for the arrivals of the previous slot."""
        return self._allocations(self._last[None])[0]

    def observe(self, slot: int, present: np.ndarray) -> None:
        self._last = present

    def play(self, present: np.ndarray) -> np.ndarray:
        """Return the allocations (n, E, K) of the next n slots for their arrivals (n, C)."""
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
        """Fill ``out`` (n, E, K), initially 0, for ``present`` (n, C)."""
