"""The structured linear system of an interior point step.

    own Du + h P + m nu = r,        P = (pi/s) (sum_row h Du - e),   nu = beta W + psi DT,   DT = sum_pair m Du
    W = -(omega/z) (Do - beta DT + g),   -sum_k W = q

where own > 0 is the curvature of a single variable, psi that of the gain per total, and e and g are the lags of the
slacks of rows and overheads. Eliminating the variables and then the rows leaves a C x C matrix per resource and one for
the overheads. Near the optimum own is tiny, pi/s and omega/z are huge, and subtractions lose digits. So a matrix is
stored as its off-diagonal entries and the diagonal's excess over their sum; both are sums of positive numbers.
Solutions are refined.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from schedproof.relaxations.multiserver.inverses import inverse_of_definite, inverse_of_dominant, times_dominant
from schedproof.relaxations.multiserver.kernels import couple_rows
from schedproof.relaxations.multiserver.layout import Layout

REFINED = 2  # refinements


class Exhausted(ArithmeticError):
    """The digits of doubles do not suffice for the step."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Right-hand sides: r (V,), e (N,), g (K, C), q (C,)."""

    slope: np.ndarray
    row: np.ndarray
    pair: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True, eq=False)
class Moves:
    """The solution: Du (V,), Do (C,), P (N,), row sums of h Du minus e (N,), W (K, C)."""

    u: np.ndarray
    overhead: np.ndarray
    row_pull: np.ndarray
    row_use: np.ndarray
    pair_pull: np.ndarray

    def plus(self, more: Moves) -> Moves:
        return Moves(*(getattr(self, f.name) + getattr(more, f.name) for f in fields(self)))


class Newton:
    """The factored matrix: own (V,), psi (K, C), pi, s (N,), omega, z (K, C)."""

    def __init__(
        self,
        layout: Layout,
        own: np.ndarray,
        psi: np.ndarray,
        pi: np.ndarray,
        s: np.ndarray,
        omega: np.ndarray,
        z: np.ndarray,
    ) -> None:
        self.layout, self.own, self.psi = layout, own, psi
        below = s + pi * layout.row_sums(layout.share**2 / own)
        self.pull, self.slack = pi / below, s / below
        self.ratio = omega / z
        self.theta = layout.beta**2 * self.ratio + psi
        self.tie = self._by_theta(layout.beta * self.ratio)
        self._factor()

    def solve(self, sides: Sides) -> Moves:
        """Solve the system, and refine while the residual of the first equations falls."""
        result = self._solve(sides)
        rest = self._rest(sides, result)
        better = result.plus(self._solve(rest))
        remaining, before = (np.abs(part.slope).max() for part in (self._rest(sides, better), rest))
        return better if remaining < before else result

    def _solve(self, sides: Sides) -> Moves:
        layout, bound = self.layout, self.layout.beta > 0
        gap = np.divide(sides.pair, layout.beta, out=layout.zeros(layout.shape), where=bound)
        felt = layout.settle(self._by_theta(layout.beta**2 * self.ratio * gap))
        start = layout.pair_sums(layout.most * self._alone(sides.slope, sides.row)) - felt
        free = np.where(bound, self.tie * self.psi * gap, self.ratio * sides.pair)
        load = sides.weight - free.sum(axis=0) + (self.tie * self._answer(start)).sum(axis=0)
        overhead = np.einsum("cd,d->c", self.joint, load)
        nu = self._answer(start - self.tie * overhead)
        bend = self.psi * (self._by_theta(nu) + felt + self.tie * overhead)
        right = sides.slope - layout.most * layout.at_pairs(nu)
        demanded = layout.row_sums(layout.share * right / self.own) - sides.row
        return Moves(
            u=self._alone(right, sides.row),
            overhead=overhead,
            row_pull=self.pull * demanded,
            row_use=self.slack * demanded,
            pair_pull=np.divide(nu - bend, layout.beta, out=-self.ratio * (overhead + sides.pair), where=bound),
        )

    def _rest(self, sides: Sides, moves: Moves) -> Sides:
        layout = self.layout
        totals = layout.pair_sums(layout.most * moves.u)
        nu = layout.beta * moves.pair_pull + self.psi * totals
        pulls = layout.share * layout.at_rows(moves.row_pull) + layout.most * layout.at_pairs(nu)
        return Sides(
            sides.slope - self.own * moves.u - pulls,
            sides.row - layout.row_sums(layout.share * moves.u) + moves.row_use,
            sides.pair + moves.overhead - layout.beta * totals + moves.pair_pull / self.ratio,
            sides.weight + moves.pair_pull.sum(axis=0),
        )

    def _alone(self, right: np.ndarray, row: np.ndarray) -> np.ndarray:
        layout = self.layout
        demanded = layout.settle(layout.row_sums(layout.share * right / self.own) - row)
        moved: np.ndarray = (right - layout.share * layout.at_rows(self.pull * demanded)) / self.own
        return moved

    def _by_theta(self, values: np.ndarray) -> np.ndarray:
        return np.divide(values, self.theta, out=self.layout.zeros(self.layout.shape), where=self.theta > 0)

    def _times(self, values: np.ndarray) -> np.ndarray:
        return np.einsum("kcd,kd->kc", self.inverse, values)

    def _answer(self, values: np.ndarray) -> np.ndarray:
        result = self.layout.settle(self._times(values))
        for _ in range(REFINED):
            rest = values - times_dominant(self.off, self.excess, result)
            result = self.layout.settle(result + self._times(rest))
        return result

    def _factor(self) -> None:
        """Factorise the Newton system: (1/theta + M)^-1 by resource, and the overheads'."""
        layout = self.layout
        resources, copies = layout.shape
        off = layout.zeros((resources, copies, copies))
        reach = layout.most * layout.share / self.own
        layout.kernel(couple_rows)(layout.begin, layout.member, layout.resource, layout.copy, reach, self.pull, off)
        lone = layout.pair_sums(layout.most**2 / self.own * layout.at_rows(self.slack, 1.0))
        self.off, self.excess = off, lone + self._by_theta(np.ones(layout.shape))
        live = self.theta > 0  # elsewhere nu = 0
        pairs, zeros = live[:, :, None] & live[:, None, :], layout.zeros(off.shape)
        excess = np.where(live, self.excess + np.where(live[:, None, :], zeros, off).sum(axis=2), 1)
        inverse = inverse_of_dominant(np.where(pairs, off, zeros), excess)
        self.inverse = layout.settle(np.where(pairs, inverse, zeros))
        joint = (self.tie[:, :, None] * self.inverse * self.tie[:, None, :]).sum(axis=0)
        apart = np.where(layout.beta > 0, self._by_theta(self.ratio * self.psi), self.ratio)  # omega/z - theta tie^2
        joint[np.arange(copies), np.arange(copies)] += apart.sum(axis=0)
        self.joint = layout.settle(inverse_of(layout.settle(joint)))


def inverse_of(matrix: np.ndarray) -> np.ndarray:
    """Invert a positive definite matrix, scaled to a unit diagonal.

    Raises
    ------
    Exhausted
        When rounding has made the matrix indefinite.
    """
    size = np.diagonal(matrix) ** -0.5
    inverse = inverse_of_definite(matrix * size * size[:, None])
    if inverse is None:
        raise Exhausted
    return inverse * size * size[:, None]
