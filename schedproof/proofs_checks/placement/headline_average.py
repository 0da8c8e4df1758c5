"""The abstract and the conclusion: the reduction of the average completion time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import PRINTED, WORKLOADS, reduction


@dataclass(frozen=True)
class Headline:
    workload: Literal["synthetic", "test-bed"]


def both() -> Iterator[Headline]:
    yield from (Headline("synthetic"), Headline("test-bed"))


HEADLINE = Claim(
    "placement.headline_average",
    LI23.at("abstract: 'up to 28.6 % reduction in the average task completion time'; section VI: 28.6 and 14.5 %"),
    "TapFinger reduces the average completion time by up to 28.6 % (synthetic) and 14.5 % (test-bed) over "
    "the state of the art.",
    Domain.of(
        Headline,
        st.sampled_from(list(both())),
        {
            "synthetic": lambda case: case.workload == "synthetic",
            "test-bed": lambda case: case.workload == "test-bed",
        },
        printed=True,
    ),
    severity="slip",
)
REPAIRED = HEADLINE.repair(
    "The 28.6 % are the reduction of the median over Optimus in Figs. 4a and 4b, where the reduction of "
    "the average is 25.1 %. The 14.5 % are the reduction of the average over Tiresias in Fig. 8a.",
    small=True,
)


HEADLINES = {"synthetic": Fraction("28.6"), "test-bed": Fraction("14.5")}


@HEADLINE.reading("section V-B", "The reductions of the average are the largest that the text prints.")
def by_text(case: Headline, quantity: str = "average") -> Finding:
    printed = max(row.percent for row in PRINTED if (row.workload, row.quantity) == (case.workload, quantity))
    return Finding(printed, HEADLINES[case.workload], "equal", f"largest {quantity} reduction in section V-B, percent")


@HEADLINE.reading(
    "some experiment",
    "In some experiment the mean of the result files is below that of Optimus or Tiresias by as much or more.",
    exhaustive=Exhaustive("the two percentages", 2, both),
)
def by_files(case: Headline, least: Fraction = Fraction(0)) -> Finding:
    result = max(reduction(e, policy)[0] for e in WORKLOADS[case.workload] for policy in ("Optimus", "Tiresias"))
    return Finding(result, HEADLINES[case.workload] + least, "at least", "largest reduction of the means, percent")


@REPAIRED.reading(
    "section V-B", "The reductions are those in the text.", exhaustive=Exhaustive("the two percentages", 2, both)
)
@REPAIRED.false_variant("the other way round", swapped=True)
def whose(case: Headline, swapped: bool = False) -> Finding:
    quantity = "median" if (case.workload == "synthetic") != swapped else "average"
    rows = [row.percent for row in PRINTED if (row.workload, row.quantity) == (case.workload, quantity)]
    return Finding(max(rows, default=Fraction(0)), HEADLINES[case.workload], "equal", f"{quantity}, percent")


HEADLINE.false_variant("by half as much again")(lambda case: by_files(case, HEADLINES[case.workload] / 2))
