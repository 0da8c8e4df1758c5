"""The relaxations' optima by HiGHS: a linear program with tangents of the cones.

A server's cone is (C - A)(B - B') >= K^2 with A, B' and K equal to sum a d x, sum b d x and sum sqrt(a b) d x. The cone
satisfies every tangent theta A + B'/theta + 2 K <= theta C + B/theta. An LP point outside the cone is scaled towards 0
onto the cone, and the tangent there is added. A linear relaxation has K = 0 and needs no tangents.

Multipliers mu of tangents are also prices: mu theta of compute, mu/theta of bandwidth. Their bound is at least as good
as the LP's, because sum mu theta times sum mu/theta is at least (sum mu)^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from scipy import sparse

from schedproof.core.runtime.context import Context
from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.edges import units
from schedproof.relaxations.jrp.dual import Relaxation
from schedproof.relaxations.jrp.matrix import MOST_NEED, linear_program, rows

SCALE = 2.0**10  # scale of a tangent's right side, because HiGHS satisfies rows to 1e-7
LEAST_SPARE = 1e-12  # least free fraction of a server where a tangent touches
OUTSIDE = 1e-9  # tolerance for a point outside a cone, as part of its distance to 0


@dataclass(frozen=True, eq=False)
class Optimum:
    """The result of the last linear program.

    Attributes
    ----------
    value
        The optimum of the linear program, at least that of the relaxation up to rounding.
    reached
        The value of the LP's point, scaled towards 0 into all cones; at most the relaxation's optimum.
    prices
        (3, m): of storage, compute and bandwidth.
    lps, tangents
        The numbers of solved LPs and of added tangents.
    """

    value: float
    reached: float
    prices: np.ndarray
    lps: int
    tangents: int


class Outer:
    """The linear program with tangents; a round solves it and adds violated tangents.

    Parameters
    ----------
    slopes
        (m,): theta of the first tangents, any numbers > 0.
    rounds
        The largest number of linear programs.

    Attributes
    ----------
    best
        The last optimum; None before the first.
    """

    done = None

    def __init__(self, instance: Instance, relaxation: Relaxation, slopes: np.ndarray, rounds: int) -> None:
        edges, matrix = instance.edges, sparse.csr_array(rows(instance.edges))
        servers, count = len(instance.servers), len(edges.node)
        first = len(edges.size) + servers  # the first row after (6) and storage
        self._a, self._b = matrix[first : first + servers], matrix[first + servers :]
        job = edges.job[edges.node]
        roots = edges.size[edges.node] * relaxation.roots[job], (edges.server, np.arange(count))
        self._k = sparse.csr_array(roots, shape=(servers, matrix.shape[1]))
        self._most, self._other = relaxation.compute, relaxation.bandwidth
        self.curved = np.flatnonzero((self._most > 0) & (self._other > 0) & (self._k.sum(axis=1) > 0))
        self._first, self._servers, self._edges = first - servers, servers, count
        self._units = units(np.concatenate([edges.storage, self._most, self._other]))
        self._program = linear_program(instance, self._most, self._other)
        self._tangents: list[np.ndarray] = []  # (3, n): server, a multiplier's terms in p and in q
        self.best: Optimum | None = None
        self._lps, self._rounds, self._parts = 0, rounds, np.ones(0)
        self.touch(self.curved, slopes[self.curved])

    def __str__(self) -> str:
        if (best := self.best) is None:
            return "no LP was solved"
        return f"LP {best.lps}, {best.tangents} tangents: {best.value:.8f}, feasible part {best.reached:.8f}"

    @property
    def best_bound(self) -> float:
        return float(self._lps)

    @property
    def gap(self) -> float:
        if self.best is None:
            return inf
        return (self.best.value - self.best.reached) / self.best.value if self.best.value > 0 else 0.0

    def round(self, context: Context) -> str:
        """Solve one more linear program."""
        if self.best is not None:
            self.touch_at(self._parts)
        if (status := self.solve(context)) != "optimal":
            return status
        self._lps, self._parts = self._lps + 1, self.inside()
        self.best = self.says(self._lps, float(self._parts.min(initial=1.0)))
        return "rounds" if self._lps == self._rounds else ""

    def solve(self, context: Context) -> str:
        return self._program.solve(context).status

    def touch(self, servers: np.ndarray, slopes: np.ndarray) -> None:
        if not len(servers):
            return
        limit, other = self._most[servers], self._other[servers]
        scale = SCALE / (slopes * limit + other / slopes)
        self._tangents.append(np.stack([servers, scale * slopes, scale / slopes]))
        parts = (scale * slopes, self._a), (scale / slopes, self._b), (2 * scale, self._k)
        matrix = sum(sparse.diags_array(factor) @ every[servers] for factor, every in parts)
        matrix.data = np.minimum(matrix.data, MOST_NEED * SCALE)
        self._program.add_rows(matrix, np.full(len(servers), -np.inf), np.full(len(servers), SCALE))

    def _sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        point = np.maximum(self._program.point, 0)
        return tuple((matrix @ point)[self.curved] for matrix in (self._a, self._b, self._k))

    def inside(self) -> np.ndarray:
        """Return the factors <= 1 that scale the present point onto each server's cone.

        The factor of a server is the smaller root t of (C - t A)(B - t B') = (t K)^2.
        """
        a, b, k = self._sums()
        limit, other = self._most[self.curved], self._other[self.curved]
        linear = a * other + b * limit
        root = np.sqrt((a * other - b * limit) ** 2 + 4 * k**2 * limit * other)
        return np.minimum(1.0, 2 * limit * other / np.maximum(linear + root, limit * other))

    def touch_at(self, parts: np.ndarray) -> None:
        a, b, k = self._sums()
        outside = (parts < 1 - OUTSIDE) & (k > 0)
        servers, part = self.curved[outside], parts[outside]
        limit, other = self._most[servers], self._other[servers]
        spare = np.maximum(limit - part * a[outside], LEAST_SPARE * limit)
        other_spare = np.maximum(other - part * b[outside], LEAST_SPARE * other)
        self.touch(servers, np.sqrt(other_spare / spare))

    def says(self, lps: int, part: float) -> Optimum:
        multipliers = np.maximum(-self._program.multipliers, 0)
        first, tangents = self._first, np.concatenate([np.zeros((3, 0)), *self._tangents], axis=1)
        prices = (multipliers[first : first + 3 * self._servers] / self._units).reshape(3, -1)
        for row, rates in zip(prices[1:], tangents[1:], strict=True):
            np.add.at(row, tangents[0].astype(int), rates * multipliers[first + 3 * self._servers :])
        value = float(self._program.point[self._edges :].sum())
        return Optimum(value, part * value, prices, lps, tangents.shape[1])
