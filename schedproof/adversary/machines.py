"""Arrivals on machines: a game for families with preemptive `Intervals`.

In each slot the adversary releases jobs, and the algorithm chooses a job for each machine, which runs it for one slot.
A job may run on all machines at once. The payoff is the cost of the completion times over the least cost for the same
arrivals, by the family's cost function. The algorithm never idles; idling does not help if costs do not decrease with
completion times.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Annotated, Any

from schedproof.adversary.games import Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.data.options import whole
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

Times = tuple[int, ...]  # times of a job on each machine
Arrivals = tuple[tuple[int, Times], ...]  # slot and times of each job
State = tuple[int, Arrivals, tuple[Times, ...], Times]  # slot, earlier arrivals, remaining times, completion times


def arrivals(
    family: Any,
    above: Fraction,
    *,
    context: Context,
    machines: Annotated[int, whole(1, 4), "number of machines"] = 2,
    jobs: Annotated[int, whole(1, 9), "most jobs"] = 3,
    slots: Annotated[int, whole(1, 9), "number of slots with arrivals"] = 2,
    longest: Annotated[int, whole(1, 9), "longest time of a job on a machine"] = 2,
) -> Strategy | None:
    """Jobs arrive slot by slot at machines: the cost over the least possible cost."""
    kind = family.schedule
    if not (kind.at_once and kind.everywhere and kind.preemptive):
        raise InputError(f"{family.name}: the game needs preemptive jobs that may run on all machines at once")
    return best(ArrivingWork(family, machines, jobs, slots, longest), above, context)


class ArrivingWork:
    """The game with at most ``jobs`` jobs, which arrive in the first ``slots`` slots."""

    def __init__(self, family: Any, machines: int, jobs: int, slots: int, longest: int) -> None:
        self.name = f"{family.name}.arrivals"
        self.setting: dict[str, Json] = {"machines": machines, "jobs": jobs, "slots": slots, "longest": longest}
        self._cost, self._jobs, self._slots = family.schedule.cost, jobs, slots
        self._kinds = [times for times in product(range(longest + 1), repeat=machines) if any(times)]
        self._least = cache(self._search)

    def start(self) -> State:
        return 0, (), (), ()

    def moves(self, state: State) -> Iterator[tuple[Times, ...]]:
        """Yield the jobs that arrive now, also an empty set while work or slots remain."""
        slot, arrived, left, _ = state
        if slot < self._slots:
            for count in range(self._jobs - len(arrived), 0, -1):
                yield from combinations_with_replacement(self._kinds, count)
        if any(map(any, left)) or slot + 1 < self._slots:
            yield ()

    def answers(self, state: State, jobs: tuple[Times, ...]) -> Iterator[State]:
        slot, arrived, left, ends = state
        arrived += tuple((slot, times) for times in jobs)
        return ((slot + 1, arrived, *after) for after in _after(slot, left + jobs, ends + (0,) * len(jobs)))

    def payoff(self, state: State) -> Fraction:
        _, arrived, left, ends = state
        if not arrived or any(map(any, left)):
            return Fraction(0)
        return Fraction(self._paid(arrived, ends)) / self._least(arrived, 0, (), ())

    def _paid(self, arrived: Arrivals, ends: Times) -> Fraction:
        return Fraction(self._cost([_Job(slot) for slot, _ in arrived], ends))

    def _search(self, arrived: Arrivals, slot: int, left: tuple[Times, ...], ends: Times) -> Fraction:
        here = tuple(times for at, times in arrived[len(ends) :] if at == slot)
        left, ends = left + here, ends + (0,) * len(here)
        if len(ends) == len(arrived) and not any(map(any, left)):
            return self._paid(arrived, ends)
        return min(self._least(arrived, slot + 1, *after) for after in _after(slot, left, ends))

    def position(self, state: State) -> State:
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        return False

    def row(self, state: State, jobs: tuple[Times, ...], stops: bool) -> dict[str, Json]:
        slot, arrived, left, ends = state
        return {"slot": slot, "arrived": arrived, "left": left, "ends": ends, "arrive": jobs}


class _Job:
    """A job of weight 1, as the family's cost function needs it."""

    weight = 1

    def __init__(self, arrival: int) -> None:
        self.arrival = arrival


def _after(slot: int, left: tuple[Times, ...], ends: Times) -> list[tuple[tuple[Times, ...], Times]]:
    machines = range(len(left[0]) if left else 0)
    choices = [[j for j, times in enumerate(left) if times[i]] or [-1] for i in machines]
    result: dict[tuple[tuple[Times, ...], Times], None] = {}
    for chosen in product(*choices):
        rest = tuple(tuple(t - (chosen[i] == j) for i, t in enumerate(times)) for j, times in enumerate(left))
        done = tuple(slot + 1 if any(left[j]) and not any(rest[j]) else end for j, end in enumerate(ends))
        result[rest, done] = None
    return list(result)
