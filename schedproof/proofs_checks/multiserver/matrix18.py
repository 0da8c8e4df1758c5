"""The proof of Proposition 1, (18)-(19): (6) as a product with a matrix."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.multiserver import ZHAO24
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import Sizes
from schedproof.reference.multiserver import ZERO

MATRIX18 = Claim(
    "multiserver.matrix18",
    ZHAO24.at("proof of Proposition 1, (18)-(19)"),
    "With [B']_ij = 1 where (j - i) | |R| and 0 elsewhere, B' y^k <= c^k is (6) for a complete graph.",
    Domain.of(
        Sizes,
        draw.sizes(),
        {
            "one node": lambda case: case.nodes == 1,
            "several nodes": lambda case: case.nodes > 1,
            "several ports": lambda case: case.ports > 1,
        },
    ),
    severity="slip",
)
REPAIRED = MATRIX18.repair(
    "With [B']_ij = 1 where |R| divides j - i and 0 elsewhere, B' y^k <= c^k is (6) for a complete graph.", small=True
)


@MATRIX18.reading("j - i divides |R|", "The bar has its usual meaning: m | n if m divides n.")
@REPAIRED.false_variant("j - i divides |R|")
def divides_nodes(case: Sizes) -> Finding:
    wrong = _misses(case, lambda i, j, nodes: j != i and nodes % (j - i) == 0)
    return Finding(wrong, ZERO, "at most", "wrong entries")


DIVIDED_BY_NODES_PROOF = """
(15) puts the channel (l, r) at j = (l - 1)|R| + r. So |R| divides j - i exactly if it divides r - i. As r and i lie
between 1 and |R|, this holds exactly if r = i. Row i of B' y^k is then the sum of y_(l,i)^k over l. This is the left
side of (6) for a graph in which every port reaches every node.
Coq, core: rows.v matrix18. Outside: the matrix B' and the row (6). (15) gives the channel (l, r) the number (l -
1)|R| + r, and the row sums the channels whose entry is 1.
- *j - i may be negative or 0.* |R| divides 0, which is r = i, l = 1. For j < i, 0 < i - j < |R|, which |R| does not
divide.
- *A graph that is not complete lacks columns.* The proof of Proposition 1 and the statement treat only complete graphs.
"""


@MATRIX18.reading("|R| divides j - i", "|R| divides j - i.", DIVIDED_BY_NODES_PROOF, also=REPAIRED)
def divided_by_nodes(case: Sizes) -> Finding:
    return Finding(_misses(case, lambda i, j, nodes: (j - i) % nodes == 0), ZERO, "at most", "wrong entries")


MATRIX18.false_variant("no entry is 1")(lambda case: Finding(_misses(case, lambda *_: False), ZERO))


def _misses(case: Sizes, entry: Callable[[int, int, int], bool]) -> Fraction:
    """Entries of B' that differ from 'column j of (15) is a channel of node i'.

    i, j, l, r count from 1.
    """
    columns = list(product(range(1, case.ports + 1), range(1, case.nodes + 1)))  # (l, r) as (15) arranges them
    cells = [(i, j + 1, r) for i in range(1, case.nodes + 1) for j, (_, r) in enumerate(columns)]
    return Fraction(sum(entry(i, j, case.nodes) != (r == i) for i, j, r in cells))
