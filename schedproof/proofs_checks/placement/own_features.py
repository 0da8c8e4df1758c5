"""Section IV-B: a pending task's embedding if messages follow edges only.

The question is whether the embedding contains the task's own features.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, Premise, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shortcut_reach import neighbours
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Graph

OWN = Claim(
    "placement.own_features",
    LI23.at("section IV-B, the edges of G_t, and the released network; a statement of ours"),
    "With messages only along the edges, two pending tasks with one and the same single cluster have the "
    "same embedding after every layer, for all features.",
    Domain.of(
        Graph,
        draw.graphs(),
        {
            "different features": lambda case: len(set(case.features)) > 1,
            "several clusters": lambda case: case.clusters > 1,
            "a running task": lambda case: bool(case.running),
        },
        premises=(Premise("two pending tasks have one and the same single cluster", lambda case: bool(twins(case))),),
    ),
)

LAYERS = 3

ALIKE_PROOF = """
Such a task has one neighbour, its cluster. The attention weight of the cluster is 1, as it is the only neighbour. So
the embedding of the task after a layer is a function of the cluster's embedding before it. The function is the same for
both tasks. By induction their embeddings agree after every layer.
Coq: placement.v own_features. Objects: embedded, softmax. In words: G_t has edges of several kinds; a layer attends to
the neighbours of each kind, not to the node itself.
- *The paper adds 'the features of u'.* It does: messages are aggregated 'with the features of u'. The statement is
about the listed edges, which include no loop. The released network has only these edges and no term for the node
itself. So two such tasks have the same score in (10), for every type and minimum.
- *And tasks of several clusters?* Only the attention between their clusters may depend on the tasks' features, so their
embeddings can differ.
- *The attention of the check is not HAN's.* The proof uses only that the weight of a single neighbour is 1.
"""


def twins(case: Graph) -> list[tuple[str, str]]:
    """The pairs of pending tasks that share their only cluster."""
    alone = [(f"p{j}", places) for j, places in enumerate(case.pending) if len(places) == 1]
    return [(one, two) for (one, place), (two, other) in combinations(alone, 2) if place == other]


@OWN.reading("without loops", "Attention is over the neighbours of each kind.", ALIKE_PROOF)
@OWN.false_variant("with the features of the node", own=True)
def alike(case: Graph, own: bool = False) -> Answer:
    pairs = twins(case)
    names = [f"n{n}" for n in range(case.clusters)] + [f"p{j}" for j in range(len(case.pending))]
    names += [f"o{j}" for j in range(len(case.running))]
    values = {name: Fraction(value) for name, value in zip(names, case.features, strict=True)} | {
        "shortcut": Fraction(0)
    }
    result = []
    for number in range(1, LAYERS + 1):
        values = layer(case, values, own)
        result += [Finding(values[one], values[two], "equal", f"{one} and {two}, layer {number}") for one, two in pairs]
    return worst(result)


def layer(case: Graph, values: dict[str, Fraction], own: bool) -> dict[str, Fraction]:
    """One layer: the sum over kinds of neighbours of a weighted mean.

    The weights are a positive function of both nodes.

    Parameters
    ----------
    own
        Whether a node's own number is added.
    """
    result = {}
    for node, others in neighbours(case).items():
        total = values[node] if own else Fraction(0)
        for kind in sorted({other[0] for other in others}):
            there = [other for other in sorted(others) if other[0] == kind]
            weights = [1 + (values[node] + 2 * values[other]) ** 2 for other in there]
            total += sum((w * values[o] for w, o in zip(weights, there, strict=True)), Fraction(0)) / sum(weights)
        result[node] = total
    return result
