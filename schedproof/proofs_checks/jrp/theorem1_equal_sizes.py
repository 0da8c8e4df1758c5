"""The rate of Theorem 1 where it holds: equal sizes, one data node per job.

Storage is the only resource.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.enclosures import below, normal_loss, poisson_factor
from schedproof.proofs_checks.strategies import jrp_points as draw
from schedproof.proofs_checks.strategies.jrp_points import EqualNodes
from schedproof.reference.jrp import ONE, ZERO
from schedproof.reference.jrp_linear import lp_i
from schedproof.reference.jrp_load import Load, kept_prefix, worst_order_limit

EQUAL_SIZES = Claim(
    "jrp.theorem1_equal_sizes",
    WANG19.at("Theorem 1: a case in which its rate is true"),
    "For jobs of one data node each, all of size d, and storage only, rounding any point of LP_I accepts "
    "on average at least (1 - e^(-eta) eta^eta/eta!) sum y >= (1 - 1/sqrt(2 pi eta)) sum y jobs. Here eta "
    "= min r_j^s/d, if all r_j^s/d are integers. Otherwise eta_j = floor(r_j^s/d), and server j keeps "
    "eta_j d/r_j^s of that. The bound is vacuous for Algorithm 1 if they are integers: LP_I is a "
    "transportation problem, its optimal vertex is integral, and all of OPT_I is accepted.",
    Domain.of(
        EqualNodes,
        draw.spreads(),
        {
            "several servers": lambda case: len(case.loads) > 1,
            "whole numbers of data nodes": lambda case: all(map(whole_number, case.loads)),
            "storage that no data node can use": lambda case: not all(map(whole_number, case.loads)),
            "a full server": lambda case: any(load.full for load in case.loads),
            "an overfull draw": lambda case: any(kept_prefix(load).overfull for load in case.loads),
            "fewer data nodes than fit": lambda case: any(
                worst_order_limit(load) < eta_of(load) for load in case.loads
            ),
        },
    ),
)


def eta_of(load: Load) -> int:
    """floor(r/d): the number of data nodes that fit in the server's storage."""
    return load.storage // load.largest


def rate(load: Load, more: int = 0) -> Fraction:
    """(1 - e^(-eta) eta^eta/eta!) eta d/r, with eta = floor(r/d)."""
    return poisson_factor(eta_of(load) + more) * eta_of(load) * load.largest / load.storage


POISSON_LOADS = """
A job is accepted exactly if its data node is kept on the server for which it is drawn. Let N_j be the number of data
nodes drawn for server j. It is a sum of independent indicators with mean m_j = sum_i x_i^j <= r_j/d by (7). Server j
keeps min(N_j, eta_j) of them, with eta_j = floor(r_j/d), for all priorities. h(n) = min(n, eta) is concave: h(c + n) <=
h(c) + n (h(c + 1) - h(c)) for n = 0, 1, 2, .... So E h does not grow if the indicators are replaced one by one by
Poisson variables of the same mean. Hence E min(N_j, eta) >= f(m_j) with f(m) = E min(Poisson(m), eta). f'(m) =
Pr(Poisson(m) < eta) falls in m, so f is concave with f(0) = 0. So f(m)/m falls, and f grows. With s = r_j/d >= eta this
gives f(m_j) >= m_j f(s)/s >= m_j f(eta)/s. Let p_k = e^(-eta) eta^k/k!, so k p_k = eta p_(k-1). Then f(eta) = eta -
sum_(k > eta) (k - eta) p_k, and the sum telescopes to eta p_eta. So f(eta) = eta (1 - p_eta), and server j keeps at
least m_j (1 - p_eta) eta d/r_j. Sum over j: sum_j m_j = sum y, which is OPT_I for an optimal point. If r_j/d is an
integer, eta d/r_j = 1. By Stirling's eta! >= sqrt(2 pi eta) (eta/e)^eta, p_eta <= 1/sqrt(2 pi eta). p_eta falls in eta,
so the least eta gives the bound.
- *E min(N, eta) for N not binomial.* The proof uses only concavity; each indicator may have another probability.
- *Does it apply to Algorithm 1?* Only for a point of LP_I that is not a vertex. If every r_j^s/d is an integer, the
vertices are integral, and OPT_I jobs are accepted at once. At vertices `theorem1_repaired` is stronger.
"""


def stirling(load: Load) -> Fraction:
    return below(lambda ball: ball(ONE) - normal_loss(ball, eta_of(load)))


WHOLE: tuple[Premise[EqualNodes]] = (
    Premise("storages hold whole numbers of data nodes", lambda case: all(map(whole_number, case.loads))),
)


@EQUAL_SIZES.reading("Poisson", "The storages hold whole numbers of data nodes.", POISSON_LOADS, where=WHOLE)
@EQUAL_SIZES.reading(
    "Stirling",
    "The storages hold whole numbers of data nodes; 1 - 1/sqrt(2 pi eta).",
    POISSON_LOADS,
    share=stirling,
    where=WHOLE,
)
@EQUAL_SIZES.reading("any storage", "The bound has the factor eta_j d/r_j.", POISSON_LOADS)
@EQUAL_SIZES.false_variant("eta one larger", share=lambda load: rate(load, 1))
@EQUAL_SIZES.false_variant("no factor eta d/r", share=lambda load: poisson_factor(eta_of(load)))
def first_accepts(case: EqualNodes, share: Callable[[Load], Fraction] = rate) -> Finding:
    """The first iteration accepts at least the least server rate times sum y.

    The statement is about the mean; the measured value is the mean number of kept data nodes.
    """
    servers = case.loads
    mean = sum((kept_prefix(load).mean / load.largest for load in servers), ZERO)
    points = sum((load.mean / load.largest for load in servers), ZERO)
    return Finding(mean, min(map(share, servers)) * points, "at least", f"jobs accepted, eta = {eta_of(servers[0])}")


TRANSPORTATION = """
With one data node per job, y_k = sum_j x_i^j <= 1, and (7) divided by d is sum_i x_i^j <= r_j^s/d. Each x is in one row
of each kind with the coefficient 1. So the matrix is the incidence matrix of a bipartite graph, which is totally
unimodular. With integer right sides every vertex is integral. Each job with y = 1 is then drawn for certain, and (21)
keeps it.
- *Servers that no data node can use.* They have no column; their row does not matter.
"""


@EQUAL_SIZES.reading(
    "vacuous",
    "If the storages hold whole numbers of data nodes, an optimal vertex is integral.",
    TRANSPORTATION,
    where=WHOLE,
)
def whole_vertex(case: EqualNodes) -> Finding:
    fractional = sum(0 < x < 1 for *_, x in lp_i(case.instance).rows)
    return Finding(Fraction(fractional), ZERO, "at most", "x strictly between 0 and 1 at the vertex")


def whole_number(load: Load) -> bool:
    return load.storage % load.largest == 0
