"""Shrinking: find a smaller document whose score is still large enough.

Reductions repeat until none succeeds. Runs of items are removed: half of a list, a quarter, down to single items.
Optional entries are removed. Numbers become 0, 1 or half as large, or lose a digit. The same piece can instead continue
a search and keep every increase of the score.
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

VALUES = 20  # smallest values of a number that are tried to increase a score


@dataclass(frozen=True)
class Shrinking:
    """The piece of a search that shrinks the result of the other pieces.

    Attributes
    ----------
    document, score
        The result of the other pieces.
    share
        The fraction of the score that must be kept.
    most
        Largest number of documents to evaluate.
    limits
        Allowed values of numbers, by pattern, as in the space.
    numbers
        Possible new values of numbers, by pattern, if the search continues: changes that increase the score are kept.
        Empty for shrinking only.
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
        return f"shrink in {self.most} steps to {self.share} of {as_words(self.score)}: {text(self.document)}"

    def advance(self, state: State, seconds: float) -> State:
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
        least = now if self.numbers else self.score
        return score == inf if least == inf else score >= self.share * Fraction(least)


def smaller(
    document: Document, limits: Mapping[str, Sequence[Number]] = MappingProxyType({})
) -> list[Callable[[], Document]]:
    """Return functions that make smaller documents, the largest reductions first."""
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
    """Return functions that make the documents with one number changed."""
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
    """Return simpler numbers, the simplest first; repeated, each number ends at 0."""
    if isinstance(value, int):
        candidates: list[Number] = [0, 1, value // 2, value - 1]
        return [one for one in dict.fromkeys(candidates) if 0 <= one < value]
    digits = max(0, -int(value.as_tuple().exponent))
    shorter = round(value, digits - 1) if digits > 1 else Decimal(int(value))
    return [
        int(one) if one == int(one) else one for one in dict.fromkeys((Decimal(0), Decimal(1), shorter)) if one != value
    ]
