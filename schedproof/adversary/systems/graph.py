"""The graph of a system: pairs of the algorithm's belief and an offline state."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np

from schedproof.adversary.systems.system import MOST_DIGITS, Asked, Belief, Names, too_long
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

MOST_STATES = 10**6
MOST_STEPS = 2 * 10**7
MOST_COST = 2**62  # larger costs are Python's integers
EVERY = 10_000  # states between two messages


class Graph:
    """All reachable pairs of a belief and an offline state, and their steps.

    A belief is the distribution of the algorithm's state; it is one state if the algorithm is deterministic.

    Attributes
    ----------
    beliefs, others
        The beliefs, and the states of the offline side.
    pairs
        The numbers of belief and offline state of each node; node 0 is the start.
    tail, head, request
        Each step's nodes, and its request's number in `requests`, shape (steps,); steps are sorted by `head`.
    own, other
        Cost of each step for the algorithm and for the offline side, times `unit`, integers.
    parent
        The step by which each node was first reached, shape (nodes,); -1 for the start.
    """

    def __init__(self, asked: Asked, context: Context, most: int = MOST_STATES) -> None:
        self.asked = asked
        states, others, requests = Names(), Names(), Names()
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
                for next_place, other in moves(place, request).items():
                    pair = next_belief, next_place
                    if pair not in nodes:
                        nodes[pair] = len(nodes)
                        self.pairs.append(pair)
                        parents.append(len(steps[0]))
                    costs = (amounts.setdefault(cost, len(amounts)) for cost in (own, other))
                    for column, value in zip(steps, (node, nodes[pair], request, *costs), strict=True):
                        column.append(value)
            if len(nodes) > most or len(steps[0]) > MOST_STEPS:
                limit = f"{most} states" if len(nodes) > most else f"{MOST_STEPS} steps"
                raise InputError(
                    f"{asked.name} has more than {limit}, the limit; a state is a reachable pair of an algorithm's and "
                    "an offline state; make the system smaller"
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
        columns = [np.array(column, dtype=np.int64) for column in steps]
        order = np.argsort(columns[1], kind="stable")
        self.parent = np.array(parents, dtype=np.int64)
        self.parent[1:] = np.argsort(order)[self.parent[1:]]
        self.tail, self.head, self.request, own_number, other_number = (column[order] for column in columns)
        whole = [int(amount * self.unit) for amount in amounts]
        each = np.array(whole, dtype=np.int64 if max(whole) < MOST_COST else object)
        self.own, self.other = each[own_number], each[other_number]

    def costs(self, step: int) -> tuple[Fraction, Fraction]:
        """Return a step's costs for the algorithm and for the offline side."""
        own, other = (Fraction(int(costs[step]), self.unit) for costs in (self.own, self.other))
        return own, other

    @property
    def size(self) -> tuple[int, int]:
        return len(self.pairs), len(self.tail)
