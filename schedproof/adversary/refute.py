"""Attacks on claims: search for a counterexample, then shrink it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from schedproof.adversary.documents import copy, read
from schedproof.adversary.doubt import REFUTED, WAYS, Doubt, Draws, Moves, pieces, usual_preset, ways
from schedproof.adversary.refutation import Refutation
from schedproof.adversary.search import Piece, State
from schedproof.adversary.shrink import Shrinking
from schedproof.core.claims import cases, claims
from schedproof.core.claims.claim import Claim
from schedproof.core.data.options import read as read_option
from schedproof.core.data.options import whole
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import InputError, UnknownName, short
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within
from schedproof.core.runtime.files import encode
from schedproof.instances import from_json
from schedproof.proofs_checks.trials import OutOfTime
from schedproof.proofs_checks.verify import computed_by

ATTACKS = "attacks on claims"  # the kind of a store with attacks
AT_ONCE = 5.0  # seconds between two stored states of a chain
TO_SHRINK = 400  # most smaller instances to try


def refute(
    claim: str | Claim[Any],
    *,
    reading: str | None = None,
    cases: int = 2000,
    by: Sequence[str] = WAYS,
    preset: str | None = None,
    seed: int = 0,
    store: str | Path | None = None,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Refutation:
    """Search for a counterexample to a claim, and shrink it.

    The attack does not use stored witnesses or cases. It draws from the claim's domain and, if the claim's cases are
    instances, moves from instance to instance. Both are steered towards the smallest distance to a violation. The seed
    determines the attack.

    Parameters
    ----------
    claim
        The id of a claim, or a `Claim`.
    reading
        The only reading to attack; default: all readings.
    cases
        Number of cases to try, at most.
    by
        Sources of cases: domain, presets, or both in turn; unsupported sources are skipped.
    preset
        Preset of the instances to start from; tiny if not given.
    store
        Keep the attack's progress in this SQLite file; the same call resumes.
    time_limit
        Seconds; the result is the best one found within them.

    Raises
    ------
    InputError
        For an unknown name, a wrong number, or a claim that cannot be evaluated.
    Interrupted
        On Ctrl-C; the error's ``best`` is the result so far.

    Examples
    --------
    >>> import schedproof as sp
    >>> found = sp.refute("preemptive.lemma1")
    >>> found.witness.replay(sp.claim("preemptive.lemma1"))["as printed"].violated
    True
    >>> sp.refute("preemptive.lemma1_repaired", cases=100).witness is None
    True
    """
    chosen = claim if isinstance(claim, Claim) else claims.claim(claim)
    if reading is not None:
        chosen = replace(chosen, readings=[_reading(chosen, reading)])
    if not chosen.evaluable:
        raise InputError(f"{chosen.id} cannot be evaluated: {chosen.readings[0].missing}")
    for way in by:
        if way not in WAYS:
            raise UnknownName("way", way, WAYS)
    count, used = read_option("cases", whole(), cases), [way for way in ways(chosen) if way in by]
    if not used:
        raise InputError(f"{chosen.id} has no cases from {' or '.join(by)}: expected one of {', '.join(ways(chosen))}")
    start = Refutation(chosen, seed, usual_preset(chosen, preset), looked_at=dict.fromkeys(used, 0))
    if store is not None and isinstance(claim, Claim) and claims.claim(claim.id) is not claim:
        raise InputError(f"store: expected a claim of the catalogue or a plug-in, got {short(claim)}")

    def work(context: Context) -> Refutation:
        with nullcontext() if store is None else Store(ATTACKS, store, require_row) as finished:
            attack = _Attack(start, context, finished)
            attack.run(pieces(Doubt(chosen), used, start.preset, count, seed, attack.look_up))
            return attack.found

    return best_within(Context(seed, progress, time_limit), work) or start


def require_row(row: Row) -> None:
    """Check that a row is the state of a piece, or a shrunk case.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if "state" in row:
        State.from_row(row["state"])
        float(row["seconds"])
    elif not isinstance(row["written"], str):
        raise ValueError("expected a case")


def _reading(claim: Claim[Any], name: str) -> Any:
    try:
        return claim.read_as(name)
    except ValueError:
        raise UnknownName("reading", name, [one.name for one in claim.readings]) from None


class _Attack:
    """A running attack; the context keeps `found`."""

    def __init__(self, found: Refutation, context: Context, finished: Store | None) -> None:
        self.found, self._context, self._finished = found, context, finished
        self._tell()

    def look_up(self) -> None:
        if self._context.over:
            raise OutOfTime

    def run(self, parts: Iterator[Draws | Moves]) -> None:
        try:
            for part in parts:
                state = self._search_piece(part)
                if state.score is not None and state.score >= REFUTED:
                    self._shrink(part, str(state.best))
                    break
                self.look_up()
            self._tell(unfinished=False)
        except OutOfTime:
            pass

    def _tell(self, **changes: Any) -> None:
        self.found = replace(self.found, **changes)
        self._context.keep(self.found)
        looked = f"{sum(self.found.looked_at.values())} cases"
        size = "" if self.found.written is None else f", one of {self.found.size} bytes contradicts it"
        self._context.progress(f"{looked}{size}")

    def _search_piece(self, part: Draws | Moves) -> State:
        before, state = self.found, State()
        for state, spent in self._states(part):
            unjudged = {
                why: before.unjudged.get(why, 0) + state.unjudged.get(why, 0)
                for why in before.unjudged | state.unjudged
            }
            looked_at = before.looked_at | {part.way: before.looked_at[part.way] + state.steps}
            self._tell(looked_at=looked_at, unjudged=unjudged, seconds=self.found.seconds + spent)
        return state

    def _states(self, piece: Piece) -> Iterator[tuple[State, float]]:
        state, number = State(), 0
        while not state.done:
            row = self._load_or_do({"piece": piece.name, "part": number}, partial(_advance, piece, state))
            state, number = State.from_row(row["state"]), number + 1
            yield state, row["seconds"]
            if not state.done:
                self.look_up()

    def _load_or_do(self, what: Row, work: Callable[[], Row]) -> Row:
        if self._finished is None:
            return work()
        claim = self.found.claim
        names = [reading.name for reading in claim.readings]
        key = computed_by(claim) | {"readings": names, "seed": self.found.seed, "preset": self.found.preset}
        return self._finished.get_or_compute(key | what, work)

    def _shrink(self, part: Draws | Moves, first: str) -> None:
        goal: Doubt | None
        if isinstance(part, Moves):
            goal = part.objective
            self._smaller(goal.case(from_json(read(first))))
        else:
            self._tell(written=first, way=part.way)
            self._tell(first_size=self.found.size)
            row = self._load_or_do({"piece": part.name, "shrunk": "by Hypothesis"}, lambda: self._by_hypothesis(part))
            self._tell(written=row["written"])
            goal = Doubt.beside(self.found.claim, self.found.case)
        if goal is not None:
            document = copy(self.found.case.instance.to_json())
            for state, _ in self._states(Shrinking(goal, document, REFUTED, Fraction(1), TO_SHRINK)):
                self._smaller(goal.case(from_json(read(str(state.best)))))

    def _by_hypothesis(self, part: Draws) -> Row:
        part.shrink(self._smaller)
        return {"written": self.found.written}

    def _smaller(self, case: Any) -> None:
        size = cases.size(case)
        if self.found.size is None or size <= self.found.size:
            self._tell(written=encode(cases.to_json(case)).decode(), way=self.found.way or "presets")
            self._tell(first_size=self.found.first_size or size)


def _advance(piece: Piece, state: State) -> Row:
    began = process_time()
    after = piece.advance(state, AT_ONCE)
    return {"state": after.to_row(), "seconds": process_time() - began}
