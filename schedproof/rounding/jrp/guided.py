"""LP_I of a large instance: first prices, then an LP for the undecided jobs.

**Perturbation.** If data nodes have many servers, LP_I has very many optima, and simplex and interior-point methods
spend most of their time on the choice of a vertex. So every edge gets a small random cost; the costs of a job's data
nodes are at most `TIE` in total. The optimum of this LP is a point of LP_I whose sum y is within the fraction `TIE` of
the largest sum, and usually much closer. Also, few edges then have almost the least cost of their node.

**Prices, then a vertex.** The descent of `relaxations.jrp.dual` takes time proportional to the number of edges. At its
prices a job whose value clearly exceeds its price is accepted, and a node with a clearly cheapest edge uses this edge.
The small rest is a linear program. The margin for "clearly" grows until the LP's point is within `GAP` of the bound of
the best prices. If everything is undecided, or the first linear program is small, the decided part is priced by the
LP's multipliers. Jobs and edges whose prices contradict the decision are added, and the program is solved again.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from schedproof.core.errors import ProgramError
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.edges import units
from schedproof.relaxations.jrp.dual import Dual, Relaxation
from schedproof.relaxations.jrp.matrix import MOST_NEED, rows
from schedproof.rounding.jrp.relaxed import WORTH, Point, snap, solve_pooled
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity

TIE = 1e-2  # largest random cost of a job's edges, in jobs
TEMPERATURES = 10.0 ** -np.arange(3, 7)
GAP = 1e-2  # accepted relative gap between the vertex and the bound of the best prices
FEW = 0.01  # share of the jobs: fewer added jobs need no further descent
NEAR, WIDER, WIDEST = 1e-5, 10.0**0.5, 3e-2  # margin, in jobs, of undecided edges: first, its growth, last
CLEAR = 20  # a job whose surplus or loss exceeds so many margins is decided
SMALL = 8_000  # edges; a linear program of this size needs no prices
FEASIBLE = 1e-7  # the solver's tolerance for rows
OBJECTION = 1e-9  # in jobs: an edge cheaper by this than the edges of its node is added


class Guided:
    """LP_I of parts of an instance; large parts are solved by prices.

    Attributes
    ----------
    job, tie
        (E,): the job and the random cost of each edge.
    solves
        The number of calls of `solve`.
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        self._instance, self.edges = instance, instance.edges
        edges = self.edges
        self.job = edges.job[edges.node]
        data = np.bincount(edges.job, edges.size, len(instance.jobs))[edges.job]
        parts = np.divide(edges.size, data, out=np.zeros_like(data), where=data > 0)
        self.tie = TIE * parts[edges.node] * np.random.default_rng((seed, 1)).random(len(edges.node))
        self._matrix = rows(edges)
        self._near = NEAR  # the last successful margin
        self.solves = 0

    def solve(self, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> Point:
        """Return a near-optimal vertex over the edges (E,) and jobs (p,) within capacity.

        Raises
        ------
        ProgramError
            If the solver fails.
        """
        amounts = capacity.approx.T
        storage, compute, bandwidth = amounts
        relaxation = Relaxation(storage, compute, bandwidth, np.zeros(len(jobs)))
        worth_it, pool = solve_pooled(self._instance, jobs, capacity)
        here = alive & jobs[self.job]
        dual = Dual(self._instance, relaxation, here, self.tie)
        doubt = _Doubt(self, dual, here, jobs)
        if (alive & worth_it[self.job]).sum() <= SMALL:
            bound, near = np.inf, np.inf
            doubt.begin_with(worth_it)
        else:
            prices, temperatures = np.repeat(pool[:, None], len(storage), axis=1), TEMPERATURES
            enter = worth_it
            while enter.sum() > FEW * worth_it.sum():
                worth_it = worth_it | enter
                few = Dual(self._instance, relaxation, alive & worth_it[self.job], self.tie)
                prices = few.descend(0.0, start=prices, temperatures=temperatures)
                enter = jobs & ~worth_it & (dual.surplus(dual.costs(prices)) > WORTH)
                temperatures = TEMPERATURES[-2:]
            bound, near = dual.value(prices), self._near
            doubt.begin_at(prices, near)
        while True:
            x, y, objecting = self._vertex(doubt, amounts)
            bound = min(bound, dual.value(objecting))
            if bound - (y.sum() - self.tie @ x) <= GAP * bound:
                break
            if near < WIDEST:
                near *= WIDER
                doubt.begin_at(prices, near)
            elif not doubt.grows(objecting):
                break
        if near < WIDEST:
            self._near = near
        self.solves += 1
        return Point(float(y.sum()), x, snap(y))

    def _vertex(self, doubt: _Doubt, amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        edges, node = self.edges, self.edges.node
        count, nodes = len(node), len(edges.size)
        while True:
            sure, kept = doubt.sure, doubt.kept
            alone = kept & sure[self.job] & (np.bincount(node[kept], minlength=nodes) == 1)[node]
            free, jobs = np.flatnonzero(kept & ~alone), np.flatnonzero(doubt.within & ~sure)
            placed, each = np.unique(node[free]), units(amounts.ravel())
            columns, servers = np.concatenate([free, count + jobs]), np.arange(nodes, self._matrix.shape[0])
            matrix = sparse.csr_array(self._matrix[:, columns])[np.concatenate([placed, servers])]
            matrix = sparse.diags_array(1 / np.concatenate([np.ones(len(placed)), each])) @ matrix
            matrix.data = np.minimum(matrix.data, MOST_NEED)
            rest = amounts.ravel() - self._matrix[nodes:] @ np.append(alone, np.zeros(len(sure)))
            right = 1.0 * sure[edges.job[placed]]
            lp = LinearProgram(
                np.concatenate([self.tie[free], -np.ones(len(jobs))]),
                matrix,
                np.concatenate([right, np.full(len(each), -np.inf)]),
                np.concatenate([right, rest / each]),
                "ipm",
                np.concatenate([np.full(len(free), np.inf), np.ones(len(jobs))]),
            )
            outcome = lp.solve()
            if (
                outcome.objective is not None and (rest / each >= -FEASIBLE).all()
            ):  # HiGHS does not check an empty program
                break
            if not sure.any():
                raise ProgramError(f"LP_I: the solver ended with {outcome.status} {outcome.message}".rstrip())
            doubt.sure = np.zeros_like(sure)  # the accepted jobs do not fit together
        x, y = 1.0 * alone, 1.0 * sure
        x[free], y[jobs] = np.split(np.clip(lp.point, 0, 1), [len(free)])
        return x, y, np.maximum(-lp.multipliers[len(placed) :] / each, 0.0).reshape(3, -1)


class _Doubt:
    """The undecided part, for the linear program.

    Attributes
    ----------
    kept
        (E,): the undecided edges.
    within, sure
        (p,): the undecided jobs, and the jobs among them that are accepted in any case.
    """

    def __init__(self, guided: Guided, dual: Dual, alive: np.ndarray, jobs: np.ndarray) -> None:
        self._node, self._job, self._alive, self._dual = guided.edges.node, guided.job, alive, dual
        self._jobs = jobs
        self._nodes, self._near = len(guided.edges.size), np.inf
        self.kept = np.zeros(len(alive), dtype=bool)
        self.within = self.sure = np.zeros(len(guided.edges.compute_rate), dtype=bool)

    def begin_with(self, jobs: np.ndarray) -> None:
        self.within, self.kept = jobs, self._alive & jobs[self._job]

    def begin_at(self, prices: np.ndarray, near: float) -> None:
        self.within, self.kept, self._near = np.zeros_like(self.within), np.zeros_like(self.kept), near
        surplus, _ = self._enter(prices, -CLEAR * near)
        self.sure = surplus > CLEAR * near

    def grows(self, prices: np.ndarray) -> bool:
        """Add decided jobs and edges that the prices contradict; return whether any."""
        before = self.within.sum(), self.sure.sum(), self.kept.sum()
        surplus, costs = self._enter(prices, WORTH)
        self.sure = self.sure & (surplus >= -WORTH)
        cheaper = costs < self._smallest(np.where(self.kept, costs, np.inf))[self._node] - OBJECTION
        self.kept |= cheaper & self.within[self._job]
        return before != (self.within.sum(), self.sure.sum(), self.kept.sum())

    def _enter(self, prices: np.ndarray, worth: float) -> tuple[np.ndarray, np.ndarray]:
        """Add jobs of larger surplus than ``worth`` with their cheapest edges.

        Return surplus (p,) and costs (E,).
        """
        costs = np.full(len(self.kept), np.inf)
        costs[self._alive] = own = self._dual.costs(prices)
        surplus = np.where(self._jobs, self._dual.surplus(own), -np.inf)
        new = (surplus > worth) & ~self.within
        self.within = self.within | new
        self.kept |= self._alive & new[self._job] & (costs <= self._smallest(costs)[self._node] + self._near)
        return surplus, costs

    def _smallest(self, costs: np.ndarray) -> np.ndarray:
        least = np.full(self._nodes, np.inf)
        np.minimum.at(least, self._node, costs)
        return least
