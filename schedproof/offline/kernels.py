"""Common kernels of the searches: random numbers, and acceptance of a change."""

from __future__ import annotations

from typing import Any

import numpy as np

from schedproof.core.runtime.kernels import kernel

BITS_11, BITS_12, BITS_25, BITS_27 = map(np.uint64, (11, 12, 25, 27))
FACTOR = np.uint64(2685821657736338717)


def seeded(seed: int) -> np.ndarray:
    """Return the initial random state, 64 bits."""
    return np.maximum(np.random.SeedSequence(seed).generate_state(1, np.uint64), np.uint64(1))


@kernel
def draw(random: Any) -> Any:
    """Return a number in [0, 1) from 64 bits of state (xorshift64*, Vigna 2016)."""
    x = random[0]
    x ^= x >> BITS_12
    x ^= x << BITS_25
    x ^= x >> BITS_27
    random[0] = x
    return ((x * FACTOR) >> BITS_11) / 9007199254740992.0


@kernel
def below(random: Any, count: Any) -> Any:
    """Return a random integer from 0 to count - 1."""
    return int(draw(random) * count)


@kernel
def accepts(change: Any, temperature: Any, random: Any) -> Any:
    """Return whether to accept a change: an improvement, or by Metropolis' rule."""
    return change <= 0 or draw(random) < np.exp(-change / temperature)
