"""Section IV-B: the distance of messages with the shortcut node."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Graph

REACH = Claim(
    "placement.shortcut_reach",
    LI23.at("section IV-B, 'To speed up the message propagation [...] we add a shortcut node'; the number is ours"),
    "With the shortcut node any two nodes of G_t are within four hops.",
    Domain.of(
        Graph,
        draw.graphs(),
        {
            "several clusters": lambda case: case.clusters > 1,
            "a task of several clusters": lambda case: any(len(places) > 1 for places in case.pending),
            "a running task": lambda case: bool(case.running),
        },
    ),
)

WITHIN_PROOF = """
Each pending task is in the pending set of some cluster, and each running task runs on some cluster. So every node is a
cluster, is next to a cluster, or is the shortcut node. Every cluster is next to the shortcut node. So a path of at most
1 + 1 + 1 + 1 hops joins any two nodes.
Coq, core: placement.v shortcut_reach. Outside: that in G_t every task is next to a cluster. A task is pending for some
cluster, or runs on a cluster, so it is next to this cluster.
- *Is that enough for 6 layers?* Four layers bring every feature to every node; the paper takes 6, the released code 8.
- *Do all features survive?* The statement counts hops. The information in a message after the average of a cluster node
is another question (`own_features`).
- *A task in no pending set?* It is not a node: the tasks after the window are only a number, q_nt.
"""


@REACH.reading("all pairs", "Distances are found by breadth-first search.", WITHIN_PROOF)
@REACH.false_variant("three hops", hops=3)
@REACH.false_variant("without the shortcut", shortcut=False)
def within(case: Graph, hops: int = 4, shortcut: bool = True) -> Answer:
    """The longest of all shortest paths; above the number of nodes if disconnected."""
    nodes, farthest = neighbours(case, shortcut), 0
    for start in nodes:
        reached, far = {start}, 0
        while len(reached) < len(nodes):
            further = set().union(*(nodes[node] for node in reached)) | reached
            if further == reached:
                far = len(nodes) + hops
                break
            reached, far = further, far + 1
        farthest = max(farthest, far)
    return Finding(Fraction(farthest), Fraction(hops), "at most", "hops")


def neighbours(case: Graph, shortcut: bool = True) -> Nodes:
    """Clusters n0, ..., pending p0, ..., running o0, ... and the shortcut node."""
    result: Nodes = {f"n{n}": set() for n in range(case.clusters)}
    edges = [(f"p{j}", f"n{n}") for j, places in enumerate(case.pending) for n in places]
    edges += [(f"o{j}", f"n{n}") for j, n in enumerate(case.running)]
    edges += [("shortcut", f"n{n}") for n in range(case.clusters) if shortcut]
    for one, other in edges:
        result.setdefault(one, set()).add(other)
        result[other].add(one)
    return result


Nodes = dict[str, "set[str]"]  # each with its neighbours
