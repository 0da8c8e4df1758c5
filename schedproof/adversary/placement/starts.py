"""Non-preemptive tasks on one unit: a lower bound for online policies for (1)-(8).

In each slot the adversary releases a task of one of a few sizes, or none; then a free unit starts a waiting task or
none. When the adversary stops, the waiting tasks run in order of size. The payoff is the total completion time (1),
over the least one for the same arrivals.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from schedproof.adversary.games import Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.context import Context

Sizes = tuple[int, ...]
Arrivals = tuple[tuple[int, int], ...]  # (slot, size) of each task
State = tuple[int, Arrivals, Sizes, int, int]  # slot, earlier arrivals, waiting sizes, slot of the next free unit, ends


def solve(
    above: Fraction, *, context: Context, tasks: int = 5, sizes: Sizes = (1, 4), slots: int = 6
) -> Strategy | None:
    return best(Starts(tasks, sizes, slots), above, context)


class Starts:
    """The game with at most ``tasks`` tasks, which arrive in the first ``slots``."""

    name = "placement.starts"

    def __init__(self, tasks: int, sizes: Sizes, slots: int) -> None:
        self._tasks, self._sizes, self._slots = tasks, sizes, slots
        self.setting: dict[str, Json] = {"sizes": list(sizes)}

    def start(self) -> State:
        return 0, (), (), 0, 0

    def moves(self, state: State) -> Iterator[int]:
        slot, arrived, waiting, free, _ = state
        if slot < self._slots:
            sizes = self._sizes if free > slot else self._sizes[::-1]
            few = sizes if len(arrived) < self._tasks else ()
            yield from (0, *few) if waiting and free <= slot else (*few, 0)

    def answers(self, state: State, size: int) -> Iterator[State]:
        slot, arrived, waiting, free, ended = state
        if size:
            arrived, waiting = (*arrived, (slot, size)), tuple(sorted((*waiting, size)))
        yield slot + 1, arrived, waiting, free, ended
        for n, chosen in enumerate(waiting if free <= slot else ()):
            if chosen not in waiting[:n]:
                yield slot + 1, arrived, waiting[:n] + waiting[n + 1 :], slot + chosen, ended + slot + chosen

    def payoff(self, state: State) -> Fraction:
        slot, arrived, waiting, free, ended = state
        end = max(slot, free)
        for size in waiting:
            end += size
            ended += end
        return (
            Fraction(ended - sum(arrival for arrival, _ in arrived), least_total(arrived)[0])
            if arrived
            else Fraction(0)
        )

    def position(self, state: State) -> State:
        return state

    def hopeless(self, state: State, floor: Fraction) -> bool:
        return False

    def row(self, state: State, size: int, stops: bool) -> dict[str, Json]:
        slot, arrived, waiting, free, ended = state
        facts: dict[str, Json] = {"slot": slot, "arrived": arrived, "waiting": waiting, "free": free, "ended": ended}
        arrived += ((slot, size),) if size else ()
        return facts | {"send": size} | ({"starts": least_total(arrived)[1]} if stops else {})


@cache
def least_total(arrived: Arrivals) -> tuple[int, Sizes]:
    """Return the least total completion time, and the start of each task.

    Tasks of equal size run in order of arrival and start as early as possible; all such orders are tried.
    """
    result: list[tuple[int, Sizes]] = []

    def extend(time: int, total: int, starts: dict[int, int]) -> None:
        if result and total >= result[-1][0]:
            return
        if len(starts) == len(arrived):
            result.append((total, tuple(starts[j] for j in range(len(arrived)))))
            return
        following = dict[int, int]()  # size -> the first task of that size
        for j, (_, size) in enumerate(arrived):
            if j not in starts:
                following.setdefault(size, j)
        for j in following.values():
            arrival, size = arrived[j]
            begin = max(time, arrival)
            extend(begin + size, total + begin + size - arrival, {**starts, j: begin})

    extend(0, 0, {})
    return result[-1]
