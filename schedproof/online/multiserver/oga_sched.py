"""OGASched (Definition 2 and Algorithm 1): online gradient ascent with the exact projection.

y(1) = 0. y(t) is fixed before x(t) is seen; then y(t + 1) = projection of y(t) + eta_t g_t, g_t the supergradient (30).
Copies of a port are ports of their own (section III-D).

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from schedproof.core.certificates.bound import Answer, Guarantee
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.pace import Pace
from schedproof.core.simulation.policy import CommitPolicy, Hidden
from schedproof.instances.multiserver.instance import Instance
from schedproof.online.multiserver.kernels import State, play_alone, play_together
from schedproof.online.multiserver.printed_projection import PrintedOgaSched
from schedproof.online.multiserver.projection import Layout, limit_threads, threads_for
from schedproof.online.multiserver.steps import Steps

ENTRIES_AT_ONCE = 1 << 18  # played before the clock is read


def oga_sched(
    *,
    step: str = "constant",
    gain: str = "node",
    constants: str = "sharper",
    initial: Fraction | None = None,
    decay: Fraction | None = None,
    projection: str = "exact",
    threads: int | None = None,
) -> CommitPolicy:
    steps = Steps(step, gain, constants, initial, decay)
    return PrintedOgaSched(steps) if projection == "printed" else OgaSched(steps, threads)


class OgaSched:
    """OGASched with the exact projection."""

    protocol = "commits"

    def __init__(self, steps: Steps, threads: int | None = None) -> None:
        self.steps, self.gain, self.threads = steps, steps.gain, threads

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose arrivals are not known: y(1) = 0."""
        self.layout = Layout.of(system.graph, self.gain)
        self.rule = self.steps.rule(system)
        nodes, resources = system.graph.capacity.shape
        columns = self.layout.rows.demand.shape[1]
        self.slot = 0
        self.state = State(np.zeros((resources, columns)), np.zeros((nodes, resources)), np.zeros(1))
        self.amounts = np.zeros((1, self.layout.size))  # y(t) of the next slot
        self.pace = Pace(1 + (threads_for(self.threads, self.layout.size) > 1))  # on one thread, or on all it may have

    def decide(self, slot: int) -> np.ndarray:
        """y(t), (E, K)."""
        return self.layout.to_edges(self.amounts[0])

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        """Learn x(t), (C,): the step to y(t + 1)."""
        self.earn(arrivals[None])

    def play(self, present: np.ndarray) -> np.ndarray:
        """The next slots' allocations (n, E, K) for their arrivals (n, C), as slot by slot."""
        ring = np.empty((len(present) + 1, self.layout.size))
        ring[0] = self.amounts
        self._run(present, ring)
        self.amounts = ring[-1:].copy()
        return self.layout.to_edges(ring[:-1])

    def earn(self, present: np.ndarray) -> np.ndarray:
        """The next slots' rewards (n,), in doubles, for their arrivals (n, C); no allocation is kept."""
        return self._run(present, self.amounts)[0]

    def _run(self, present: np.ndarray, ring: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rewards and squared gradient norms of the next slots; y(t) of the i-th is in ``ring[i % len(ring)]``."""
        count = len(present)
        rewards, norms = np.empty(count), np.empty(count)
        sizes = self.rule.sizes(self.slot, count)
        present = np.ascontiguousarray(present, dtype=np.uint8)
        step = max(1, ENTRIES_AT_ONCE // max(1, self.layout.size))
        begin = 0
        while begin < count:
            part = slice(begin, begin + self.pace.units(step))
            ys = ring if len(ring) == 1 else ring[begin : part.stop + 1]
            given = (self.layout.rows, self.state, present[part], sizes[part], self.rule.measures, ys)
            started = now()
            with limit_threads(self.threads if self.pace.way() else 1, self.layout.size) as together:
                (play_together if together else play_alone)(*given, rewards[part], norms[part])
            self.pace.took(now() - started, len(present[part]))
            begin = part.stop
        self.slot += count
        return rewards, norms

    def guarantee(self, instance: Instance) -> Guarantee:
        """Theorem 1 promises a regret, no ratio; whether its premises hold for this choice."""
        proven = self.steps.step == "constant" and self.steps.initial is None
        premises: dict[str, Answer] = {
            "constant step D/(G sqrt T)": "yes" if proven else "no",
            "gain separable over nodes (12)": "yes" if self.gain == "node" else "no",
            "bounded slopes (13)": "yes",
            "exact projection": "yes",
        }
        return Guarantee(None, "multiserver.theorem1_constant", premises)
