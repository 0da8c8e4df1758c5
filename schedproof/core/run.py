"""A policy's run on an instance: its schedule, checked, and the two ways on from there (frame and ratio)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Any

from schedproof.core import registry
from schedproof.core.bound import Bound, Guarantee, Ratio, ratio

LONGEST = 30  # characters of a rational that a sentence bears


@dataclass(frozen=True)
class Violation:
    """One broken constraint of a schedule.

    Attributes
    ----------
    constraint
        Its name in the checker.
    where
        The job, chunk, server and slot concerned, in words.
    by
        By how much it is broken, in the constraint's own unit.
    """

    constraint: str
    where: str
    by: Fraction

    def __str__(self) -> str:
        by = str(self.by)
        return f"{self.constraint} at {self.where} by {by if len(by) <= LONGEST else f'{float(self.by):.6g}'}"

    def to_json(self) -> dict[str, Any]:
        """The row that ``check --json`` prints."""
        return {"constraint": self.constraint, "where": self.where, "by": str(self.by)}


@dataclass(frozen=True)
class Run:
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
    """

    policy: str
    family: str
    options: dict[str, Any]
    instance: Any = field(repr=False)
    schedule: Any = field(repr=False)
    violations: tuple[Violation, ...]
    objective: Fraction
    sense: str
    guarantee: Guarantee = field(repr=False)
    seconds: float

    @property
    def feasible(self) -> bool:
        """Whether the checker found nothing."""
        return not self.violations

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the schedule tells of how it was made, one sentence each; most have nothing to tell."""
        return tuple(getattr(self.schedule, "remarks", ()))

    def ratio(self, bound: Bound) -> Ratio:
        """The measured ratio to a certified bound, beside the guaranteed one."""
        return ratio(self, bound)

    def regret(self, **options: Any) -> Any:
        """The regret over time against the best fixed decision, for a family that has one."""
        _, compute = registry.look_up("regrets", self.family)
        return registry.call(f"the regret of {self.family}", compute, options, self)

    def to_frame(self) -> Any:
        """One row per job (pandas), with the run's configuration in ``frame.attrs``."""
        frame = self.schedule.to_frame(self.instance)
        frame.attrs.update(policy=self.policy, options=self.options, instance_sha256=self.instance.sha256)
        return frame

    def plot(self, ax: Any = None) -> Any:
        """The schedule's picture."""
        return self.schedule.plot(self.instance, ax)

    def to_json(self) -> dict[str, Any]:
        """The result object of ``run --json``."""
        return {
            "policy": self.policy,
            "family": self.family,
            "objective": float(self.objective),
            "feasible": self.feasible,
            "violations": [v.to_json() for v in self.violations],
            "seconds": round(self.seconds, 4),
        } | ({"remarks": list(self.remarks)} if self.remarks else {})


@dataclass(frozen=True)
class PolicyChoice:
    """A policy by name and options, before it meets an instance; short names are resolved by the instance's family."""

    name: str
    options: dict[str, Any]

    def build(self, instance: Any, seed: int = 0) -> Any:
        """A fresh policy object for an instance's family; one that draws at random draws with the seed."""
        id, factory = registry.look_up("policies", self.name, instance.family)
        drawing = "seed" in inspect.signature(factory).parameters
        return registry.call(id, factory, {"seed": seed} | self.options if drawing else self.options)

    def run(self, instance: Any, seed: int = 0, progress: Callable[[int], None] = lambda jobs: None) -> Run:
        """Run the policy on an instance and check what it decided."""
        policy = self.build(instance, seed)
        id, _ = registry.look_up("policies", self.name, instance.family)
        started = perf_counter()
        schedule = instance.drive(policy, id, self.options, seed, progress)
        seconds = perf_counter() - started
        violations = tuple(schedule.violations(instance))
        return Run(
            policy=id,
            family=instance.family,
            options=self.options,
            instance=instance,
            schedule=schedule,
            violations=violations,
            objective=schedule.objective(instance),
            sense=instance.sense,
            guarantee=policy.guarantee(instance),
            seconds=seconds,
        )


def policy(name: str, **options: Any) -> PolicyChoice:
    """The policy of that name, with its options; ``policy(...).run(instance)`` runs it."""
    return PolicyChoice(name, options)
