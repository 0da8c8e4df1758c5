"""Limited-memory BFGS, for some thousand variables and functions that take milliseconds.

SciPy's L-BFGS-B would do, but hands its tiny matrices to a threaded BLAS, which made it up to twenty times slower on
a machine with other work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from schedproof.core.runtime.context import USUAL, Context

MEMORY = 10  # steps that shape the next one
ENOUGH = 1e-4  # of the decrease that the slope promises
SHORTEST = 2.0**-30
STILL = 1e-12  # of the value; a step that gains less is the last

Steps = deque[tuple[np.ndarray, np.ndarray]]


def minimum(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]], start: np.ndarray, steps: int, context: Context = USUAL
) -> np.ndarray:
    """A point where a smooth function (x to value and slopes), bounded below, is flat.

    It is where so many steps, or the time that there is, have led to.
    """
    x, past = start, Steps(maxlen=MEMORY)
    value, slopes = function(x)
    for _ in range(steps):
        if context.over:
            break
        direction = -_bent(slopes, past)
        promised, length = direction @ slopes, 1.0
        x_next = x + direction
        value_next, slopes_next = function(x_next)
        while value_next > value + ENOUGH * length * promised and length > SHORTEST:
            length /= 2
            x_next = x + length * direction
            value_next, slopes_next = function(x_next)
        gained = value - value_next
        if gained < 0:
            break
        moved, turned = x_next - x, slopes_next - slopes
        if moved @ turned > 0:
            past.append((moved, turned))
        x, value, slopes = x_next, value_next, slopes_next
        if gained <= STILL * abs(value):
            break
    return x


def _bent(slopes: np.ndarray, past: Steps) -> np.ndarray:
    """The slopes times the inverse of the curvature that the past steps have seen: the two loops of Nocedal (1980)."""
    bent, shares = slopes.copy(), []
    for moved, turned in reversed(past):
        shares.append((moved @ bent) / (moved @ turned))
        bent -= shares[-1] * turned
    if past:
        moved, turned = past[-1]
        bent *= (moved @ turned) / (turned @ turned)
    else:
        bent /= max(1.0, float(np.sqrt(slopes @ slopes)))
    for (moved, turned), share in zip(past, reversed(shares), strict=True):
        bent += (share - (turned @ bent) / (moved @ turned)) * moved
    return bent
