"""Hypothesis strategies for schedulers that look at the first tasks of each queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.errors import expect
from schedproof.core.reading import Positive
from schedproof.instances.placement import Instance
from schedproof.proofs_checks.strategies.placement import LONG, OfInstance, TaskOf, build, instances


@dataclass(frozen=True)
class Windowed(OfInstance):
    """An instance and the size P of the pending sets."""

    window: Positive


@st.composite
def windowed_cases(pick: Any, /) -> Windowed:
    """Up to three tasks and P from 1 to 3."""
    return Windowed(pick(instances(roomy=True)), pick(st.integers(1, 3)))


@dataclass(frozen=True)
class Ahead:
    """P long tasks that come before some short ones of one slot, all in slot 0, to a cluster with room for one.

    Attributes
    ----------
    window
        P.
    slots
        Of each long task.
    short
        How many short ones there are.
    """

    window: Positive
    slots: Positive
    short: Positive

    def instance(self) -> Instance:
        """As a placement instance."""
        durations = [self.slots] * self.window + [1] * self.short
        return build([(0, [0], [((1,), slots)]) for slots in durations], [(1,)], LONG)


def aheads() -> Any:
    """Up to two long tasks of up to four slots, and up to two short ones."""
    return st.builds(Ahead, st.integers(1, 2), st.integers(1, 4), st.integers(1, 2))


@dataclass(frozen=True)
class Choosing(Windowed):
    """A scheduler by its choices.

    Attributes
    ----------
    picks
        Numbers that say, one after the other, which of several possible ways is taken; from the front again at the end.
    """

    picks: tuple[int, ...]

    def __post_init__(self) -> None:
        expect(bool(self.picks), "expected at least one number", "picks")


@st.composite
def choosing(pick: Any, /, *, fitting: bool = True) -> Choosing:
    """Any instance with any choices; with ``fitting``, each task has a mode for each of its clusters.

    Often one of many small tasks and a large one, of which the small ones are chosen.
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
    """A task that needs both units of a cluster, and in each slot a task that needs one of them for two slots.

    Attributes
    ----------
    small
        How many small ones come, from slot 0 on.
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
    """Up to ten small tasks, P from 2 to 4."""
    return st.builds(Starved, st.integers(1, 10), st.integers(2, 4))
