"""OGASched (Definition 2, Algorithm 1): gradient ascent with exact projection.

y(1) = 0. The policy fixes y(t) before it sees x(t). Then y(t + 1) is the projection of y(t) + eta_t g_t, where g_t is
the supergradient (30). Each copy of a port counts as a port (section III-D).

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

ENTRIES_AT_ONCE = 1 << 18  # entries between two tests of the time limit


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
        """Prepare for a system whose arrivals are unknown: y(1) = 0."""
        self.layout = Layout.of(system.graph, self.gain)
        self.rule = self.steps.rule(system)
        nodes, resources = system.graph.capacity.shape
        columns = self.layout.rows.demand.shape[1]
        self.slot = 0
        self.state = State(np.zeros((resources, columns)), np.zeros((nodes, resources)), np.zeros(1))
        self.amounts = np.zeros((1, self.layout.size))  # y(t) of the next slot
        self.pace = Pace(1 + (threads_for(self.threads, self.layout.size) > 1))  # one thread, or all allowed threads

    def decide(self, slot: int) -> np.ndarray:
        return self.layout.to_edges(self.amounts[0])

    def observe(self, slot: int, arrivals: np.ndarray) -> None:
        self.earn(arrivals[None])

    def play(self, present: np.ndarray) -> np.ndarray:
        ring = np.empty((len(present) + 1, self.layout.size))
        ring[0] = self.amounts
        self._run(present, ring)
        self.amounts = ring[-1:].copy()
        return self.layout.to_edges(ring[:-1])

    def earn(self, present: np.ndarray) -> np.ndarray:
        """Return the next slots' rewards (n,) for their arrivals (n, C)."""
        return self._run(present, self.amounts)[0]

    def _run(self, present: np.ndarray, ring: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the next slots' rewards and |g|^2; slot i reads ``ring[i % len(ring)]``."""
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
        """Return the regret of Theorem 1 with its premises; the theorem has no ratio."""
        proven = self.steps.step == "constant" and self.steps.initial is None
        premises: dict[str, Answer] = {
            "constant step D/(G sqrt T)": "yes" if proven else "no",
            "gain separable over nodes (12)": "yes" if self.gain == "node" else "no",
            "bounded slopes (13)": "yes",
            "exact projection": "yes",
        }
        return Guarantee(None, "multiserver.theorem1_constant", premises)
