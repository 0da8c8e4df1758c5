"""The two sides of a product graph as automata: a policy, and any other schedule."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any, Generic, TypeVar

import numpy as np

from schedproof.adversary.exact_ratio.rule import Jobs, Rule
from schedproof.core.errors import InputError

MOST_STATES = 10**6  # states of one automaton
State = TypeVar("State", bound=Hashable)
Kind = int | tuple[int, ...]  # a job's slots; with its weight, and its chunks or its remaining upload slots
Left = tuple[Any, ...]  # the kinds of jobs by their remaining slots, sorted


@dataclass(frozen=True)
class Automaton(Generic[State]):
    """States and transitions.

    Attributes
    ----------
    states
        The first state is the empty one.
    present, cost
        Number and total weight of the jobs present, shape (states,).
    arrive
        The states after an arrival of each kind, shape (kinds, choices, states); -1 for none.
    run
        The states after a slot, shape (choices, states); -1 for none.
    """

    states: list[State]
    present: np.ndarray
    cost: np.ndarray
    arrive: np.ndarray
    run: np.ndarray

    @property
    def slots(self) -> np.ndarray:
        """`run`, and a slot from the empty state to itself: the other side may have jobs."""
        after = self.run.copy()
        after[0, 0] = 0
        return after


def policy(rule: Rule, kinds: Sequence[Kind], most: int) -> Automaton[Jobs]:
    return _automaton(
        (),
        lambda jobs: (rule.numbers(job)[1] for job in jobs),
        lambda jobs, kind: [rule.arrive(jobs, *(kind if isinstance(kind, tuple) else (kind,)))],
        lambda jobs: [rule.advance(jobs)],
        kinds,
        most,
    )


def pinned(machines: int, kinds: Sequence[Kind], most: int, delays: Sequence[int] = ()) -> Automaton[tuple[Left, ...]]:
    """Return the schedules that choose a machine for each job on its arrival.

    Among jobs of equal weight on one machine, the job with the fewest remaining slots runs. For any arrivals, and any
    slots that the machine spends on this weight, this order minimises the number of these jobs at all times.
    ``delays`` are the machines' upload times, ascending; a job runs only after its upload.
    """

    def run(line: Left) -> list[Left]:
        first = {slots_and_weight(job)[1]: n for n, job in reversed([*enumerate(line)]) if not _upload(job)}
        after = [less(line, (n,)) for n in first.values()] or [line]
        return [tuple(sorted((*job[:2], max(0, job[2] - 1)) for job in left)) for left in after] if delays else after

    def put(lines: tuple[Left, ...], machine: int, kind: Kind) -> tuple[Left, ...]:
        job = (*slots_and_weight(kind), delays[machine]) if delays else kind
        return exchanged((*lines[:machine], tuple(sorted((*lines[machine], job))), *lines[machine + 1 :]))

    def exchanged(lines: tuple[Left, ...]) -> tuple[Left, ...]:
        near = machines - sum(delay > 0 for delay in delays)
        return (*sorted(lines[:near]), *sorted(lines[near:]))

    return _automaton(
        ((),) * machines,
        lambda lines: _weights(chain(*lines)),
        lambda lines, kind: {put(lines, m, kind) for m in range(machines)},
        lambda lines: {exchanged(each) for each in product(*map(run, lines))},
        kinds,
        most,
    )


def migrating(machines: int, kinds: Sequence[Kind], most: int) -> Automaton[Left]:
    """Return the schedules that choose the jobs of each slot, as many as machines.

    A job of several chunks consists of its remaining slots in total, its weight, and the number of machines that it can
    use. Idling never helps: suppose schedule A has at most as many remaining slots of each job as schedule B. If A
    gives each job as many machines as B does, or as many as still have work, this property is preserved.
    """

    def run(left: Left) -> set[Left]:
        turns = [n for n, job in enumerate(left) for _ in range(width(job))]
        return {usable(less(left, chosen)) for chosen in combinations(turns, min(machines, len(turns)))}

    def arrive(left: Left, kind: Kind) -> list[Left]:
        new = (kind[0] * kind[2], *kind[1:]) if isinstance(kind, tuple) and len(kind) > 2 else kind
        return [usable((*left, new))]

    def usable(left: Left) -> Left:
        return tuple(sorted((*job[:2], min(job[0], machines, job[2])) if width(job) > 1 else job for job in left))

    return _automaton((), _weights, arrive, run, kinds, most)


def whole(machines: int, kinds: Sequence[Kind], most: int) -> Automaton[tuple[Left, Left]]:
    """Return the schedules without preemption: jobs that run, and jobs that wait.

    A machine may idle while a job waits.
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
        lambda state: _weights(chain(*state)),
        lambda state, kind: [(state[0], tuple(sorted((*state[1], kind))))],
        run,
        kinds,
        most,
    )


def schedules(name: str, machines: int, kinds: Sequence[Kind], most: int) -> Automaton[Any]:
    """Return the ``migrating``, ``pinned`` or ``whole`` schedules."""
    makers: dict[str, Callable[..., Automaton[Any]]] = {"migrating": migrating, "pinned": pinned, "whole": whole}
    return makers[name](machines, kinds, most)


def kinds_of(sizes: Iterable[int], weights: int, chunks: int = 1) -> list[Kind]:
    """Return all kinds of jobs up to the largest weight and number of chunks.

    A kind omits weights or chunks that are always 1.
    """
    more = [range(1, most + 1) for most in (weights, chunks)][: 1 + (chunks > 1)]
    return [*sizes] if weights == chunks == 1 else [*product(sizes, *more)]


def as_word(kind: Kind) -> str:
    """Return a kind as text: ``slots``, ``slots:weight`` or ``slots:weight:chunks``.

    With an upload the third number is the upload's remaining slots.
    """
    return ":".join(map(str, kind)) if isinstance(kind, tuple) else str(kind)


def slots_and_weight(kind: Kind) -> tuple[int, int]:
    return (kind[0], kind[1]) if isinstance(kind, tuple) else (kind, 1)


def width(job: Kind) -> int:
    """Return the number of chunks of a job, or of machines that it can use."""
    return job[2] if isinstance(job, tuple) and len(job) > 2 else 1


def _upload(job: Kind) -> int:
    return job[2] if isinstance(job, tuple) and len(job) > 2 else 0


def _weights(jobs: Iterable[Kind]) -> Iterable[int]:
    return (slots_and_weight(kind)[1] for kind in jobs)


def less(left: Left, chosen: tuple[int, ...]) -> Left:
    """Return the remaining jobs after a slot.

    ``chosen`` names a job once for each of its machines.
    """
    rest = ((job, slots_and_weight(job)[0] - chosen.count(n)) for n, job in enumerate(left))
    return tuple(sorted((slots, *job[1:]) if isinstance(job, tuple) else slots for job, slots in rest if slots))


def alike(kind: np.ndarray, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge equivalent states.

    Parameters
    ----------
    kind
        An initial class of each state, shape (states,).
    heads
        The states after each step, shape (steps, states); -1 for none.

    Returns
    -------
    tuple
        Each state's class, and each class's first state. The class of the first state is the first.
    """
    classes = len(np.unique(kind))
    while True:
        after = np.where(heads >= 0, kind[heads], -1)
        _, first, kind = np.unique(np.vstack([kind, after]), axis=1, return_index=True, return_inverse=True)
        kind = kind.ravel()
        if len(first) == classes:
            break
        classes = len(first)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[kind], first[order]


def merged(policy: Automaton[State]) -> tuple[Automaton[State], np.ndarray]:
    """Merge a policy's states with equal future; return also each state's new number."""
    _, kind = np.unique(np.stack([policy.present, policy.cost]), axis=1, return_inverse=True)
    one, first = alike(kind.ravel(), np.vstack([policy.arrive[:, 0], policy.run]))

    def after(steps: np.ndarray) -> np.ndarray:
        return np.where(steps[..., first] >= 0, one[steps[..., first]], -1)

    states = [policy.states[n] for n in first]
    return Automaton(states, policy.present[first], policy.cost[first], after(policy.arrive), after(policy.run)), one


def _automaton(
    empty: State,
    weights: Callable[[State], Iterable[int]],
    arrive: Callable[[State, Any], Iterable[State]],
    run: Callable[[State], Iterable[State]],
    kinds: Sequence[Kind],
    most: int,
) -> Automaton[State]:
    """Return all states that can be reached with at most `most` jobs present.

    ``weights`` returns the weights of the jobs in a state.
    """
    number, states = {empty: 0}, [empty]

    def numbers(after: Iterable[State]) -> list[int]:
        for state in after:
            if state not in number:
                number[state] = len(states)
                states.append(state)
        if len(states) > MOST_STATES:
            raise InputError(
                f"the policy or the offline schedule has more than {MOST_STATES} states; decrease present or sizes"
            )
        return [number[state] for state in after]

    arrivals: list[list[list[int]]] = [[] for _ in kinds]
    slots: list[list[int]] = []
    present, cost = list[int](), list[int]()
    for state in states:  # grows
        jobs = [*weights(state)]
        present.append(len(jobs))
        cost.append(sum(jobs))
        for row, kind in zip(arrivals, kinds, strict=True):
            row.append(numbers([*arrive(state, kind)]) if len(jobs) < most else [])
        slots.append(numbers([*run(state)]) if jobs else [])
    widest = max(len(after) for row in arrivals for after in row)
    columns = np.array([_columns(row, widest) for row in arrivals])
    after = _columns(slots, max(map(len, slots)))
    return Automaton(states, np.array(present), np.array(cost), columns, after)


def _columns(rows: list[list[int]], width: int) -> np.ndarray:
    return np.array([[*row, *[-1] * (width - len(row))] for row in rows], dtype=np.int64).T
