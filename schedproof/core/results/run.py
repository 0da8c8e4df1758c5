"""Run a policy on an instance: schedule, check, and ratio to a certified bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from inspect import isfunction, signature
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import as_fraction, plural
from schedproof.core.base.untyped import AnyFamily, Axes, Frame, Json, Value
from schedproof.core.cards import plug_ins, registry
from schedproof.core.cards.family import Family
from schedproof.core.certificates.bound import Bound, Guarantee
from schedproof.core.data.checking import Violation
from schedproof.core.data.options import Option, typed
from schedproof.core.errors import (
    InputError,
    PolicyError,
    PolicyTimeout,
    SchedproofError,
    one_sentence,
    place_of,
    short,
)
from schedproof.core.programs.program import Program
from schedproof.core.results.guarantee import guarantee_of
from schedproof.core.results.ratio import Ratio, ratio
from schedproof.core.results.regret import regret
from schedproof.core.runtime import clock
from schedproof.core.runtime.contained import contained
from schedproof.core.runtime.context import USUAL, Context, Progress, silent
from schedproof.core.runtime.deadline import Interrupted, best_within
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.core.simulation.pictures import mark_infeasible
from schedproof.core.simulation.policy import DecidedBy, Rule, require_protocol

if TYPE_CHECKING:
    from schedproof.core.simulation.timeline import Timeline


@dataclass(frozen=True, repr=False)
class Run(Tabled):
    """The result of running a policy on an instance.

    Attributes
    ----------
    schedule
        The family's Schedule.
    violations
        Violations found by the independent checker; empty means feasible.
    objective
        The paper's objective of the schedule, exact.
    guarantee
        The policy's guarantee with its premises on this instance.
    seconds
        Time of policy and simulation, without kernel compilation.
    notes
        Data stored by the policy, for example prices: the attribute ``notes`` of a policy object at the end of the run,
        or the dict that a function fills as its keyword argument ``notes``.
    rules
        Rules of the family's card under which the schedule was checked, from the policy's options.
    first_hand
        Whether `Policy.run` made the run. A run changed by `replace` has no guarantee, and is checked again for a
        ratio.
    """

    policy: str
    family: str
    options: dict[str, Value]
    instance: AnyFamily = field(repr=False)
    schedule: AnyFamily = field(repr=False)
    violations: tuple[Violation, ...]
    objective: Fraction
    sense: str
    guarantee: Guarantee = field(repr=False)
    seconds: float
    rules: dict[str, Value] = field(default_factory=dict)
    notes: dict[str, AnyFamily] = field(default_factory=dict, repr=False, compare=False)
    first_hand: bool = field(init=False, default=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        policy: str,
        options: dict[str, Value],
        instance: Instance,
        schedule: Schedule,
        guarantee: Guarantee,
        seconds: float,
        notes: Mapping[str, AnyFamily] = MappingProxyType({}),
    ) -> Run:
        """Return the run for a new schedule, checked under the rules of the options."""
        rules = instance.card.rules_among(options)
        judged = (
            tuple(schedule.violations(instance, **rules)),
            _rational(schedule, schedule.objective(instance, **rules)),
        )
        who = policy, instance.family, options
        run = cls(*who, instance, schedule, *judged, instance.sense, guarantee, seconds, rules, dict(notes))
        object.__setattr__(run, "first_hand", True)
        return run

    @property
    def feasible(self) -> bool:
        """Whether the checker found no violation."""
        return not self.violations

    @property
    def unusual_rules(self) -> dict[str, Value]:
        """The rules that differ from the default."""
        usual = registry.family(self.family).rules_with({})
        return {name: value for name, value in self.rules.items() if value != usual[name]}

    @cached_property
    def flaw(self) -> str:
        """The difference between the run and its schedule; empty if none or first hand."""
        if self.first_hand:
            return ""
        violations = tuple(self.schedule.violations(self.instance, **self.rules))
        objective = self.schedule.objective(self.instance, **self.rules)
        if (self.family, self.sense) != (self.instance.family, self.instance.sense):
            return f"the run is for {self.family} ({self.sense}), not {self.instance.family} ({self.instance.sense})"
        if violations != self.violations:
            return f"the run's schedule has {plural(len(violations), 'violation')}, not {len(self.violations)}"
        if objective != self.objective:
            return f"the objective of the run's schedule is {objective}, not {self.objective}"
        return ""

    @property
    def judgement(self) -> str:
        """The checker's verdict in a few words."""
        return "feasible" if self.feasible else f"NOT feasible: {plural(len(self.violations), 'violation')}"

    def facts(self) -> dict[str, Value]:
        return {
            "policy": self.policy,
            "options": self.options,
            **self.instance.measure.amounts(self.objective, self.instance.extent[0]),
            "checked": self.judgement,
            "seconds": f"{self.seconds:.2f}",
        }

    @property
    def remarks(self) -> tuple[str, ...]:
        """The schedule's notes on how it was made; usually none."""
        return tuple(self.schedule.remarks)

    @cached_property
    def timeline(self) -> Timeline | None:
        """Jobs and use of resources over time, or None for a family without time."""
        line: Timeline | None = self.schedule.timeline(self.instance)
        return line

    @property
    def measures(self) -> dict[str, float]:
        """The timeline's measures by name; empty without a timeline."""
        return {} if self.timeline is None else {name: float(value) for name, value in self.timeline.measures.items()}

    def ratio(self, bound: Bound | Program | str) -> Ratio:
        """Return the measured ratio to a certified bound, or to the bound of a program."""
        if isinstance(bound, str | Program):
            from schedproof.core.certificates.bounds import bound as certified

            bound = certified(bound, self.instance)
        return ratio(self, bound)

    def bound(self, program: Program | str) -> Bound:
        """Return the bound that the policy's multipliers prove on a program.

        The policy stores the multipliers in ``notes["multipliers"]``: group -> index of its row -> number, or row name
        -> number. Dual feasibility is checked in rationals, so floating-point multipliers may be rejected.

        Raises
        ------
        InputError
            If the policy has stored no multipliers.
        ProgramError
            If the multipliers are not dual feasible, with the first row or variable in which they fail.

        Examples
        --------
        See ``examples/cover.py`` and ``examples/flow_time.py``.
        """
        from schedproof.core.certificates.bounds import bound as certified
        from schedproof.core.programs import named

        multipliers = self.notes.get("multipliers")
        if not isinstance(multipliers, Mapping):
            stored = ", ".join(map(str, self.notes)) or "none"
            how = "set notes['multipliers'] = {'group': {index: number}} in the policy"
            raise InputError(f"{self.policy} has stored no multipliers (its notes: {stored}): {how}")
        return certified(
            named.program(program) if isinstance(program, str) else program, self.instance, multipliers=multipliers
        )

    def regret(self, /, *, progress: Progress = silent, time_limit: float | None = None, **options: Value) -> AnyFamily:
        """Return the regret over time against the best fixed decision.

        See `schedproof.core.results.regret`.
        """
        return regret(self.family, lambda _: self, options, Context(progress=progress, time_limit=time_limit))

    def to_frame(self) -> Frame:
        """Return a pandas table, one row per job, with the configuration in ``attrs``."""
        frame = self.schedule.to_frame(self.instance)
        frame.attrs.update(policy=self.policy, options=self.options, instance_sha256=self.instance.sha256)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """Draw the schedule; an infeasible one is marked."""
        return mark_infeasible(self.schedule.plot(self.instance, ax), self.violations)

    def to_json(self) -> dict[str, Json]:
        """Return the result object of ``run --json``."""
        said = {
            "policy": self.policy,
            "family": self.family,
            "objective": float(self.objective),
            "feasible": self.feasible,
            "violations": [v.to_json() for v in self.violations],
            "judged_by": {name: str(value) for name, value in self.rules.items()},
            "seconds": round(self.seconds, 4),
        }
        more = {"measures": self.measures, "remarks": list(self.remarks)}
        return said | {name: value for name, value in more.items() if value}


def _rational(schedule: Schedule, objective: Value) -> Fraction:
    try:
        return as_fraction(objective)
    except (TypeError, ValueError, OverflowError):
        where = place_of(type(schedule).objective)
        what = f"the objective of {type(schedule).__name__}{where} is {short(objective)}"
        raise InputError(f"{what}, expected a finite number; return an int or a Fraction") from None


@dataclass(frozen=True)
class Policy:
    """A policy by name and options; the instance's family resolves a short name.

    Attributes
    ----------
    own
        A policy that is on no card: a class, which each run calls with the options, or an object, which each run
        copies. The policy's protocol decides which families it fits.
    """

    name: str
    options: dict[str, Value]
    own: AnyFamily = field(default=None, repr=False)

    def build(self, instance: Instance, context: Context = USUAL) -> AnyFamily:
        """Return a new policy object for an instance's family, with the context's seed."""
        if self.own is not None:
            applied = {option.name for option in registry.card_of(instance).load("schedule").augmentation()}
            options = {name: value for name, value in self.options.items() if name not in applied}
        if isinstance(self.own, type):
            try:
                signature(self.own).bind(**options)
            except TypeError as error:
                raise SchedproofError(f"the policy {self.name} does not accept its options: {error}") from None
            return self.own(**options)
        if isinstance(self.own, Rule):
            return self.own.having(options)
        if self.own is not None:
            return deepcopy(self.own)
        id, entry = registry.find_for("policy", self.name, registry.card_of(instance))
        return entry.call(id, self.options, context)

    def is_ours(self, card: Family) -> bool:
        """Whether the policy belongs to this package; others get a time limit."""
        if self.own is not None or card.name in plug_ins.DRAFTS:
            return False
        return registry.find_for("policy", self.name, card)[1].home.startswith("schedproof.")

    def run(
        self,
        instance: Instance | str | Path,
        seed: int = 0,
        *,
        progress: Progress = silent,
        time_limit: float | None = None,
    ) -> Run:
        """Run the policy on an instance and check its schedule.

        Parameters
        ----------
        instance
            An instance, or the name of its file.
        seed
            Seed of all random draws.
        progress
            Called with the progress.
        time_limit
            Seconds for each program that the policy solves; default: the policy's usual limit. A policy from outside
            this package must end within this limit.

        Raises
        ------
        PolicyError
            If the policy violates its protocol, raises an error, or does not end within the time limit.
        Interrupted
            If the user interrupts an offline policy, with the run of its best schedule.
        """
        id, options, context = self.name, self.options, Context(seed, progress, time_limit)
        on: Instance = as_instance(instance)
        card = registry.card_of(on)
        if self.own is None:
            id, entry = registry.find_for("policy", self.name, card)
            usual = card.rules_with({})
            own = {option.name: option.default for option in entry.options if option.name in usual}
            options = {name: value for name, value in own.items() if value != usual[name]} | options
        decided_by = DecidedBy(id, options, context.seed)
        with one_sentence(f"{id} stopped with", PolicyError), contained(id):
            policy = entry.call(id, options, context) if self.own is None else self.build(on, context)
            started = clock.now()
            early: Interrupted | None = None
            try:
                drive = partial(card.load("drive"), policy, on, decided_by)
                schedule: Schedule | None = drive(context) if self.is_ours(card) else best_within(context, drive)
            except Interrupted as interrupted:
                early, schedule = interrupted, interrupted.best
            seconds = clock.now() - started
            if schedule is None:
                raise PolicyTimeout(f"{id} did not end within the time limit of {round(time_limit or 0, 2):g} s")
            promised, notes = guarantee_of(policy, on), getattr(policy, "notes", {})
            if not isinstance(notes, Mapping):
                raise PolicyError(f"{id}: expected a dict in the attribute `notes` of the policy, found {short(notes)}")
        run = Run.of(id, options, on, schedule, promised, seconds, notes)
        if early is not None:
            raise Interrupted(run) from None
        return run

    def remedies(self, instance: Instance) -> Iterator[tuple[Option, Value]]:
        """Yield each rule of the family with a value that makes the schedule feasible."""
        for rule in registry.card_of(instance).rules:
            for value in rule.kind.choices:
                with suppress(SchedproofError):  # the policy has no such option
                    if replace(self, options={**self.options, rule.name: value}).run(instance).feasible:
                        yield rule, value


def policy(name: str | AnyFamily, /, **options: Value) -> Policy:
    """Return the policy with this name, or wrap your own; `Policy.run` runs it.

    Parameters
    ----------
    name
        An id, a short name, or a `Policy`. Your own policy is a function, called by the family's ``drive``, or a class
        or object with a protocol of `schedproof.core.simulation.policy`. ``FILE.py:NAME`` names a policy in a file; its
        annotations then convert options from text to numbers.

    Raises
    ------
    SchedproofError
        For an unknown name, an object without a protocol, or options for an object.
    """
    if isinstance(name, Policy):
        return replace(name, options=name.options | options)
    if isinstance(name, str) and ".py:" in name:
        own = plug_ins.named(name)
        return policy(own, **(typed(own, options) if callable(own) else options))
    if isinstance(name, str):
        if not any(kind == "policy" for kind, _, _ in registry.entries_named(name)):
            registry.find("policy", name)
        return Policy(name, options)
    if isfunction(name):
        return Policy(name.__name__, options, Rule(name, options))
    require_protocol(name)
    if options and not isinstance(name, type):
        raise SchedproofError(f"a policy object takes no options; use sp.policy({type(name).__name__}, ...)")
    return Policy((name if isinstance(name, type) else type(name)).__name__, options, name)
