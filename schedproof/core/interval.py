"""Where the true ratio of a run to the optimum lies: between a known schedule and a certified bound.

The optimum is no worse than any schedule that is known and no better than the bound: objective / optimum is at least
objective / that of the best known schedule, and at most objective / bound (the inverse where the objective is
maximized).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schedproof.core.errors import InputError, ProgramError
from schedproof.core.instance import Schedule
from schedproof.core.numbers import as_text, decimals
from schedproof.core.ratio import Ratio, require_consistent
from schedproof.core.untyped import Json


@dataclass(frozen=True)
class Interval:
    """The ratio of a run to the optimum, enclosed.

    Attributes
    ----------
    ratio
        To the certified bound.
    known
        The objective of the best schedule that is known, exact; the run's own counts where the bound speaks about it.
    """

    ratio: Ratio
    known: Fraction

    @property
    def low(self) -> Fraction:
        """The true ratio is not below it."""
        run = self.ratio.run
        top, bottom = (run.objective, self.known) if run.sense == "minimize" else (self.known, run.objective)
        return Fraction(top) / Fraction(bottom)

    @property
    def high(self) -> Fraction:
        """The true ratio is not above it."""
        return self.ratio.exact

    @property
    def sentence(self) -> str:
        """The interval, rounded outwards, and the objective that its lower end rests on."""
        low, high = decimals(self.low, 4, up=False), decimals(self.high, 4, up=True)
        best = self.ratio.run.instance.measure.amount(float(self.known))
        return f"true ratio in [{low}, {high}] (best known schedule: {best})"

    def to_json(self) -> dict[str, Json]:
        """Both ends and the objective of the best known schedule, as text that loses nothing."""
        return {"interval": [as_text(self.low), as_text(self.high)], "best_known": as_text(self.known)}


def interval(ratio: Ratio, known: Sequence[Schedule]) -> Interval:
    """Enclose the true ratio of a run, after the checker has judged the known schedules by what the bound speaks of.

    Raises
    ------
    InputError
        When a schedule is not feasible.
    ProgramError
        When the bound speaks about some schedules only: the known ones need not be among them.
    Contradiction
        When one of them is better than the bound allows.
    """
    run, bound = ratio.run, ratio.bound
    if bound.among:
        raise ProgramError(
            f"{bound.program} is about the optimum among {bound.among} only: a schedule says nothing of it"
        )
    rules = run.instance.card.rules_among(bound.parameters)
    objectives = []
    for schedule in known:
        if violations := schedule.violations(run.instance, **rules):
            judged = ", ".join(f"{name}={value}" for name, value in rules.items())
            raise InputError(f"a known schedule is not feasible by {judged} (first: {violations[0]})")
        objectives.append(schedule.objective(run.instance, **rules))
        require_consistent(f"the known schedule of {schedule.policy}", objectives[-1], rules, bound)
    own = [run.objective] if run.rules == rules else []  # of a faster system, say: no schedule of this one
    if not own + objectives:
        raise ProgramError("no schedule is known that the bound speaks about")
    return Interval(ratio, (min if run.sense == "minimize" else max)(own + objectives))
