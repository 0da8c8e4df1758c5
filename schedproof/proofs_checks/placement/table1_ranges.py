"""Table I against the authors' published measurements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.placement import LI23


@dataclass(frozen=True)
class End:
    task: Literal["image classification", "language modeling", "speech recognition"]
    upper: bool


TASKS = ("image classification", "language modeling", "speech recognition")


def every() -> Iterator[End]:
    return (End(task, upper) for task in TASKS for upper in (False, True))  # type: ignore[arg-type]  # they are these


TABLE = Claim(
    "placement.table1_ranges",
    LI23.at("next to Table I, and the authors' published trace"),
    "Table I has the least and most durations of the second published run over 1 to 16 CPU cores and 1 to 8 GPUs, in "
    "whole seconds.",
    Domain.of(
        End,
        st.sampled_from(list(every())),
        {
            "lower ends": lambda case: not case.upper,
            "upper ends": lambda case: case.upper,
        },
        printed=True,
    ),
)
# The text speaks of tasks run from 2 CPU cores on (section V-A), not of the table's ranges, and of running times that
# were downsized: from 2 cores on image classification takes 150 s at most, which is the false variant.


# Least and most seconds of the published trace (trace_util/trace.csv), in which each combination was run twice
SECOND_RUN = {  # 2 to 16 CPU cores, 1 to 8 GPUs
    TASKS[0]: ("34.308282", "150.630093"),
    TASKS[1]: ("75.411364", "264.037112"),
    TASKS[2]: ("17.592518", "18.059266"),
}


TABLE1 = {TASKS[0]: (34, 262), TASKS[1]: (75, 264), TASKS[2]: (17, 18)}


BOTH_RUNS = {
    TASKS[0]: ("34.308282", "151.299197"),
    TASKS[1]: ("74.308295", "265.477833"),
    TASKS[2]: ("17.592518", "20.836002"),
}


FROM_ONE_CORE = SECOND_RUN | {  # 1 to 16 CPU cores, second run; the other four ends are those of 2 to 16
    TASKS[0]: ("34.308282", "262.139024"),
    TASKS[2]: ("17.592518", "18.174057"),
}


@TABLE.reading(
    "the second run",
    "The numbers are rounded down.",
    exhaustive=Exhaustive("the six ends of Table I", 6, every),
    trace=FROM_ONE_CORE,
)
@TABLE.false_variant("rounded to the nearest second", down=False, trace=FROM_ONE_CORE)
@TABLE.false_variant("both runs, from two cores on", trace=BOTH_RUNS)
@TABLE.false_variant("from two cores on")
def agrees(case: End, trace: dict[str, tuple[str, str]] = SECOND_RUN, down: bool = True) -> Finding:
    seconds = Fraction(trace[case.task][case.upper])
    whole = floor(seconds) if down else round(seconds)
    return Finding(Fraction(whole), Fraction(TABLE1[case.task][case.upper]), "equal", f"{case.task}, seconds")
