"""Online bin stretching: how far must bins stretch if items arrive one by one?

The items' sizes are multiples of 1/g, and all items together fit into m bins of capacity 1. Each item is put into a bin
on arrival; the payoff is the load of the fullest bin (Azar and Regev 2001). Such games prove the bound 19/14 for three
bins (Gabay, Brauner and Kotov, 4OR 15, 2017). Others prove bounds for four and five bins (Böhm, Sgall, van Stee and
Veselý, Journal of Scheduling 20, 2017). Böhm and Simon (Theoretical Computer Science 938, 2022) check such bounds with
a proof assistant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from schedproof.adversary.games import Strategy, best
from schedproof.core.base.untyped import Json
from schedproof.core.runtime.context import Context

Sizes = tuple[int, ...]  # in ascending order, in units of 1/g
State = tuple[Sizes, Sizes, int]  # the loads, the items so far, and the smallest size of the next item


def solve(
    above: Fraction, *, context: Context, bins: int = 3, capacity: int = 14, drop: int | None = None
) -> Strategy | None:
    result = best(BinStretching(bins, capacity, capacity if drop is None else drop), above, context)
    return result if result is None or drop is None else replace(result, best=False)


class BinStretching:
    """The game with ``bins`` bins of ``capacity`` units.

    Parameters
    ----------
    drop
        The next item is at most this much smaller than the item before. A small value reduces the number of strategies.
    """

    name = "bin_stretching"

    def __init__(self, bins: int, capacity: int, drop: int) -> None:
        self.bins, self.capacity, self.drop = bins, capacity, drop
        self.setting: dict[str, Json] = {"bins": bins, "capacity": capacity}
        self._packings = cache(self._packings_of)
        self._largest = cache(lambda items: max((capacity - loads[0] for loads in self._packings(items)), default=0))
        self._survives = cache(lambda most: survival(bins, capacity, most))

    def start(self) -> State:
        return (0,) * self.bins, (), 1

    def moves(self, state: State) -> range:
        _, items, least = state
        return range(self._largest(items), least - 1, -1)

    def answers(self, state: State, item: int) -> Iterator[State]:
        loads, items, _ = state
        more, least = tuple(sorted((*items, item))), max(1, item - self.drop)
        return ((after, more, least) for after in next_loads(loads, item))

    def payoff(self, state: State) -> Fraction:
        return Fraction(max(state[0][-1], self.capacity), self.capacity)

    def position(self, state: State) -> tuple[Sizes, Sizes]:
        return state[:2]

    def hopeless(self, state: State, floor: Fraction) -> bool:
        loads, items, _ = state
        halves = sum(2 * item > self.capacity for item in items)
        return bool(self._survives(floor * self.capacity // 1)(loads, halves))

    def row(self, state: State, item: int, stops: bool) -> dict[str, Json]:
        loads, items, _ = state
        facts: dict[str, Json] = {"loads": loads, "items": items, "send": item}
        return facts | ({"packing": packing((*items, item), self.bins, self.capacity)} if stops else {})

    def _packings_of(self, items: Sizes) -> frozenset[Sizes]:
        if not items:
            return frozenset([(0,) * self.bins])
        before = self._packings(items[:-1])
        return frozenset(
            loads for each in before for loads in next_loads(each, items[-1]) if loads[-1] <= self.capacity
        )


def next_loads(loads: Sizes, item: int) -> Iterator[Sizes]:
    for n, load in enumerate(loads):
        if n == 0 or load != loads[n - 1]:
            yield tuple(sorted((*loads[:n], load + item, *loads[n + 1 :])))


def survival(bins: int, capacity: int, most: int) -> Callable[[Sizes, int], bool]:
    """Return a test of whether an algorithm can keep every load at most `most`.

    The items need not fit. The adversary respects only the bins' total capacity, and sends at most one item larger than
    1/2 for each bin. An algorithm that survives this adversary also survives the game's adversary.
    """

    @cache
    def survives(loads: Sizes, halves: int) -> bool:
        rest = bins * capacity - sum(loads)
        if loads[0] + rest <= most:
            return True
        for item in range(min(capacity, rest), 0, -1):
            large = halves + (2 * item > capacity)
            fitting = (after for after in next_loads(loads, item) if after[-1] <= most)
            if large <= bins and not any(survives(after, large) for after in fitting):
                return False
        return True

    return survives


def packing(items: Sizes, bins: int, capacity: int) -> list[list[int]]:
    """Pack items that are known to fit, by backtracking."""
    order = sorted(items, reverse=True)
    filled: list[list[int]] = [[] for _ in range(bins)]

    def place(n: int) -> bool:
        if n == len(order):
            return True
        tried = set()
        for held in filled:
            load = sum(held)
            if load + order[n] <= capacity and load not in tried:
                tried.add(load)
                held.append(order[n])
                if place(n + 1):
                    return True
                held.pop()
        return False

    place(0)
    return filled
