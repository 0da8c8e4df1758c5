"""The product of a policy and any other schedule: all reachable pairs of states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

MOST_PAIRS = 10**8  # including unreachable pairs


class Edges(NamedTuple):
    """Steps of one kind, at most one from each state; ``tail`` is ascending."""

    tail: np.ndarray
    head: np.ndarray


@dataclass
class Graph:
    """States, steps, and the costs of a slot for the two sides.

    Attributes
    ----------
    cost, other
        Costs of a slot from each state for the policy and the other schedule, shape (states,).
    present
        Number of the policy's jobs, shape (states,). An arrival adds one job; a slot adds none.
    arrivals, slots
        The arrivals, which cost nothing, and the slots, each with the costs of its tail.
    """

    cost: np.ndarray
    other: np.ndarray
    present: np.ndarray
    arrivals: list[Edges]
    slots: list[Edges]

    @property
    def size(self) -> tuple[int, int]:
        return self.cost.size, sum(edges.tail.size for edges in (*self.arrivals, *self.slots))

    def is_slot(self, before: int, after: int) -> bool:
        return bool(self.present[after] <= self.present[before])

    def has(self, before: int, after: int) -> bool:
        return any(
            after in head[slice(*np.searchsorted(tail, (before, before + 1)))]
            for tail, head in (*self.arrivals, *self.slots)
        )


class Product(Graph):
    """All reachable pairs of states in breadth-first order, and their steps.

    Attributes
    ----------
    mine, theirs
        The states of the policy and of the other schedule in each pair, shape (states,).
    parent
        The pair from which each pair was first reached, shape (states,); 0 for the first.
    """

    def __init__(self, policy: Automaton[Any], schedule: Automaton[Any], context: Context) -> None:
        self.policy, self.schedule = policy, schedule
        width = len(schedule.states)
        if len(policy.states) * width > MOST_PAIRS:
            raise InputError(
                f"{len(policy.states)} x {width} pairs of states, more than {MOST_PAIRS}; decrease present or sizes"
            )
        number = np.full(len(policy.states) * width, -1, dtype=np.int32)
        levels, parents, reached = [np.zeros(1, dtype=np.int64)], [np.zeros(1, dtype=np.int32)], 1
        number[0] = 0
        while levels[-1].size:
            mine, theirs = np.divmod(levels[-1], width)
            new: list[np.ndarray] = []
            old: list[np.ndarray] = []
            for after, _, others in self._columns():
                heads = _pairs(after[mine], others[theirs], width)
                fresh, first = np.unique(heads[heads >= 0], return_index=True)
                first = np.flatnonzero(heads >= 0)[first]
                unknown = number[fresh] < 0
                fresh, first = fresh[unknown], first[unknown]
                number[fresh] = reached + np.arange(fresh.size)
                reached += fresh.size
                new.append(fresh)
                old.append(number[levels[-1][first]])
            levels.append(np.concatenate(new))
            parents.append(np.concatenate(old))
            context.progress(f"{reached} states")
        codes = np.concatenate(levels)
        self.parent = np.concatenate(parents)
        self.mine, self.theirs = np.divmod(codes, width)
        cost, other = policy.cost[self.mine], schedule.cost[self.theirs]
        super().__init__(cost, other, policy.present[self.mine], [], [])
        for after, slot, others in self._columns():
            heads = _pairs(after[self.mine], others[self.theirs], width)
            tail = np.flatnonzero(heads >= 0)
            edges = Edges(tail.astype(np.int32), number[heads[tail]])
            (self.slots if slot else self.arrivals).append(edges)

    def way_to(self, state: int) -> list[int]:
        way = [state]
        while way[-1]:
            way.append(int(self.parent[way[-1]]))
        return way[::-1]

    def arrival(self, before: int, after: int) -> int | None:
        """Return the number of the arriving kind between two states, or None for a slot."""
        if self.is_slot(before, after):
            return None
        mine = self.policy.arrive[:, 0, self.mine[before]] == self.mine[after]
        theirs = (self.schedule.arrive[:, :, self.theirs[before]] == self.theirs[after]).any(axis=1)
        return int(np.flatnonzero(mine & theirs)[0])

    def _columns(self) -> Iterator[tuple[np.ndarray, bool, np.ndarray]]:
        for mine, theirs in zip(self.policy.arrive, self.schedule.arrive, strict=True):
            yield from ((mine[0], False, column) for column in theirs)
        yield from ((self.policy.slots[0], True, column) for column in self.schedule.slots)


def _pairs(mine: np.ndarray, theirs: np.ndarray, width: int) -> np.ndarray:
    return np.where((mine >= 0) & (theirs >= 0), mine * width + theirs, -1)
