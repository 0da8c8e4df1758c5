"""Section V-B: the reductions 'over the baselines' on the test bed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claim import (
    Answer,
    Claim,
    Domain,
    Exhaustive,
    FalseVariant,
    Finding,
    Reading,
    Regime,
    Repair,
    with_settings,
    worst,
)
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import POLICIES, PRINTED, reduction

BASELINES, SCHEDULERS = POLICIES[1:], ("Optimus", "Tiresias")
LAST_DIGIT = Fraction(1, 20)  # by which a percentage of one decimal may be off


@dataclass(frozen=True)
class Environment:
    """One of the two test-bed experiments."""

    experiment: Literal["Figs. 4e, 4f", "Figs. 4g, 4h"]

    @property
    def percent(self) -> Fraction:
        """What is printed."""
        return next(row.percent for row in PRINTED if row.experiment == self.experiment)


def over(case: Environment, policies: tuple[str, ...], more: Fraction = Fraction(0)) -> Answer:
    """The mean is reduced by the printed percentage or more over each of them, as far as the rounding tells."""
    return worst(
        Finding(
            reduction(case.experiment, policy)[1], case.percent - LAST_DIGIT + more, "at least", f"percent, {policy}"
        )
        for policy in policies
    )


def over_minimum(case: Environment, most: Fraction = Fraction("5.5")) -> Finding:
    """Over Minimum by at most 5.5 percent."""
    return Finding(reduction(case.experiment, "Minimum")[1], most, "at most", "percent, Minimum")


def both() -> Iterator[Environment]:
    """The two."""
    yield from (Environment("Figs. 4e, 4f"), Environment("Figs. 4g, 4h"))


TWO = Domain(
    Environment,
    st.sampled_from(list(both())),
    (
        Regime("3 agents", lambda case: case.experiment == "Figs. 4e, 4f"),
        Regime("6 agents", lambda case: case.experiment == "Figs. 4g, 4h"),
    ),
)
OVER = Claim(
    id="placement.over_the_baselines",
    source=LI23.at(
        "section V-B.2: 'average completion time reduction of 13.7 % and 10.4 % over the baselines', Figs. 4e-4h"
    ),
    statement="On the test bed TapFinger reduces the average completion time by 13.7 % (3 agents) and 10.4 % (6 "
    "agents) over the baselines.",
    severity="slip",
    readings=(
        Reading(
            "each baseline", "All four of section V-A, by as much or more.", with_settings(over, policies=BASELINES)
        ),
        Reading(
            "the schedulers",
            "Optimus and Tiresias, by as much or more.",
            with_settings(over, policies=SCHEDULERS),
            exhaustive=Exhaustive("the two environments", 2, both),
        ),
    ),
    domain=TWO,
    false_variants=(FalseVariant("one percent more", with_settings(over, policies=SCHEDULERS, more=Fraction(1))),),
    old_repair=Repair(
        statement="The 13.7 % and 10.4 % are over Optimus; Random and Minimum are better than Optimus and Tiresias "
        "there, and over Minimum, the best of the four, the average is reduced by less than 5.5 %.",
        readings=(
            Reading(
                "the schedulers",
                "Over Optimus and Tiresias by as much or more.",
                with_settings(over, policies=SCHEDULERS),
                exhaustive=Exhaustive("the two environments", 2, both),
            ),
            Reading(
                "Minimum",
                "By 5.5 % at most.",
                over_minimum,
                exhaustive=Exhaustive("the two environments", 2, both),
            ),
        ),
        false_variants=(FalseVariant("by two percent at most", with_settings(over_minimum, most=Fraction(2))),),
        small=True,
    ),
)
