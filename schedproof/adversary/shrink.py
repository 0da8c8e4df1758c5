"""Shrinking: a smaller document whose score is still large enough; or a search that goes on, and keeps what it gains.

In turn and again from the first, until none of them succeeds: runs of items go, half of a list, a quarter, and so
on to single items; entries that a document can do without go; numbers become 0, 1, the half, or one with a digit less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf
from types import MappingProxyType

from schedproof.adversary.documents import Document, Number, Part, at, copy, is_number, parts, put, read, text, without
from schedproof.adversary.objective import Goal, Score, as_words, from_words
from schedproof.adversary.search import State, keep, score_of, work_on
from schedproof.adversary.space import SETTLED, nearest

VALUES = 20  # of a number, the smallest, that are tried to make a score larger


@dataclass(frozen=True)
class Shrinking:
    """The piece of a search that shrinks what the others have found.

    Attributes
    ----------
    document, score
        What they have found.
    share
        The part of its score that has to be kept.
    most
        Smaller documents that are looked at.
    limits
        What the numbers of some patterns may be: those of the space.
    numbers
        What numbers may be, by pattern, where the search goes on: a number that makes the score larger is taken, and
        no score is given up again. None for shrinking alone.
    """

    objective: Goal
    document: Document
    score: Score
    share: Fraction
    most: int
    limits: Mapping[str, Sequence[Number]] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[Number]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What is shrunk, and how much of its score is kept."""
        return f"shrink in {self.most} steps to {self.share} of {as_words(self.score)}: {text(self.document)}"

    def advance(self, state: State, seconds: float) -> State:
        """Go on from a state for about so many seconds."""
        if state.best is None:
            state = State.from_row(state.to_row())
            keep(state, self.document, self.score)
        return work_on(state, seconds, self._step)

    def _step(self, state: State) -> None:
        now, now_score = read(str(state.best)), from_words(state.best_score)
        candidates = smaller(now, self.limits)
        shrinks = len(candidates)
        candidates += others(now, self.numbers)
        if state.failed >= len(candidates) or state.steps >= self.most:
            state.done = True
            return
        state.place %= len(candidates)
        at = state.place
        document = candidates[at]()
        state.steps += 1
        score = score_of(self.objective, document, state)
        if score is not None and (self._enough(score, now_score) if at < shrinks else score > now_score):
            keep(state, document, score)
            state.best, state.best_score, state.failed = text(document), as_words(score), 0
        else:
            state.place, state.failed = state.place + 1, state.failed + 1

    def _enough(self, score: Score, now: Score) -> bool:
        """Whether the share is kept; of a search that goes on, also what was gained on the way."""
        least = now if self.numbers else self.score
        return score == inf if least == inf else score >= self.share * Fraction(least)


def smaller(
    document: Document, limits: Mapping[str, Sequence[Number]] = MappingProxyType({})
) -> list[Callable[[], Document]]:
    """Documents that are smaller than one, the most so first; each is made when it is called."""
    every = [part for part in parts(document) if part.pattern not in SETTLED]
    result: list[Callable[[], Document]] = []
    for part in every:
        run = len(part.value) // 2 if isinstance(part.value, list) else 0
        while run:
            result += [
                partial(_without_run, document, part, begin, run) for begin in range(len(part.value) - run, -1, -run)
            ]
            run //= 2
    for part in every:
        if isinstance(part.place[-1], str) and not is_number(part.value):
            result.append(partial(_without_entry, document, part))
    for part in every:
        if is_number(part.value):
            simpler = _simpler(part.value)
            if limit := limits.get(part.pattern):
                simpler = [one for one in dict.fromkeys(nearest(limit, one) for one in simpler) if one < part.value]
            result += [partial(_with_number, document, part, value) for value in simpler]
    return result


def others(document: Document, numbers: Mapping[str, Sequence[Number]]) -> list[Callable[[], Document]]:
    """Documents with one number changed to another of its values; each is made when it is called."""
    return [
        partial(_with_number, document, part, value)
        for part in parts(document)
        if is_number(part.value)
        for value in numbers.get(part.pattern, ())[:VALUES]
        if value != part.value
    ]


def _without_run(document: Document, part: Part, begin: int, run: int) -> Document:
    for n in reversed(range(begin, begin + run)):
        document = without(document, (*part.place, n))
    return document


def _without_entry(document: Document, part: Part) -> Document:
    answer = copy(document)
    del at(answer, part.place[:-1])[part.place[-1]]
    return answer


def _with_number(document: Document, part: Part, value: Number) -> Document:
    answer = copy(document)
    put(answer, part.place, value)
    return answer


def _simpler(value: Number) -> list[Number]:
    """Simpler numbers, the simplest first; each of them is, in the end, 0."""
    if isinstance(value, int):
        candidates: list[Number] = [0, 1, value // 2, value - 1]
        return [one for one in dict.fromkeys(candidates) if 0 <= one < value]
    digits = max(0, -int(value.as_tuple().exponent))
    shorter = round(value, digits - 1) if digits > 1 else Decimal(int(value))
    return [
        int(one) if one == int(one) else one for one in dict.fromkeys((Decimal(0), Decimal(1), shorter)) if one != value
    ]
