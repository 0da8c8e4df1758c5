"""Section V-B.1, Fig. 5: Optimus and Tiresias at a smaller arrival rate.

The text gives a reason for their change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import mean

HEAVY, LIGHT = "Figs. 4c, 4d", "Fig. 5"  # 6 agents, at the rates 4 and 2


@dataclass(frozen=True)
class Degraded:
    policy: Literal["Optimus", "Tiresias"]


def both() -> Iterator[Degraded]:
    yield from (Degraded("Optimus"), Degraded("Tiresias"))


LIGHTER = Claim(
    "placement.lighter_workload",
    LI23.at("section V-B.1, Fig. 5: 'a performance degradation of Optimus and Tiresias in these less heavy workloads'"),
    "At the rate 2 Optimus and Tiresias do worse beside TapFinger and beside Random than at the rate 4.",
    Domain.of(
        Degraded,
        st.sampled_from(list(both())),
        {
            "Optimus": lambda case: case.policy == "Optimus",
            "Tiresias": lambda case: case.policy == "Tiresias",
        },
        printed=True,
    ),
)


@LIGHTER.reading(
    "beside TapFinger",
    "Their mean completion time over that of TapFinger is larger.",
    exhaustive=Exhaustive("the two schedulers", 2, both),
    other="TapFinger",
)
@LIGHTER.reading(
    "beside Random",
    "Their mean completion time over that of Random is larger.",
    exhaustive=Exhaustive("the two schedulers", 2, both),
    other="Random",
)
@LIGHTER.false_variant("by themselves", other=None)
@LIGHTER.false_variant("beside Minimum", other="Minimum")
def quotients(case: Degraded, other: str | None) -> Finding:
    light, heavy = (
        mean(experiment, case.policy) / (mean(experiment, other) if other else 1) for experiment in (LIGHT, HEAVY)
    )
    return Finding(light, heavy, "at least", f"quotients of means, {case.policy}")


OVERHEAD: Claim[Case] = Claim(
    "placement.lighter_workload_overhead",
    LI23.at("section V-B.1: 'frequently reassigning resource allocation for each task leads to severe overhead'"),
    "That Optimus and Tiresias do worse at the rate 2 is explained by the overhead of their preemptions.",
)
OVERHEAD.open_reading(
    "as observed",
    "The time that preemptions cost is as large as what is lost.",
    "neither a number of preemptions nor the time spent on them is printed, nor a run without them; Minimum, which "
    "gives what Tiresias gives and never preempts, has 12.89 timesteps there beside 13.67",
)
