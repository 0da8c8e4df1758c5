"""PRUNE (Algorithm 1, lines 26-38): a server keeps candidates that fit together.

Readings of the open points:

==================================  ====================================================================================
the paper says                      implemented
==================================  ====================================================================================
line 29: "for k in P", no loop      for each job, its servers in file order; the order of the jobs is irrelevant, as
over the servers                    jobs share no edges
line 31: "order B_j^k in            by the current |A_i| at the server's turn: after line 27, and without earlier
non-decreasing degree order"        servers that dropped the node; ties in file order
(18)-(20): "maximum b_j^k such      the longest prefix of that order that fits: it ends at the first node that does not
that"                               fit, even if a later, smaller node would
(19)-(20): x_i^j, before any LP is  1, so that the server "can cope with the extreme situation in which all the
solved                              candidate data nodes from job request k are assigned to it" (proof of Proposition 1)
(19)-(20): eta_k                    lambda_k, the period of (3)
r_j^s, r_j^c, r_j^b                 the remaining amounts of the server
==================================  ====================================================================================

Doubles decide clear comparisons, rationals the others. A second PRUNE at equal capacity drops no further edge.
"""

from __future__ import annotations

import numpy as np

from schedproof.instances.jrp import Instance
from schedproof.instances.jrp.entities import NOTHING
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity


class Candidates:
    """The edges of an instance by job and server; booleans (E,) mark alive edges."""

    def __init__(self, instance: Instance) -> None:
        self.edges = edges = instance.edges
        self.job = edges.job[edges.node]  # the job of each edge
        self._size = [node.size for job in instance.jobs for node in job.nodes]
        pair = self.job * len(instance.servers) + edges.server
        self._groups, self._group = np.unique(pair, return_inverse=True)  # job by job, servers in file order
        self._members = np.argsort(self._group, kind="stable")
        self._first = np.searchsorted(self._group[self._members], np.arange(len(self._groups) + 1))

    def servable(self, capacity: ResidualCapacity, alive: np.ndarray, resources: int = 3) -> np.ndarray:
        """Return the edges whose server could serve the node alone.

        The test is of storage (line 27), or of all three resources.
        """
        rest = alive.copy()
        here = np.flatnonzero(alive)
        server, node, job = self.edges.server[here], self.edges.node[here], self.job[here]
        yes, no = capacity.clear(server, job, self.edges.size[node])
        rest[here] = yes[:, :resources].all(axis=1)
        for n in np.flatnonzero(~rest[here] & ~no[:, :resources].any(axis=1)).tolist():
            rates, amounts = capacity.rates[job[n]][:resources], capacity.exact[server[n]]
            rest[here[n]] = all(rate * self._size[node[n]] <= most for rate, most in zip(rates, amounts, strict=False))
        return rest

    def prune(self, capacity: ResidualCapacity, alive: np.ndarray) -> np.ndarray:
        """Return the alive edges that PRUNE keeps at this capacity."""
        rest = self.servable(capacity, alive, resources=1)
        degree = self.degrees(rest)
        for group in self._doubtful(capacity, rest):
            members = [e for e in self._members[self._first[group] : self._first[group + 1]].tolist() if rest[e]]
            nodes = self.edges.node[members].tolist()
            limit = capacity.limit(int(self.edges.server[members[0]]), int(self.job[members[0]]))
            held = NOTHING
            for node, edge in sorted(zip(nodes, members, strict=True), key=lambda pair: degree[pair[0]]):
                held += self._size[node]
                if held > limit:
                    rest[edge] = False
                    degree[node] -= 1
        return rest

    def degrees(self, alive: np.ndarray) -> np.ndarray:
        """Return the number of servers of each data node, (N,)."""
        return np.bincount(self.edges.node[alive], minlength=len(self.edges.size))

    def trivial_jobs(self, alive: np.ndarray) -> np.ndarray:
        """Return the jobs with a data node without servers, (p,)."""
        missing = self.edges.job[self.degrees(alive) == 0]
        return np.bincount(missing, minlength=len(self.edges.first_node) - 1) > 0

    def _doubtful(self, capacity: ResidualCapacity, alive: np.ndarray) -> list[int]:
        here = np.flatnonzero(alive)
        data = np.bincount(self._group[here], self.edges.size[self.edges.node[here]], len(self._groups))
        count = np.bincount(self._group[here], minlength=len(self._groups))
        job, server = np.divmod(self._groups, len(capacity.exact))
        yes, _ = capacity.clear(server, job, data)
        return np.flatnonzero((count > 0) & ~yes.all(axis=1)).tolist()
