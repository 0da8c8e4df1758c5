"""Hypothesis strategies for the network of section IV.

They draw pending sets, masks, graphs and games of two agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from typing import Annotated, Any

import msgspec
from hypothesis import strategies as st

from schedproof.core.data.reading import Count, Positive
from schedproof.core.errors import expect


@dataclass(frozen=True)
class Sizes:
    """The sizes of a queue and a pending set, and a cluster's capacity by resource."""

    queue: Count
    pending: Count
    capacity: tuple[Positive, ...]


@dataclass(frozen=True)
class PendingSet:
    """A pending set, as exponentials of the scores u of (10), up to a factor.

    A score of None is a dummy entity.
    """

    weights: tuple[Positive | None, ...]

    def __post_init__(self) -> None:
        expect(bool(self.weights), "expected at least one entity", "weights")


def pending_sets() -> Any:
    return st.lists(st.sampled_from((None, None, 1, 2, 3)), min_size=1, max_size=4).map(
        lambda row: PendingSet(tuple(row))
    )


@dataclass(frozen=True)
class Embedded:
    """Embeddings h_j of the pending tasks and of a dummy, and the number of dummies.

    Attributes
    ----------
    order
        A permutation of the tasks.
    """

    tasks: tuple[tuple[int, ...], ...]
    dummy: tuple[int, ...]
    dummies: Count
    order: tuple[Count, ...]

    def __post_init__(self) -> None:
        expect({len(row) for row in self.tasks} == {len(self.dummy)}, "expected embeddings of one length", "tasks")
        expect(sorted(self.order) == list(range(len(self.tasks))), "expected a permutation of the tasks", "order")


@st.composite
def embedded_cases(pick: Any, /) -> Embedded:
    vector = st.tuples(*(st.integers(-2, 2) for _ in range(pick(st.integers(1, 2)))))
    tasks = pick(st.lists(vector, min_size=1, max_size=3))
    order = pick(st.permutations(range(len(tasks))))
    return Embedded(tuple(tasks), pick(vector), pick(st.integers(0, 3)), tuple(order))


@dataclass(frozen=True)
class Masked:
    """Exponentials of all allocations' logits, the valid ones, and a valid allocation."""

    weights: tuple[Positive, ...]
    valid: tuple[bool, ...]
    action: Count

    def __post_init__(self) -> None:
        fit = len(self.weights) == len(self.valid) and self.action < len(self.valid) and self.valid[self.action]
        expect(fit, "expected the number of a valid allocation", "action", self.action)


@st.composite
def masked_cases(pick: Any, /) -> Masked:
    count = pick(st.integers(2, 4))
    weights = [pick(st.integers(1, 4)) for _ in range(count)]
    action = pick(st.integers(0, count - 1))
    valid = [k == action or pick(st.booleans()) for k in range(count)]
    return Masked(tuple(weights), tuple(valid), action)


@dataclass(frozen=True)
class Graph:
    """The nodes and edges of section IV-B, without the shortcut node.

    Attributes
    ----------
    clusters
        The number of cluster nodes.
    pending
        For each pending task, the clusters whose pending sets contain the task.
    running
        For each running task its cluster.
    features
        A number for each cluster, each pending task and each running task, in this order.
    """

    clusters: Positive
    pending: tuple[tuple[Count, ...], ...]
    running: tuple[Count, ...]
    features: tuple[int, ...]

    def __post_init__(self) -> None:
        known = all(n < self.clusters for n in (*chain(*self.pending), *self.running)) and all(self.pending)
        expect(
            known and all(len({*row}) == len(row) for row in self.pending), "expected clusters of each task", "pending"
        )
        nodes = self.clusters + len(self.pending) + len(self.running)
        expect(len(self.features) == nodes, f"expected a number for each of {nodes} nodes", "features")


@st.composite
def graphs(pick: Any, /) -> Graph:
    count = pick(st.integers(1, 3))
    cluster = st.integers(0, count - 1)
    pending = [tuple(sorted(pick(st.sets(cluster, min_size=1)))) for _ in range(pick(st.integers(0, 3)))]
    running = [pick(cluster) for _ in range(pick(st.integers(0, 2)))]
    features = [pick(st.integers(-2, 2)) for _ in range(count + len(pending) + len(running))]
    return Graph(count, tuple(pending), tuple(running), tuple(features))


Action = tuple[int, int]  # a task and an allocation


@dataclass(frozen=True)
class Game:
    """One timestep of two agents, two tasks and two allocations of each.

    Attributes
    ----------
    select
        Exponentials of the selection logits, by agent and task.
    allocate
        Exponentials of the allocation logits, by agent, task and allocation.
    winner
        For each task, the agent that gets the task if both choose it; -1 if neither has room.
    gain
        The terms of the return by agent, task and allocation.
    nothing
        The terms by agent and task for an agent that gets no task.
    """

    select: tuple[tuple[Positive, Positive], tuple[Positive, Positive]]
    allocate: tuple[
        tuple[tuple[Positive, Positive], tuple[Positive, Positive]],
        tuple[tuple[Positive, Positive], tuple[Positive, Positive]],
    ]
    winner: tuple[Annotated[int, msgspec.Meta(ge=-1, le=1)], Annotated[int, msgspec.Meta(ge=-1, le=1)]]
    gain: tuple[tuple[tuple[int, int], tuple[int, int]], tuple[tuple[int, int], tuple[int, int]]]
    nothing: tuple[tuple[int, int], tuple[int, int]]

    def gets(self, agent: int, tasks: tuple[int, int]) -> bool:
        """Return m of (14): whether the agent gets the chosen task."""
        return tasks[0] != tasks[1] or self.winner[tasks[agent]] == agent

    def outcome(self, actions: tuple[Action, Action], losers_count: bool = False) -> int:
        """Return the two agents' reward.

        With ``losers_count`` the reward depends on the allocation of an agent that gets no task.
        """
        tasks = (actions[0][0], actions[1][0])
        one, other = (
            self.gain[n][j][x] if losers_count or self.gets(n, tasks) else self.nothing[n][j]
            for n, (j, x) in enumerate(actions)
        )
        return one * other + one + 2 * other

    @staticmethod
    def actions() -> Iterator[tuple[Action, Action]]:
        each = list(product((0, 1), (0, 1)))
        return product(each, each)

    def logits(self) -> Iterator[tuple[int, ...]]:
        yield from product((0, 1), (0, 1))
        yield from product((0, 1), (0, 1), (0, 1))


@st.composite
def games(pick: Any, /) -> Game:
    def pair(values: Any) -> tuple[int, int]:
        return pick(values), pick(values)

    weight, value = st.integers(1, 4), st.integers(-3, 3)
    return Game(
        (pair(weight), pair(weight)),
        ((pair(weight), pair(weight)), (pair(weight), pair(weight))),
        pair(st.integers(-1, 1)),
        ((pair(value), pair(value)), (pair(value), pair(value))),
        (pair(value), pair(value)),
    )


def share(row: tuple[int, ...], k: int) -> Fraction:
    """The softmax of logits with these exponentials."""
    return Fraction(row[k], sum(row))
