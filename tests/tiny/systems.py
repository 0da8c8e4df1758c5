"""Small systems with known ratios: paging, list update, servers on a line, ski rental."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import schedproof as sp

State = Any


class Paging(sp.System):
    """A cache of k among n pages; a fault costs 1."""

    def __init__(self, k: int = 2, n: int = 3) -> None:
        self.k, self.n = k, n

    def offline(self) -> State:
        return frozenset(range(self.k))

    def requests(self, offline: State) -> range:
        return range(self.n)

    def moves(self, offline: State, request: int) -> list[tuple[State, int]]:
        return [(offline, 0)] if request in offline else [(offline - {page} | {request}, 1) for page in offline]


class LRU(Paging):
    """Evict the page that was requested longest ago; k-competitive."""

    def start(self) -> State:
        return tuple(range(self.k))

    def answer(self, state: State, request: int) -> tuple[State, int]:
        rest = tuple(page for page in state if page != request)
        return (*rest[len(rest) + 1 - self.k :], request), int(request not in state)


class FIFO(LRU):
    """Evict the page that came first; k-competitive."""

    def answer(self, state: State, request: int) -> tuple[State, int]:
        return (state, 0) if request in state else ((*state[1:], request), 1)


class Marking(Paging):
    """Evict an unmarked page at random; H_k-competitive for k + 1 pages, 2 H_k - 1 for more."""

    def start(self) -> State:
        return frozenset(range(self.k)), frozenset()

    def answer(self, state: State, request: int) -> Any:
        held, marked = state
        if request in held:
            return (held, marked | {request}), 0
        marked = frozenset() if held == marked else marked
        out = held - marked
        return [(Fraction(1, len(out)), (held - {page} | {request}, marked | {request}), 1) for page in out]


class MoveToFront(sp.System):
    """List update: move the requested item to the front; 2 - 2/(n + 1)-competitive."""

    def __init__(self, n: int = 3) -> None:
        self.n = n

    def start(self) -> State:
        return tuple(range(self.n))

    def requests(self, offline: State) -> range:
        return range(self.n)

    def answer(self, state: State, request: int) -> tuple[State, int]:
        return (request, *(item for item in state if item != request)), state.index(request) + 1

    def moves(self, offline: State, request: int) -> Iterator[tuple[State, int]]:
        at = {item: place for place, item in enumerate(offline)}
        for order in permutations(range(self.n)):
            swaps = sum(at[order[i]] < at[order[j]] for i in range(self.n) for j in range(i))
            rest = tuple(item for item in order if item != request)
            for place in range(order.index(request) + 1):
                yield (*rest[:place], request, *rest[place:]), swaps + order.index(request) + 1


class DoubleCoverage(sp.System):
    """k servers on a line of n points; the neighbours of a request move at equal speed; k-competitive."""

    def __init__(self, n: int = 3, k: int = 2) -> None:
        self.n, self.k = n, k

    def start(self) -> State:
        return tuple(map(Fraction, range(self.k)))

    def requests(self, offline: State) -> range:
        return range(self.n)

    def answer(self, state: State, request: int) -> tuple[State, Fraction]:
        if request <= state[0]:
            return (Fraction(request), *state[1:]), state[0] - request
        if request >= state[-1]:
            return (*state[:-1], Fraction(request)), request - state[-1]
        left = max(i for i in range(self.k) if state[i] <= request)
        way = min(request - state[left], state[left + 1] - request)
        return (*state[:left], state[left] + way, state[left + 1] - way, *state[left + 2 :]), 2 * way

    def moves(self, offline: State, request: int) -> list[tuple[State, Fraction]]:
        return [
            (tuple(sorted((*offline[:i], Fraction(request), *offline[i + 1 :]))), abs(offline[i] - request))
            for i in range(self.k)
        ]


class SkiRental(sp.System):
    """Rent until the rent paid is the price less 1, then buy; 2 - 1/price."""

    constant = False

    def __init__(self, price: int = 4) -> None:
        self.price = price

    def start(self) -> State:
        return 0

    def offline(self) -> State:
        return "rent"

    def requests(self, offline: State) -> list[str]:
        return ["day"]

    def answer(self, state: State, request: str) -> Any:
        if state == "bought":
            return state, 0
        return (state + 1, 1) if state < self.price - 1 else ("bought", self.price)

    def moves(self, offline: State, request: str) -> list[tuple[State, int]]:
        return [("bought", 0)] if offline == "bought" else [("rent", 1), ("bought", self.price)]


class RandomisedSkiRental(SkiRental):
    """Buy on day i with the best probability q_i; 1/(1 - (1 - 1/B)^B) for the price B."""

    def answer(self, state: State, request: str) -> Any:
        if state == "bought":
            return state, 0
        b = self.price
        weights = [Fraction(b - 1, b) ** (b - 1 - day) for day in range(b)]
        p = weights[state] / sum(weights[state:])
        return [(p, "bought", b), (1 - p, state + 1, 1)]


class Reserve(sp.System):
    """Accept a bid of 1 or wait for one of 4, which may not come; gains: accepting the first is 4-competitive."""

    gains = True
    constant = False

    def start(self) -> State:
        return "free"

    def requests(self, offline: State) -> list[int]:
        return [1, 4]

    def answer(self, state: State, request: int) -> tuple[State, int]:
        return ("sold", request) if state == "free" else ("sold", 0)

    def moves(self, offline: State, request: int) -> list[tuple[State, int]]:
        return [(offline, 0)] + ([("sold", request)] if offline == "free" else [])


class Two(sp.System):
    """One request, which a system may write in two ways; the second way costs the algorithm 3 times the optimum."""

    def __init__(self, first: State = 1, second: State = 2) -> None:
        self.first, self.second = first, second

    def start(self) -> State:
        return self.first

    def requests(self, offline: State) -> list[State]:
        return [self.first, self.second]

    def _cost(self, state: State, request: State) -> int:
        return 3 if all(type(each) is type(self.second) for each in (state, request)) else 1

    def answer(self, state: State, request: State) -> tuple[State, int]:
        return request, self._cost(state, request)

    def moves(self, offline: State, request: State) -> list[tuple[State, int]]:
        return [(request, 1)]
