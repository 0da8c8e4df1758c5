"""Advance the pieces of a search on an engine, and store each of their states."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial

from schedproof.adversary.objective import Objective
from schedproof.adversary.search import Piece, State
from schedproof.adversary.space import Documents
from schedproof.core.base.numbers import as_float
from schedproof.core.cards import plug_ins, registry
from schedproof.core.data.store import Row, Store
from schedproof.core.errors import PolicyTimeout, SchedproofError
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.files import encode, sha256
from schedproof.core.runtime.provenance import code, software
from schedproof.experiments.cells import Given, as_strings, computed_by, run_of
from schedproof.experiments.engines import Lost, Place, engine_of

LOG = logging.getLogger("schedproof")
AT_ONCE, BY_ENGINE = 1.0, 10.0  # seconds between two stored states of a piece, in this process and in other processes


Call = tuple[Piece, Row, float]  # a piece, its state, and the seconds to work on it


def advance(call: Call, ours: Mapping[str, str], plug_in_files: Iterable[str] = ()) -> Row:
    for file in plug_in_files:
        plug_ins.add(file)
    if ours["schedproof.adversary"] != code("schedproof.adversary") or ours["software"] != software():
        raise SchedproofError("the software of a worker differs from that of the process that runs the search")
    piece, row, seconds = call
    return piece.advance(State.from_row(row), seconds).to_row()


@dataclass
class Queue(Iterator[Call]):
    """Yield calls of ready pieces; it may get more pieces after it was empty.

    So an engine starts its workers once for a search.
    """

    call: Callable[[Piece], Call]
    ready: deque[Piece]

    def __next__(self) -> Call:
        if not self.ready:
            raise StopIteration
        return self.call(self.ready.popleft())


@dataclass(frozen=True)
class Work:
    """A running search.

    Attributes
    ----------
    seed
        Seed of a randomised policy.
    finished
        The store of states.
    engine, place
        The engine and its workers.
    """

    objective: Objective
    space: Documents
    seed: int
    finished: Store
    engine: str
    place: Place
    context: Context

    def complete(self, parts: Sequence[Piece], found: bool = False) -> list[State]:
        """Return the final states of some pieces, or their states at the time limit.

        The time limit applies only after some document has a score. A run of a policy from outside this package must
        always end within the limit.

        Raises
        ------
        PolicyTimeout
            If such a run does not end, and no document has a score.
        """
        rows = {part.name: self._last_state(part) for part in parts}

        def scored() -> bool:
            return found or any(row["best"] for _, row in rows.values())

        def over() -> bool:
            return scored() and self.context.over

        rest = [part for part in parts if not rows[part.name][1]["done"]]
        try:
            if rest and not over():
                self._work_off(rest, rows, over)
        except PolicyTimeout as late:
            if not scored():
                raise
            LOG.warning("%s on an instance of the search", late)
        return [State.from_row(rows[part.name][1]) for part in parts]

    def _work_off(self, rest: list[Piece], rows: dict[str, tuple[int, Row]], over: Callable[[], bool]) -> None:
        """Advance unfinished pieces, in turns, until all are done or the time is over."""
        work = partial(advance, ours=self._software, plug_in_files=tuple(plug_ins.plug_in_files()))
        place, longest = self.place, BY_ENGINE
        if self.engine == "joblib":
            place = replace(place, jobs=min(place.at_once, len(rest)))
            longest = AT_ONCE if place.jobs == 1 else BY_ENGINE
        calls = Queue(lambda piece: (piece, rows[piece.name][1], self._at_most(longest)), deque(rest))
        with closing(engine_of(self.engine)(work, calls, place)) as results:
            for (piece, *_), row in results:
                if isinstance(row, Lost):
                    raise SchedproofError(f"the search stopped in its piece {piece.name}: {row.why}")
                number = rows[piece.name][0] + 1
                rows[piece.name] = number, self.finished.add(self._key(piece, number), row)
                self._tell(rows)
                if over():
                    break
                if not rows[piece.name][1]["done"]:
                    calls.ready.append(piece)

    def _at_most(self, seconds: float) -> float:
        rest = self.context.remaining
        return seconds if rest is None else min(seconds, rest)

    def _tell(self, rows: Mapping[str, tuple[int, Row]]) -> None:
        states = [State.from_row(row) for _, row in rows.values()]
        scores = [state.score for state in states if state.score is not None]
        looked = sum(state.steps for state in states)
        worst = f", the worst {as_float(max(scores)):.6g}" if scores else ""
        self.context.progress(f"{looked} evaluated{worst}")

    def _last_state(self, piece: Piece) -> tuple[int, Row]:
        number, row = 0, State().to_row()
        while (result := self.finished.find(self._key(piece, number + 1))) is not None:
            number, row = number + 1, result
        return number, row

    def _key(self, piece: Piece, part: int) -> Row:
        return {"search": self._search, "piece": piece.name, "part": part}

    @cached_property
    def _software(self) -> dict[str, str]:
        return {"schedproof.adversary": code("schedproof.adversary"), "software": software()}

    @cached_property
    def _search(self) -> str:
        family, goal = self.objective.against.partition(".")[0], self.objective
        run = run_of(goal.policy, Given(None, self.seed), {"family": family, "instance_sha256": self.space.sha256})
        home = registry.find(goal.kind, goal.against, family)[1].home if goal.kind != "regret" else ""
        ours = {
            "against": [goal.kind, goal.against, as_strings(goal.options)],
            "only": goal.only,
            "code": computed_by(family, *([home] if home else [])),
        }
        return sha256(encode({"run": run.key} | ours | self._software))
