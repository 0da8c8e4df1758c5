"""The vector form in the proof of Proposition 1: claims equation29 and matrix18."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from schedproof.core.claim import Case, Claim, Finding, Planted, Reading
from schedproof.proofs_checks.multiserver import regimes
from schedproof.proofs_checks.multiserver.house import WITNESSES
from schedproof.proofs_checks.multiserver.model import maximisers, network, present, totals
from schedproof.proofs_checks.strategies import multiserver as draw
from schedproof.proofs_checks.strategies.multiserver import st
from schedproof.proofs_checks.writing import of_data, table

ZERO = Fraction(0)

# --- the vector form of q --------------------------------------------------------------------------------------------


def _weights(case: Case) -> list[list[Fraction]]:
    """x_l beta_k sum_r y_(l,r)^k by port and resource."""
    net, x, y = network(case.instance), present(case.instance, 0), case.data["y"]
    return [
        [n * b * amount for b, amount in zip(net.overhead, totals(case.instance, y, copy), strict=True)]
        for copy, n in enumerate(x)
    ]


def _paid(case: Case) -> Fraction:
    return sum((max(row) for row in _weights(case)), ZERO)


def first_resource(case: Case) -> Finding:
    """beta . y of (28) with k* = 1 is the second part of (7), summed over the ports."""
    return Finding(sum((row[0] for row in _weights(case)), ZERO), _paid(case), "equal", "beta . y, penalties")


def one_for_all(case: Case) -> Finding:
    """The same with the resources renamed at each y, so that k* = 1 for all ports at once, if some name does it."""
    most = max(map(sum, zip(*_weights(case), strict=True)))
    return Finding(Fraction(most), _paid(case), "equal", "beta . y, penalties")


def own_resource(case: Case) -> Finding:
    """The same with each port's own k* at this y.

    Proof
    -----
    By the choice of k* in (27), beta_k* sum_r y_(l,r)^k* is the maximum over k, for each port l; sum over the ports. As
    k* depends on l and y, beta does: (29) is an identity at each y, not a linear penalty.
    """
    y, rows = case.data["y"], _weights(case)
    chosen = [maximisers(case.instance, y, copy)[0] for copy in range(len(rows))]
    return Finding(sum((row[k] for row, k in zip(rows, chosen, strict=True)), ZERO), _paid(case), "equal")


def least_choice(case: Case) -> Finding:
    """q is the least of chi . f(y) - sum_l x_l beta_k(l) sum_r y^k(l), over all choices of one resource k(l) per port.

    Proof
    -----
    For each port the maximum over k of beta_k sum_r y is the largest of K linear functions; the choices of different
    ports are independent, so the sum of the maxima is the maximum over choices of the sums. So q is a minimum of
    functions that are concave in y: this proves Proposition 1 (ii) without fixing k*.
    """
    rows = _weights(case)
    most = max(sum(chosen, ZERO) for chosen in product(*rows))
    return Finding(most, _paid(case), "equal", "largest choice, penalties")


EQUATION29 = Claim(
    id="multiserver.equation29",
    source="paper 002, proof of Proposition 1, (26)-(29)",
    statement="Without loss of generality k* = 1, and q(x, y) = chi . f(y) - beta . y with beta of (28).",
    readings=(
        Reading("k* = 1 throughout", "(28) as printed, for every y and every port.", first_resource),
        Reading("renamed at each y", "Resources may be renamed, depending on y; one name for all ports.", one_for_all),
        Reading("own k* per port", "Each port has its own k*, which depends on y.", own_resource),
    ),
    regimes=(*regimes.SHAPES, regimes.ABSENT, regimes.TIE, regimes.NOTHING),
    strategy=draw.placed(),
    planted=(Planted("no penalty", lambda case: Finding(ZERO, _paid(case), "equal")),),
    witnesses=WITNESSES,
    repaired_by="multiserver.equation29_repaired",
    small_repair=True,
)
EQUATION29_REPAIRED = Claim(
    id="multiserver.equation29_repaired",
    source="paper 002, proof of Proposition 1, (29), repaired",
    statement="q is the least of chi . f(y) - sum_l x_l beta_k(l) sum_r y^k(l) over all choices of k(l), one per port.",
    readings=(Reading("any graph", "Whichever resource dominates, at whichever port.", least_choice),),
    regimes=EQUATION29.regimes,
    strategy=draw.placed(),
    planted=(Planted("one resource for all ports", one_for_all),),
)

# --- the vector form of (6) ------------------------------------------------------------------------------------------


def _misses(case: Case, entry: Callable[[int, int, int], bool]) -> Fraction:
    """Entries of B' that differ from 'column j of (15) is a channel of node i'; i, j, l, r from 1."""
    nodes, ports = case.data["nodes"], case.data["ports"]
    columns = list(product(range(1, ports + 1), range(1, nodes + 1)))  # (l, r) as (15) arranges them
    cells = [(i, j + 1, r) for i in range(1, nodes + 1) for j, (_, r) in enumerate(columns)]
    return Fraction(sum(entry(i, j, nodes) != (r == i) for i, j, r in cells))


def divides_nodes(case: Case) -> Finding:
    """B' of (18) is the matrix of (6), with 'j - i divides |R|'; 0 divides 0 only."""
    wrong = _misses(case, lambda i, j, nodes: j != i and nodes % (j - i) == 0)
    return Finding(wrong, ZERO, "at most", "wrong entries")


def divided_by_nodes(case: Case) -> Finding:
    """B' of (18) is the matrix of (6), with '|R| divides j - i'.

    Proof
    -----
    (15) puts the channel (l, r) at j = (l - 1)|R| + r. So |R| divides j - i exactly if it divides r - i, and as both
    lie between 1 and |R|, exactly if r = i. Row i of B' y^k is then the sum of y_(l,i)^k over l, the left side of (6)
    for a graph in which every port reaches every node.
    """
    return Finding(_misses(case, lambda i, j, nodes: (j - i) % nodes == 0), ZERO, "at most", "wrong entries")


@st.composite
def _shapes(pick: Any) -> Case:
    return Case(None, {"ports": pick(st.integers(1, 5)), "nodes": pick(st.integers(1, 5))})


_SHAPES = (
    of_data("one node", lambda d: d["nodes"] == 1),
    of_data("several nodes", lambda d: d["nodes"] > 1),
    of_data("several ports", lambda d: d["ports"] > 1),
)
_DIVIDED = Reading("|R| divides j - i", "The other way round.", divided_by_nodes)
MATRIX18 = Claim(
    id="multiserver.matrix18",
    source="paper 002, proof of Proposition 1, (18)-(19)",
    statement="With [B']_ij = 1 where (j - i) | |R| and 0 elsewhere, B' y^k <= c^k is (6) for a complete graph.",
    readings=(
        Reading("j - i divides |R|", "The bar as it is mostly read: m | n, m divides n.", divides_nodes),
        _DIVIDED,
    ),
    regimes=_SHAPES,
    strategy=_shapes(),
    planted=(Planted("no entry is 1", lambda case: Finding(_misses(case, lambda *_: False), ZERO)),),
    witnesses=WITNESSES,
    repaired_by="multiserver.matrix18_repaired",
    small_repair=True,
)
MATRIX18_REPAIRED = Claim(
    id="multiserver.matrix18_repaired",
    source="paper 002, proof of Proposition 1, (18)-(19), repaired",
    statement="With [B']_ij = 1 where |R| divides j - i and 0 elsewhere, B' y^k <= c^k is (6) for a complete graph.",
    readings=(_DIVIDED,),
    regimes=_SHAPES,
    strategy=_shapes(),
    planted=(Planted("j - i divides |R|", divides_nodes),),
)

CLAIMS = table(EQUATION29, EQUATION29_REPAIRED, MATRIX18, MATRIX18_REPAIRED)
