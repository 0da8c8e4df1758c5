"""What the printed lines 6-31 make of the points that OGASched asks them to project."""

from __future__ import annotations

from collections import Counter

import numpy as np

from schedproof.core.run import policy
from schedproof.instances.multiserver import Instance
from schedproof.instances.multiserver.drive import system
from schedproof.online.multiserver.gradient import supergradient
from schedproof.online.multiserver.printed_projection import printed_projection
from schedproof.online.multiserver.projection import project

APART = 1e-9  # relatively: amounts that differ by more are not the same


def fates(instance: Instance, step: float, slots: int) -> Counter[str]:
    """How many rows (slot, node, resource) of an exact run end at the nearest point, at another one, or out of the set.

    The run is OGASched's with this constant step; in every slot the point that it projects is also handed to the
    printed lines. Nodes that no port can use have no rows.
    """
    graph, found = instance.graph, Counter[str]()
    exact = policy("oga_sched", initial=step).build(instance)
    exact.start(system(instance))
    at_node = (np.arange(len(instance.nodes))[:, None] == graph.edge_node).astype(int)
    at_node, demand = at_node[at_node.any(axis=1)], graph.demand[graph.edge_copy]
    for slot, present in enumerate(instance.present(0, slots)):
        y = exact.decide(slot)
        z = y + step * supergradient(graph, y, present)
        exact.observe(slot, present)
        nearest, answer = project(z, graph), printed_projection(graph, z)
        breaks = at_node @ (answer > demand) > 0
        apart = at_node @ (abs(answer - nearest) > APART * (1 + abs(nearest))) > 0
        found["the nearest point"] += int((~breaks & ~apart).sum())
        found["feasible, not the nearest"] += int((~breaks & apart).sum())
        found["more than a demand"] += int(breaks.sum())
    return found
