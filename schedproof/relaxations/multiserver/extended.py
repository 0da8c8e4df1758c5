"""Interior point steps with more digits than doubles, as the second stage.

The linear systems of the steps become singular at the optimum. Here numbers are balls (python-flint), the same on every
machine. A step starts from midpoints of balls, and the digits are doubled until the gap is reached. Allocation, bound
and gap are evaluated in doubles, as in the first stage.
"""

from __future__ import annotations

import numpy as np

from schedproof.core.base.balls import in_balls
from schedproof.core.base.untyped import Compiled
from schedproof.relaxations.multiserver.interior import SHORT_STEP, Found, solve
from schedproof.relaxations.multiserver.layout import Layout

PRECISIONS = (192, 384, 768)  # bits
MOST_WORK = 2 * 10**7  # limit on the multiplications of a step; more would take hours


def in_more_digits(layout: Layout, goal: float, found: Found) -> Found:
    """Solve to ``goal``; return ``found`` if it is better or the layout is too large."""
    resources, copies = layout.shape
    if resources * copies**3 + int((np.diff(layout.begin) ** 2).sum()) > MOST_WORK:
        return found
    for bits in PRECISIONS:
        attempt = in_balls(lambda _: solve(layout, goal, step_length=SHORT_STEP, wide=Wide(layout)), bits)
        found = min(found, attempt._replace(steps=found.steps + attempt.steps), key=lambda each: each.gap)
        if found.gap <= goal:
            break
    return found


class Wide(Layout):
    """A layout whose numbers are balls."""

    proximal = 1e-20  # small, because it stops the steps if slope and cost are nearly equal and gains nearly straight

    def __init__(self, layout: Layout) -> None:
        vars(self).update(vars(layout))
        for name in ("most", "share", "alpha", "weight", "capacity", "counts", "beta"):
            setattr(self, name, _balls(getattr(layout, name)))

    def zeros(self, shape: int | tuple[int, ...]) -> np.ndarray:
        from flint import arb

        return np.full(shape, arb(0), dtype=object)

    def settle(self, values: np.ndarray) -> np.ndarray:
        return _each(lambda ball: ball.mid(), values)

    def kernel(self, compiled: Compiled) -> Compiled:
        return getattr(compiled, "py_func", compiled)

    def row_sums(self, values: np.ndarray) -> np.ndarray:
        return self._sums(self.row, values, len(self.cells) + 1)[:-1]

    def pair_sums(self, values: np.ndarray) -> np.ndarray:
        return self._sums(self.pair, values, self.beta.size).reshape(self.shape)

    def _sums(self, number: np.ndarray, values: np.ndarray, count: int) -> np.ndarray:
        sums = self.zeros(count)
        np.add.at(sums, number, values)
        return sums


def _balls(values: np.ndarray) -> np.ndarray:
    from flint import arb

    return _each(arb, values)


def _each(rule: Compiled, values: np.ndarray) -> np.ndarray:
    out = np.empty(values.shape, dtype=object)
    out.ravel()[:] = [rule(x) for x in values.ravel().tolist()]
    return out
