"""Section V-B: the reductions 'over the baselines' on the test bed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claims.claim import Answer, Claim, Domain, Exhaustive, Finding, worst
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import POLICIES, PRINTED, reduction


@dataclass(frozen=True)
class Environment:
    experiment: Literal["Figs. 4e, 4f", "Figs. 4g, 4h"]

    @property
    def percent(self) -> Fraction:
        return next(row.percent for row in PRINTED if row.experiment == self.experiment)


def both() -> Iterator[Environment]:
    yield from (Environment("Figs. 4e, 4f"), Environment("Figs. 4g, 4h"))


OVER = Claim(
    "placement.over_the_baselines",
    LI23.at("section V-B.2: 'average completion time reduction of 13.7 % and 10.4 % over the baselines', Figs. 4e-4h"),
    "On the test bed TapFinger reduces the average completion time by 13.7 % (3 agents) and 10.4 % (6 "
    "agents) over the baselines.",
    Domain.of(
        Environment,
        st.sampled_from(list(both())),
        {
            "3 agents": lambda case: case.experiment == "Figs. 4e, 4f",
            "6 agents": lambda case: case.experiment == "Figs. 4g, 4h",
        },
        printed=True,
    ),
    severity="slip",
)
REPAIRED = OVER.repair(
    "On the test bed TapFinger reduces the average by 13.7 % (3 agents) and 10.4 % (6 agents) relative to "
    "Optimus and Tiresias, up to rounding, and by less than 5.5 % relative to Minimum.",
    small=True,
)


LAST_DIGIT = Fraction(1, 20)  # by which a percentage of one decimal may be off


BASELINES, SCHEDULERS = POLICIES[1:], ("Optimus", "Tiresias")


@OVER.reading(
    "each baseline",
    "TapFinger's mean is at least the printed percentage below the means of all four baselines, up to rounding.",
    policies=BASELINES,
)
@OVER.reading(
    "the schedulers",
    "TapFinger's mean is at least the printed percentage below the means of Optimus and Tiresias, up to rounding.",
    exhaustive=Exhaustive("the two environments", 2, both),
    policies=SCHEDULERS,
)
@REPAIRED.reading(
    "the schedulers",
    "TapFinger's mean is at least the printed percentage below the means of Optimus and Tiresias, up to rounding.",
    exhaustive=Exhaustive("the two environments", 2, both),
    policies=SCHEDULERS,
)
@OVER.false_variant("one percent more", policies=SCHEDULERS, more=Fraction(1))
def over(case: Environment, policies: tuple[str, ...], more: Fraction = Fraction(0)) -> Answer:
    """TapFinger's mean is at least the printed percentage below each baseline's mean.

    Both means are rounded, so a difference within rounding counts as met.
    """
    return worst(
        Finding(
            reduction(case.experiment, policy)[1], case.percent - LAST_DIGIT + more, "at least", f"percent, {policy}"
        )
        for policy in policies
    )


@REPAIRED.reading(
    "Minimum",
    "TapFinger's mean is at most 5.5 % below that of Minimum.",
    exhaustive=Exhaustive("the two environments", 2, both),
)
@REPAIRED.false_variant("by two percent at most", most=Fraction(2))
def over_minimum(case: Environment, most: Fraction = Fraction("5.5")) -> Finding:
    return Finding(reduction(case.experiment, "Minimum")[1], most, "at most", "percent, Minimum")
