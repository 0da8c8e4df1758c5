"""The ratio of a run to a certified bound, after both are checked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import above, as_text, decimals, rounded, shown
from schedproof.core.base.untyped import AnyFamily, Axes, Json, Value
from schedproof.core.cards import registry
from schedproof.core.certificates.bound import UNPROVEN, Answer, Bound, Guarantee
from schedproof.core.certificates.gap import Gap, account
from schedproof.core.errors import Contradiction, InputError, ProgramError, SchedproofError, short
from schedproof.core.results.guarantee import is_claim
from schedproof.core.simulation.instance import Schedule


@dataclass(frozen=True, repr=False)
class Ratio(Tabled):
    """The measured ratio of a run to a certified bound, with the policy's guarantee.

    Attributes
    ----------
    exact
        objective / bound for minimization, bound / objective for maximization; never below the true ratio.
    promised
        The theorem's guarantee with its premises on the instance.
    guarantee
        The guaranteed ratio if every premise is ``yes``, else None.
    """

    run: AnyFamily = field(repr=False)
    bound: Bound = field(repr=False)
    exact: Fraction
    promised: Guarantee

    @property
    def value(self) -> float:
        """The least double that is at least the exact ratio."""
        return above(self.exact)

    @property
    def premises(self) -> dict[str, Answer]:
        """The answer on the instance for each premise of the guarantee."""
        return self.promised.premises

    @property
    def guarantee(self) -> Fraction | None:
        """The guaranteed ratio, or None unless every premise is satisfied."""
        met = all(answer == "yes" for answer in self.premises.values())
        return self.promised.value if met else None

    @property
    def sentence(self) -> str:
        """The ratio, rounded up, with non-default rules, and objective and bound."""
        rules = "".join(f" {_in_words(name, value)}" for name, value in self.run.unusual_rules.items())
        among = f" to the optimum among {self.bound.among}" if self.bound.among else ""
        return f"certified ratio <= {decimals(self.exact, 4, up=True)}{rules}{among} ({self.sides})"

    @property
    def sides(self) -> str:
        """Objective and bound, the larger one first: ``34 / 29.2 slots``."""
        measure, kind = self.run.instance.measure, self.bound.kind
        if kind == "lower":
            return f"{float(self.run.objective):.10g} / {measure.amount(self.bound.exact, kind)}"
        return f"{rounded(self.bound.exact, 10, up=True)} / {measure.amount(self.run.objective)}"

    @property
    def promise(self) -> str:
        """The proven guarantee and its source, as text."""
        if self.promised.value is None:
            return "no proven guarantee for this policy"
        source = self.promised.source
        if self.guarantee is None:
            return f"guaranteed: nothing, a premise fails ({source})"
        by = f" ({source})" if is_claim(source) else f", says {source}"
        return f"guaranteed: {rounded(self.guarantee, 6, up=True)}{by}"

    def facts(self) -> dict[str, Value]:
        return {
            "policy": self.run.policy,
            "bound": self.bound.program,
            "certified ratio": decimals(self.exact, 4, up=True),
            "sides": self.sides,
            "rules": self.run.unusual_rules,
            "among": self.bound.among,
            "guarantee": self.promise,
            **{premise: answer for premise, answer in self.premises.items() if answer != "yes"},
        }

    @cached_property
    def gap(self) -> Gap:
        """The gap between objective and bound, in named parts.

        Raises
        ------
        SchedproofError
            If the family has no gap breakdown.
        """
        return account(self.run.schedule, self.run.instance, self.run.objective, self.bound)

    def gap_or_why_not(self) -> tuple[Gap | None, str]:
        """Return the gap, or the reason for having none."""
        try:
            return self.gap, ""
        except SchedproofError as error:
            return None, str(error)

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``ratio --json``."""
        gap, why_not = self.gap_or_why_not()
        return {
            "value": self.value,
            "exact": as_text(self.exact),
            "guarantee": None if self.guarantee is None else as_text(self.guarantee),
            "theorem": self.promised.source,
            "premises": self.premises,
            "objective": as_text(self.run.objective),
            "bound": as_text(self.bound.exact),
            "judged_by": {name: str(value) for name, value in self.run.rules.items()},
            "gap": {"none": why_not} if gap is None else gap.to_json(),
        }

    def plot(self, ax: Axes = None, *, known: Sequence[Schedule] = (), beside: Sequence[Ratio] = ()) -> Axes:
        """Draw the ratio as a point, the interval of the true ratio, and the guarantee.

        Parameters
        ----------
        known
            Schedules of the instance; the ratio to the best of them is a lower bound on the true ratio.
        beside
            Ratios of other policies, one row each.
        """
        from schedproof.core.simulation.pictures import draw_ratios

        lows = [interval(each, known).low if known else None for each in (self, *beside)]
        return draw_ratios(list(zip((self, *beside), lows, strict=True)), ax)


def ratio(run: AnyFamily, bound: Bound) -> Ratio:
    """Return the ratio of a run to a bound on the same instance, after checking both.

    Raises
    ------
    ProgramError
        If bound and run differ in family, instance, rule or side, if the bound is not positive, or if the run
        contradicts its schedule.
    Unproven
        If the certificate does not prove the bound.
    Infeasible
        If the checker rejects the schedule.
    Contradiction
        If the run is better than the bound allows.
    """
    if not isinstance(bound, Bound):
        raise ProgramError(f"expected a bound, for example from sp.bound(...), found {short(bound)}")
    if run.family != bound.family:
        raise ProgramError(f"a {run.family} run has no ratio to a {bound.family} bound")
    if run.flaw:
        raise ProgramError(f"{run.policy}: no ratio is reported: {run.flaw}")
    if not run.feasible:
        raise Infeasible(run)
    side = "lower" if run.sense == "minimize" else "upper"
    if bound.kind != side:
        raise ProgramError(
            f"a ratio for a {run.sense} objective needs a {side} bound, but {bound.program} gives a {bound.kind} bound"
        )
    bound.require_about(run)
    bound.check(run.instance)
    require_consistent(run.policy, run.objective, run.rules, bound)
    top, bottom = (run.objective, bound.exact) if side == "lower" else (bound.exact, run.objective)
    if bottom <= 0:
        raise ProgramError(f"the ratio is undefined: {'the bound' if side == 'lower' else 'the objective'} is {bottom}")
    return Ratio(run, bound, Fraction(top) / Fraction(bottom), run.guarantee if run.first_hand else UNPROVEN)


@dataclass(frozen=True)
class Interval:
    """An interval that contains the ratio of a run to the optimum.

    Attributes
    ----------
    ratio
        The ratio to the certified bound.
    known
        Exact objective of the best known schedule. The run's own schedule counts if the bound covers it.
    """

    ratio: Ratio
    known: Fraction

    @property
    def low(self) -> Fraction:
        """A lower bound on the true ratio."""
        run = self.ratio.run
        top, bottom = (run.objective, self.known) if run.sense == "minimize" else (self.known, run.objective)
        return Fraction(top) / Fraction(bottom)

    @property
    def high(self) -> Fraction:
        """An upper bound on the true ratio."""
        return self.ratio.exact

    @property
    def sentence(self) -> str:
        """The interval, rounded outwards, and the best known objective."""
        low, high = decimals(self.low, 4, up=False), decimals(self.high, 4, up=True)
        best = self.ratio.run.instance.measure.amount(float(self.known))
        known = f"best known schedule: {best}, certified ratio <= {decimals(self.known_ratio, 4, up=True)}"
        return f"true ratio in [{low}, {high}] ({known})"

    @property
    def known_ratio(self) -> Fraction:
        """The best known schedule's ratio to the bound; times `low` it gives `high`."""
        return self.high / self.low

    def to_json(self) -> dict[str, Json]:
        """Return both ends, the best known objective and its ratio to the bound, exactly."""
        ends = {"interval": [as_text(self.low), as_text(self.high)]}
        return {**ends, "best_known": as_text(self.known), "best_known_ratio": as_text(self.known_ratio)}


def interval(ratio: Ratio, known: Sequence[Schedule]) -> Interval:
    """Enclose the true ratio of a run, after checking the known schedules.

    The known schedules are checked under the bound's rules. A rule that the bound leaves open is taken from the run.

    Raises
    ------
    InputError
        If a schedule is infeasible.
    ProgramError
        If the bound covers only some of the schedules under its rules.
    Contradiction
        If a schedule is better than the bound allows.
    """
    run, bound = ratio.run, ratio.bound
    either = (name for name, what in registry.bound_entry(bound.program).rules.items() if what == "any")
    rules = run.instance.card.rules_among(bound.parameters) | {name: run.rules[name] for name in either}
    if bound.among and not bound.covers(rules):
        raise ProgramError(
            f"{bound.program} bounds only the optimum among {bound.among}; a known schedule may be outside this set"
        )
    objectives = []
    for schedule in known:
        if violations := schedule.violations(run.instance, **rules):
            judged = ", ".join(f"{name}={value}" for name, value in rules.items())
            raise InputError(f"a known schedule is infeasible under {judged} (first violation: {violations[0]})")
        objectives.append(schedule.objective(run.instance, **rules))
        require_consistent(f"the known schedule of {schedule.policy}", objectives[-1], rules, bound)
    own = [run.objective] if run.rules == rules else []  # a run under other rules is not comparable
    if not own + objectives:
        raise ProgramError("the bound covers none of the known schedules")
    return Interval(ratio, (min if run.sense == "minimize" else max)(own + objectives))


def require_consistent(what: str, objective: Fraction, rules: Mapping[str, Value], bound: Bound) -> None:
    """Raise an error if a checked schedule beats a certified bound under its rules.

    Raises
    ------
    Contradiction
        The message states both numbers.
    """
    if bound.covers(rules) and bound.is_beaten_by(objective):
        side = "below" if bound.kind == "lower" else "above"
        raise Contradiction(
            f"{what}: the objective {shown(objective)} of its checked schedule is {side} the certified "
            f"{bound.kind} bound {shown(bound.exact)} on {bound.program}: the bound, the checker or the objective is "
            "wrong"
        )


def _in_words(rule: str, value: Value) -> str:
    return f"at {rule} {value}" if isinstance(value, int | Fraction) else f"with {rule}={value}"


class Infeasible(SchedproofError):
    """The checker rejects the schedule, so it has no ratio."""

    exit_code = 1

    def __init__(self, run: AnyFamily) -> None:
        first = run.violations[0]
        super().__init__(f"{run.policy}: no ratio is reported: the schedule is not feasible (first violation: {first})")
