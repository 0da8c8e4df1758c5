"""Spoiled schedules: every mutation in turn, each on the first feasible schedule that has a place for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

Mutation = Callable[[Any, Any, random.Random], Any]  # of an instance and its schedule; None where it has no place


class Mutant(NamedTuple):
    """A spoiled schedule, and the constraint that it breaks."""

    name: str
    constraint: str
    instance: Any
    schedule: Any


def mutants(
    mutations: Mapping[str, tuple[str, Mutation]], good: Callable[[int], tuple[Any, Any]], count: int
) -> Iterator[Mutant]:
    """So many of them, each mutation at least once; ``good`` gives the feasible schedule of a seed."""
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
