"""Small games with known randomised values: ski rental, makespan, one-way trading, paging."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

State = Any


class Rent:
    """Ski rental; the payoff is the cost divided by the optimum."""

    def __init__(self, price: int = 2) -> None:
        self.price = price

    def start(self) -> State:
        return 0, 0, False  # days, cost, whether skis are bought

    def moves(self, state: State) -> list[str]:
        return ["day"] if state[0] < 2 * self.price else []

    def answers(self, state: State, move: str) -> list[State]:
        days, cost, bought = state
        if bought:
            return [(days + 1, cost, True)]
        return [(days + 1, cost + 1, False), (days + 1, cost + self.price, True)]

    def payoff(self, state: State) -> Fraction | None:
        days, cost, _ = state
        return Fraction(cost, min(days, self.price)) if days else None


class Makespan:
    """Jobs of 1 or 2 on two machines; the payoff is the makespan divided by the optimum."""

    def __init__(self, jobs: int = 3) -> None:
        self.jobs = jobs

    def start(self) -> State:
        return (), (0, 0)  # jobs, loads

    def moves(self, state: State) -> Sequence[int]:
        return (1, 2) if len(state[0]) < self.jobs else ()

    def answers(self, state: State, size: int) -> Iterator[State]:
        (jobs, loads) = state
        for i in range(2):
            yield tuple(sorted((*jobs, size))), tuple(sorted(load + size * (i == n) for n, load in enumerate(loads)))

    def payoff(self, state: State) -> Fraction | None:
        jobs, loads = state
        half = max(jobs, default=0), (sum(jobs) + 1) // 2
        best = max(half) if len({*jobs}) > 1 or jobs.count(2) % 2 == 0 else jobs.count(2) + 1
        return Fraction(max(loads), best) if jobs else None


class Trade:
    """Sell one unit at a price of 1 or 4; the payoff is the gain divided by the best price."""

    gains = True

    def start(self) -> State:
        return (), 0  # prices, gain

    def moves(self, state: State) -> Sequence[int]:
        return (1, 4) if len(state[0]) < 2 else ()

    def answers(self, state: State, price: int) -> list[State]:
        prices, gain = state
        return [((*prices, price), gain), *([] if gain else [((*prices, price), price)])]

    def payoff(self, state: State) -> Fraction | None:
        prices, gain = state
        return Fraction(gain, max(prices)) if prices else None


class Missing:
    """Paging with two of three pages, in which the adversary requests the missing page."""

    def start(self) -> State:
        return 0, frozenset({0, 1}), 0

    def moves(self, state: State) -> list[int]:
        return [page for page in range(3) if page not in state[1]] if state[0] < 6 else []

    def answers(self, state: State, page: int) -> list[State]:
        time, held, faults = state
        return [(time + 1, held - {out} | {page}, faults + 1) for out in held]

    def payoff(self, state: State) -> Fraction:
        return Fraction(state[2], 1 + state[0])
