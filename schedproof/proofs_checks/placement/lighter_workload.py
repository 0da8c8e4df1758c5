"""Section V-B.1, Fig. 5: Optimus and Tiresias at a smaller arrival rate.

The paper's text gives a reason for the change of both results.
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
    "Relative to TapFinger and to Random, Optimus and Tiresias do worse at the rate 2 than at the rate 4.",
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
    "The overhead of their preemptions explains why Optimus and Tiresias do worse at the rate 2.",
)
OVERHEAD.open_reading(
    "as observed",
    "The time that preemptions cost is as large as the loss.",
    "the number of preemptions, the time spent on them and a run without them are not printed; Minimum, "
    "which gives the same amounts as Tiresias and never preempts, has 12.89 timesteps there, Tiresias "
    "13.67",
)
