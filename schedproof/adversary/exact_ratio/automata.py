"""The two sides of a product graph, each an automaton: a policy, and any other schedule for the same arrivals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Generic, TypeVar

import numpy as np

from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.core.errors import InputError

MOST_STATES = 10**6  # of one side
State = TypeVar("State", bound=Hashable)
Left = tuple[int, ...]  # of some jobs, sorted


@dataclass(frozen=True)
class Automaton(Generic[State]):
    """States, and what follows them.

    Attributes
    ----------
    states
        The first one is the empty one.
    present
        How many jobs are present, shape (states,).
    arrive
        The states after an arrival of each size, shape (sizes, choices, states); -1 for none.
    run
        The states after a slot, shape (choices, states); -1 for none.
    """

    states: list[State]
    present: np.ndarray
    arrive: np.ndarray
    run: np.ndarray

    @property
    def slots(self) -> np.ndarray:
        """`run`, but that nothing is followed by nothing, where the other side is not empty."""
        after = self.run.copy()
        after[0, 0] = 0
        return after


def policy(rule: Rule, sizes: Sequence[int], most: int) -> Automaton[Jobs]:
    """A rule, deterministic: one state follows."""
    return _automaton(
        (), len, lambda jobs, size: [rule.arrive(jobs, size)], lambda jobs: [rule.advance(jobs)], sizes, most
    )


def pinned(machines: int, sizes: Sequence[int], most: int) -> Automaton[tuple[Left, ...]]:
    """Schedules that choose a machine for each job; on each machine the job with the least left runs.

    On one machine that leaves fewest jobs at any time, whatever comes.
    """
    return _automaton(
        ((),) * machines,
        lambda lines: sum(map(len, lines)),
        lambda lines, size: {_replaced(lines, m, tuple(sorted((*lines[m], size)))) for m in range(machines)},
        lambda lines: [tuple(sorted(less(line, (0,)) for line in lines))],
        sizes,
        most,
    )


def migrating(machines: int, sizes: Sequence[int], most: int) -> Automaton[Left]:
    """Schedules that choose the jobs of each slot, as many as there are machines.

    Who runs more can follow who runs less.
    """
    return _automaton(
        (),
        len,
        lambda left, size: [tuple(sorted((*left, size)))],
        lambda left: {less(left, chosen) for chosen in combinations(range(len(left)), min(machines, len(left)))},
        sizes,
        most,
    )


def whole(machines: int, sizes: Sequence[int], most: int) -> Automaton[tuple[Left, Left]]:
    """Schedules whose jobs run to their end once they have begun: what is left of those that have, and of the others.

    A machine may stay free while a job waits.
    """

    def run(state: tuple[Left, Left]) -> set[tuple[Left, Left]]:
        begun, waiting = state
        found = set()
        for count in range(min(machines - len(begun), len(waiting)) + 1):
            for new in combinations(range(len(waiting)), count):
                running = (*begun, *(waiting[n] for n in new))
                rest = tuple(work for n, work in enumerate(waiting) if n not in new)
                found.add((less(running, tuple(range(len(running)))), rest))
        return found

    return _automaton(
        ((), ()),
        lambda state: sum(map(len, state)),
        lambda state, size: [(state[0], tuple(sorted((*state[1], size))))],
        run,
        sizes,
        most,
    )


def of_kind(kind: str, machines: int, sizes: Sequence[int], most: int) -> Automaton[Any]:
    """``migrating``, ``pinned`` or ``whole`` schedules."""
    kinds: dict[str, Callable[..., Automaton[Any]]] = {"migrating": migrating, "pinned": pinned, "whole": whole}
    return kinds[kind](machines, sizes, most)


def less(left: Left, chosen: tuple[int, ...]) -> Left:
    """What is left after the chosen ones have run."""
    return tuple(sorted(work - (n in chosen) for n, work in enumerate(left) if work > (n in chosen)))


def _replaced(lines: tuple[Left, ...], machine: int, line: Left) -> tuple[Left, ...]:
    return tuple(sorted((*lines[:machine], line, *lines[machine + 1 :])))


def _automaton(
    empty: State,
    present: Callable[[State], int],
    arrive: Callable[[State, int], Iterable[State]],
    run: Callable[[State], Iterable[State]],
    sizes: Sequence[int],
    most: int,
) -> Automaton[State]:
    """Everything that can be reached with at most so many jobs present."""
    number, states = {empty: 0}, [empty]

    def numbers(after: Iterable[State]) -> list[int]:
        for state in after:
            if state not in number:
                number[state] = len(states)
                states.append(state)
        if len(states) > MOST_STATES:
            raise InputError(f"more than {MOST_STATES} states on one side; expected fewer present, or smaller sizes")
        return [number[state] for state in after]

    arrivals: list[list[list[int]]] = [[] for _ in sizes]
    slots: list[list[int]] = []
    for state in states:  # grows
        room = present(state) < most
        for row, size in zip(arrivals, sizes, strict=True):
            row.append(numbers([*arrive(state, size)]) if room else [])
        slots.append(numbers([*run(state)]) if present(state) else [])
    widest = max(len(after) for row in arrivals for after in row)
    columns = np.array([_columns(row, widest) for row in arrivals])
    return Automaton(states, np.array([*map(present, states)]), columns, _columns(slots, max(map(len, slots))))


def _columns(rows: list[list[int]], width: int) -> np.ndarray:
    return np.array([[*row, *[-1] * (width - len(row))] for row in rows], dtype=np.int64).T
