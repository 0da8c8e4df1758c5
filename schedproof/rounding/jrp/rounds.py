"""Common part of the printed and the repaired algorithm: draws, prefixes, trace."""

from __future__ import annotations

import numpy as np

from schedproof.core.base.untyped import Json
from schedproof.instances.jrp import Assignment, Instance, Placement
from schedproof.instances.jrp.shares import RULES, data, grants
from schedproof.rounding.jrp.guided import Guided
from schedproof.rounding.jrp.prune import Candidates
from schedproof.rounding.jrp.relaxed import Relaxed
from schedproof.rounding.jrp.residual_capacity import CLEAR, ResidualCapacity

LARGE = 40_000  # edges; for more, `guided` solves LP_I approximately


class Rounds:
    """The state of a run: remaining jobs, the placement, and a row per iteration.

    Attributes
    ----------
    left, alive
        (p,) the jobs neither accepted nor rejected, and (E,) their usable edges.
    tested
        The number of resources in the prefix test: 1 (storage) or 3.
    """

    def __init__(self, instance: Instance, seed: int, tested: int) -> None:
        self.instance, self.tested = instance, tested
        self.edges, self.candidates = instance.edges, Candidates(instance)
        self.capacity = ResidualCapacity(instance)
        large = len(self.edges.node) > LARGE
        self.relaxed = Guided(instance, seed) if large else Relaxed(instance)
        self.left = np.ones(len(instance.jobs), dtype=bool)
        self.alive = np.ones(len(self.edges.node), dtype=bool)
        self.trace: list[dict[str, Json]] = []
        self._placements: list[Placement] = []
        self._rng = np.random.default_rng(seed)
        self._first = np.searchsorted(self.edges.node, np.arange(len(self.edges.size) + 1))

    def reject(self, alive: np.ndarray) -> int:
        """Reject jobs that have a data node without an edge; return their number."""
        trivial = self.left & self.candidates.trivial_jobs(alive)
        self._let_go(trivial)
        return int(trivial.sum())

    def accept(self, jobs: np.ndarray, x: np.ndarray, chance: np.ndarray, priority: np.ndarray) -> dict[str, int]:
        """Draw the nodes of some jobs, and accept the jobs whose nodes all fit.

        Parameters
        ----------
        jobs
            (p,): the jobs whose nodes are drawn; jobs without data nodes are accepted.
        x
            (E,): a placed node chooses an edge with probability proportional to x.
        chance, priority
            (p,): the probability that a node is placed, and the priority if not all fit; ties in file order.
        """
        drawn = draw(x, np.where(jobs, chance, 0.0)[self.edges.job], self._first, self._rng)
        node, server = self.edges.node[drawn], self.edges.server[drawn]
        drawn = drawn[np.lexsort((node, -priority[self.edges.job[node]], server))]
        kept = drawn[self._fitting(drawn)]
        count = np.bincount(self.candidates.job[kept], minlength=len(jobs))
        accepted = jobs & (count == np.diff(self.edges.first_node))
        self._let_go(accepted)
        overfilled = self._take(kept[accepted[self.candidates.job[kept]]])
        return {"accepted": int(accepted.sum()), "dropped": len(drawn) - len(kept), "overfilled": overfilled}

    def assignment(self, ended: str) -> Assignment:
        """Return the accepted jobs with the resources of (16) and (17), and the trace."""
        if self.trace:
            self.trace[-1]["ended"] = ended
        held = data(self._placements, self.instance)
        return Assignment(self._placements, grants(held, self.instance, RULES["split"](self.instance)), self.trace)

    def _let_go(self, jobs: np.ndarray) -> None:
        self.left &= ~jobs
        self.alive &= self.left[self.candidates.job]

    def _fitting(self, drawn: np.ndarray) -> np.ndarray:
        server, node = self.edges.server[drawn], self.edges.node[drawn]
        need = self.edges.size[node, None] * self.capacity.approx_rates[self.edges.job[node], : self.tested]
        total = np.zeros((len(self.capacity.exact), self.tested))
        np.add.at(total, server, need)
        fits = np.all(total * (1 + CLEAR) <= self.capacity.approx[:, : self.tested], axis=1)[server]
        rest = {j: self.capacity.exact[j][: self.tested] for j in np.unique(server[~fits]).tolist()}
        for n in np.flatnonzero(~fits).tolist():
            j, k, i = self._place(drawn[n])
            size, rates = self.instance.jobs[k].nodes[i].size, self.capacity.rates[k]
            rest[j] = [amount - rate * size for amount, rate in zip(rest[j], rates, strict=False)]
            fits[n] = min(rest[j]) >= 0
        return fits

    def _take(self, edges: np.ndarray) -> int:
        rows = [self._place(edge) for edge in edges.tolist()]
        self._placements += [Placement(k, i, j) for j, k, i in rows]
        return self.capacity.take((j, k, self.instance.jobs[k].nodes[i].size) for j, k, i in rows)

    def _place(self, edge: int) -> tuple[int, int, int]:
        node = int(self.edges.node[edge])
        job = int(self.edges.job[node])
        return int(self.edges.server[edge]), job, node - int(self.edges.first_node[job])


def draw(x: np.ndarray, chance: np.ndarray, first: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw edges by line 8 of Algorithm 1, at most one for each node.

    One uniform number decides for each node. The node is placed with probability ``chance`` (N,), on one of its edges,
    first[i] to first[i + 1], in proportion to ``x`` (E,). If all x are 0, the node is not placed.
    """
    sums = np.cumsum(x)
    ends = np.concatenate([[0.0], sums])[first]
    uniform = rng.random(len(chance))
    nodes = np.flatnonzero((uniform < chance) & (ends[:-1] < ends[1:]))
    begin, end = ends[:-1][nodes], ends[1:][nodes]
    at = begin + uniform[nodes] / chance[nodes] * (end - begin)
    at = np.minimum(at, np.nextafter(end, -np.inf))  # rounding must not reach another node, or x = 0
    return np.searchsorted(sums, at, side="right")
