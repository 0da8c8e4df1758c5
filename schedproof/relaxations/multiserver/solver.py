"""The stationary optimum (10) in doubles from the copies' counts.

A solver stores its last point, the initial point of the next problem with the same copies present.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from sys import float_info

import numpy as np

from schedproof.instances.multiserver import Graph
from schedproof.instances.multiserver.inward import inward
from schedproof.instances.multiserver.utility import at_each
from schedproof.relaxations.multiserver.extended import in_more_digits
from schedproof.relaxations.multiserver.interior import SHORT_STEP, Found, Point, solve
from schedproof.relaxations.multiserver.layout import SLOPES, Layout

NEGLIGIBLE = 1e-13  # share of the bound: a row whose capacity is worth less gets the price 0


@dataclass(frozen=True, eq=False)
class Stationary:
    """A fixed allocation, its reward, and multipliers that bound the optimum.

    Attributes
    ----------
    allocation
        (E, K), exactly feasible: rounding never exceeds a demand or a capacity.
    value, bound
        The allocation's reward in the counted slots, and the multipliers' bound, in doubles.
    prices, weights, slopes
        p (R, K), w (C, K) and sigma (C, K) of `certificate`; sigma also for the gain per node.
    least
        The least denominator of relative gaps, a millionth of the gains of all full channels.
    """

    allocation: np.ndarray
    value: float
    bound: float
    prices: np.ndarray
    weights: np.ndarray
    slopes: np.ndarray
    least: float
    steps: int

    def gap(self, value: Fraction, bound: Fraction) -> float:
        return float(bound - value) / max(float(bound), self.least, float_info.min)


class StationarySolver:
    """A solver for one graph, with gains by node or by total."""

    def __init__(self, graph: Graph, gain: str = "node") -> None:
        self.graph, self.by_node = graph, gain == "node"
        self._start: tuple[bytes, Point] | None = None

    def solve(self, counts: np.ndarray, gap: float = 1e-6) -> Stationary:
        """Find the best fixed allocation, to a relative gap.

        ``counts`` has the number of slots in which each copy of a port is present.

        If doubles do not reach the gap, steps continue with more digits. If these would take too long, the result in
        doubles is returned.
        """
        layout = Layout(self.graph, counts, self.by_node)
        if not layout.most.size:
            return self._read(layout, None)
        present = (counts > 0).tobytes()
        start = self._start[1] if self._start is not None and self._start[0] == present else None
        result = solve(layout, gap, start)
        if start is not None and result.gap > gap:  # the initial point can be bad for very different counts
            result = solve(layout, gap)
        if result.gap > gap:
            result = min(result, solve(layout, gap, step_length=SHORT_STEP), key=lambda attempt: attempt.gap)
        if result.gap > gap:
            result = in_more_digits(layout, gap, result)
        self._start = present, result.central
        return self._read(layout, result)

    def _read(self, layout: Layout, found: Found | None) -> Stationary:
        graph, resources = self.graph, len(self.graph.overhead)
        totals, weights = np.zeros((2, len(graph.port), resources))
        weights[:, 0] = 1
        prices, allocation = np.zeros(graph.capacity.size), np.zeros(graph.shape)
        value, bound, least, steps = 0.0, 0.0, 0.0, 0
        if found is not None:
            value, bound, least = (layout.scale * x for x in (found.value, found.bound, found.least))
            steps = found.steps
            kept = found.prices > NEGLIGIBLE * found.bound
            prices[layout.cells[kept]] = (found.prices / layout.capacity)[kept] * layout.scale
            weights[layout.copies], totals[layout.copies] = found.weights.T, found.totals.T
            allocation[layout.edge, layout.resource] = layout.most * found.u
        kind, alpha = (np.broadcast_to(row, totals.shape) for row in (graph.total_kind, graph.total_alpha))
        return Stationary(
            allocation=inward(graph, allocation),
            value=value,
            bound=bound,
            prices=prices.reshape(resources, -1).T.copy(),
            weights=weights,
            slopes=at_each(SLOPES, kind, alpha, totals),
            least=least,
            steps=steps,
        )
