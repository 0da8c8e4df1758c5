"""Section IV-C: how many data nodes have x in [eps, 1 - eps] at a vertex of LP_I?"""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Finding, Premise, Regime
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.vertex_counts import VERTICES, three_each, tight
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration

INSIDE = Claim(
    "jrp.inside_at_vertex",
    WANG19.at("section IV-C, before Theorem 1, a bound of ours"),
    "At a vertex of LP_I at most t c <= 3 m c data nodes have an x strictly between 0 and 1, t the tight "
    "server rows and c the most data nodes of a job. So x_i^j in [eps, 1 - eps] for most of n data nodes needs n < 6 "
    "m c: it cannot hold for p >= 6 m jobs of equally many data nodes.",
    VERTICES.but(
        regimes=(
            *VERTICES.regimes,
            Regime("most are inside", lambda case: 2 * inside(case) > sum(nodes(case))),
            Regime("t c of them", lambda case: inside(case) == tight(case) * max(nodes(case)) > 1),
        )
    ),
)
ONE_ROW_EACH = """
A data node with an x in (0, 1) is split, or belongs to a job with 0 < y < 1, since its x add up to y. By
`theorem1_repaired` the fractional jobs and the split data nodes are together at most t. A fractional job has at most c
data nodes, a split data node counts once, and c >= 1. So at most t c data nodes are inside, and t <= 3 m. If they are
more than half of the n data nodes, n < 2 t c <= 6 m c.
Coq: vertex.v inside_at_vertex. Objects: program, vertex, LP_I, tight_rows, inside. In words: p jobs of c data nodes
each are n = p c data nodes.
- *The paper speaks of x_i^j for one server j and its candidates.* A data node that is inside for j is counted here.
Over all servers together at most 3 m c data nodes are inside. So at most 3 m c data nodes have random terms in the D_j,
for any number of data nodes.
- *Other optimal solutions may have more of them inside.* The paper takes 'the optimal vertex solution'. A solver that
returns an interior point (an interior-point method without crossover) may return more. Then the priorities y and the
draw differ too.
"""


@INSIDE.reading("all that are inside", "The data nodes are those with some x_i^j in (0, 1).", ONE_ROW_EACH)
@INSIDE.false_variant("nine tenths of t c", share=Fraction(9, 10))
def at_most(case: Iteration, share: Fraction = Fraction(1)) -> Finding:
    claimed = share * tight(case) * max(nodes(case))
    return Finding(Fraction(inside(case)), claimed, "at most", f"data nodes inside, t c; {sum(nodes(case))} data nodes")


MOSTLY: Premise[Iteration] = Premise(
    "x is inside for most data nodes", lambda case: 2 * inside(case) > sum(nodes(case))
)


@INSIDE.reading(
    "most", "If x is inside for most data nodes, there are fewer than 6 m c.", ONE_ROW_EACH, where=(MOSTLY,)
)
def few_fractional(case: Iteration) -> Finding:
    count = sum(nodes(case))
    return Finding(Fraction(count), 2 * three_each(case) * max(nodes(case)) - 1, "at most", "data nodes, 6 m c - 1")


INSIDE.false_variant("as many as the tight rows")(lambda case: Finding(Fraction(inside(case)), tight(case)))


def nodes(case: Iteration) -> list[int]:
    return [len(case.pruned.jobs[k].nodes) for k in case.present]


def inside(case: Iteration) -> int:
    return len({(k, i) for k, i, _, x in case.x if 0 < x < 1})
