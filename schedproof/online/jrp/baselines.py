"""The baselines of section V-A: smallest jobs first, on qualified servers.

==========================================  ============================================================================
section V-A says                            implemented
==========================================  ============================================================================
"iteratively choose the job request with    by the sum of d_i, ties in file order
minimum data amount"
"until no more job request can be           a job with a data node without qualified server is rejected, its amounts are
accommodated"                               released; the other jobs are still tried, each once
"a qualified edge server"                   a server of A_i that, with this node, still has storage (7) and meets the
                                            deadlines by ``resources``: (16)-(17) (``split``) or (10) (``cone``). Nodes
                                            are placed in file order and not moved later
"randomly chooses"                          uniformly among the qualified servers
"non-decreasing storage usage order"        by the used share of the storage, following the utilisation rate kappa, not
                                            by GB; ties in file order; a server without storage counts as unused
"allocate the resources based on the        ``split``: the amounts of (16)-(17). ``cone``: the smallest part of a server
completion time constraints"                that satisfies (10), in 1024ths, equal for compute and bandwidth
several batches                             usage is relative to the amounts left by earlier batches
==========================================  ============================================================================

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from schedproof.core.runtime.context import USUAL, Context
from schedproof.instances.jrp import Assignment, Instance, Job, Placement
from schedproof.instances.jrp.entities import NOTHING
from schedproof.online.jrp.loads import Loads


class SmallestFirst:
    """A batch policy that accepts jobs one by one; every batch uses the same seed."""

    def __init__(self, *, resources: str = "split", batches: int = 1, context: Context = USUAL) -> None:
        self.resources, self.batches, self.seed = resources, batches, context.seed

    def order(self, loads: Loads, servers: Sequence[int], rng: np.random.Generator) -> Iterable[int]:
        """Return the order of trying servers; the first qualified server is taken."""
        raise NotImplementedError

    def assign(self, instance: Instance) -> Assignment:
        loads, rng = Loads(instance, self.resources), np.random.default_rng(self.seed)
        placements: list[Placement] = []
        for job in sorted(instance.jobs, key=lambda job: sum((node.size for node in job.nodes), NOTHING)):
            placed = self._place(job, loads, rng)
            loads.close(job, accepted=placed is not None)
            placements += placed or []
        return Assignment(placements, loads.grants())

    def _place(self, job: Job, loads: Loads, rng: np.random.Generator) -> list[Placement] | None:
        placed = []
        for node in job.nodes:
            order = self.order(loads, node.servers, rng)
            server = next((j for j in order if loads.place(j, job, node.size)), None)
            if server is None:
                return None
            placed.append(Placement(job.index, node.index, server))
        return placed


class Random(SmallestFirst):
    def order(self, loads: Loads, servers: Sequence[int], rng: np.random.Generator) -> Iterable[int]:
        return rng.permutation(servers).tolist()


class Greedy(SmallestFirst):
    def order(self, loads: Loads, servers: Sequence[int], rng: np.random.Generator) -> Iterable[int]:
        """Sort the servers by the used share of the storage."""
        return sorted(servers, key=lambda j: (loads.usage(j), j))
