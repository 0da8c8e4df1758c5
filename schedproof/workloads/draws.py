"""Tools for random draws: a source of randomness, exact weights, short decimals."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import numpy as np

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError
from schedproof.workloads.settings import WIDE

Rng = np.random.Generator
Row = dict[str, Json]
MOST_DRAWS = 1_000_000  # draws of one kind: with more, an instance file is unusably large


def random_numbers(seed: int) -> Rng:
    """Return the source of randomness of an instance.

    Raises
    ------
    InputError
        For a negative seed.
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError("expected an integer >= 0", path="seed", value=seed)
    return np.random.Generator(np.random.PCG64(seed))


def number(value: Decimal) -> int | Decimal:
    """Return a decimal as the shortest JSON number."""
    return int(value) if value == value.to_integral_value(context=WIDE) else value.normalize(WIDE)


def draw_weighted(rng: Rng, weights: Mapping[int, int], size: int) -> list[int]:
    """Draw keys with probabilities in proportion to integer weights."""
    ends = np.cumsum(list(weights.values()))
    place = np.searchsorted(ends, rng.integers(ends[-1], size=size), side="right")
    return np.array(list(weights))[place].tolist()


def affordable(count: int, what: str) -> None:
    """Refuse more draws than a file can hold.

    Raises
    ------
    InputError
        If there are more than `MOST_DRAWS`.
    """
    if count > MOST_DRAWS:
        raise InputError(f"expected at most {MOST_DRAWS} draws, not {count} {what}")
