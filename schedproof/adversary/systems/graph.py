"""The graph of a system: pairs of the algorithm's belief and an offline state."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

import numpy as np

from schedproof.adversary.systems.system import MOST_DIGITS, Asked, Belief, Names, too_long
from schedproof.adversary.walks import graph as walks
from schedproof.core.errors import InputError, short
from schedproof.core.runtime.context import Context

MOST_STATES = 10**6
MOST_STEPS = 2 * 10**7
MOST_COST = 2**62  # larger costs are Python's integers
EVERY = 10_000  # states between two messages


class Graph(walks.Graph):
    """All reachable pairs of a belief and an offline state, and their steps.

    A belief is the distribution of the algorithm's state; it is one state if the algorithm is deterministic. Steps are
    grouped by their rank among the steps from the same pair.

    Attributes
    ----------
    beliefs, others
        The beliefs, and the states of the offline side.
    pairs
        The numbers of belief and offline state of each node; node 0 is the start.
    request
        The number of each step's request in `requests`, shape (steps,).
    unit
        The common denominator of the costs; the columns of costs are in units of 1 / `unit`.
    """

    def __init__(self, asked: Asked, context: Context, most: int = MOST_STATES) -> None:
        self.asked = asked
        states, others, requests = (
            Names(f"{asked.name}.{method}") for method in ("start or answer", "offline or moves", "requests")
        )
        self.others, self.requests = others.values, requests.values
        self.beliefs: list[Belief] = []
        numbers: dict[tuple[tuple[int, Fraction], ...], int] = {}

        def number(belief: Mapping[int, Fraction]) -> int:
            key = tuple(sorted(belief.items()))
            if key not in numbers:
                if any(too_long(weight) for weight in belief.values()):
                    raise InputError(
                        f"{asked.name}: a probability of a state has more than {MOST_DIGITS} digits; infinitely many "
                        "distributions of the algorithm's state are probably reachable"
                    )
                numbers[key] = len(numbers)
                self.beliefs.append(tuple((states.values[state], weight) for state, weight in key))
            return numbers[key]

        @cache
        def answer(belief: int, request: int) -> tuple[int, Fraction]:
            after: defaultdict[int, Fraction] = defaultdict(Fraction)
            cost = Fraction(0)
            for state, weight in self.beliefs[belief]:
                for p, then, amount in asked.answers(state, self.requests[request]):
                    asked.require_move(state, self.requests[request], then, amount)
                    after[states.number(then)] += weight * p
                    cost += weight * p * amount
            return number(after), cost

        @cache
        def moves(place: int, request: int) -> dict[int, Fraction]:
            found: dict[int, Fraction] = {}
            for state, cost in asked.moves(self.others[place], self.requests[request]):
                then = others.number(state)
                found[then] = best(found.get(then, cost), cost)
            return found

        best = max if asked.gains else min
        start = number({states.number(asked.first("start")): Fraction(1)}), others.number(asked.first("offline"))
        self.pairs, nodes = [start], {start: 0}
        steps, parents = tuple(array("q") for _ in range(5)), array("q", [-1])
        amounts: dict[Fraction, int] = {}
        for node, (belief, place) in enumerate(self.pairs):  # the list grows while it is read
            for request in map(requests.number, asked.requests(self.beliefs[belief], self.others[place])):
                next_belief, own = answer(belief, request)
                for next_place, offline in moves(place, request).items():
                    pair = next_belief, next_place
                    if pair not in nodes:
                        nodes[pair] = len(nodes)
                        self.pairs.append(pair)
                        parents.append(len(steps[0]))
                    paid = (amounts.setdefault(cost, len(amounts)) for cost in (own, offline))
                    for column, value in zip(steps, (node, nodes[pair], request, *paid), strict=True):
                        column.append(value)
            if len(nodes) > most or len(steps[0]) > MOST_STEPS:
                raise InputError(
                    f"{asked.name} has more than {f'{most} states' if len(nodes) > most else f'{MOST_STEPS} steps'}, "
                    f"the limit. They pair {self._counted(states.values)} with {len(self.others)} offline states, the "
                    f"last {short(self.others[-1])}; make the system smaller, or keep less in its states"
                )
            if node % EVERY == 0:
                context.progress(f"{len(nodes)} states, {node} of them expanded")
        if not steps[0]:
            raise InputError(
                f"{asked.name}: `requests` or `moves` returned none at the start; expected a request and a move"
            )
        self.unit = lcm(*(amount.denominator for amount in amounts))
        if too_long(self.unit):
            raise InputError(f"{asked.name}: the costs' common denominator has more than {MOST_DIGITS} digits")
        tail, head, asked_for, *costs = (np.array(column, dtype=np.int64) for column in steps)
        rank = np.arange(len(tail)) - np.searchsorted(tail, tail)
        order = np.argsort(rank, kind="stable")
        whole = [int(amount * self.unit) for amount in amounts]
        each = np.array(whole, dtype=np.int64 if max(whole) < MOST_COST else object)
        large, small = costs[:: -1 if asked.gains else 1]
        columns = [column[order] for column in (tail, head, each[large], each[small])]
        ends = np.cumsum(np.bincount(rank))[:-1]
        kinds = zip(*(np.split(column, ends) for column in columns), strict=True)
        super().__init__(len(nodes), (walks.Steps(*kind) for kind in kinds), constant=asked.constant)
        self.parent = np.array(parents)
        self.parent[1:] = np.argsort(order)[self.parent[1:]]
        self.request = asked_for[order]

    def _counted(self, states: list[Any]) -> str:
        """Return how many of the algorithm's states or distributions were found."""
        if len(self.beliefs) <= len(states):
            return f"{len(states)} states of the algorithm, the last {short(states[-1])}"
        return f"{len(self.beliefs)} distributions over {len(states)} states of the algorithm"

    def amounts(self, step: int) -> tuple[Fraction, Fraction]:
        """Return a step's costs for the algorithm and for the offline side."""
        large, small = (Fraction(int(costs[step]), self.unit) for costs in (self.large, self.small))
        return (small, large) if self.asked.gains else (large, small)
