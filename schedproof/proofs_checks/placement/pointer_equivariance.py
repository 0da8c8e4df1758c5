"""(10): the scores do not depend on the order of the pending tasks."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Answer, Claim, Domain, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.strategies import placement_network as draw
from schedproof.proofs_checks.strategies.placement_network import Embedded

POINTER = Claim(
    "placement.pointer_equivariance",
    LI23.at("(10); a statement of ours"),
    "Another order of the pending tasks gives the same scores in that order.",
    Domain.of(
        Embedded,
        draw.embedded_cases(),
        {
            "another order": lambda case: list(case.order) != sorted(case.order),
            "equal embeddings": lambda case: len(set(case.tasks)) < len(case.tasks),
            "several tasks": lambda case: len(case.tasks) > 1,
        },
    ),
)

FOLLOWS_PROOF = """
The mean h-bar is a sum over the set and does not depend on the order. u_j is the same function of h_j and h-bar for all
j, and the denominator of the softmax is a sum over the set. So each score depends only on its h_j and on sums. It moves
with its task.
Coq: placement.v pointer_equivariance. Objects: softmax. In words: exp(u_j) is a function of h_j and h-bar.
- *The check has no tanh.* The proof uses only that the function is the same for all j; with the exact tanh the check
would compare enclosures, which do not prove equality.
- *The transformer encoder?* Self-attention without positions moves with its inputs too; the paper mentions no
positional encoding. A position would give the order of arrival, which no feature gives.
"""


@POINTER.reading("for given h_j", "For every function that gives u_j from h_j and h-bar.", FOLLOWS_PROOF)
@POINTER.false_variant("with positions", positions=True)
def follows(case: Embedded, positions: bool = False) -> Answer:
    before = scores(list(case.tasks), positions)
    after = scores([case.tasks[k] for k in case.order], positions)
    return worst(Finding(z, before[k], "equal", f"task {k}") for z, k in zip(after, case.order, strict=True))


def scores(rows: list[tuple[int, ...]], positions: bool = False) -> list[Fraction]:
    """Return the pending tasks' scores z^ of (10), with a rational function.

    A positive rational function replaces exp(v tanh(W1 h_j + W2 h-bar)).

    Parameters
    ----------
    positions
        Whether the function also depends on the position of j in the set.
    """
    centre = [Fraction(sum(column), len(rows)) for column in zip(*rows, strict=True)]
    weights: list[Fraction] = []
    for place, row in enumerate(rows):
        inner = sum((k + 1) * (2 * h + c) for k, (h, c) in enumerate(zip(row, centre, strict=True)))
        weights.append(Fraction((1 + (inner + 1) ** 2) * (1 + positions * place)))
    return [weight / sum(weights, Fraction(0)) for weight in weights]
