"""An upper bound on JRP from prices of storage, compute and bandwidth, by (10)."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.upper_bounds import SHAPES
from schedproof.proofs_checks.strategies import jrp_points as draw
from schedproof.proofs_checks.strategies.jrp import Priced
from schedproof.reference.jrp import ONE
from schedproof.reference.jrp_linear import conic
from schedproof.reference.jrp_model import optimum

CONIC = Claim(
    "jrp.conic_upper_bound",
    WANG19.at("(5)-(13), a bound of ours"),
    "Rational prices of storage, compute and bandwidth prove an upper bound on JRP, with (10) as printed.",
    Domain.of(
        Priced,
        draw.priced_cases(),
        {
            "a root counts": lambda case: any(_products(case)),
            "compute or bandwidth for nothing": lambda case: not all(_products(case)),
            "a bound that is met": lambda case: is_met(case),
        },
        *SHAPES,
    ),
)
WEAK_DUALITY = """
Let a solution be given, and let D = D_j^k. Let u = r_jk^c - a D and v = r_jk^b - b D. Multiply (10), a D/r^c + b D/r^b
<= 1, by r^c r^b: then u v >= a b D^2 and u, v >= 0. So p u + q v >= 2 sqrt(p q u v) >= 2 sqrt(p q a b) D >= w D. Summed
over the jobs, with (8) and (9): p r_j^c + q r_j^b >= sum_k (p a + q b + w) D_j^k. Add sigma times (7). The value of all
servers' resources is then at least the sum of c_ij x_i^j. By (6) this sum is at least sum_k y_k sum_i min_j c_ij. So
sum y is at most this value plus sum_k y_k (1 - sum_i min_j c_ij), with y_k in [0, 1]. The proof does not use that x and
y are integers. So it also bounds the conic relaxation.
Coq: jrp.v conic_upper_bound. Objects: program, JRP, accepted. In words: `worth i` is min_j c_ij, any number that is at
most each c_ij.
- *Multiplying by r^c r^b needs both above 0.* If r^c = 0, (10) allows only a D = 0. So u = 0 and u v = 0 = a b D^2. The
same holds for r^b.
- *A job with no data nodes, or one without servers for a data node.* An empty sum of data nodes costs 0, so the job
gains 1 and may be accepted. A minimum over no server is infinite, so y_k = 0 and the job gains 0.
"""


@CONIC.reading("any prices", "Prices are any nonnegative numbers; w is rational and as large as allowed.", WEAK_DUALITY)
@CONIC.false_variant("w a tenth too large", stretched=Fraction(11, 10))
def any_prices(case: Priced, stretched: Fraction = ONE) -> Finding:
    """An upper bound on JRP from any prices of the servers' resources.

    The bound is the value of all that servers have, plus each job's gain above its cheapest cost. Let sigma_j, p_j,
    q_j >= 0 and any w_jk >= 0 with w_jk^2 <= 4 p_j q_j a_k b_k. Let c_ij = d_i (sigma_j + p_j a_k + q_j b_k + w_jk)
    for a data node i of job k. JRP is at most the sum of sigma_j r_j^s + p_j r_j^c + q_j r_j^b over the servers and of
    max(0, 1 - sum over i in C_k of min over j in A_i of c_ij) over the jobs. A min over the empty set is infinite; a
    job without data nodes gains 1.
    """
    bound = conic(case.instance, case.prices, stretched)
    return Finding(bound, Fraction(optimum(case.instance)), "at least", "bound of the prices, JRP")


def _products(case: Priced) -> list[Fraction]:
    return [p * q for _, p, q in case.prices]


def is_met(case: Priced) -> bool:
    """Whether the prices prove the optimum itself."""
    return any_prices(case).excess == 0
