"""The state graph of a proof as a networkx graph."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from schedproof.adversary.exact_ratio.automata import Kind, as_word
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.exact_ratio.search import Bounds
from schedproof.core.base.lazy import networkx
from schedproof.core.base.untyped import Network
from schedproof.core.runtime import memory

STEP_BYTES = 4500.0  # memory of a step as a graph and as XML


def state_graph(graph: Product, bounds: Bounds, kinds: Sequence[Kind]) -> Network:
    """Return the product of the policy's states and the other schedule's.

    Returns
    -------
    networkx.MultiDiGraph
        ``at_least`` and ``at_most`` are the proven bounds. A node is a pair of states; its ``label`` shows both. An
        edge is a step. It has ``step``: "slot" or the arriving job; ``cost`` and ``other``: the weight of the jobs
        present in the policy's and in the other schedule during a slot, 0 for an arrival; and ``worst``: whether it
        lies on the cycle with the largest known ratio of the sums of ``cost`` and ``other``.

    Raises
    ------
    ProgramError
        When the graph does not fit into memory.
    """
    _, steps = graph.size
    memory.require_bytes(f"a graph of {steps:,} steps takes", steps * STEP_BYTES, "decrease present or sizes")
    result = networkx.MultiDiGraph(at_least=str(bounds.least), at_most=str(bounds.most))
    for n, (mine, theirs) in enumerate(zip(graph.mine.tolist(), graph.theirs.tolist(), strict=True)):
        result.add_node(n, label=f"{graph.policy.states[mine]} | {graph.schedule.states[theirs]}")
    worst = {*pairwise([*bounds.cycle, *bounds.cycle[:1]])}
    arriving = np.repeat([as_word(kind) for kind in kinds], graph.schedule.arrive.shape[1]).tolist()
    words = [*arriving, *["slot"] * len(graph.slots)]
    for (tails, heads), step in zip([*graph.arrivals, *graph.slots], words, strict=True):
        for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
            costs = (int(graph.cost[tail]), int(graph.other[tail])) if step == "slot" else (0, 0)
            result.add_edge(tail, head, step=step, cost=costs[0], other=costs[1], worst=(tail, head) in worst)
            worst.discard((tail, head))  # mark only one of parallel steps
    return result
