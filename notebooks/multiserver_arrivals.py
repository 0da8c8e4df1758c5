"""Arrivals that hurt a policy, for the notebook and for docs/evidence/multiserver_regret.py.

A policy of the commit protocol is deterministic, so its regret is a function of the trajectory, and the best fixed
allocation depends on no more than how often each port comes. The search is that of `schedproof.adversary`, with a start
and a move of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

from schedproof.adversary.documents import Document, copy, read
from schedproof.adversary.multiserver.regret import best_reward, pools_of
from schedproof.adversary.search import Chain, Range, State
from schedproof.adversary.space import Documents
from schedproof.core.errors import InputError
from schedproof.core.results.run import Policy
from schedproof.instances.multiserver import Instance, from_json
from schedproof.instances.multiserver.drive import system
from schedproof.instances.multiserver.reward import slot_rewards
from schedproof.online.multiserver.regret import Regret
from schedproof.relaxations.multiserver.bounds import certify_optimum
from schedproof.relaxations.multiserver.exact import Numbers
from schedproof.relaxations.multiserver.solver import StationarySolver

GAP = Fraction(1, 10**9)  # of an optimum that is solved, relatively
LIKELY = 0.7  # the paper's arrival probability
TURN = 10  # slots of a port's turn
BURST = 20  # slots that a burst, or a pause, lasts on average
DUEL: Document = {  # two job types on one node, which has what one of them asks for
    "version": 1,
    "family": "multiserver",
    "resources": ["gpu"],
    "nodes": [{"name": "node", "capacity": {"gpu": 1}}],
    "ports": [{"name": name, "demand": {"gpu": 1}, "nodes": ["node"]} for name in ("one", "other")],
    "utilities": {"gpu": {"kind": "linear", "alpha": 1}},
    "overhead": {"gpu": 0},
    "arrivals": [[1, 1]],
}


# --- trajectories of zeros and ones, (T, L), by their shape ----------------------------------------------------------


def random(slots: int, ports: int, rng: np.random.Generator) -> np.ndarray:
    """Each port comes with probability 0.7, independently."""
    return (rng.random((slots, ports)) < LIKELY).astype(np.uint8)


def periodic(slots: int, ports: int, rng: np.random.Generator) -> np.ndarray:
    """The ports come in turn, ten slots each."""
    turn = np.arange(slots)[:, None] // TURN % max(ports, 1)
    return (turn == np.arange(ports)).astype(np.uint8)


def bursty(slots: int, ports: int, rng: np.random.Generator) -> np.ndarray:
    """Each port comes in bursts and pauses of twenty slots on average, independently."""
    changes = rng.random((slots, ports)) < 1 / BURST
    changes[0] = rng.random(ports) < 0.5
    return (np.cumsum(changes, axis=0) % 2).astype(np.uint8)


def phases(slots: int, ports: int, rng: np.random.Generator) -> np.ndarray:
    """One port after the other, each much longer than those before: until T^(1/L), T^(2/L), ..., T."""
    ends = np.round(slots ** (np.arange(1, ports + 1) / ports))
    turn = np.searchsorted(ends, np.arange(slots), side="right")[:, None]
    return (turn == np.arange(ports)).astype(np.uint8)


Shape = Callable[[int, int, np.random.Generator], np.ndarray]
SHAPES: Mapping[str, Shape] = {"random": random, "periodic": periodic, "bursty": bursty, "phases": phases}


def with_arrivals(instance: Instance, arrivals: np.ndarray) -> Instance:
    """The same system with other arrivals, zeros and ones."""
    changed = replace(instance, arrivals=arrivals.astype(np.uint8))
    if instance.copies == changed.copies:
        changed.__dict__["graph"] = instance.graph  # which is slow to make
    return changed


def enclosed_regret(policy: Policy, instance: Instance, arrivals: np.ndarray) -> Regret:
    """A policy's regret on some arrivals."""
    found: Regret = policy.run(with_arrivals(instance, arrivals)).regret(points=2, gap=GAP)
    return found


# --- the search ------------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A regret, at most."""

    score: Fraction


class RegretGoal:
    """What the search makes as large as it can: a policy's regret on arrivals at one system, from above.

    Parameters
    ----------
    instance
        Its system, each port once; its arrivals do not matter.
    """

    enough = inf

    def __init__(self, policy: Policy, instance: Instance) -> None:
        self.policy, self.instance = policy, with_arrivals(instance, np.zeros((1, len(instance.ports))))
        self.gain = str(policy.options.get("gain", "node"))
        self.known: dict[bytes, Fraction] = {}

    def optimum(self, counts: np.ndarray) -> Fraction:
        """What no fixed allocation exceeds when ports come so often; exact where gains are linear, else solved."""
        key = counts.tobytes()
        if key not in self.known:
            try:
                self.known[key] = best_reward(pools_of(self.instance), counts.tolist())
            except InputError:
                solver, numbers = StationarySolver(self.instance.graph, self.gain), Numbers(self.instance, self.gain)
                self.known[key] = certify_optimum(solver, numbers, counts, float(GAP)).bound
        return self.known[key]

    def regret(self, arrivals: np.ndarray) -> Fraction:
        """The regret on a trajectory, at most."""
        run = self.policy.run(with_arrivals(self.instance, arrivals))
        return self.optimum(arrivals.sum(axis=0, dtype=np.int64)) - run.objective

    def judge(self, instance: Instance) -> Measured:
        """The regret on an instance of the system."""
        return Measured(self.regret(instance.arrivals))

    def greedy(self, slots: int) -> np.ndarray:
        """Slot by slot the arrivals with which the regret by then, and half of what the slot misses, are largest.

        They are nobody, everybody, one port alone, or all but one.
        """
        graph, ports = self.instance.graph, len(self.instance.ports)
        one = np.eye(ports, dtype=np.uint8)
        choices = np.unique(np.vstack([0 * one[:1], one, 1 - one, 0 * one[:1] + 1]), axis=0).astype(np.int64)
        alone = np.array([float(self.optimum(x)) for x in choices])
        counts, answer = np.zeros(ports, dtype=np.int64), []
        empty = with_arrivals(self.instance, np.zeros((slots, ports)))
        policy = self.policy.build(empty)
        policy.start(system(empty))
        for slot in range(slots):
            y = np.array(policy.decide(slot))
            earned = slot_rewards(graph, np.repeat(y[None], len(choices), axis=0), choices, self.gain)
            best = np.array([float(self.optimum(counts + x)) for x in choices])
            chosen = choices[int(np.argmax(best - earned + (alone - earned) / 2))]
            policy.observe(slot, chosen.astype(np.uint8))
            counts = counts + chosen
            answer.append(chosen)
        return np.array(answer)


def interval(space: Documents, document: Document, rng: np.random.Generator) -> Document:
    """In some slots on end, one or up to T of them, a port comes, stays away, or comes alone, or the slots turn."""
    arrivals = np.array(document["arrivals"])
    slots, ports = arrivals.shape
    length = min(slots, 1 << int(rng.integers(slots.bit_length())))
    begin = int(rng.integers(slots - length + 1))
    port, kind = int(rng.integers(ports)), int(rng.integers(4))
    part = arrivals[begin : begin + length]
    if kind == 0:
        part[:, port] ^= 1
    elif kind == 1:
        part[:, port] = rng.integers(2)
    elif kind == 2:
        part[:] = np.arange(ports) == port
    else:
        part[:] = np.roll(part, int(rng.integers(1, length + 1)), axis=0)
    return document | {"arrivals": arrivals.tolist()}


class Worst(NamedTuple):
    """The arrivals that hurt a policy most, of those that were looked at.

    Attributes
    ----------
    regret
        Of the policy on them, enclosed.
    at_most
        What no regret that was looked at exceeds.
    """

    regret: Regret
    at_most: Fraction
    looked_at: int
    complete: bool


def worst_arrivals(policy: Policy, instance: Instance, slots: int, steps: int = 300, seed: int = 0) -> Worst:
    """The worst arrivals in so many slots: of all where there are no more than steps, else of as many as are steps."""
    goal = RegretGoal(policy, instance)
    start = copy(with_arrivals(instance, goal.greedy(slots)).to_json())
    space = Documents(f"arrivals in {slots} slots", [start], {"arrivals[*][*]": (0, 1)})
    size = 1 << slots * len(instance.ports)
    complete = size <= steps
    chain = Chain(space, goal, seed, 0, 1, steps, moves=(interval,), warmest=0)
    state = (Range(space, goal, 0, size) if complete else chain).advance(State(), inf)
    assert state.score is not None
    found = enclosed_regret(policy, instance, from_json(read(str(state.best))).arrivals)
    return Worst(found, Fraction(state.score), state.steps, complete)
