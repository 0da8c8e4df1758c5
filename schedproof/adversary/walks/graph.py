"""A graph whose steps have two costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple

import numpy as np

Numbers = np.ndarray


class Steps(NamedTuple):
    """Steps of one kind, at most one from each state; `tail` is ascending.

    Attributes
    ----------
    tail, head
        The states before and after each step, shape (steps,).
    large, small
        The costs whose ratio is to be large, integers >= 0, shape (steps,).
    """

    tail: Numbers
    head: Numbers
    large: Numbers
    small: Numbers


class Graph:
    """States and steps; state 0 is the start.

    A step's number is its place in the concatenated kinds.

    Attributes
    ----------
    states
        The number of states.
    tail, head, large, small
        The columns of all steps, as in `Steps`.
    parent
        The first step found into each state, shape (states,); -1 for the start.
    constant
        Whether only cycles count. If not, walks from the start count too.
    """

    def __init__(
        self, states: int, kinds: Iterable[Steps], parent: Numbers | None = None, *, constant: bool = True
    ) -> None:
        kinds = [*kinds]
        self.states, self.parent, self.constant = states, parent, constant
        self.tail, self.head, self.large, self.small = map(np.concatenate, zip(*kinds, strict=True))
        self.ends = np.cumsum([len(steps.tail) for steps in kinds])

    @property
    def kinds(self) -> Iterable[Steps]:
        columns = (np.split(column, self.ends[:-1]) for column in (self.tail, self.head, self.large, self.small))
        return map(Steps, *columns)

    @property
    def size(self) -> tuple[int, int]:
        return self.states, len(self.tail)

    def kind(self, step: int) -> int:
        """Return the number of a step's kind."""
        return int(np.searchsorted(self.ends, step, "right"))

    def way(self, state: int) -> list[int]:
        """Return the first path found to a state, as steps."""
        assert self.parent is not None
        steps: list[int] = []
        while state:
            steps.append(int(self.parent[state]))
            state = int(self.tail[steps[-1]])
        return steps[::-1]

    def costs(self, walk: Sequence[int]) -> tuple[int, int]:
        large, small = (int(costs[[*walk]].sum()) for costs in (self.large, self.small))
        return large, small

    def ratio(self, walk: Sequence[int]) -> Fraction | float:
        large, small = self.costs(walk)
        return Fraction(large, small) if small else inf if large else Fraction(0)
