"""LP_I of the remaining part of an instance, solved repeatedly.

**Fewer columns.** Most jobs of a crowded instance are not in the optimum, and an LP without these jobs is solved much
faster. The first LP has the promising jobs. At the multipliers (u, v, w) of max sum y with pooled servers,
these jobs have u data + v need of compute + w need of bandwidth at most 1 plus a small margin. After a solve the other
jobs are priced: job k can improve the optimum only if sum_{i in C_k} min_{j in A_i} d_i (sigma_j + p_j a_k + q_j b_k) <
1. Such jobs are added, and the LP is solved again. Without such jobs, the vertex is optimal for the whole LP.

**Warm start.** The simplex method starts from the last basis. `guided` replaces it for large instances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedproof.core.errors import ProgramError
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.edges import units
from schedproof.relaxations.jrp.matrix import MOST_NEED, linear_program
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity

INTEGER = 1e-9  # tolerance by which a solver's y is 0 or 1
WORTH = 1e-7  # a job is added if 1 exceeds its price by this, the solver's tolerance for multipliers
MARGIN = 0.01  # the margin of promising jobs


@dataclass(frozen=True, eq=False)
class Point:
    """An optimal vertex of LP_I in doubles, without the solver's tolerance errors.

    Attributes
    ----------
    value
        The solver's optimum.
    x, y
        (E,) and (p,), between 0 and 1; 0 for omitted edges and jobs.
    """

    value: float
    x: np.ndarray
    y: np.ndarray


class Relaxed:
    """LP_I of parts of an instance.

    Attributes
    ----------
    solves
        The number of calls of `solve`.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance, self._edges = instance, instance.edges
        self._job = self._edges.job[self._edges.node]
        self.solves = 0

    def solve(self, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> Point:
        """Return the optimum over the edges (E,) and jobs (p,) within capacity.

        Raises
        ------
        ProgramError
            If the solver fails.
        """
        if not self.solves:
            self._start(capacity)
        enter, _ = solve_pooled(self._instance, jobs, capacity)
        while True:
            self._entered |= enter
            value = self._solve(alive, jobs & self._entered, capacity)
            enter = jobs & ~self._entered & (self._prices(alive) < 1 - WORTH)
            if not enter.any():
                break
        self.solves += 1
        x, y = np.split(np.clip(self._lp.point, 0, 1), [len(self._edges.node)])
        return Point(value, x * alive, snap(y) * jobs)

    def _start(self, capacity: ResidualCapacity) -> None:
        sides = ResidualCapacity(self._instance).approx
        self._lp = linear_program(self._instance, sides[:, 1], sides[:, 2], "simplex")
        self._highest = np.concatenate([np.full(len(self._job), np.inf), np.ones(len(capacity.rates))])
        self._sides, self._rates = sides.T.ravel(), capacity.approx_rates
        self._units = units(self._sides)
        self._entered = np.zeros(len(capacity.rates), dtype=bool)

    def _solve(self, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> float:
        highest = np.concatenate([np.where(alive & jobs[self._job], np.inf, 0.0), jobs.astype(float)])
        sides = capacity.approx.T.ravel()
        columns, rows = np.flatnonzero(highest != self._highest), np.flatnonzero(sides != self._sides)
        self._lp.change_highest(columns, highest[columns])
        self._lp.change_sides(len(self._edges.size) + rows, np.full(len(rows), -np.inf), (sides / self._units)[rows])
        self._highest, self._sides = highest, sides
        return _optimum(self._lp)

    def _prices(self, alive: np.ndarray) -> np.ndarray:
        edges = self._edges
        price = -(self._lp.multipliers[len(edges.size) :] / self._units).reshape(3, -1).T
        each = edges.size[edges.node] * (price[edges.server] * self._rates[self._job]).sum(axis=1)
        cheapest = np.full(len(edges.size), np.inf)
        np.minimum.at(cheapest, edges.node[alive], each[alive])
        return np.bincount(edges.job, cheapest, len(self._rates))


def solve_pooled(instance: Instance, jobs: np.ndarray, capacity: ResidualCapacity) -> tuple[np.ndarray, np.ndarray]:
    """Return the promising jobs (p,) and the prices (3,) for pooled servers."""
    data = np.bincount(instance.edges.job, instance.edges.size, len(jobs))
    there_is = capacity.approx.sum(axis=0)
    units = np.where(there_is > 0, there_is, 1.0)
    needs = np.minimum(data * capacity.approx_rates.T / units[:, None], MOST_NEED)
    lowest, sides, highest = np.full(3, -np.inf), np.sign(there_is), jobs.astype(float)
    lp = LinearProgram(-np.ones(len(jobs)), needs, lowest, sides, "simplex", highest)
    _optimum(lp)
    return jobs & (-lp.multipliers @ needs <= 1 + MARGIN), -lp.multipliers / units


def snap(y: np.ndarray) -> np.ndarray:
    """Replace values within the solver's tolerance of 0 or 1 by 0 or 1."""
    return np.where(np.abs(y - np.rint(y)) <= INTEGER, np.rint(y), y)


def _optimum(lp: LinearProgram) -> float:
    outcome = lp.solve()
    if outcome.objective is None:
        raise ProgramError(f"LP_I: the solver ended with {outcome.status} {outcome.message}".rstrip())
    return -outcome.objective
