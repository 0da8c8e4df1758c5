"""Counts of fractional variables at vertices of LP_I."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Domain, Regime
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration, rounds, vertices
from schedproof.reference.jrp import Node
from schedproof.reference.jrp_vertices import tight_rows


def split_nodes(case: Iteration) -> set[Node]:
    """The data nodes that LP_I spreads over several servers."""
    count = Counter((k, i) for k, i, _, x in case.x if x)
    return {node for node, servers in count.items() if servers > 1}


def tight(case: Iteration) -> Fraction:
    return Fraction(tight_rows(case.pruned, case.x))


def three_each(case: Iteration) -> Fraction:
    return Fraction(3 * len(case.pruned.servers))


def deadlines(case: Iteration) -> bool:
    return any(job.deadline is not None for job in case.instance.jobs)


VERTICES = Domain(
    Iteration,
    st.one_of(vertices(), rounds()),
    (
        Regime("OPT_I above 3 m", lambda case: sum(case.y) > three_each(case)),
        Regime("a split data node", lambda case: bool(split_nodes(case))),
        Regime("a fractional job", lambda case: any(0 < y < 1 for y in case.y)),
        Regime("a job with several data nodes", lambda case: any(i for _, i, _, _ in case.x)),
        Regime("deadlines", deadlines),
        Regime("storage alone", lambda case: not deadlines(case)),
        Regime("two tight rows and more", lambda case: tight(case) > 1),
    ),
)
