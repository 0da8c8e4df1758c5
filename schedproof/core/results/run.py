"""A policy run on an instance: its schedule, what the checker says of it, and its ratio to a certified bound."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from inspect import isfunction, signature
from pathlib import Path
from typing import TYPE_CHECKING

from schedproof.core.base.display import Tabled
from schedproof.core.base.numbers import plural
from schedproof.core.base.untyped import AnyFamily, Axes, Frame, Json, Value
from schedproof.core.cards import plug_ins, registry
from schedproof.core.certificates.bound import Bound, Guarantee
from schedproof.core.data.checking import Violation
from schedproof.core.data.options import typed
from schedproof.core.errors import PolicyError, SchedproofError, one_sentence
from schedproof.core.programs.program import Program
from schedproof.core.results.guarantee import guarantee_of
from schedproof.core.results.ratio import Ratio, ratio
from schedproof.core.results.regret import regret
from schedproof.core.runtime import clock
from schedproof.core.runtime.context import USUAL, Context, Progress, silent
from schedproof.core.runtime.deadline import Interrupted
from schedproof.core.simulation.coerce import as_instance
from schedproof.core.simulation.instance import Instance, Schedule
from schedproof.core.simulation.pictures import mark_infeasible
from schedproof.core.simulation.policy import DecidedBy, Rule, require_protocol

if TYPE_CHECKING:
    from schedproof.core.simulation.timeline import Timeline


@dataclass(frozen=True, repr=False)
class Run(Tabled):
    """What came out of running a policy on an instance.

    Attributes
    ----------
    schedule
        The family's Schedule.
    violations
        What the independent checker says of it; empty means feasible.
    objective
        The paper's objective of the schedule, exact.
    guarantee
        What is proven of this policy, with its premises evaluated on this instance.
    seconds
        Of the policy and its simulation, without those in which kernels were compiled or read.
    rules
        What the schedule was judged by: the rules of the family's card, as the policy's options tell them.
    first_hand
        Whether it is as `Policy.run` gave it; one that `replace` changed is judged again before it has a ratio, and
        nothing is guaranteed of it.
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
    ) -> Run:
        """The run of a policy whose schedule has just been made, judged by the rules that its options tell."""
        rules = instance.card.rules_among(options)
        judged = tuple(schedule.violations(instance, **rules)), Fraction(schedule.objective(instance, **rules))
        who = policy, instance.family, options
        run = cls(*who, instance, schedule, *judged, instance.sense, guarantee, seconds, rules)
        object.__setattr__(run, "first_hand", True)
        return run

    @property
    def feasible(self) -> bool:
        """Whether the checker found nothing."""
        return not self.violations

    @property
    def unusual_rules(self) -> dict[str, Value]:
        """Those of its rules that are not the usual ones."""
        usual = registry.family(self.family).rules_with({})
        return {name: value for name, value in self.rules.items() if value != usual[name]}

    @cached_property
    def flaw(self) -> str:
        """What the run says otherwise than its schedule, which is judged again unless the run is first hand."""
        if self.first_hand:
            return ""
        violations = tuple(self.schedule.violations(self.instance, **self.rules))
        objective = self.schedule.objective(self.instance, **self.rules)
        if (self.family, self.sense) != (self.instance.family, self.instance.sense):
            return f"it is a {self.family} run that is to {self.sense}, on a {self.instance.family} instance"
        if violations != self.violations:
            return f"its schedule has {plural(len(violations), 'violation')}, not {len(self.violations)}"
        if objective != self.objective:
            return f"the objective of its schedule is {objective}, not {self.objective}"
        return ""

    @property
    def judgement(self) -> str:
        """What the checker says, in two or three words."""
        return "feasible" if self.feasible else f"NOT feasible: {plural(len(self.violations), 'violation')}"

    def facts(self) -> dict[str, Value]:
        """Policy, options, objective, what the checker says, and how long it took."""
        return {
            "policy": self.policy,
            "options": self.options,
            **self.instance.measure.amounts(self.objective, self.instance.extent[0]),
            "checked": self.judgement,
            "seconds": f"{self.seconds:.2f}",
        }

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes of the schedule on how it was made, one sentence each; most have none."""
        return tuple(self.schedule.remarks)

    @cached_property
    def timeline(self) -> Timeline | None:
        """When its jobs run and are done, and how full resources are; None where nothing tells time."""
        line: Timeline | None = self.schedule.timeline(self.instance)
        return line

    @property
    def measures(self) -> dict[str, float]:
        """The timeline's measures, by name; empty where there are none."""
        return {} if self.timeline is None else {name: float(value) for name, value in self.timeline.measures.items()}

    def ratio(self, bound: Bound | Program | str) -> Ratio:
        """The measured ratio to a certified bound, or to that of a program, beside the guaranteed one."""
        if isinstance(bound, str | Program):
            from schedproof.core.certificates.bounds import bound as certified

            bound = certified(bound, self.instance)
        return ratio(self, bound)

    def regret(self, /, *, progress: Progress = silent, time_limit: float | None = None, **options: Value) -> AnyFamily:
        """The regret over time against the best fixed decision, for a family that has one; see `core.regret`."""
        return regret(self.family, lambda _: self, options, Context(progress=progress, time_limit=time_limit))

    def to_frame(self) -> Frame:
        """One row per job (pandas), with the run's configuration in ``frame.attrs``."""
        frame = self.schedule.to_frame(self.instance)
        frame.attrs.update(policy=self.policy, options=self.options, instance_sha256=self.instance.sha256)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """The schedule's picture, which says so where the schedule is not feasible."""
        return mark_infeasible(self.schedule.plot(self.instance, ax), self.violations)

    def to_json(self) -> dict[str, Json]:
        """The result object of ``run --json``."""
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


@dataclass(frozen=True)
class Policy:
    """A policy by name and options, before it meets an instance; short names are resolved by the instance's family.

    Attributes
    ----------
    own
        A policy that is on no card: its class, which is called with the options, or an object, of which each run uses a
        copy. It is for the family whose protocol it keeps.
    """

    name: str
    options: dict[str, Value]
    own: AnyFamily = field(default=None, repr=False)

    def build(self, instance: Instance, context: Context = USUAL) -> AnyFamily:
        """A fresh policy object for an instance's family; one that draws at random draws with the context's seed."""
        if isinstance(self.own, type):
            try:
                signature(self.own).bind(**self.options)
            except TypeError as error:
                raise SchedproofError(f"the policy {self.name} cannot be made of its options: {error}") from None
            return self.own(**self.options)
        if self.own is not None:
            return deepcopy(self.own)
        id, entry = registry.find_for("policy", self.name, registry.card_of(instance))
        return entry.call(id, self.options, context)

    def run(
        self,
        instance: Instance | str | Path,
        seed: int = 0,
        *,
        progress: Progress = silent,
        time_limit: float | None = None,
    ) -> Run:
        """Run the policy on an instance and check what it decided.

        Parameters
        ----------
        instance
            An instance, or the name of its file.
        seed
            Of every random choice.
        progress
            Called with the progress.
        time_limit
            Seconds for each program that the policy solves; what the policy holds usual if not given.

        Raises
        ------
        PolicyError
            When the policy does not keep its protocol, or stops with an error of its own.
        Interrupted
            When the user has interrupted an offline policy, with the run of the best schedule that it had.
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
        with one_sentence(f"{id} stopped with", PolicyError):
            policy = entry.call(id, options, context) if self.own is None else self.build(on, context)
            started = clock.now()
            early: Interrupted | None = None
            try:
                schedule: Schedule = card.load("drive")(policy, on, decided_by, context)
            except Interrupted as interrupted:
                early, schedule = interrupted, interrupted.best
            seconds = clock.now() - started
            promised = guarantee_of(policy, on)
        run = Run.of(id, options, on, schedule, promised, seconds)
        if early is not None:
            raise Interrupted(run) from None
        return run


def policy(name: str | AnyFamily, /, **options: Value) -> Policy:
    """The policy of that name with its options, or one of your own; ``policy(...).run(instance)`` runs it.

    Parameters
    ----------
    name
        An id or a short name, or a policy that has been made so; or one of your own: a function, as the family's
        ``drive`` calls it, or a class or an object that keeps one of the protocols in
        `schedproof.core.simulation.policy`. For one in a file ``FILE.py:NAME``, and its options may be text, read as
        the numbers that its parameters are.

    Raises
    ------
    SchedproofError
        For a name that no policy has, for an object that keeps no protocol, or options beside an object.
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
        raise SchedproofError(f"an object has its options already; sp.policy({type(name).__name__}, ...) takes some")
    return Policy((name if isinstance(name, type) else type(name)).__name__, options, name)
