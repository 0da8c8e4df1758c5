"""Searches for the worst document of a space: exhaustive, or annealing.

A search is divided into independent pieces: a range of a finite space, or a chain of moves. A piece resumes from its
last `State`; the points of interruption do not change the result. So a search may be stopped at any time, and pieces
may run in parallel processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf
from time import monotonic
from typing import Protocol

import msgspec
import numpy as np

from schedproof.adversary.documents import Document, read, text
from schedproof.adversary.moves import MOVES, Move, neighbour
from schedproof.adversary.objective import Goal, Score, as_words, from_words
from schedproof.adversary.space import Documents
from schedproof.core.base.untyped import Json
from schedproof.core.errors import Contradiction, InputError, PolicyTimeout, SchedproofError
from schedproof.instances import from_json

WARMEST = 0.05  # initial temperature of a chain: mean relative loss of score in a move; 0 at its end
RANGES = 16  # pieces of a finite space


class State(msgspec.Struct):
    """The progress of a piece.

    Attributes
    ----------
    steps
        Number of documents evaluated.
    best, best_score
        The worst document so far and its score as text, or None before the first.
    now, now_score
        The present document of a chain.
    trace
        (steps, score, document) at each new worst document.
    unjudged
        Number of documents without a score, by reason.
    place, failed
        For shrinking: the number of the next candidate, and of failures in a row.
    bound, settled
        For a program: the solver's bound on all scores, and whether the worst document attains the bound.
    """

    steps: int = 0
    done: bool = False
    best: str | None = None
    best_score: str = ""
    now: str | None = None
    now_score: str = ""
    trace: list[tuple[int, str, str]] = []
    unjudged: dict[str, int] = {}
    place: int = 0
    failed: int = 0
    bound: float | None = None
    settled: bool = False

    def to_row(self) -> dict[str, Json]:
        row: dict[str, Json] = msgspec.to_builtins(self)
        return row

    @classmethod
    def from_row(cls, row: Json) -> State:
        """Return the state that `to_row` wrote.

        Raises
        ------
        ValueError
            If the row is not a state.
        """
        state = msgspec.convert(row, cls)
        if row.keys() != set(cls.__struct_fields__):
            raise ValueError("expected all fields of a state")
        for score in (*filter(None, (state.best_score, state.now_score)), *(score for _, score, _ in state.trace)):
            from_words(score)
        for document in (state.best, state.now, *(document for _, _, document in state.trace)):
            if document is not None:
                read(document)
        if (state.best is None) != (not state.best_score) or min(state.steps, state.place, state.failed) < 0:
            raise ValueError("expected counts >= 0, and a worst instance if and only if the state has a score")
        return state

    @property
    def score(self) -> Score | None:
        return from_words(self.best_score) if self.best_score else None


class Piece(Protocol):
    """A part of a search."""

    @property
    def name(self) -> str:
        """A name that is unique within the search."""

    def advance(self, state: State, seconds: float) -> State:
        """Continue from `state` for about `seconds` seconds, by at least one document."""


def score_of(objective: Goal, document: Document, state: State) -> Score | None:
    """Return the score of a document, or record in the state why it has none.

    Raises
    ------
    Contradiction
        If the document contradicts a proven result.
    PolicyTimeout
        If the policy does not end within the time limit.
    """
    try:
        return objective.judge(from_json(document)).score
    except (Contradiction, PolicyTimeout):
        raise
    except SchedproofError as error:
        why = "not an instance of the family" if isinstance(error, InputError) else str(error).partition(" (first:")[0]
        state.unjudged[why] = state.unjudged.get(why, 0) + 1
        return None


def keep(state: State, document: Document, score: Score) -> None:
    """Record an instance if the policy's score on it is the worst so far."""
    if state.score is None or score > state.score:
        state.best, state.best_score = text(document), as_words(score)
        state.trace.append((state.steps, state.best_score, state.best))


def work_on(state: State, seconds: float, step: Callable[[State], None]) -> State:
    state, until = State.from_row(state.to_row()), monotonic() + seconds
    while not state.done:
        step(state)
        if monotonic() >= until:
            break
    return state


@dataclass(frozen=True)
class Range:
    """The documents of a finite space with numbers from `begin` to `end` - 1."""

    space: Documents
    objective: Goal
    begin: int
    end: int

    @property
    def name(self) -> str:
        return f"documents {self.begin} to {self.end}"

    def advance(self, state: State, seconds: float) -> State:
        return work_on(state, seconds, self._step)

    def _step(self, state: State) -> None:
        document = self.space.document(self.begin + state.steps)
        state.steps += 1
        score = score_of(self.objective, document, state)
        if score is not None:
            keep(state, document, score)
        state.done = self.begin + state.steps >= self.end


@dataclass(frozen=True)
class Chain:
    """Simulated annealing from the worst of some starts.

    Attributes
    ----------
    seed, number
        The seed, and the number of this chain in its search.
    steps
        Number of documents to evaluate.
    moves
        Moves from a document to the next.
    warmest
        The initial temperature: mean relative loss of score in a move.
    """

    space: Documents
    objective: Goal
    seed: int
    number: int
    of: int
    steps: int
    moves: Sequence[Move] = MOVES
    warmest: float = WARMEST

    @property
    def name(self) -> str:
        return f"chain {self.number} of {self.of}, {self.steps} steps"

    def advance(self, state: State, seconds: float) -> State:
        return work_on(state, seconds, self._step)

    def _start(self, step: int) -> Document | None:
        starts = self.space.starts[self.number :: self.of]
        if step >= max(1, self.steps // 3):
            return None
        if step < len(starts):
            return starts[step]
        drawn = step < self.steps // 10 and self.space.size is not None
        return self.space.draw(np.random.default_rng([self.seed, self.number, step])) if drawn else None

    def _step(self, state: State) -> None:
        rng = np.random.default_rng([self.seed, self.number, state.steps])
        start = self._start(state.steps)
        now = read(state.now) if state.now else self.space.starts[0]
        document = start or neighbour(self.space, now, rng, self.moves)
        warmth = 0.0 if start else self.warmest * (1 - state.steps / self.steps)
        state.steps += 1
        state.done = state.steps >= self.steps
        if text(document) == state.now:
            return
        score = score_of(self.objective, document, state)
        if score is None:
            return
        keep(state, document, score)
        state.done = state.done or score >= self.objective.enough
        if not state.now_score or _accepts(score, from_words(state.now_score), warmth * rng.exponential()):
            state.now, state.now_score = text(document), as_words(score)


def _accepts(score: Score, now: Score, loss: float) -> bool:
    if inf in (score, now):
        return score == inf
    return score >= Fraction(now) - abs(Fraction(now)) * Fraction(loss)


def pieces(space: Documents, objective: Goal, seed: int, chains: int, steps: int) -> list[Piece]:
    """Return a search of `steps` documents per chain, or of a whole smaller space."""
    size = space.size
    if size is not None and size <= chains * steps:
        ends = sorted({size * n // RANGES for n in range(RANGES + 1)})
        return [Range(space, objective, begin, end) for begin, end in pairwise(ends)]
    return [Chain(space, objective, seed, number, chains, steps) for number in range(chains)]


def exhaustive(parts: Sequence[Piece]) -> bool:
    return all(isinstance(part, Range) for part in parts)
