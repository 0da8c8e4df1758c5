"""The product of a policy and any other schedule: all reachable pairs of states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from schedproof.adversary.exact_ratio.automata import Automaton
from schedproof.adversary.walks.graph import Graph, Steps
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

MOST_PAIRS = 10**8  # including unreachable pairs


class Product(Graph):
    """All reachable pairs of states in breadth-first order, and their steps.

    An arrival costs nothing. A slot costs each side its jobs present, or their weight.

    Attributes
    ----------
    mine, theirs
        The states of the policy and of the other schedule in each pair, shape (states,).
    arriving
        The number of the arriving job's kind for each kind of steps; None for slots.
    """

    def __init__(self, policy: Automaton[Any], schedule: Automaton[Any], context: Context) -> None:
        self.policy, self.schedule = policy, schedule
        width = len(schedule.states)
        if len(policy.states) * width > MOST_PAIRS:
            raise InputError(
                f"expected at most {MOST_PAIRS} pairs of states, found {len(policy.states)} x {width}; "
                "decrease present or sizes"
            )
        number = np.full(len(policy.states) * width, -1, dtype=np.int32)
        levels, reached = [np.zeros(1, dtype=np.int64)], 1
        parents, kinds = [np.zeros(1, dtype=np.int32)], [np.zeros(1, dtype=np.int16)]
        number[0] = 0
        while levels[-1].size:
            mine, theirs = np.divmod(levels[-1], width)
            new: list[np.ndarray] = []
            for kind, (after, _, others) in enumerate(self._columns()):
                heads = _pairs(after[mine], others[theirs], width)
                fresh, first = np.unique(heads[heads >= 0], return_index=True)
                first = np.flatnonzero(heads >= 0)[first]
                unknown = number[fresh] < 0
                fresh, first = fresh[unknown], first[unknown]
                number[fresh] = reached + np.arange(fresh.size)
                reached += fresh.size
                new.append(fresh)
                parents.append(number[levels[-1][first]])
                kinds.append(np.full(fresh.size, kind, dtype=np.int16))
            levels.append(np.concatenate(new))
            context.progress(f"{reached} states")
        codes = np.concatenate(levels)
        self.mine, self.theirs = np.divmod(codes, width)
        self.arriving = [arriving for _, arriving, _ in self._columns()]
        sides = ((policy.cost, self.mine), (schedule.cost, self.theirs))
        costs = [cost.astype(np.min_scalar_type(cost.max()))[states] for cost, states in sides]
        steps = []
        for after, arriving, others in self._columns():
            heads = _pairs(after[self.mine], others[self.theirs], width)
            tail = np.flatnonzero(heads >= 0)
            own, other = ((cost if arriving is None else np.zeros_like(cost))[tail] for cost in costs)
            steps.append(Steps(tail.astype(np.int32), number[heads[tail]], own, other))
        super().__init__(len(codes), steps)
        self.parent = np.full(len(codes), -1)
        before, by = np.concatenate(parents), np.concatenate(kinds)
        for kind, (end, (tail, *_)) in enumerate(zip(self.ends, steps, strict=True)):
            states = 1 + np.flatnonzero(by[1:] == kind)
            self.parent[states] = end - tail.size + np.searchsorted(tail, before[states])

    def _columns(self) -> Iterator[tuple[np.ndarray, int | None, np.ndarray]]:
        for arriving, (mine, theirs) in enumerate(zip(self.policy.arrive, self.schedule.arrive, strict=True)):
            yield from ((mine[0], arriving, column) for column in theirs)
        yield from ((self.policy.slots[0], None, column) for column in self.schedule.slots)


def _pairs(mine: np.ndarray, theirs: np.ndarray, width: int) -> np.ndarray:
    return np.where((mine >= 0) & (theirs >= 0), mine * width + theirs, -1)
