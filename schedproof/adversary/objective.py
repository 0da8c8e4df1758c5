"""What a search makes as large as it can: a ratio or a regret of a policy, exact, each with what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

from schedproof.core import registry
from schedproof.core.bound import Bound
from schedproof.core.bounds import compute
from schedproof.core.context import Context
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.instance import Instance, Schedule
from schedproof.core.numbers import as_text, from_text
from schedproof.core.run import Policy, Run
from schedproof.core.untyped import OfFamily

Score = Fraction | float  # an exact number, or `inf`
Kind = Literal["bound", "program", "regret"]


class Judged(NamedTuple):
    """A policy on an instance, beside what it is measured against.

    Attributes
    ----------
    score
        The ratio or the regret.
    bound
        A certified bound on the optimum; None where the other side is a schedule, or the best fixed decision.
    schedule
        The better schedule, found by a program and checked; None for the others.
    """

    score: Score
    run: Run
    bound: Bound | None = None
    schedule: Schedule | None = None


class Scored(Protocol):
    """What is found of an instance."""

    @property
    def score(self) -> Score:
        """What a search makes as large as it can."""


class Goal(Protocol):
    """What a search is for."""

    @property
    def enough(self) -> Score:
        """The score with which a search may end."""

    def judge(self, instance: OfFamily) -> Scored:
        """Measure an instance; raises SchedproofError where there is nothing to measure."""


@dataclass(frozen=True)
class Objective:
    """A policy and what it is measured against.

    Attributes
    ----------
    against
        The id of a bound (the ratio is at most what is measured), of a program that decides schedules (it is at least
        that), or of a family's regret.
    options
        Of the bound, the program or the regret.
    seed
        Of a policy that draws at random.
    """

    policy: Policy
    against: str
    kind: Kind
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    @property
    def enough(self) -> Score:
        """No ratio is worse than one that is not finite."""
        return inf

    def judge(self, instance: Instance) -> Judged:
        """Measure the policy on an instance.

        Raises
        ------
        SchedproofError
            Where there is nothing to measure: the policy stops, its schedule is not feasible, a side is not positive.
        """
        run = self.policy.run(instance, self.seed)
        if self.kind == "bound":
            bound = compute(self.against, instance, self.options, Context())
            return Judged(run.ratio(bound).exact, run, bound)
        if self.kind == "regret":
            found = run.regret(**self.options)
            return Judged(Fraction(found.lower[-1]), run)
        program = registry.program(self.against, **self.options)
        schedule = program.solve(instance).schedule()
        rules = registry.rules_among(instance.family, program.parameters)
        for what, violations in ((run.policy, run.violations), (self.against, schedule.violations(instance, **rules))):
            if violations:
                raise SchedproofError(f"{what}: its schedule is not feasible (first: {violations[0]})")
        return Judged(quotient(run, schedule.objective(instance, **rules)), run, schedule=schedule)


def quotient(run: Run, known: Fraction) -> Score:
    """How much worse a run is than a known schedule; infinite where it earns nothing and the schedule does."""
    top, bottom = (run.objective, known) if run.sense == "minimize" else (known, run.objective)
    if bottom < 0 or top <= 0:
        raise SchedproofError(f"the ratio {top} / {bottom} says nothing")
    return Fraction(top) / Fraction(bottom) if bottom else inf


def objective(
    policy: Policy, family: str, against: str, options: Mapping[str, Any] | None = None, seed: int = 0
) -> Objective:
    """The objective of those names.

    Raises
    ------
    InputError, UnknownName
        For what is no bound, program or regret of the family.
    """
    if against in ("regret", f"{family}.regret"):
        registry.regret(family)
        return Objective(policy, f"{family}.regret", "regret", options or {}, seed)
    kind: Kind = "bound"
    try:
        id, _ = registry.find("bound", against, family)
    except SchedproofError:
        kind = "program"
        id, _ = registry.find("program", against, family)
    if id.partition(".")[0] != family:
        raise InputError(f"{id} takes no {family} instance")
    return Objective(policy, id, kind, options or {}, seed)


def as_words(score: Score) -> str:
    """A score as text that loses nothing."""
    return "infinite" if score == inf else as_text(Fraction(score))


def from_words(words: str) -> Score:
    """The score that `as_words` wrote."""
    return inf if words == "infinite" else from_text(words)
