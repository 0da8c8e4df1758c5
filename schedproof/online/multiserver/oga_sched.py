"""OGASched (paper 002, Definition 2 and Algorithm 1): online gradient ascent with the exact projection.

y(1) = 0. y(t) is fixed before x(t) is seen; then y(t + 1) = projection of y(t) + eta_t g_t, g_t the supergradient (30).
Copies of a port are ports of their own (section III-D).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np

from schedproof.core.bound import Answer, Guarantee
from schedproof.core.errors import InputError
from schedproof.core.options import pick, positive, whole
from schedproof.core.policy import CommitPolicy, Hidden
from schedproof.instances.multiserver.instance import Instance
from schedproof.instances.multiserver.reward import GAINS
from schedproof.online.multiserver.constants import diameter_squared, doubles, steepest_squared
from schedproof.online.multiserver.kernels import State, play_alone, play_together
from schedproof.online.multiserver.printed_projection import PrintedOgaSched
from schedproof.online.multiserver.projection import Layout, at_most
from schedproof.online.multiserver.steps import RULES, Decayed, Steady, StepRule

Chooser = Callable[[Hidden], StepRule]  # the step rule of a run, which may depend on D, G and T
STEPS = ("constant", "decayed", "printed53", "anytime")


def oga_sched(
    *,
    step: str = "constant",
    gain: str = "node",
    constants: str = "sharper",
    initial: str | float | Fraction | None = None,
    decay: str | float | Fraction | None = None,
    projection: str = "exact",
    threads: str | int | None = None,
) -> CommitPolicy:
    """OGASched.

    Parameters
    ----------
    step
        ``constant`` D/(G sqrt T), ``decayed`` eta_0 lambda^t (Table II), ``printed53`` D/(|g_t| sqrt T), or ``anytime``
        D/sqrt(2 sum |g_s|^2).
    gain
        ``node`` (12), or ``total`` (7).
    constants
        D and G ``sharper``, or as ``printed`` in (51) and (48).
    initial
        eta_0 of ``decayed``, 25 if not given; eta of ``constant``, in place of D/(G sqrt T).
    decay
        lambda of ``decayed``, 0.9999 if not given.
    projection
        ``exact``, or lines 6-31 of Algorithm 1 as ``printed``, which may leave the feasible set.
    threads
        At the most; for large instances as many as there are if not given. The digits do not depend on it.
    """
    pick("gain", gain, dict.fromkeys(GAINS))
    chooser = _chooser(step, gain, constants, initial, decay)
    if pick("projection", projection, {"exact": False, "printed": True}):
        return PrintedOgaSched(chooser, gain)
    proven = step == "constant" and initial is None
    return OgaSched(chooser, gain, None if threads is None else whole("threads", threads), proven)


def _chooser(
    step: str,
    gain: str,
    constants: str,
    initial: str | float | Fraction | None,
    decay: str | float | Fraction | None,
) -> Chooser:
    """The step rule that the options name."""
    pick("step", step, dict.fromkeys(STEPS))
    pick("constants", constants, dict.fromkeys(("printed", "sharper")))
    if decay is not None and step != "decayed":
        raise InputError(f"decay={decay}: only with step=decayed")
    if initial is not None and step not in ("constant", "decayed"):
        raise InputError(f"initial={initial}: only with step=constant or step=decayed")
    if step == "decayed":
        rule = Decayed(float(positive("initial", 25 if initial is None else initial)), _factor(decay))
        return lambda system: rule
    if initial is not None:
        steady = Steady(float(positive("initial", initial)))
        return lambda system: steady

    def follow(system: Hidden) -> StepRule:
        numbers = doubles(system.graph, gain)
        diameter, steepest = diameter_squared(numbers, constants), steepest_squared(numbers, constants)
        return RULES[step](sqrt(diameter), sqrt(steepest), system.horizon)

    return follow


def _factor(decay: str | float | Fraction | None) -> float:
    factor = positive("decay", "0.9999" if decay is None else decay)
    if factor > 2:  # above 1 the paper tries 1.0001; steps of 2^T are no steps
        raise InputError(f"decay={decay}: expected a number in (0, 2]")
    return float(factor)


class OgaSched:
    """OGASched with one step rule and one reading of the gain; ``proven`` where the step is that of Theorem 1."""

    protocol = "commits"

    def __init__(self, chooser: Chooser, gain: str, threads: int | None, proven: bool) -> None:
        self.chooser, self.gain, self.threads, self.proven = chooser, gain, threads, proven

    def start(self, system: Hidden) -> None:
        """Prepare for a system whose arrivals are not known: y(1) = 0."""
        self.layout = Layout.of(system.graph, self.gain)
        self.rule = self.chooser(system)
        nodes, resources = system.graph.capacity.shape
        columns = self.layout.rows.demand.shape[1]
        self.slot = 0
        self.state = State(np.zeros((resources, columns)), np.zeros((nodes, resources)), np.zeros(1))
        self.amounts = np.zeros((1, self.layout.size))  # y(t) of the next slot

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
        with at_most(self.threads, self.layout.size) as together:
            play = play_together if together else play_alone
            play(self.layout.rows, self.state, present, sizes, self.rule.measures, ring, rewards, norms)
        self.slot += count
        return rewards, norms

    def guarantee(self, instance: Instance) -> Guarantee:
        """Theorem 1 promises a regret, no ratio; whether its premises hold for this choice."""
        premises: dict[str, Answer] = {
            "constant step D/(G sqrt T)": "yes" if self.proven else "no",
            "gain separable over nodes (12)": "yes" if self.gain == "node" else "no",
            "bounded slopes (13)": "yes",
            "exact projection": "yes",
        }
        return Guarantee(None, "multiserver.theorem1_constant", premises)
