"""Searches for the worst document of a space: all of them, or annealing from many starts.

A search is cut into pieces that know nothing of each other: a range of a finite space, or a chain of moves. A piece is
taken up from its last `State`, and where it is cut does not change what comes out: so it may be stopped at any moment,
and pieces may be worked on at the same time, in whatever process.
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
from schedproof.core.errors import Contradiction, InputError, SchedproofError
from schedproof.instances import from_json

WARMEST = 0.05  # how much of its score a chain gives away on average at its begin; nothing at its end
RANGES = 16  # into which a finite space is cut


class State(msgspec.Struct):
    """How far a piece has come.

    Attributes
    ----------
    steps
        Documents that were looked at.
    best, best_score
        The worst document so far, and its score as text; None before there is any.
    now, now_score
        Where a chain stands.
    trace
        (steps, score, document) whenever the worst one got worse.
    unjudged
        Sentences that say why documents have no score -> how many.
    place, failed
        Of a shrinking: the candidate that is next, and how many in a row were none.
    bound, settled
        Of a program: what its solver says that no score exceeds, and whether that of the worst document is as large.
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
        """The state as a row of a store."""
        row: dict[str, Json] = msgspec.to_builtins(self)
        return row

    @classmethod
    def from_row(cls, row: Json) -> State:
        """The state that `to_row` wrote.

        Raises
        ------
        ValueError
            For a row that is no state.
        """
        state = msgspec.convert(row, cls)
        if row.keys() != set(cls.__struct_fields__):
            raise ValueError("expected all that a state says")
        for score in (*filter(None, (state.best_score, state.now_score)), *(score for _, score, _ in state.trace)):
            from_words(score)
        for document in (state.best, state.now, *(document for _, _, document in state.trace)):
            if document is not None:
                read(document)
        if (state.best is None) != (not state.best_score) or min(state.steps, state.place, state.failed) < 0:
            raise ValueError("the worst document and its score do not go together")
        return state

    @property
    def score(self) -> Score | None:
        """That of the worst document so far."""
        return from_words(self.best_score) if self.best_score else None


class Piece(Protocol):
    """A part of a search."""

    @property
    def name(self) -> str:
        """What it is known by, among those of its search."""

    def advance(self, state: State, seconds: float) -> State:
        """Go on from a state for about so many seconds, by one document at least."""


def score_of(objective: Goal, document: Document, state: State) -> Score | None:
    """The score of a document; where there is none, the state says why, unless that is a contradiction."""
    try:
        return objective.judge(from_json(document)).score
    except Contradiction:
        raise
    except SchedproofError as error:
        why = "no instance of the family" if isinstance(error, InputError) else str(error).partition(" (first:")[0]
        state.unjudged[why] = state.unjudged.get(why, 0) + 1
        return None


def keep(state: State, document: Document, score: Score) -> None:
    """Remember a document that is worse than all before."""
    if state.score is None or score > state.score:
        state.best, state.best_score = text(document), as_words(score)
        state.trace.append((state.steps, state.best_score, state.best))


def work_on(state: State, seconds: float, step: Callable[[State], None]) -> State:
    """A copy of a state after as many steps as there is time for."""
    state, until = State.from_row(state.to_row()), monotonic() + seconds
    while not state.done:
        step(state)
        if monotonic() >= until:
            break
    return state


@dataclass(frozen=True)
class Range:
    """The documents of a finite space from one number to another."""

    space: Documents
    objective: Goal
    begin: int
    end: int

    @property
    def name(self) -> str:
        """The two numbers."""
        return f"documents {self.begin} to {self.end}"

    def advance(self, state: State, seconds: float) -> State:
        """Go on from a state for about so many seconds."""
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
    """Annealing: moves from document to document, mostly to worse ones, from the worst of some starts.

    Attributes
    ----------
    seed, number
        Of all random choices, and of this chain among those of its search.
    steps
        How many documents it looks at.
    moves
        What leads from a document to the next.
    warmest
        How much of its score it gives away on average at its begin.
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
        """Its number, and how long it is: a longer one cools more slowly."""
        return f"chain {self.number} of {self.of}, {self.steps} steps"

    def advance(self, state: State, seconds: float) -> State:
        """Go on from a state for about so many seconds."""
        return work_on(state, seconds, self._step)

    def _start(self, step: int) -> Document | None:
        """The document to begin with at a step; None from where on it is moved. A third of the steps at most."""
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
    """Whether a chain moves to a document of that score, where it may lose so much of its own."""
    if inf in (score, now):
        return score == inf
    return score >= Fraction(now) - abs(Fraction(now)) * Fraction(loss)


def pieces(space: Documents, objective: Goal, seed: int, chains: int, steps: int) -> list[Piece]:
    """The pieces of a search that looks at about so many documents in each chain, or at all where there are no more."""
    size = space.size
    if size is not None and size <= chains * steps:
        ends = sorted({size * n // RANGES for n in range(RANGES + 1)})
        return [Range(space, objective, begin, end) for begin, end in pairwise(ends)]
    return [Chain(space, objective, seed, number, chains, steps) for number in range(chains)]


def exhaustive(parts: Sequence[Piece]) -> bool:
    """Whether the pieces are all of a finite space."""
    return all(isinstance(part, Range) for part in parts)
