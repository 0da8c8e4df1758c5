"""Schedules of a family: random schedules, the file format, and mutations."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

from tests.instances.broken import Shape
from tests.support import FAMILIES

Mutation = Callable[[Any, Any, random.Random], Any]  # of an instance and its schedule; None where it has no place


class Mutations(dict[str, tuple[str, Mutation]]):
    """Single-decision changes of a schedule: name -> violated constraint, change."""

    def breaks(self, constraint: str) -> Callable[[Mutation], Mutation]:
        """Register a mutation under its name with the constraint that it breaks."""

        def register(mutation: Mutation) -> Mutation:
            self[mutation.__name__] = (constraint, mutation)
            return mutation

        return register


@dataclass(frozen=True, kw_only=True)
class Schedules:
    """A family's schedules and their file format.

    Attributes
    ----------
    drawn
        The instance and the feasible schedule of a seed.
    content
        All decisions of a schedule, in a comparable form.
    empty
        A schedule without decisions; it violates ``breaks_when_empty``.
    rows
        Key of the file -> the keys of each of its rows.
    unit
        The subject of a row of the frame.
    no_schedule, alone
        Constraints that an evaluation requires; constraints that are reported without others.
    literal
        The names of the violated constraints, by a literal checker.
    changed
        A schedule with random changes.
    wrong
        Further schedules that can be drawn.
    """

    drawn: Callable[[int], tuple[Any, Any]]
    content: Callable[[Any], Any]
    empty: Callable[[Any], Any]
    breaks_when_empty: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[str]]
    shape: Callable[[], tuple[Any, Shape]]
    unit: str = "job"
    mutations: Mutations = field(default_factory=Mutations)
    no_schedule: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    literal: Callable[[Any, Any], set[str]] | None = None
    changed: Callable[[Any, Any, random.Random], Any] | None = None
    wrong: Callable[[Any], Iterable[Any]] = lambda instance: ()


def schedules() -> dict[str, Schedules]:
    """Family -> its schedules."""
    return {name: import_module(f"tests.instances.{name}.schedules").SCHEDULES for name in FAMILIES}


class Mutant(NamedTuple):
    """A changed schedule, and the constraint that it violates."""

    name: str
    constraint: str
    instance: Any
    schedule: Any


def mutants(
    mutations: Mapping[str, tuple[str, Mutation]], good: Callable[[int], tuple[Any, Any]], count: int
) -> Iterator[Mutant]:
    """Return this many mutants, each mutation at least once."""
    assert count >= len(mutations)
    for number in range(count):
        name = sorted(mutations)[number % len(mutations)]
        constraint, mutation = mutations[name]
        rng = random.Random(number)
        for seed in range(number % 200, number % 200 + 400):
            instance, schedule = good(seed)
            if (spoiled := mutation(instance, schedule, rng)) is not None:
                yield Mutant(f"{name}, number {number} of seed {seed}", constraint, instance, spoiled)
                break
        else:
            raise AssertionError(f"no schedule has a place for {name}")
