"""What a search makes as large as it can: a ratio or a regret of a policy, exact, each with what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import compute
from schedproof.core.data.options import pick
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.programs import named
from schedproof.core.results.run import Policy, Run
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.instance import Instance, Schedule

Score = Fraction | float  # an exact number, or `inf`
Kind = Literal["bound", "program", "regret"]
Only = Literal["all", "finite", "guaranteed"]
ONLY: Mapping[str, Only] = {"all": "all", "finite": "finite", "guaranteed": "guaranteed"}


class Judged(NamedTuple):
    """A policy on an instance, beside what it is measured against.

    Attributes
    ----------
    ratio
        The ratio or the regret.
    bound
        A certified bound on the optimum; None where the other side is a schedule, or the best fixed decision.
    schedule
        The better schedule, found by a program and checked; None for the others.
    regret
        The regret that was measured, enclosed; None for a ratio.
    guaranteed
        What is guaranteed of the ratio or the regret, where a search is for the largest share of that.
    """

    ratio: Score
    run: Run
    bound: Bound | None = None
    schedule: Schedule | None = None
    regret: AnyFamily = None
    guaranteed: Fraction | None = None

    @property
    def score(self) -> Score:
        """The ratio or the regret, or its share of what is guaranteed."""
        return self.ratio / self.guaranteed if self.guaranteed else self.ratio


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

    def judge(self, instance: AnyFamily) -> Scored:
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
    only
        Which instances count: ``all``; ``finite`` those on which the ratio is; ``guaranteed`` those on which every
        premise of the policy's guarantee holds, and there the score is the share of what that promises.
    """

    policy: Policy
    against: str
    kind: Kind
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    only: Only = "all"

    @property
    def enough(self) -> Score:
        """No ratio is worse than one that is not finite."""
        return inf

    def judge(self, instance: Instance) -> Judged:
        """Measure the policy on an instance.

        Raises
        ------
        SchedproofError
            Where there is nothing to measure: the policy stops, its schedule is not feasible, a side is not positive,
            it is none of the instances that count.
        """
        run = self.policy.run(instance, self.seed)
        if self.only == "guaranteed":
            require_premises(run)
        result = self._measure(run)
        if self.only == "finite" and result.ratio == inf:
            raise SchedproofError(f"{run.policy} earns nothing")
        if self.only != "guaranteed":
            return result
        promised = run.guarantee.value if self.kind != "regret" else getattr(result.regret, "guarantee", None)
        if promised is None:
            raise SchedproofError(f"nothing is guaranteed of {run.policy}")
        return result._replace(guaranteed=promised)

    def _measure(self, run: Run) -> Judged:
        instance: Instance = run.instance
        if self.kind == "bound":
            bound = compute(self.against, instance, self.options, Context())
            return Judged(run.ratio(bound).exact, run, bound)
        if self.kind == "regret":
            result = run.regret(**self.options)
            return Judged(Fraction(result.lower[-1]), run, regret=result)
        program = named.program(self.against, **self.options)
        schedule = program.solve(instance).schedule()
        rules = instance.card.rules_among(program.parameters)
        for what, violations in ((run.policy, run.violations), (self.against, schedule.violations(instance, **rules))):
            if violations:
                raise SchedproofError(f"{what}: its schedule is not feasible (first: {violations[0]})")
        return Judged(quotient(run, schedule.objective(instance, **rules)), run, schedule=schedule)


def require_premises(run: Run) -> None:
    """Refuse a run of which no theorem speaks, or that misses one of its premises."""
    promised = run.guarantee
    if not promised.premises:
        raise SchedproofError(f"nothing is guaranteed of {run.policy}")
    for premise, answer in promised.premises.items():
        if answer != "yes":
            raise SchedproofError(f"{promised.source} does not speak of it: {premise}? {answer}")


def quotient(run: Run, known: Fraction) -> Score:
    """How much worse a run is than a known schedule; infinite where it earns nothing and the schedule does."""
    top, bottom = (run.objective, known) if run.sense == "minimize" else (known, run.objective)
    if bottom < 0 or top <= 0:
        raise SchedproofError(f"the ratio {top} / {bottom} says nothing")
    return Fraction(top) / Fraction(bottom) if bottom else inf


def objective(
    policy: Policy,
    family: str,
    against: str,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    only: str = "all",
) -> Objective:
    """The objective of those names.

    Raises
    ------
    InputError, UnknownName
        For what is no bound, program or regret of the family.
    """
    chosen: Only = pick("instances", only, ONLY)
    if against in ("regret", f"{family}.regret"):
        registry.regret(family)
        return Objective(policy, f"{family}.regret", "regret", options or {}, seed, chosen)
    kind: Kind = "bound"
    try:
        id, _ = registry.find("bound", against, family)
    except SchedproofError:
        kind = "program"
        id, _ = registry.find("program", against, family)
    if id.partition(".")[0] != family:
        raise InputError(f"{id} takes no {family} instance")
    return Objective(policy, id, kind, options or {}, seed, chosen)


def as_words(score: Score) -> str:
    """A score as text that loses nothing."""
    return "infinite" if score == inf else as_text(Fraction(score))


def from_words(words: str) -> Score:
    """The score that `as_words` wrote."""
    return inf if words == "infinite" else from_text(words)
