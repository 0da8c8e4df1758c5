"""What the searches' kernels share: numbers at random from a state of their own, and when a step is kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.runtime.kernels import kernel


def seeded(seed: int) -> np.ndarray:
    """The state that draws begin with, 64 bits."""
    return np.maximum(np.random.SeedSequence(seed).generate_state(1, np.uint64), np.uint64(1))


@kernel
def draw(random: Any) -> Any:
    """A number in [0, 1) from 64 bits of state (xorshift64*, Vigna 2016)."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return ((x * np.uint64(2685821657736338717)) >> np.uint64(11)) / 9007199254740992.0


@kernel
def below(random: Any, count: Any) -> Any:
    """A whole number from 0 to count - 1."""
    return int(draw(random) * count)


@kernel
def accepts(change: Any, temperature: Any, random: Any) -> Any:
    """Whether a change is made: one that is better always, a worse one at random (Metropolis)."""
    return change <= 0 or draw(random) < np.exp(-change / temperature)
