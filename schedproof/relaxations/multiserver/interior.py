"""Mehrotra's predictor-corrector interior point method for the stationary problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from math import isfinite
from typing import NamedTuple

import numpy as np

from schedproof.relaxations.multiserver.layout import Layout
from schedproof.relaxations.multiserver.newton import Exhausted, Newton, Sides

STEP = 0.995  # share of the longest step to the boundary
SHORT_STEP = 0.9  # used when longer steps lose too many digits
MOST_STEPS = 100
PATIENCE = 8  # steps without improvement after which the solver stops
CENTRAL = 0.01  # relative gap at which a point is kept as the initial point of a similar problem
LEAST_SHARE = 1e-6  # share of all gains that is the least denominator of relative gaps


@dataclass(frozen=True, eq=False)
class Point:
    """Positive slacks with their multipliers, and overheads; or a direction of these.

    Attributes
    ----------
    u, low
        (V,) the variables, and the multipliers of u >= 0.
    v, high
        (V,) 1 - u, and the multipliers of u <= 1.
    s, pi
        (N,) slack and price of each row.
    z, omega
        (K, C) o_c - beta_k T and n_c w_(k,c).
    overhead
        (C,) o_c.
    """

    u: np.ndarray
    v: np.ndarray
    s: np.ndarray
    z: np.ndarray
    low: np.ndarray
    high: np.ndarray
    pi: np.ndarray
    omega: np.ndarray
    overhead: np.ndarray

    @property
    def products(self) -> tuple[np.ndarray, ...]:
        return self.u * self.low, self.v * self.high, self.s * self.pi, self.z * self.omega

    @property
    def mean(self) -> float:
        products = self.products
        return sum(float(p.sum()) for p in products) / sum(p.size for p in products)

    @property
    def weights(self) -> np.ndarray:
        return self.omega / self.omega.sum(axis=0)

    def move(self, direction: Point, length: float) -> Point:
        return Point(*(x + length * d for x, d in zip(_arrays(self), _arrays(direction), strict=True)))

    def each(self, rule: Callable[[np.ndarray], np.ndarray]) -> Point:
        return Point(*map(rule, _arrays(self)))

    def reach(self, direction: Point) -> float:
        """Return the largest step <= 1 along the direction that keeps all positive."""
        signed = zip(_arrays(self)[:-1], _arrays(direction)[:-1], strict=True)
        return 1 / max(1.0, *(float((-d / x).max(initial=0)) for x, d in signed))


def _arrays(point: Point) -> list[np.ndarray]:
    return [getattr(point, f.name) for f in fields(point)]


def _doubles(values: np.ndarray) -> np.ndarray:
    return values.astype(float, copy=False)


class Found(NamedTuple):
    """The best values found, in doubles, and their points.

    Attributes
    ----------
    value, u
        A feasible point and its value.
    bound, prices, weights
        An upper bound, the prices of whole rows (N,) and the overheads' weights (K, C).
    totals
        (K, C) totals at which the gain per total has the bound's slopes.
    least
        The least denominator of relative gaps.
    steps
        The number of steps.
    central
        An initial point for a similar problem.
    """

    value: float
    u: np.ndarray
    bound: float
    prices: np.ndarray
    weights: np.ndarray
    totals: np.ndarray
    least: float
    steps: int
    central: Point

    @property
    def gap(self) -> float:
        return (self.bound - self.value) / max(self.bound, self.least)


def solve(
    layout: Layout, goal: float, start: Point | None = None, step_length: float = STEP, wide: Layout | None = None
) -> Found:
    """Solve to a relative gap of ``goal``, or to the limits of doubles.

    Parameters
    ----------
    start
        A point of a problem with the same variables and other counts.
    step_length
        The share of the longest step to the boundary.
    wide
        The layout with more digits, for the steps; results are evaluated in doubles.
    """
    system = wide or layout
    with np.errstate(all="ignore"):  # exhausted doubles raise no warning; the values show it
        point = _middle(system) if start is None else start
        result, improved = _nothing(layout, point.each(_doubles)), 0
        for step in range(MOST_STEPS):
            shown = point.each(_doubles)
            better = _better(layout, result, shown)
            improved = step if better is not result else improved
            result = better._replace(steps=step)
            if result.gap > CENTRAL or step == 0:
                result = result._replace(central=shown)
            if result.gap <= goal or (result.gap < CENTRAL and step - improved > PATIENCE):
                break
            try:
                point = _step(system, point, step_length).each(system.settle)
            except Exhausted:
                break
            if not isfinite(point.mean):
                break
        return result


def _nothing(layout: Layout, point: Point) -> Found:
    zero = np.zeros(layout.shape)
    least = LEAST_SHARE * layout.gain(layout.amounts(np.ones_like(layout.most), layout.pair_sums(layout.most)))
    return Found(0.0, np.zeros_like(layout.most), np.inf, point.pi, point.weights, zero, least, 0, point)


def _better(layout: Layout, found: Found, point: Point) -> Found:
    u = layout.inside(point.u)
    totals = layout.pair_sums(layout.most * u)
    value = layout.value(layout.amounts(u, totals), totals)
    bound = layout.bound(point.pi, point.weights, totals)
    if value > found.value:
        found = found._replace(value=value, u=u)
    if bound < found.bound:
        found = found._replace(bound=bound, prices=point.pi, weights=point.weights, totals=totals)
    return found


def _middle(layout: Layout) -> Point:
    fill = layout.row_sums(layout.share)  # > 1, because rows that cannot bind are left out
    u = 0.5 / layout.at_rows(fill, 1.0)
    totals = layout.pair_sums(layout.most * u)
    top = (layout.beta * totals).max(axis=0)
    gains, costs = layout.slope(layout.amounts(u, totals)) * layout.most * u, layout.counts * top
    mean = float(max(gains.mean(), costs.sum() / u.size))
    overhead = top + np.maximum(top / 2, 2 * mean / (layout.counts * layout.shape[0]))
    v, s, z = 1 - u, 1 - layout.row_sums(layout.share * u), overhead - layout.beta * totals
    return Point(u, v, s, z, mean / u, mean / v, mean / s, layout.counts / z / (1 / z).sum(axis=0), overhead)


def _step(layout: Layout, point: Point, step_length: float) -> Point:
    totals = layout.pair_sums(layout.most * point.u)
    amounts = layout.amounts(point.u, totals)
    slope, bend = layout.most * layout.slope(amounts), layout.curvature(amounts)
    own, psi = point.low / point.u + point.high / point.v + layout.proximal * slope, bend
    if layout.by_node:
        own, psi = own + layout.most**2 * bend, layout.zeros(layout.shape)
    newton = Newton(layout, own, psi, point.pi, point.s, point.omega, point.z)
    missing = Sides(
        slope - _cost(layout, point.pi, point.omega) + point.low - point.high,
        1 - layout.row_sums(layout.share * point.u) - point.s,
        point.overhead - layout.beta * totals - point.z,
        point.omega.sum(axis=0) - layout.counts,
    )
    ahead = _direction(newton, point, missing, [np.zeros_like(p) for p in point.products])
    mean = point.mean
    centre = mean * (point.move(ahead, point.reach(ahead)).mean / mean) ** 3
    if float((np.abs(missing.slope) * point.u).mean()) > mean:
        centre = mean  # if products vanish before the slopes are accurate, the steps end in a wrong corner
    second = [centre - p for p in ahead.products]
    direction = _direction(newton, point, missing, second)
    length = point.reach(direction)
    return point.move(direction, 1.0 if length == 1 else step_length * length)


def _direction(newton: Newton, point: Point, missing: Sides, products: list[np.ndarray]) -> Point:
    """Return the direction to the given products and to feasibility, to first order.

    The unknowns are the changes of the multipliers of rows and overheads, because these are small.
    """
    low, high = products[0] / point.u - point.low, products[1] / point.v - point.high
    slack, lag = products[2] / point.pi - point.s, products[3] / point.omega - point.z
    moves = newton.solve(Sides(missing.slope + low - high, missing.row - slack, missing.pair - lag, missing.weight))
    return Point(
        u=moves.u,
        v=-moves.u,
        s=slack - moves.row_use,
        z=lag - moves.pair_pull / newton.ratio,
        low=low - point.low / point.u * moves.u,
        high=high + point.high / point.v * moves.u,
        pi=moves.row_pull,
        omega=moves.pair_pull,
        overhead=moves.overhead,
    )


def _cost(layout: Layout, pi: np.ndarray, omega: np.ndarray) -> np.ndarray:
    return layout.share * layout.at_rows(pi) + layout.most * layout.at_pairs(layout.beta * omega)
