"""Rounding with spare room: Chernoff's bound on jobs instead of the normal law."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.enclosures import above
from schedproof.proofs_checks.strategies import jrp_spare as draw
from schedproof.proofs_checks.strategies.jrp_spare import Spare

ZERO, ONE = Fraction(0), Fraction(1)


def needed(case: Spare) -> Fraction:
    """Return an upper bound on (3/d^2) w ln(3 m p); w is the largest demand of a job."""
    largest = max(sum(kind.sizes) for kind in case.kinds)
    rows = Fraction(3 * len(case.storage) * case.odds)
    return above(lambda ball: ball(3 * largest / case.aside**2) * ball(rows).log())


SPARE = Claim(
    "jrp.spare_rounding",
    WANG19.at("section III-E, next to Theorem 1; a statement of ours"),
    "For a point of LP_I, accept each job with probability (1 - d) y_k, 0 < d <= 1/2. Put each data node "
    "of an accepted job on server j with probability x_i^j/y_k. Let each of the 3 m rows (7), (8), (9) be "
    "at least (3/d^2) w ln(3 m p), where w is the largest need of one job in it. Then all rows hold with "
    "probability at least 1 - 1/p. So of N jobs at least (1 - d) OPT_I - N/p are accepted on average in "
    "draws that fit. With p = N/(d OPT_I) this is (1 - 2 d) OPT_I.",
    Domain.of(
        Spare,
        draw.spares(),
        {
            "two servers": lambda case: len(case.storage) > 1,
            "several data nodes in a job": lambda case: any(len(kind.sizes) > 1 for kind in case.kinds),
            "a full server": lambda case: any(demand(case, j) == room for j, room in enumerate(case.storage)),
            "p > 1": lambda case: case.odds > 1,
        },
        premises=(
            Premise(
                "a point of LP_I: (7) holds on average",
                lambda case: all(demand(case, j) <= room for j, room in enumerate(case.storage)),
            ),
            Premise("each row is at least (3/d^2) w ln(3 m p)", lambda case: min(case.storage) >= needed(case)),
        ),
    ),
)
CHERNOFF_BY_JOBS = """
By (16) and (17) the need of a job on a server is a multiple of D_j^k. So (7), (8) and (9) are linear in x and hold for
the point of LP_I. In a row of size r let Z_k be the need of job k. The Z_k are independent and in [0, w]. The mean of
Z_k is (1 - d) times the need of k at the point. So the mean of the sum Z is at most (1 - d) r. Chernoff's bound for
sums of independent variables in [0, w] is Pr(Z > (1 + e) M) <= exp(-e^2 M/(3 w)). It holds for 0 < e <= 1 and any M
that is at least the mean. Take M = (1 - d) r and 1 + e = 1/(1 - d), so e = d/(1 - d) <= 1. Then Pr(Z > r) <= exp(-d^2
r/(3 (1 - d) w)) <= exp(-d^2 r/(3 w)) <= 1/(3 m p). The number of rows is 3 m. By (6) each data node of an accepted job
is on one server. By the split the accepted jobs meet (10). On average (1 - d) OPT_I jobs are accepted. At most N jobs
are lost, with probability at most 1/p.
- *The data nodes of a job are not independent of each other.* Z_k counts the data nodes of a job together; only jobs
need to be independent.
- *Is it better than Theorem 1?* It needs no normal law and no order among data nodes. It loses jobs if rows are small:
below 12 w ln(3 m p) it is empty.
- *What if a draw does not fit?* It counts as 0 accepted jobs here. Drawing again until it fits takes p/(p - 1) draws on
average.
"""


@SPARE.reading("a union of rows", "The exact sum of the rows' probabilities.", CHERNOFF_BY_JOBS)
@SPARE.false_variant("nothing set aside", aside=False)
def rows_break(case: Spare, aside: bool = True) -> Finding:
    kept = 1 - case.aside if aside else ONE
    broken = sum((sum(law(case, j, kept)[room + 1 :], ZERO) for j, room in enumerate(case.storage)), ZERO)
    return Finding(broken, Fraction(1, case.odds), "at most", "the chances that a row breaks")


def demand(case: Spare, server: int) -> Fraction:
    return sum((kind.jobs * kind.y * sum(kind.sizes) * kind.shares[server] for kind in case.kinds), ZERO)


def law(case: Spare, server: int, kept: Fraction) -> list[Fraction]:
    """The distribution of the server's load.

    A job is accepted with probability ``kept`` times y.
    """
    from flint import fmpq, fmpq_poly

    result = fmpq_poly([1])  # in x^amount
    for kind in case.kinds:
        share, chance = (fmpq(value.numerator, value.denominator) for value in (kind.shares[server], kept * kind.y))
        nodes = fmpq_poly([1])
        for size in kind.sizes:
            nodes *= fmpq_poly([1 - share, *([0] * (size - 1)), share])
        result *= (chance * nodes + (1 - chance)) ** kind.jobs
    return [Fraction(int(value.p), int(value.q)) for value in result.coeffs()]
