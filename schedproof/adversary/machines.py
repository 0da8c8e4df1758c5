"""Arrivals on machines: a game for any family whose schedules are `Intervals` that may be interrupted, all at once.

In each slot the adversary lets jobs arrive, and the algorithm chooses a job for each machine, which it runs for one
slot. The payoff is what its completion times cost over the least cost for the same arrivals, in the family's own
words. The algorithm never idles, which helps nobody whose cost only grows with completion times.
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

Times = tuple[int, ...]  # of a job on each machine
Arrivals = tuple[tuple[int, Times], ...]  # slot and times of each job
State = tuple[int, Arrivals, tuple[Times, ...], Times]  # slot, what arrived before it, what is left, when it was done


def arrivals(
    family: Any,
    above: Fraction,
    *,
    context: Context,
    machines: Annotated[int, whole(1, 4), "how many"] = 2,
    jobs: Annotated[int, whole(1, 9), "at most"] = 3,
    slots: Annotated[int, whole(1, 9), "in which jobs may arrive"] = 2,
    longest: Annotated[int, whole(1, 9), "time of a job on a machine"] = 2,
) -> Strategy | None:
    """Jobs that arrive slot by slot at machines: the cost over the least for the same arrivals."""
    kind = family.schedule
    if not (kind.at_once and kind.everywhere and kind.preemptive):
        raise InputError(
            f"{family.name}: the game is for jobs that may run on all machines at once, and be interrupted"
        )
    return best(ArrivingWork(family, machines, jobs, slots, longest), above, context)


class ArrivingWork:
    """The game with at most so many ``jobs`` of at most the ``longest`` time, which arrive in the first ``slots``."""

    def __init__(self, family: Any, machines: int, jobs: int, slots: int, longest: int) -> None:
        self.name = f"{family.name}.arrivals"
        self.setting: dict[str, Json] = {"machines": machines, "jobs": jobs, "slots": slots, "longest": longest}
        self._cost, self._jobs, self._slots = family.schedule.cost, jobs, slots
        self._kinds = [times for times in product(range(longest + 1), repeat=machines) if any(times)]
        self._least = cache(self._search)

    def start(self) -> State:
        """Nothing has arrived."""
        return 0, (), (), ()

    def moves(self, state: State) -> Iterator[tuple[Times, ...]]:
        """The jobs that arrive now; none if there is still something to do, or time for arrivals."""
        slot, arrived, left, _ = state
        if slot < self._slots:
            for count in range(self._jobs - len(arrived), 0, -1):
                yield from combinations_with_replacement(self._kinds, count)
        if any(map(any, left)) or slot + 1 < self._slots:
            yield ()

    def answers(self, state: State, jobs: tuple[Times, ...]) -> Iterator[State]:
        """Every machine that has work does some."""
        slot, arrived, left, ends = state
        arrived += tuple((slot, times) for times in jobs)
        return ((slot + 1, arrived, *after) for after in _after(slot, left + jobs, ends + (0,) * len(jobs)))

    def payoff(self, state: State) -> Fraction:
        """What it cost once all is done, over the least; 0 before."""
        _, arrived, left, ends = state
        if not arrived or any(map(any, left)):
            return Fraction(0)
        return Fraction(self._paid(arrived, ends)) / self._least(arrived, 0, (), ())

    def _paid(self, arrived: Arrivals, ends: Times) -> Fraction:
        return Fraction(self._cost([_Job(slot) for slot, _ in arrived], ends))

    def _search(self, arrived: Arrivals, slot: int, left: tuple[Times, ...], ends: Times) -> Fraction:
        """The least cost of arrivals from a position on, every choice tried."""
        here = tuple(times for at, times in arrived[len(ends) :] if at == slot)
        left, ends = left + here, ends + (0,) * len(here)
        if len(ends) == len(arrived) and not any(map(any, left)):
            return self._paid(arrived, ends)
        return min(self._least(arrived, slot + 1, *after) for after in _after(slot, left, ends))

    def position(self, state: State) -> State:
        """All of it."""
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        """Nothing short is known."""
        return False

    def row(self, state: State, jobs: tuple[Times, ...], stops: bool) -> dict[str, Json]:
        """What arrived and what is left of it, when it was done, and what arrives next."""
        slot, arrived, left, ends = state
        return {"slot": slot, "arrived": arrived, "left": left, "ends": ends, "arrive": jobs}


class _Job:
    """A job of weight 1, as the family's cost asks for it."""

    weight = 1

    def __init__(self, arrival: int) -> None:
        self.arrival = arrival


def _after(slot: int, left: tuple[Times, ...], ends: Times) -> list[tuple[tuple[Times, ...], Times]]:
    """What may be left after a slot, and when what is done was: each machine with work does some."""
    machines = range(len(left[0]) if left else 0)
    choices = [[j for j, times in enumerate(left) if times[i]] or [-1] for i in machines]
    result: dict[tuple[tuple[Times, ...], Times], None] = {}
    for chosen in product(*choices):
        rest = tuple(tuple(t - (chosen[i] == j) for i, t in enumerate(times)) for j, times in enumerate(left))
        done = tuple(slot + 1 if any(left[j]) and not any(rest[j]) else end for j, end in enumerate(ends))
        result[rest, done] = None
    return list(result)
