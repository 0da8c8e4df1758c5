"""Limited-memory BFGS for thousands of variables.

SciPy's L-BFGS-B uses a threaded BLAS for tiny matrices, which is slow on a busy machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np

from schedproof.core.runtime.context import USUAL, Context

MEMORY = 10  # stored steps
ENOUGH = 1e-4  # least share of the decrease that the slope predicts
SHORTEST = 2.0**-30
STILL = 1e-12  # relative to the value; a smaller gain ends the search

Steps = deque[tuple[np.ndarray, np.ndarray]]


def minimum(
    function: Callable[[np.ndarray], tuple[float, np.ndarray]], start: np.ndarray, steps: int, context: Context = USUAL
) -> np.ndarray:
    """Return a minimiser of a smooth function (x to value and slopes), bounded below.

    The search stops after ``steps`` steps or at the time limit.
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
    """Return slopes times the approximate inverse Hessian: Nocedal's two loops (1980)."""
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
