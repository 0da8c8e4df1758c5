"""Lemma 9: from the allocation-cost relationship to one job's increments."""

from __future__ import annotations

from fractions import Fraction

from schedproof.core.claims.claim import Claim, Domain, Finding, Premise
from schedproof.families.dmlrs import YU22
from schedproof.proofs_checks.strategies import dmlrs_numbers as draw
from schedproof.proofs_checks.strategies.dmlrs_numbers import AcceptedJob


def price_rises(case: AcceptedJob) -> list[Fraction]:
    return [c * (new - old) for c, new, old in zip(case.capacity, case.new, case.old, strict=True)]


def payments(case: AcceptedJob) -> list[Fraction]:
    return [p * step for p, step in zip(case.old, case.step, strict=True)]


def factor(case: AcceptedJob) -> Fraction:
    return case.delta / (3 * case.gain * case.eps)


DEFINITION1: Premise[AcceptedJob] = Premise(
    "the allocation-cost relationship holds",
    lambda case: all(p >= factor(case) * r for p, r in zip(payments(case), price_rises(case), strict=True)),
)

LEMMA9 = Claim(
    "dmlrs.lemma9",
    YU22.at("Appendix C, Lemma 9"),
    "If the allocation-cost relationship holds for eps >= 1, G > 0 and delta in (0, 1], then P_i - P_(i-1) "
    ">= (delta/3G)/eps (D_i - D_(i-1)).",
    Domain.of(
        AcceptedJob,
        draw.accepted_jobs(),
        {
            "delta above 3 G eps": lambda c: c.delta > 3 * c.gain * c.eps,
            "delta at most 3 G eps": lambda c: c.delta <= 3 * c.gain * c.eps,
            "two resources": lambda c: len(c.old) > 1,
            "prices stay": lambda c: c.old == c.new,
        },
        premises=(DEFINITION1,),
    ),
)
LEMMA9.repair(domain=LEMMA9.domain.but(regimes=LEMMA9.domain.regimes[1:]))


@LEMMA9.reading("any G > 0", "There is one accepted job; prices rise in any way.")
@LEMMA9.false_variant("a third of it", share=Fraction(1, 3))
def one_job(case: AcceptedJob, share: Fraction = Fraction(1)) -> Finding:
    """If Definition 1 holds for each price step of a job, P grows enough.

    For an accepted job P grows by at least (delta/3G)/eps of the growth of D.
    """
    primal, dual = case.payoff + sum(payments(case)), case.payoff + sum(price_rises(case))
    return Finding(share * primal, factor(case) * dual, "at least", "P_i - P_(i-1), (delta/3G)/eps (D_i - D_(i-1))")


FACTOR_AT_MOST_ONE_PROOF = """
The chosen schedule's row of (11) is tight: P_i - P_(i-1) = lambda_i + sum p d rho. Let f = delta/(3 G eps). By
Definition 1 the sum is at least f (D_i - D_(i-1) - lambda_i). So P_i - P_(i-1) >= f (D_i - D_(i-1)) + (1 - f) lambda_i,
and (1 - f) lambda_i >= 0 as f <= 1. (For a rejected job both sides are 0.)
Coq, core: admission.v lemma9, lemma9_factor. Outside: that Definition 1, summed over a schedule, gives the inequality
that the theorem assumes. The chosen schedule's row of (11) is tight. Definition 1, summed over the schedule's use,
gives payment >= f (D_i - D_(i-1) - lambda_i) with f = delta/(3 G eps).
- *The printed proof drops (1 - f) lambda_i as well.* It does so without f <= 1, which fails for 3 G eps < delta.
- *Is (11) tight for an approximate schedule?* Yes: lambda_i is defined as the payoff of the chosen schedule.
"""


@LEMMA9.assume("factor at most 1", "delta <= 3 G eps", FACTOR_AT_MOST_ONE_PROOF)
def factor_at_most_one(case: AcceptedJob) -> bool:
    return case.delta <= 3 * case.gain * case.eps
