"""A policy run on an instance: its schedule, what the checker says of it, and its ratio to a certified bound."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from inspect import signature
from time import perf_counter

from schedproof.core import registry
from schedproof.core.bound import UNPROVEN, Answer, Bound, Guarantee
from schedproof.core.checking import Violation
from schedproof.core.context import USUAL, Context, Progress, silent
from schedproof.core.display import Tabled
from schedproof.core.errors import PolicyError, ProgramError, SchedproofError, describe, short
from schedproof.core.gap import Gap, account
from schedproof.core.instance import Instance, Schedule
from schedproof.core.numbers import as_text, decimals, plural
from schedproof.core.policy import DecidedBy, require_protocol
from schedproof.core.regret import regret
from schedproof.core.untyped import Axes, Frame, Json, OfFamily, Value


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
    """

    policy: str
    family: str
    options: dict[str, Value]
    instance: OfFamily = field(repr=False)
    schedule: OfFamily = field(repr=False)
    violations: tuple[Violation, ...]
    objective: Fraction
    sense: str
    guarantee: Guarantee = field(repr=False)
    seconds: float
    rules: dict[str, Value] = field(default_factory=dict)

    @property
    def feasible(self) -> bool:
        """Whether the checker found nothing."""
        return not self.violations

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

    def ratio(self, bound: Bound) -> Ratio:
        """The measured ratio to a certified bound, beside the guaranteed one."""
        return ratio(self, bound)

    def regret(self, /, *, progress: Progress = silent, time_limit: float | None = None, **options: Value) -> OfFamily:
        """The regret over time against the best fixed decision, for a family that has one; see `core.regret`."""
        return regret(self.family, lambda _: self, options, Context(progress=progress, time_limit=time_limit))

    def to_frame(self) -> Frame:
        """One row per job (pandas), with the run's configuration in ``frame.attrs``."""
        frame = self.schedule.to_frame(self.instance)
        frame.attrs.update(policy=self.policy, options=self.options, instance_sha256=self.instance.sha256)
        return frame

    def plot(self, ax: Axes = None) -> Axes:
        """The schedule's picture."""
        return self.schedule.plot(self.instance, ax)

    def to_json(self) -> dict[str, Json]:
        """The result object of ``run --json``."""
        return {
            "policy": self.policy,
            "family": self.family,
            "objective": float(self.objective),
            "feasible": self.feasible,
            "violations": [v.to_json() for v in self.violations],
            "judged_by": {name: str(value) for name, value in self.rules.items()},
            "seconds": round(self.seconds, 4),
        } | ({"remarks": list(self.remarks)} if self.remarks else {})


@dataclass(frozen=True, repr=False)
class Ratio(Tabled):
    """The measured ratio of a run to a certified bound, beside what is guaranteed and why.

    Attributes
    ----------
    exact
        objective / bound for minimization, bound / objective for maximization: never below the true ratio.
    promised
        What the theorem says, with its premises evaluated on the instance.
    guarantee
        The theorem's value when every premise is ``yes``; None otherwise.
    """

    run: Run = field(repr=False)
    bound: Bound = field(repr=False)
    exact: Fraction
    promised: Guarantee

    @property
    def value(self) -> float:
        """The measured ratio as a double."""
        return float(self.exact)

    @property
    def premises(self) -> dict[str, Answer]:
        """Each premise of the guarantee, evaluated on the instance."""
        return self.promised.premises

    @property
    def guarantee(self) -> Fraction | None:
        """The guaranteed value, quoted only when every premise is met."""
        met = all(answer == "yes" for answer in self.premises.values())
        return self.promised.value if met else None

    @property
    def sentence(self) -> str:
        """What the ratio says, rounded up, with its two sides."""
        among = f" to the optimum among {self.bound.among}" if self.bound.among else ""
        return f"certified ratio <= {decimals(self.exact, 4, up=True)}{among} ({self.sides})"

    @property
    def sides(self) -> str:
        """Objective and bound, the larger one first: ``34 / 29.2 slots``."""
        objective, bound = float(self.run.objective), self.bound.value
        top, bottom = (objective, bound) if self.bound.kind == "lower" else (bound, objective)
        return f"{top:.10g} / {self.run.instance.measure.amount(bottom)}"

    @property
    def promise(self) -> str:
        """What is proven of the policy: the theorem's value where it may be quoted, and which theorem."""
        if self.promised.value is None:
            return "no proven guarantee for this policy"
        value = "nothing, a premise fails" if self.guarantee is None else f"{float(self.guarantee):.6g}"
        return f"guaranteed: {value} ({self.promised.source})"

    def facts(self) -> dict[str, Value]:
        """The two sides, the ratio, and what is guaranteed."""
        return {
            "policy": self.run.policy,
            "bound": self.bound.program,
            "certified ratio": decimals(self.exact, 4, up=True),
            "sides": self.sides,
            "among": self.bound.among,
            "guarantee": self.promise,
            **{premise: answer for premise, answer in self.premises.items() if answer != "yes"},
        }

    @cached_property
    def gap(self) -> Gap:
        """What lies between the objective and the bound, in named parts.

        Raises
        ------
        SchedproofError
            Where there is no such account, in one sentence.
        """
        return account(self.run.schedule, self.run.instance, self.run.objective, self.bound)

    def gap_or_why_not(self) -> tuple[Gap | None, str]:
        """The gap, or the sentence that says why there is no account of it."""
        try:
            return self.gap, ""
        except SchedproofError as error:
            return None, str(error)

    def to_json(self) -> dict[str, Json]:
        """The result object of ``ratio --json``."""
        gap, why_not = self.gap_or_why_not()
        return {
            "value": self.value,
            "exact": as_text(self.exact),
            "guarantee": None if self.guarantee is None else as_text(self.guarantee),
            "theorem": self.promised.source,
            "premises": self.premises,
            "objective": as_text(self.run.objective),
            "bound": as_text(self.bound.exact),
            "gap": {"none": why_not} if gap is None else gap.to_json(),
        }

    def plot(self, ax: Axes = None) -> Axes:
        """The measured ratio as a bar, the optimum's 1 and the guaranteed value as lines."""
        from schedproof.core.pictures import draw_ratio

        return draw_ratio(self, ax)


def ratio(run: Run, bound: Bound) -> Ratio:
    """The ratio of a run to a bound on the same instance, after both have been checked.

    Raises
    ------
    ProgramError
        When the bound is on another family or instance, is about other runs, is on the wrong side or not positive.
    Unproven
        When its certificate proves something else.
    """
    if not isinstance(bound, Bound):
        raise ProgramError(f"expected a bound, as sp.bound(...) gives one, found {short(bound)}")
    if run.family != bound.family:
        raise ProgramError(f"a {run.family} run has no ratio to a {bound.family} bound")
    if not run.feasible:
        raise Infeasible(run)
    side = "lower" if run.sense == "minimize" else "upper"
    if bound.kind != side:
        raise ProgramError(
            f"a ratio for a {run.sense} objective needs a {side} bound, {bound.program} gives a {bound.kind} one"
        )
    bound.require_about(run)
    bound.check(run.instance)
    top, bottom = (run.objective, bound.exact) if side == "lower" else (bound.exact, run.objective)
    if bottom <= 0:
        raise ProgramError(f"the ratio is undefined: {'the bound' if side == 'lower' else 'the objective'} is {bottom}")
    return Ratio(run, bound, Fraction(top) / Fraction(bottom), run.guarantee)


class Infeasible(SchedproofError):
    """A ratio was asked of a schedule that the checker rejects."""

    exit_code = 1

    def __init__(self, run: Run) -> None:
        first = run.violations[0]
        super().__init__(f"{run.policy}: no ratio is quoted, the schedule is not feasible (first: {first})")


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
    own: OfFamily = field(default=None, repr=False)

    def build(self, instance: Instance, context: Context = USUAL) -> OfFamily:
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
        self, instance: Instance, seed: int = 0, *, progress: Progress = silent, time_limit: float | None = None
    ) -> Run:
        """Run the policy on an instance and check what it decided.

        Parameters
        ----------
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
        """
        id, options, context = self.name, self.options, Context(seed, progress, time_limit)
        card = registry.card_of(instance)
        if self.own is None:
            id, entry = registry.find_for("policy", self.name, card)
            options, moved = registry.without_context(id, entry, self.options)
            context = replace(context, **moved)
        decided_by = DecidedBy(id, options, context.seed)
        with _one_sentence(id):
            policy = entry.call(id, options, context) if self.own is None else self.build(instance, context)
            started, compiled = perf_counter(), _compile_seconds()
            schedule: Schedule = card.load("drive")(policy, instance, decided_by, context)
            seconds = perf_counter() - started - (_compile_seconds() - compiled)
            promised = policy.guarantee(instance) if hasattr(policy, "guarantee") else UNPROVEN
            if not isinstance(promised, Guarantee):
                raise PolicyError(f"guarantee of the policy returned {short(promised)}, expected a Guarantee")
        rules = card.rules_among(options)
        return Run(
            policy=id,
            family=card.name,
            options=options,
            instance=instance,
            schedule=schedule,
            violations=tuple(schedule.violations(instance, **rules)),
            objective=schedule.objective(instance, **rules),
            sense=instance.sense,
            guarantee=promised,
            seconds=seconds,
            rules=rules,
        )


def _compile_seconds() -> float:
    """How long kernels have been compiled so far; 0 before any is imported."""
    kernels = sys.modules.get("schedproof.core.kernels")
    return kernels.compile_seconds() if kernels else 0.0


@contextmanager
def _one_sentence(name: str) -> Iterator[None]:
    """An error of a policy as a sentence that names the place; what it was is the sentence's cause."""
    try:
        yield
    except (SchedproofError, MemoryError):
        raise
    except Exception as error:
        raise PolicyError(f"{name} stopped with {describe(error)}") from error


def policy(name: str | OfFamily, /, **options: Value) -> Policy:
    """The policy of that name with its options, or one of your own; ``policy(...).run(instance)`` runs it.

    Parameters
    ----------
    name
        An id or a short name; or a policy of your own, a class or an object that keeps one of the protocols in
        `schedproof.core.policy`.

    Raises
    ------
    SchedproofError
        For a name that no policy has, for an object that keeps no protocol, or options beside an object.
    """
    if isinstance(name, str):
        if not any(kind == "policy" for kind, _, _ in registry.entries_named(name)):
            registry.find("policy", name)
        return Policy(name, options)
    require_protocol(name)
    if options and not isinstance(name, type):
        raise SchedproofError(f"an object has its options already; sp.policy({type(name).__name__}, ...) takes some")
    return Policy((name if isinstance(name, type) else type(name)).__name__, options, name)
