"""Hypothesis strategies for the agents of one timestep.

A case has each agent's choice, scores and room.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect


@dataclass(frozen=True)
class Contest:
    """The inputs of (11).

    Attributes
    ----------
    weights
        For each agent, the exponentials of its scores u of (10) by task, up to a factor: 0 outside its pending set.
    chosen
        The task that each agent sampled; None without one.
    free
        The free capacity of each agent's cluster by resource.
    needs
        b_jr of each task.
    """

    weights: tuple[tuple[Count, ...], ...]
    chosen: tuple[Count | None, ...]
    free: tuple[tuple[Count, ...], ...]
    needs: tuple[tuple[Positive, ...], ...]

    def __post_init__(self) -> None:
        agents, tasks = len(self.weights), len(self.needs)
        shapes = {len(row) for row in self.weights} <= {tasks} and agents == len(self.chosen) == len(self.free) > 0
        expect(shapes and tasks > 0, "expected a row for each agent, a number for each task", "weights")
        expect(len({len(row) for row in (*self.free, *self.needs)}) == 1, "expected equal numbers of resources", "free")
        expect(bool(self.needs[0]), "expected at least one resource", "needs")
        for row, task in zip(self.weights, self.chosen, strict=True):
            expect(
                task is None if not any(row) else task is not None and task < tasks and row[task] > 0,
                "expected a task of the agent's pending set, or none if the set is empty",
                "chosen",
                task,
            )

    def score(self, n: int, j: int) -> Fraction:
        """The attention score, the probability with which agent n chooses task j."""
        total = sum(self.weights[n])
        return Fraction(self.weights[n][j], total) if total else Fraction(0)

    def room(self, n: int, j: int) -> int:
        """The number of tasks j that the cluster holds, each with its minimum."""
        return min(there // least for there, least in zip(self.free[n], self.needs[j], strict=True))

    def choosers(self, j: int) -> list[int]:
        return [n for n, task in enumerate(self.chosen) if task == j]

    @property
    def chosen_tasks(self) -> list[int]:
        return sorted({task for task in self.chosen if task is not None})


@st.composite
def contests(pick: Any) -> Contest:
    """Two or three agents and one to three tasks, with many ties.

    Several agents often choose the same task, or have equal numbers.
    """
    agents, tasks = pick(st.integers(2, 3)), pick(st.integers(1, 3))
    resources = pick(st.integers(1, 2))
    weights, chosen = [], []
    for _ in range(agents):
        row = tuple(pick(st.sampled_from((0, 1, 1, 2, 3))) for _ in range(tasks))
        pending = [j for j, weight in enumerate(row) if weight]
        weights.append(row)
        chosen.append(pick(st.sampled_from(pending)) if pending else None)
    rooms = st.tuples(*(st.sampled_from((0, 1, 2, 2, 4)) for _ in range(resources)))
    needs = tuple(tuple(pick(st.integers(1, 2)) for _ in range(resources)) for _ in range(tasks))
    return Contest(tuple(weights), tuple(chosen), tuple(pick(rooms) for _ in range(agents)), needs)


@dataclass(frozen=True)
class Raised:
    """A contest in which one agent's cluster has more room.

    Attributes
    ----------
    agent
        The index of the agent.
    more
        The additional room by resource.
    """

    contest: Contest
    agent: Count
    more: tuple[Count, ...]

    def __post_init__(self) -> None:
        expect(self.agent < len(self.contest.free), "expected an agent", "agent", self.agent)
        expect(len(self.more) == len(self.contest.free[0]), "expected a number for each resource", "more")

    @property
    def after(self) -> Contest:
        rows = list(self.contest.free)
        rows[self.agent] = tuple(a + b for a, b in zip(rows[self.agent], self.more, strict=True))
        return replace(self.contest, free=tuple(rows))


@st.composite
def raised_cases(pick: Any) -> Raised:
    contest = pick(contests())
    agent = pick(st.integers(0, len(contest.free) - 1))
    return Raised(contest, agent, tuple(pick(st.integers(0, 2)) for _ in contest.needs[0]))
