"""The loop of row generation, column generation and ascent, with the best bound.

A search makes rounds. Exact proofs are expensive, so only some rounds are proven. If the work may be
interrupted, the first bound is kept at once, and later bounds only while proving takes a small share of the time. Time
is reserved for the last proof before the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Protocol, TypeVar

from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import USUAL, Context

PAUSE = 5  # pause between kept proofs, in times of a proof
FOR_THE_LAST = 1.5  # time reserved for the last proof, in times of a proof
SAVED_EVERY = 20.0  # seconds
T = TypeVar("T")


class Search(Protocol):
    """A search in rounds; its text reports the progress."""

    @property
    def best_bound(self) -> float:
        """The best provable bound in doubles, negated for a maximum; -inf for none."""

    @property
    def gap(self) -> float:
        """The relative gap between objective and bound; inf if one is unknown."""

    @property
    def done(self) -> float | None:
        """The finished fraction from 0 to 1, or None if unknown."""

    def round(self, context: Context) -> str:
        """Make one round; return the reason for stopping, "" to continue."""


def generate(
    search: Search,
    prove: Callable[[], T],
    context: Context = USUAL,
    *,
    gap: float = 0.0,
    save: Callable[[float], None] = lambda after: None,
) -> tuple[T, str]:
    """Run rounds until the gap is small, no round improves, or time is up.

    Parameters
    ----------
    prove
        Returns the bound proven by the best round so far.
    gap
        Gap at which the search stops.
    save
        Called after each round, with the minimum time between saved states in seconds; 0 at the end.

    Returns
    -------
    tuple[T, str]
        The bound proven by the best round, and the reason for stopping: ``gap``, ``time``, or the round's reason.
    """
    proven, ended = -inf, ""
    last, needs = perf_counter(), 0.0

    def prove_best() -> T:
        nonlocal proven, last, needs
        proven, started = search.best_bound, perf_counter()
        result = prove()
        last = perf_counter()
        needs = last - started
        return result

    try:
        while not ended:
            wanted = context.interrupted is not None and search.best_bound > proven
            if wanted and (proven == -inf or perf_counter() - last > PAUSE * needs):
                best = prove_best()
                context.keep(best)
            ended = search.round(context)
            context.progress(str(search), search.done)
            if search.gap <= gap:
                ended = "gap"
            elif not ended and (context.over or now() + FOR_THE_LAST * needs > context.until):
                ended = "time"
            save(SAVED_EVERY)
    finally:
        save(0.0)
    if proven == -inf or search.best_bound > proven:
        best = prove_best()
    return best, ended
