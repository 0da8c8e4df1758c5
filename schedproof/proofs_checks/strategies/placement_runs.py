"""Hypothesis strategies for schedulers that see the first tasks of each queue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect
from schedproof.instances.placement import Instance
from schedproof.proofs_checks.strategies.placement import LONG, OfInstance, TaskOf, build, instances


@dataclass(frozen=True)
class Windowed(OfInstance):
    window: Positive


@st.composite
def windowed_cases(pick: Any, /) -> Windowed:
    return Windowed(pick(instances(roomy=True)), pick(st.integers(1, 3)))


@dataclass(frozen=True)
class Ahead:
    """P long tasks before some short tasks of one slot; the cluster has room for one.

    All arrive in slot 0.

    Attributes
    ----------
    window
        P.
    slots
        The duration of each long task.
    short
        The number of short tasks.
    """

    window: Positive
    slots: Positive
    short: Positive

    def instance(self) -> Instance:
        durations = [self.slots] * self.window + [1] * self.short
        return build([(0, [0], [((1,), slots)]) for slots in durations], [(1,)], LONG)


def aheads() -> Any:
    return st.builds(Ahead, st.integers(1, 2), st.integers(1, 4), st.integers(1, 2))


@dataclass(frozen=True)
class Choosing(Windowed):
    """A scheduler, given by its choices.

    Attributes
    ----------
    picks
        The indices of the choices, one after the other, repeated cyclically.
    """

    picks: tuple[int, ...]

    def __post_init__(self) -> None:
        expect(bool(self.picks), "expected at least one number", "picks")


@st.composite
def choosing(pick: Any, /, *, fitting: bool = True) -> Choosing:
    """Any instance with any choices.

    With ``fitting``, each task has a mode for each of its clusters. Often many small tasks are chosen before a large
    one.
    """
    if pick(st.integers(0, 4)) == 0:
        return Starved(pick(st.integers(1, 8))).case()
    instance = pick(instances(roomy=True).filter(_fits_everywhere) if fitting else instances(roomy=True))
    picks = pick(st.lists(st.integers(0, 5), min_size=1, max_size=6))
    return Choosing(instance, pick(st.integers(1, 3)), tuple(picks))


def _fits_everywhere(instance: Instance) -> bool:
    return all(instance.usable(task, instance.clusters[n]) for task in instance.tasks for n in task.clusters)


@dataclass(frozen=True)
class Starved:
    """A task that needs both units of a cluster, and small tasks in each slot.

    A small task needs one unit for two slots.

    Attributes
    ----------
    small
        The number of small tasks, from slot 0 on.
    window
        P.
    """

    small: Positive
    window: Annotated[int, msgspec.Meta(ge=2)] = 2

    def case(self) -> Choosing:
        """The large task is the first in the queue, and the last pending task is chosen."""
        tasks: list[TaskOf] = [(0, [0], [((2,), 1)])]
        tasks += [(t, [0], [((1,), 2)]) for t in range(self.small)]
        return Choosing(build(tasks, [(2,)], LONG), self.window, (-1,))


def starved_cases() -> Any:
    return st.builds(Starved, st.integers(1, 10), st.integers(2, 4))


@dataclass(frozen=True)
class Committed:
    """A policy that starts the long task in slot s, and short tasks after it.

    The cluster has one unit. The long task comes in slot 0 and takes n slots. There are n short tasks of one slot; the
    k-th comes k slots after the start of the long task.

    Attributes
    ----------
    short
        n.
    start
        s.
    """

    short: Positive
    start: Count

    @cached_property
    def instance(self) -> Instance:
        """The case as a placement instance, with a horizon after all compared schedules."""
        short: list[TaskOf] = [(self.start + k, [0], [((1,), 1)]) for k in range(1, self.short + 1)]
        return build([(0, [0], [((1,), self.short)]), *short], [(1,)], self.start + 2 * self.short + 1)


def committed() -> Any:
    return st.builds(Committed, st.integers(1, 12), st.integers(0, 14))


def single_machines() -> Any:
    return st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=4).map(
        lambda rows: SingleMachine(tuple(rows))
    )


@dataclass(frozen=True)
class SingleMachine:
    jobs: tuple[tuple[Count, Positive], ...]

    @cached_property
    def instance(self) -> Instance:
        end = max((arrival for arrival, _ in self.jobs), default=0) + sum(slots for _, slots in self.jobs)
        return build([(arrival, [0], [((1,), slots)]) for arrival, slots in self.jobs], [(1,)], max(1, end))
