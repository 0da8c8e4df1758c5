"""The graph of a system: pairs of the algorithm's belief and an offline state."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import lcm

import numpy as np

from schedproof.adversary.systems.system import Asked, Belief, Request, State, text_of
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context

MOST_STATES = 10**6
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
        start: Belief = ((asked.first("start"), Fraction(1)),)
        numbers: dict[Belief, int] = {start: 0}
        places: dict[State, int] = {asked.first("offline"): 0}
        words: dict[Request, int] = {}

        @cache
        def answer(belief: int, request: Request) -> tuple[int, Fraction]:
            after: defaultdict[State, Fraction] = defaultdict(Fraction)
            cost = Fraction(0)
            for state, weight in self.beliefs[belief]:
                for p, then, amount in asked.answers(state, request):
                    after[then] += weight * p
                    cost += weight * p * amount
            distribution = tuple(sorted(after.items(), key=lambda row: text_of(row[0])))
            if distribution not in numbers:
                numbers[distribution] = len(numbers)
                self.beliefs.append(distribution)
            return numbers[distribution], cost

        @cache
        def moves(place: int, request: Request) -> list[tuple[int, Fraction]]:
            found = []
            for then, cost in asked.moves(self.others[place], request).items():
                if then not in places:
                    places[then] = len(places)
                    self.others.append(then)
                found.append((places[then], cost))
            return found

        self.beliefs, self.others = [start], [*places]
        self.pairs, self.requests = [(0, 0)], list[Request]()
        nodes, steps, parents = {(0, 0): 0}, list[tuple[int, int, int, Fraction, Fraction]](), [-1]
        for node, (belief, place) in enumerate(self.pairs):  # the list grows while it is read
            for request in asked.requests(self.beliefs[belief], self.others[place]):
                if request not in words:
                    words[request] = len(words)
                    self.requests.append(request)
                next_belief, own = answer(belief, request)
                for next_place, other in moves(place, request):
                    pair = next_belief, next_place
                    if pair not in nodes:
                        nodes[pair] = len(nodes)
                        self.pairs.append(pair)
                        parents.append(len(steps))
                    steps.append((node, nodes[pair], words[request], own, other))
            if len(nodes) > most:
                raise InputError(
                    f"{asked.name} has more than {most} reachable pairs of an algorithm's and an offline state; "
                    "make the system smaller"
                )
            if node % EVERY == 0:
                context.progress(f"{len(nodes)} states, {node} of them expanded")
        if not steps:
            raise InputError(f"{asked.name}: no request may come at the start, or the offline side cannot answer it")
        self.unit = lcm(*{amount.denominator for step in steps for amount in step[3:]})
        order = sorted(range(len(steps)), key=lambda n: steps[n][1])
        rank = {step: n for n, step in enumerate(order)}
        self.parent = np.array([rank.get(step, -1) for step in parents])
        columns = [*zip(*(steps[n] for n in order), strict=True)]
        self.tail, self.head, self.request = (np.array(column, dtype=np.int64) for column in columns[:3])
        self.own, self.other = (np.array([int(c * self.unit) for c in column], dtype=object) for column in columns[3:])

    @property
    def size(self) -> tuple[int, int]:
        return len(self.pairs), len(self.tail)
