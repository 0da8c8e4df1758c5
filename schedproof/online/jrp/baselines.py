"""The baselines of section V-A: the smallest jobs first, each data node on a server that is qualified.

==========================================  ============================================================================
section V-A says                            done here
==========================================  ============================================================================
"iteratively choose the job request with    by the sum of d_i, equal ones in file order
minimum data amount"
"until no more job request can be           a job of which a node finds no server is passed over, and what it took is
accommodated"                               released; the others are still tried, each once
"a qualified edge server"                   one of A_i on which storage and deadlines hold with all that is placed there
                                            and this node: (7) and, by ``resources``, (16)-(17) (``split``) or (10)
                                            (``cone``). Data nodes in file order; none is moved again
"randomly chooses"                          uniformly among the qualified ones
"non-decreasing storage usage order"        by the share of the storage that is in use, as in the utilisation rate kappa
                                            (not by GB), equal ones in file order; no storage counts as unused
"allocate the resources based on the        ``split``: what (16)-(17) ask for. ``cone``: the least part of a server that
completion time constraints"                is enough by (10), the same of its compute and its bandwidth, in 1024ths
several batches                             usage is counted within what the batches before have left
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
    """A batch policy that accepts jobs one by one; every batch is drawn from the same seed."""

    def __init__(self, *, resources: str = "split", batches: int = 1, context: Context = USUAL) -> None:
        self.resources, self.batches, self.seed = resources, batches, context.seed

    def order(self, loads: Loads, servers: Sequence[int], rng: np.random.Generator) -> Iterable[int]:
        """The order in which servers are tried; the first one that is qualified is taken."""
        raise NotImplementedError

    def assign(self, instance: Instance) -> Assignment:
        """Decide a batch."""
        loads, rng = Loads(instance, self.resources), np.random.default_rng(self.seed)
        placements: list[Placement] = []
        for job in sorted(instance.jobs, key=lambda job: sum((node.size for node in job.nodes), NOTHING)):
            placed = self._place(job, loads, rng)
            loads.close(job, accepted=placed is not None)
            placements += placed or []
        return Assignment(placements, loads.grants())

    def _place(self, job: Job, loads: Loads, rng: np.random.Generator) -> list[Placement] | None:
        """A server for each data node; None when one finds none."""
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
        """Any order: the first qualified one is any of the qualified ones."""
        return rng.permutation(servers).tolist()


class Greedy(SmallestFirst):
    def order(self, loads: Loads, servers: Sequence[int], rng: np.random.Generator) -> Iterable[int]:
        """By the part of the storage that is in use."""
        return sorted(servers, key=lambda j: (loads.usage(j), j))
