"""Sections IV-B and V-B.2: the length of feature vectors for other workloads."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Finding
from schedproof.core.data.reading import Positive
from schedproof.families.placement import LI23


@dataclass(frozen=True)
class Workloads:
    """The workloads for training and for play.

    Attributes
    ----------
    resources
        R.
    kinds
        The number of kinds of tasks in each of the two workloads.
    trained, played
        Numbers of tasks in training and in play.
    """

    resources: Positive
    kinds: Positive
    trained: Positive
    played: Positive


WIDTH = Claim(
    "placement.feature_width",
    LI23.at(
        "section IV-B: 'entities in R^(R+J) [...] the minimum resource requirement and the type of task j', and V-B.2: "
        "'also applicable to various lengths of workloads'"
    ),
    "A network whose pending entities have R + J numbers is applicable to workloads of another length.",
    Domain.of(
        Workloads,
        st.builds(Workloads, *(st.integers(1, 3),) * 2, *(st.integers(1, 9),) * 2),
        {
            "as long": lambda case: case.trained == case.played,
            "of another length": lambda case: case.trained != case.played,
        },
    ),
    severity="slip",
)
REPAIRED = WIDTH.repair(
    "A network whose pending entities have R + K numbers, K the kinds of tasks, is applicable to workloads of another "
    "length.",
    small=True,
)


@WIDTH.reading("J tasks", "J as in section III-B: 'a total of J ML tasks'.")
@REPAIRED.false_variant("J tasks")
def by_tasks(case: Workloads) -> Finding:
    return Finding(
        Fraction(case.resources + case.played), Fraction(case.resources + case.trained), "equal", "numbers of an entity"
    )


BY_KIND = """
R numbers are the minimum. K numbers code the kind; one of them is 1. R and K do not change with the number of tasks.
Coq, core: placement.v feature_width. Outside: the network, which is applicable if the width stays. `minimum` has the R
numbers of a task's minimum requirement.
- *A new kind of task?* Then K changes, and the network must be trained again; the sentence is about lengths.
- *Does the dummy's digit count?* It adds one number in both workloads.
- *Is J the number of kinds, then?* In these two lines it must be. No matrix of weights fits both 384 tasks in training
and 2,000 in Fig. 8. Section III and the sum of (1) use J for the number of tasks.
"""


@WIDTH.reading("J kinds", "J is the number of kinds of tasks, coded one by one.", BY_KIND)
@REPAIRED.reading("K kinds", "Each kind has its own code.", BY_KIND)
@WIDTH.false_variant("a number less than the minimum has", more=1)
def by_kinds(case: Workloads, more: int = 0) -> Finding:
    width = Fraction(case.resources + case.kinds)
    return Finding(width, width + more, "equal", "numbers of an entity")
