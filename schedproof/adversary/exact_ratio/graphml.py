"""The state graph of a proof as a networkx graph."""

from __future__ import annotations

from collections.abc import Sequence

from schedproof.adversary.exact_ratio.automata import Kind, as_word
from schedproof.adversary.exact_ratio.graph import Product
from schedproof.adversary.walks.search import Bounds
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
    columns = (column.tolist() for column in (graph.tail, graph.head, graph.large, graph.small))
    worst, words = {*bounds.walk}, [as_word(kind) for kind in kinds]
    for step, (tail, head, *costs) in enumerate(zip(*columns, strict=True)):
        kind = graph.arriving[graph.kind(step)]
        word = "slot" if kind is None else words[kind]
        result.add_edge(tail, head, step=word, cost=costs[0], other=costs[1], worst=step in worst)
    return result
