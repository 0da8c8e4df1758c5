"""Section V-B.1: Optimus against the other baselines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from hypothesis import strategies as st

from schedproof.core.base.untyped import Case
from schedproof.core.claims.claim import Claim, Domain, Exhaustive, Finding
from schedproof.families.placement import LI23
from schedproof.proofs_checks.placement.shared.figures import MEANS, mean

OTHERS = ("Tiresias", "Random", "Minimum")
HERE = "Figs. 4a, 4b"  # of which the sentence speaks


@dataclass(frozen=True)
class Baseline:
    policy: Literal["Tiresias", "Random", "Minimum"]


def others() -> Iterator[Baseline]:
    return (Baseline(policy) for policy in OTHERS)  # type: ignore[arg-type]  # they are these


@dataclass(frozen=True)
class Experiment:
    name: Literal["Figs. 4c, 4d", "Fig. 5", "Figs. 4e, 4f", "Figs. 4g, 4h"]


def later() -> Iterator[Experiment]:
    return (Experiment(name) for name in MEANS if name != HERE)  # type: ignore[arg-type]  # they are these


BEST = Claim(
    "placement.optimus_best_baseline",
    LI23.at("section V-B.1, on Figs. 4a and 4b: 'Optimus performs better than other baselines'"),
    "On the workload of Figs. 4a and 4b Optimus has a smaller mean completion time than each other baseline.",
    Domain.of(
        Baseline,
        st.sampled_from(list(others())),
        {"Tiresias": lambda case: case.policy == "Tiresias", "Minimum": lambda case: case.policy == "Minimum"},
        printed=True,
    ),
)


@BEST.reading(
    "the means",
    "The means are those of the authors' result files.",
    exhaustive=Exhaustive("the three other baselines", 3, others),
)
@BEST.false_variant("twice as fast", times=Fraction(2))
def faster(case: Baseline, times: Fraction = Fraction(1)) -> Finding:
    return Finding(
        mean(HERE, case.policy), times * mean(HERE, "Optimus"), "at least", f"mean completion time, {case.policy}"
    )


ELSEWHERE = Claim(
    "placement.optimus_best_baseline_elsewhere",
    LI23.at("Figs. 4c-4h and 5, a statement of ours: the sentence is only about Figs. 4a and 4b"),
    "In Figs. 4c and 4d Optimus is the best baseline as well; in Fig. 5 and on the test bed another is better.",
    Domain.of(
        Experiment,
        st.sampled_from(list(later())),
        {"6 agents": lambda case: case.name == "Figs. 4c, 4d", "test bed": lambda case: case.name == "Figs. 4e, 4f"},
        printed=True,
    ),
)


@ELSEWHERE.reading(
    "the means",
    "The means are those of the authors' result files.",
    exhaustive=Exhaustive("the four experiments", 4, later),
)
@ELSEWHERE.false_variant("the best everywhere", everywhere=True)
def place(case: Experiment, everywhere: bool = False) -> Finding:
    """Whether some baseline has a smaller mean than Optimus: only in Figs. 4c, 4d."""
    smaller = any(mean(case.name, policy) < mean(case.name, "Optimus") for policy in OTHERS)
    expected = not everywhere and case.name != "Figs. 4c, 4d"
    return Finding(Fraction(smaller), Fraction(expected), "equal", f"whether another is better, {case.name}")


CAUSE: Claim[Case] = Claim(
    "placement.optimus_best_baseline_cause",
    LI23.at("section V-B.1: 'Because of the pre-run estimation of the progress function, Optimus performs better'"),
    "Optimus is better than the other baselines because of its estimation of the progress function before the run.",
)
CAUSE.open_reading(
    "what it is worth",
    "Without the estimation Optimus would not be better.",
    "no run of Optimus without it is printed, and it differs from the others in the allocation and in preemption, too",
)
