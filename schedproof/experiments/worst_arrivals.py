"""The arrivals that hurt a policy most: all of them on a tiny system, beside what Theorem 1 promises.

A policy of the commit protocol is deterministic: its regret is a function of the trajectory, and the best fixed
allocation depends on no more than how often each port comes. The search for larger systems is in
`schedproof.experiments.arrival_search`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from schedproof.core.errors import InputError
from schedproof.core.numbers import as_text
from schedproof.core.pictures import COLOURS, panels
from schedproof.core.run import Policy
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.drive import play, system
from schedproof.instances.multiserver.reward import cumulative, slot_rewards
from schedproof.instances.multiserver.utility import LINEAR, Enclosure
from schedproof.online.multiserver.regret import regret
from schedproof.relaxations.multiserver.bounds import proven
from schedproof.relaxations.multiserver.exact import Numbers
from schedproof.relaxations.multiserver.solver import StationarySolver

Progress = Callable[[int, float], None]  # trajectories tried, and the largest regret so far
BestFixed = Callable[[np.ndarray], float]  # what the best fixed allocation earns when ports come so often, in doubles

MOST = 1 << 20  # trajectories that are all tried
GAP = Fraction(1, 10**9)  # of an optimum, relatively


@dataclass(frozen=True, eq=False)
class Worst:
    """A trajectory that hurts a policy, and how much.

    Attributes
    ----------
    instance
        The system with these arrivals.
    lower, upper
        At most, and at least, the largest regret over all trajectories if ``complete``, else this one's regret.
    bounds
        D G sqrt(T) with the constants ``printed`` and ``sharper``, in doubles.
    tried
        How many trajectories were looked at.
    """

    instance: Instance
    choice: Policy
    lower: Fraction
    upper: Fraction
    bounds: dict[str, float]
    tried: int
    complete: bool = False
    curve: tuple[tuple[int, float], ...] = field(default=(), repr=False)

    def row(self) -> dict[str, Any]:
        """A table's row, in doubles."""
        named = {f"bound_{name}": value for name, value in self.bounds.items()}
        options = ",".join(f"{name}={value}" for name, value in self.choice.options.items())
        measured = {"regret_lower": float(self.lower), "regret_upper": float(self.upper)}
        start = {"policy": self.choice.name, "options": options, "slots": self.instance.horizon}
        return start | measured | named | {"tried": self.tried, "complete": self.complete}

    def to_json(self) -> dict[str, Any]:
        """The row with the regret exactly; the arrivals are in the instance's own file."""
        return self.row() | {"exact": [as_text(self.lower), as_text(self.upper)]}


def draw_worst(worst: Worst, regrets: Sequence[float], steady: float) -> Any:
    """Draw a trajectory that hurts, beside the regrets of others in units of the theorem's bound; returns the figure.

    Parameters
    ----------
    regrets
        Of other trajectories of this length, as `Opponent.regret` gives them.
    steady
        The largest where the same ports come in every slot, as `Opponent.steady` gives it.
    """
    matrix, beside = panels((11, 2.2), 1, 2, width_ratios=(3, 2))
    arrivals, bound = worst.instance.arrivals, worst.bounds["sharper"]
    matrix.pcolormesh(arrivals.T, cmap="Greys", vmin=0, vmax=1, edgecolors="#bbbbbb", linewidth=0.3)
    names = [port.name for port in worst.instance.ports]
    matrix.set(yticks=np.arange(len(names)) + 0.5, yticklabels=names, xlabel="slot (black: comes)")
    matrix.invert_yaxis()
    beside.hist(np.array(regrets) / bound, bins=25, color=COLOURS[5], label="other arrivals")
    beside.axvline(steady / bound, color=COLOURS[1], linewidth=1.8, label="the same ports in every slot")
    beside.axvline(float(worst.lower) / bound, color=COLOURS[4], linewidth=1.8, label="the worst found")
    beside.axvline(1, color="black", linewidth=1)
    beside.set(yticks=[], xlim=(0, 1.02), xlabel="regret / bound with the sharper D and G")
    beside.spines[["top", "right", "left"]].set_visible(False)
    beside.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return matrix.figure


def with_arrivals(cluster: Instance, arrivals: np.ndarray) -> Instance:
    """The system with other arrivals (T, L) of 0 and 1, its graph taken over."""
    if arrivals.ndim != 2 or arrivals.shape[1] != len(cluster.ports) or arrivals.max(initial=0) > 1:
        raise InputError(f"arrivals: expected rows of {len(cluster.ports)} zeros and ones, found {arrivals.shape}")
    made = replace(cluster, arrivals=arrivals.astype(np.uint8))
    if all(copies == 1 for copies in cluster.copies):
        made.__dict__["graph"] = cluster.graph  # the same ports, each once
    return made


def linear_optimum(cluster: Instance) -> BestFixed:
    """The best fixed allocation's reward where gains are linear and overheads 0: nodes first serve who comes most."""
    graph = cluster.graph
    if graph.overhead.any() or (graph.kind != LINEAR).any():
        raise InputError("expected linear utilities and no overhead; else the best fixed allocation must be solved")

    def optimum(counts: np.ndarray) -> float:
        total = 0.0
        for node, (capacity, alpha) in enumerate(zip(graph.capacity, graph.alpha, strict=True)):
            copies = graph.edge_copy[graph.edge_node == node]
            copies = copies[np.argsort(-counts[copies])]
            upto = np.minimum(np.cumsum(graph.demand[copies], axis=0), capacity)
            total += float(counts[copies] @ np.diff(upto, axis=0, prepend=0) @ alpha)
        return total

    return optimum


class Opponent:
    """Knows the policy, and finds the regret of any trajectory of so many slots.

    Parameters
    ----------
    cluster
        An instance whose system is meant; its own arrivals do not matter.
    choice
        A policy of the commit protocol.
    best_fixed
        What the best fixed allocation earns; solved anew for each new counts if not given.
    """

    def __init__(self, cluster: Instance, choice: Policy, slots: int, best_fixed: BestFixed | None = None) -> None:
        ports = len(cluster.ports)
        self.choice, self.slots, self.ports = choice, slots, ports
        plain = with_arrivals(cluster, np.zeros((1, ports), dtype=np.uint8))
        self.cluster = with_arrivals(plain, np.zeros((slots, ports), dtype=np.uint8))
        self.policy = choice.build(self.cluster)
        if self.policy.protocol != "commits":
            raise InputError(f"{choice.name}: it sees the arrivals before it allocates, and regret does not measure it")
        self.gain = str(choice.options.get("gain", "node"))
        self.system = system(self.cluster)
        self.best_fixed = best_fixed or (lambda counts: self.solver.solve(counts, float(GAP)).value)
        self.tried = 0
        self.forget()

    def forget(self) -> None:
        """Solve everything anew: a solver's last digits depend on what it has solved before."""
        self.solver = StationarySolver(self.cluster.graph, self.gain)
        self.known: dict[bytes, float] = {}

    def instance(self, arrivals: np.ndarray) -> Instance:
        """The system with these arrivals."""
        return with_arrivals(self.cluster, arrivals)

    def optimum(self, counts: np.ndarray) -> float:
        """What the best fixed allocation earns, remembered by counts (L,)."""
        key = counts.tobytes()
        if key not in self.known:
            self.known[key] = self.best_fixed(counts)
        return self.known[key]

    def earned(self, arrivals: np.ndarray) -> float:
        """What the policy earns on a trajectory (T, L), in doubles."""
        if hasattr(self.policy, "earn"):
            self.policy.start(self.system)
            return float(self.policy.earn(np.ascontiguousarray(arrivals, dtype=np.uint8)).sum())
        total, at = 0.0, 0
        for block in play(self.policy, self.instance(arrivals)):
            total += float(slot_rewards(self.cluster.graph, block, arrivals[at : at + len(block)], self.gain).sum())
            at += len(block)
        return total

    def regret(self, arrivals: np.ndarray) -> float:
        """The regret of a trajectory (T, L), in doubles."""
        self.tried += 1
        return self.optimum(arrivals.sum(axis=0, dtype=np.int64)) - self.earned(arrivals)

    def steady(self) -> float:
        """The largest regret where the same ports come in every slot."""
        choices = np.array(list(product((0, 1), repeat=self.ports)), dtype=np.uint8)
        return max(self.regret(np.tile(row, (self.slots, 1))) for row in choices)

    def certified(self, arrivals: np.ndarray, curve: tuple[tuple[int, float], ...] = ()) -> Worst:
        """This trajectory, its regret enclosed and the policy's run checked."""
        found = regret(self.choice.run(self.instance(arrivals)), points=2, gap=GAP)
        bounds = {name: float(found.bound(name)[-1]) for name in found.squares}
        instance = found.instance
        return Worst(instance, self.choice, found.lower[-1], found.upper[-1], bounds, self.tried, curve=curve)


def exhaustive(cluster: Instance, choice: Policy, slots: int, progress: Progress = lambda tried, regret: None) -> Worst:
    """The largest regret of a policy over all 2^(L T) trajectories, enclosed.

    Every trajectory's reward is enclosed rigorously, and so is the optimum for each number of times that the ports
    come: ``lower`` is the largest lower end, reached on the trajectory that is returned, ``upper`` the largest upper.

    Raises
    ------
    InputError
        For more than a million trajectories, or a policy that sees the arrivals first.
    """
    opponent = Opponent(cluster, choice, slots)
    count = opponent.ports * slots
    if 1 << count > MOST:
        raise InputError(f"slots={slots}: expected at most {MOST} trajectories, {opponent.ports} ports make 2^{count}")
    numbers = Numbers(opponent.cluster, opponent.gain)
    optima: dict[bytes, Enclosure] = {}
    worst: tuple[Fraction, np.ndarray] | None = None
    upper: Fraction | None = None
    for tried, bits in enumerate(product((0, 1), repeat=count), start=1):
        arrivals = np.array(bits, dtype=np.uint8).reshape(slots, opponent.ports)
        instance = opponent.instance(arrivals)
        counts = arrivals.sum(axis=0, dtype=np.int64)
        if counts.tobytes() not in optima:
            best = proven(opponent.solver, numbers, counts, float(GAP))
            optima[counts.tobytes()] = best.value, best.bound
        low, high = optima[counts.tobytes()]
        less, more = cumulative(instance, play(opponent.policy, instance), opponent.gain)
        upper = high - less if upper is None else max(upper, high - less)
        if worst is None or low - more > worst[0]:
            worst = low - more, arrivals
        progress(tried, float(worst[0]))
    assert worst is not None and upper is not None
    opponent.tried = 1 << count
    return replace(opponent.certified(worst[1]), lower=worst[0], upper=upper, complete=True)
