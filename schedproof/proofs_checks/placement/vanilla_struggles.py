"""Section V-B, Fig. 7: the vanilla MARL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claim import Claim, Domain, Exhaustive, FalseVariant, Finding, Reading, Regime, with_settings
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import POLICIES, VANILLA, mean


@dataclass(frozen=True)
class Beside:
    """A policy on the workload of Figs. 4a and 4b."""

    policy: Literal["TapFinger", "Optimus", "Tiresias", "Random", "Minimum"]


def slower(case: Beside, times: Fraction = Fraction(1)) -> Finding:
    """The vanilla MARL's mean completion time is larger."""
    return Finding(
        VANILLA, times * mean("Figs. 4a, 4b", case.policy), "at least", f"mean completion time, {case.policy}"
    )


def every() -> Iterator[Beside]:
    """All of them."""
    return (Beside(policy) for policy in POLICIES)  # type: ignore[arg-type]  # they are these


STRUGGLES = Claim(
    id="placement.vanilla_struggles",
    source=LI23.at(
        "section V-B.1, Fig. 7: 'struggles to recognize the task characteristics and avoid task selection conflicts'"
    ),
    statement="The vanilla MARL, without HAN and pointer network, does worse than TapFinger and than each baseline.",
    readings=(
        Reading(
            "the means",
            "Mean completion times of the authors' result files: 16.23 timesteps and those of Figs. 4a, 4b.",
            slower,
            exhaustive=Exhaustive("TapFinger and the four baselines", 5, every),
        ),
        Reading(
            "conflicts",
            "It struggles to recognize tasks and to avoid conflicts.",
            missing="neither a number of conflicts nor a measure of what is recognized is printed; and a "
            "first-in-first-out choice of tasks, which it has, needs no selection",
        ),
    ),
    domain=Domain(
        Beside,
        st.sampled_from(list(every())),
        (
            Regime("TapFinger", lambda case: case.policy == "TapFinger"),
            Regime("Random", lambda case: case.policy == "Random"),
        ),
    ),
    false_variants=(FalseVariant("twice as slow as each", with_settings(slower, times=Fraction(2))),),
)
