"""Trajectories of zeros and ones, (T, L) uint8, by their shape: where a search starts, and what regret is tried on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Pattern = Callable[[int, int, np.random.Generator], np.ndarray]

LIKELY = 0.7  # the paper's arrival probability
TURN = 10  # slots of a port's turn
BURST = 20  # slots that a burst, or a pause, lasts on average


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


PATTERNS: dict[str, Pattern] = {"random": random, "periodic": periodic, "bursty": bursty, "phases": phases}
