"""Section V-B, Fig. 7: the vanilla MARL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import POLICIES, VANILLA, mean


@dataclass(frozen=True)
class Beside:
    policy: Literal["TapFinger", "Optimus", "Tiresias", "Random", "Minimum"]


def every() -> Iterator[Beside]:
    return (Beside(policy) for policy in POLICIES)  # type: ignore[arg-type]  # they are these


STRUGGLES = Claim(
    "placement.vanilla_struggles",
    LI23.at(
        "section V-B.1, Fig. 7: 'struggles to recognize the task characteristics and avoid task selection conflicts'"
    ),
    "The vanilla MARL, without HAN and pointer network, does worse than TapFinger and than each baseline.",
    Domain.of(
        Beside,
        st.sampled_from(list(every())),
        {
            "TapFinger": lambda case: case.policy == "TapFinger",
            "Random": lambda case: case.policy == "Random",
        },
        printed=True,
    ),
)


@STRUGGLES.reading(
    "the means",
    "Mean completion times of the authors' result files: 16.23 timesteps and those of Figs. 4a, 4b.",
    exhaustive=Exhaustive("TapFinger and the four baselines", 5, every),
)
@STRUGGLES.false_variant("twice as slow as each", times=Fraction(2))
def slower(case: Beside, times: Fraction = Fraction(1)) -> Finding:
    return Finding(
        VANILLA, times * mean("Figs. 4a, 4b", case.policy), "at least", f"mean completion time, {case.policy}"
    )


CONFLICTS: Claim[Case] = Claim(
    "placement.vanilla_struggles_conflicts",
    LI23.at("section V-B.1, Fig. 7"),
    "The vanilla MARL struggles to recognize the task characteristics and avoid task selection conflicts.",
)


CONFLICTS.open_reading(
    "as implied in Fig. 7",
    "It has more conflicts and recognizes fewer characteristics.",
    "no number of conflicts and no measure of recognition is printed; Fig. 7 shows completion times and "
    "tasks in the system, and with first-in-first-out the agents do not choose tasks",
)
