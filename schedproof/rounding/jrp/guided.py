"""LP_I of the remaining jobs of a large instance: prices first, then a linear program of the jobs that they do not
decide.

**One optimum of many.** Where the area is crowded a data node hardly minds which of its servers it goes to, and the
optima of LP_I are so many that simplex and interior-point methods take most of their time to choose a vertex among
them. Here every edge costs a little of its own, drawn at random, at most `TIE` of a job for all data nodes of a job
together: that LP's optimum is a point of LP_I within `TIE` of the largest sum y, relative, and far nearer as a rule;
and few edges are within a hair's breadth of being the cheapest of their node.

**Prices, then a vertex.** The descent of `relaxations.jrp.dual` takes time in proportion to the edges. At its prices a
job that is worth clearly more than it pays is accepted, and a node whose cheapest edge is clearly the cheapest goes
there; what is left, a small part, is one linear program. Until its point is within `GAP` of what the best prices prove,
less and less is called clear. Where all is in doubt, or the linear program was small from the start, its multipliers
price out everything that was decided without it: what they object to enters, and it is solved again.
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

TIE = 1e-2  # of a job, at most, for where its data goes
TEMPERATURES = 10.0 ** -np.arange(3, 7)
GAP = 1e-2  # between what the vertex has and the bound of the best prices, relative, at which it will do
FEW = 0.01  # of the jobs: so many that enter are no reason for another descent
NEAR, WIDER, WIDEST = 1e-5, 10.0**0.5, 3e-2  # in jobs: an edge so near to the cheapest is in doubt, first and last
CLEAR = 20  # times as much: a job worth so much more or less than it pays is not
SMALL = 8_000  # edges; a linear program of so many needs no guide
FEASIBLE = 1e-7  # the solver's tolerance for rows
OBJECTION = 1e-9  # in jobs: an edge so much cheaper than those of its node enters


class Guided:
    """LP_I of parts of an instance, by prices where these are large.

    Attributes
    ----------
    job, tie
        (E,): of each edge, and what it costs of its own.
    solves
        How often `solve` has been called.
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        self._instance, self.edges = instance, instance.edges
        edges = self.edges
        self.job = edges.job[edges.node]
        data = np.bincount(edges.job, edges.size, len(instance.jobs))[edges.job]
        parts = np.divide(edges.size, data, out=np.zeros_like(data), where=data > 0)
        self.tie = TIE * parts[edges.node] * np.random.default_rng((seed, 1)).random(len(edges.node))
        self._matrix = rows(edges)
        self._near = NEAR  # what did the last time
        self.solves = 0

    def solve(self, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> Point:
        """A vertex near the optimum over the edges (E,) and jobs (p,) that are given, with so much capacity.

        Raises
        ------
        ProgramError
            When the solver fails.
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
        """x, y and the servers' prices (3, m) of an optimal vertex of what is in doubt."""
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
            if outcome.objective is not None and (rest / each >= -FEASIBLE).all():  # HiGHS looks at no empty program
                break
            if not sure.any():
                raise ProgramError(f"LP_I: the solver ended with {outcome.status} {outcome.message}".rstrip())
            doubt.sure = np.zeros_like(sure)  # they do not fit together
        x, y = 1.0 * alone, 1.0 * sure
        x[free], y[jobs] = np.split(np.clip(lp.point, 0, 1), [len(free)])
        return x, y, np.maximum(-lp.multipliers[len(placed) :] / each, 0.0).reshape(3, -1)


class _Doubt:
    """What the linear program decides.

    Attributes
    ----------
    kept
        (E,): the edges that it knows.
    within, sure
        (p,): the jobs that it knows, and those of them that are accepted whatever it says.
    """

    def __init__(self, guided: Guided, dual: Dual, alive: np.ndarray, jobs: np.ndarray) -> None:
        self._node, self._job, self._alive, self._dual = guided.edges.node, guided.job, alive, dual
        self._jobs = jobs
        self._nodes, self._near = len(guided.edges.size), np.inf
        self.kept = np.zeros(len(alive), dtype=bool)
        self.within = self.sure = np.zeros(len(guided.edges.compute_rate), dtype=bool)

    def begin_with(self, jobs: np.ndarray) -> None:
        """These jobs, with all of their edges."""
        self.within, self.kept = jobs, self._alive & jobs[self._job]

    def begin_at(self, prices: np.ndarray, near: float) -> None:
        """What these prices leave in doubt, where so little makes an edge clear."""
        self.within, self.kept, self._near = np.zeros_like(self.within), np.zeros_like(self.kept), near
        surplus, _ = self._enter(prices, -CLEAR * near)
        self.sure = surplus > CLEAR * near

    def grows(self, prices: np.ndarray) -> bool:
        """Whether these prices object to what has been decided without the linear program; then it enters."""
        before = self.within.sum(), self.sure.sum(), self.kept.sum()
        surplus, costs = self._enter(prices, WORTH)
        self.sure = self.sure & (surplus >= -WORTH)
        cheaper = costs < self._smallest(np.where(self.kept, costs, np.inf))[self._node] - OBJECTION
        self.kept |= cheaper & self.within[self._job]
        return before != (self.within.sum(), self.sure.sum(), self.kept.sum())

    def _enter(self, prices: np.ndarray, worth: float) -> tuple[np.ndarray, np.ndarray]:
        """Let in jobs worth more than that, with their cheapest edges; surplus (p,) and costs (E,)."""
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
