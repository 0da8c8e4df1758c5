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
    """An upper bound on (3/d^2) w ln(3 m p), w the largest demand of a job."""
    largest = max(sum(kind.sizes) for kind in case.kinds)
    rows = Fraction(3 * len(case.storage) * case.odds)
    return above(lambda ball: ball(3 * largest / case.aside**2) * ball(rows).log())


SPARE = Claim(
    "jrp.spare_rounding",
    WANG19.at("section III-E, beside Theorem 1; a statement of ours"),
    "Of a point of LP_I accept each job with probability (1 - d) y_k, 0 < d <= 1/2, and put each data node of an "
    "accepted job on server j with probability x_i^j/y_k. If each of the 3 m rows (7), (8), (9) is at least "
    "(3/d^2) w ln(3 m p), w being the most that one job can ask of it, all of them hold with probability 1 - 1/p at "
    "least. So of N jobs at least (1 - d) OPT_I - N/p are accepted on average in draws that fit: with "
    "p = N/(d OPT_I), (1 - 2 d) OPT_I.",
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
By (16) and (17) what a job asks of a server is a multiple of D_j^k, so that (7), (8) and (9) are linear in x, and
hold for the point of LP_I. In a row of size r let Z_k be what job k asks: independent for different jobs, in [0, w],
of mean (1 - d) times what k has in the point, so in all of mean (1 - d) r at most. Chernoff's bound for sums of
independent variables in [0, w], Pr(Z > (1 + e) M) <= exp(-e^2 M/(3 w)) for 0 < e <= 1 and any M that is the mean at
least, with M = (1 - d) r and 1 + e = 1/(1 - d), so e = d/(1 - d) <= 1, gives Pr(Z > r) <= exp(-d^2 r/(3 (1 - d) w))
<= exp(-d^2 r/(3 w)) <= 1/(3 m p). There are 3 m rows. Accepted jobs have all their data nodes on one server each, by
(6), and meet (10) by the split. On average (1 - d) OPT_I jobs are accepted; at most N of them are lost, with
probability 1/p at most.
- *The data nodes of a job are not independent of each other.* They are counted together, in Z_k; only jobs need be.
- *Is it better than Theorem 1?* It needs no normal law and no order among data nodes, and loses jobs where rows are
short: it says nothing below 12 w ln(3 m p).
- *What if a draw does not fit?* It counts as nothing here. Drawing again until it fits takes p/(p - 1) draws on
average.
"""


@SPARE.reading("a union of rows", "The chances of all rows, added up, exactly.", CHERNOFF_BY_JOBS)
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
