"""Section V-C, end: are most data nodes larger under the Pareto distribution?

Section V-B: Pareto with minimum 2 GB and shape 2, uniform from 2 to 8 GB, normal with mean 5 GB and deviation 1 GB.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Exhaustive, Finding, worst
from schedproof.families.jrp import WANG19
from schedproof.proofs_checks.jrp.shared.enclosures import HALF, above


@dataclass(frozen=True)
class Other:
    name: Literal["uniform", "normal"]


PARETO = Claim(
    "jrp.evaluation_pareto",
    WANG19.at("section V-C, end"),
    "In the Pareto distribution, most of the data nodes' data amount is much larger than in the others.",
    Domain.of(
        Other,
        st.sampled_from([Other("uniform"), Other("normal")]),
        {"uniform": lambda case: case.name == "uniform", "normal": lambda case: case.name == "normal"},
    ),
    severity="slip",
)
REPAIRED = PARETO.repair(
    "Most Pareto data nodes, 21 of 25, have less than 5 GB, the mean and median of both others. Most have "
    "less than a data node drawn from these; the median is 2 sqrt(2) GB, the mean 4 GB."
)
MEAN, SMALLEST, LARGEST = Fraction(5), Fraction(2), Fraction(8)


@PARETO.reading("above the middle", "Most data nodes have more than 5 GB.")
def above_middle(case: Other) -> Finding:
    return Finding(beyond(MEAN), HALF, "at least", "Pr(X > 5 GB)")


@PARETO.reading("above another", "A data node usually has more than a data node drawn from the other distribution.")
def above_other(case: Other) -> Finding:
    return Finding(exceeds(case), HALF, "at least", "Pr(X > Y)")


@PARETO.reading("on average", "The mean of the Pareto distribution is larger.")
def mean_above(case: Other) -> Finding:
    return Finding(2 * SMALLEST, MEAN, "at least", "the means")


@REPAIRED.reading(
    "below the middle",
    "Pr(X <= 5 GB) and Pr(X <= Y) are above 1/2.",
    exhaustive=Exhaustive("the two other distributions", 2, lambda: (Other("uniform"), Other("normal"))),
)
@REPAIRED.false_variant("nine of ten", part=Fraction(9, 10))
def mostly_below(case: Other, part: Fraction = HALF) -> Answer:
    return worst(
        [
            Finding(1 - beyond(MEAN), part, "at least", "Pr(X <= 5 GB)"),
            Finding(1 - exceeds(case), part, "at least", "Pr(X <= Y)"),
        ]
    )


PARETO.false_variant("a tenth have more than 8 GB")(lambda case: Finding(beyond(LARGEST), HALF / 5, "at least"))


def beyond(amount: Fraction) -> Fraction:
    """Pr(X > amount) = (2/amount)^2 for a Pareto size X and an amount >= 2 GB."""
    return (SMALLEST / amount) ** 2


def exceeds(other: Other) -> Fraction:
    """Pr(X > Y) for a Pareto size X and an independent Y of the other distribution.

    The result is exact for the uniform distribution, and an upper bound for the normal distribution.
    """
    if other.name == "uniform":  # the mean of (2/u)^2 for u from 2 to 8
        return SMALLEST**2 * (1 / SMALLEST - 1 / LARGEST) / (LARGEST - SMALLEST)
    # X > Y needs Y < 4 or X > 4, and Pr(Y < 4) = Pr(Z < -1)
    return above(lambda ball: ball(HALF) * ball(HALF).sqrt().erfc()) + beyond(MEAN - 1)
