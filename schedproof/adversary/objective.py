"""Objectives of a search: the exact ratio or regret of a policy, with its proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

from schedproof.core.base.numbers import as_text, from_text
from schedproof.core.base.untyped import AnyFamily
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.bounds import compute
from schedproof.core.data.checking import Violation
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
    """A policy's measured ratio or regret on an instance.

    Attributes
    ----------
    ratio
        The ratio or the regret.
    bound
        A certified bound on the optimum, or None unless measured against a bound.
    schedule
        The better schedule, found by a program and checked, or None for a bound, a regret, or a proven optimum without
        a schedule.
    regret
        The measured regret, enclosed, or None for a ratio.
    guaranteed
        The guaranteed ratio or regret, if the score is the measured value divided by it.
    """

    ratio: Score
    run: Run
    bound: Bound | None = None
    schedule: Schedule | None = None
    regret: AnyFamily = None
    guaranteed: Fraction | None = None

    @property
    def score(self) -> Score:
        return self.ratio / self.guaranteed if self.guaranteed else self.ratio


class Scored(Protocol):
    """The measurement of an instance."""

    @property
    def score(self) -> Score:
        """The number to be maximised."""


class Goal(Protocol):
    """The goal of a search."""

    @property
    def enough(self) -> Score:
        """The score at which a search may end."""

    def judge(self, instance: AnyFamily) -> Scored:
        """Measure an instance; raises SchedproofError if it has no score."""


@dataclass(frozen=True)
class Objective:
    """A policy, and the reference for its ratio or regret.

    Attributes
    ----------
    against
        The id of a bound (the measured ratio is an upper bound on the true ratio), of a program with schedules (the
        measured ratio is a lower bound), of a program with a proven optimum (the measured ratio is exact), or of a
        family's regret.
    options
        Options of the bound, program or regret.
    seed
        Seed of a randomised policy.
    only
        Which instances count. ``all``; ``finite``: those with a finite ratio; ``guaranteed``: those that meet every
        premise of the policy's guarantee. With ``guaranteed`` the score is the measured value divided by the guarantee.
    time_limit
        Seconds within which a policy from outside this package must end; None for no limit.
    """

    policy: Policy
    against: str
    kind: Kind
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    only: Only = "all"
    time_limit: float | None = None

    @property
    def enough(self) -> Score:
        """The score at which the search ends: an infinite ratio."""
        return inf

    def judge(self, instance: Instance) -> Judged:
        """Measure the policy on an instance.

        Raises
        ------
        SchedproofError
            If the instance has no score: the policy fails, its schedule is infeasible, a denominator is not positive,
            or `only` excludes the instance. If the policy does not end, a `PolicyTimeout`.
        """
        limit = None if self.policy.is_ours(instance.card) else self.time_limit
        run = self.policy.run(instance, self.seed, time_limit=limit)
        if self.only == "guaranteed":
            require_premises(run)
        result = self._measure(run)
        if self.only == "finite" and result.ratio == inf:
            raise SchedproofError(f"the reward of {run.policy} is 0, so its ratio is infinite")
        if self.only != "guaranteed":
            return result
        promised = run.guarantee.value if self.kind != "regret" else getattr(result.regret, "guarantee", None)
        if promised is None:
            raise SchedproofError(f"{run.policy} has no guarantee")
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
        solution = program.solve(instance)
        _require_feasible(run.policy, run.violations)
        if program.to_schedule is None and solution.proven and solution.exact is not None:
            return Judged(quotient(run, solution.exact), run)
        schedule = solution.schedule()
        rules = instance.card.rules_among(program.parameters)
        _require_feasible(self.against, schedule.violations(instance, **rules))
        return Judged(quotient(run, schedule.objective(instance, **rules)), run, schedule=schedule)


def _require_feasible(whose: str, violations: Sequence[Violation]) -> None:
    if violations:
        raise SchedproofError(f"{whose}: the schedule is not feasible (first violation: {violations[0]})")


def require_premises(run: Run) -> None:
    """Raise an error unless a theorem, whose premises hold, guarantees the ratio."""
    promised = run.guarantee
    if not promised.premises:
        raise SchedproofError(f"{run.policy} has no guarantee")
    for premise, answer in promised.premises.items():
        if answer != "yes":
            raise SchedproofError(f"the guarantee {promised.source} does not apply: premise '{premise}': {answer}")


def quotient(run: Run, known: Fraction) -> Score:
    """Return the ratio of a run to a known schedule; infinite if only the run earns 0."""
    top, bottom = (run.objective, known) if run.sense == "minimize" else (known, run.objective)
    if bottom < 0 or top <= 0:
        raise SchedproofError(
            f"the ratio {top} / {bottom} is undefined: expected a numerator > 0 and a denominator >= 0"
        )
    return Fraction(top) / Fraction(bottom) if bottom else inf


def objective(
    policy: Policy,
    family: str,
    against: str,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    only: str = "all",
) -> Objective:
    """Return the objective that scores the policy against the named bound or program.

    Raises
    ------
    InputError, UnknownName
        If `against` is no bound, program or regret of the family.
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
        raise InputError(f"{id} takes {id.partition('.')[0]} instances, not {family} instances")
    return Objective(policy, id, kind, options or {}, seed, chosen)


def as_words(score: Score) -> str:
    """Return a score as exact text."""
    return "infinite" if score == inf else as_text(Fraction(score))


def from_words(words: str) -> Score:
    """Return the score that `as_words` wrote."""
    return inf if words == "infinite" else from_text(words)
