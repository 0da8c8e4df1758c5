"""The one loop of row and column generation and of ascents on prices: rounds, and the best bound so far.

A search makes rounds; what it has reached is proven exactly once in a while, and that costs time too. Where the work
may be interrupted, the first bound is kept at once, and then no oftener than proofs are a small part of the time. The
last proof has its time before the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import Protocol, TypeVar

from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import USUAL, Context

PAUSE = 5  # times as long as a proof takes, between one that is kept and the next
FOR_THE_LAST = 1.5  # times as long as a proof takes, that are left for the last one
SAVED_EVERY = 20.0  # seconds
T = TypeVar("T")


class Search(Protocol):
    """What makes the rounds; printed, it is the progress."""

    @property
    def worth(self) -> float:
        """Of its best proof, in doubles: the larger the better, -inf for none."""

    @property
    def gap(self) -> float:
        """Between what it has reached from both sides, relative; inf where one is not known."""

    @property
    def done(self) -> float | None:
        """Which part of the whole it has come to, from 0 to 1; None where that is not known."""

    def round(self, context: Context) -> str:
        """Make one round; why it was the last, or nothing."""


def generate(
    search: Search,
    prove: Callable[[], T],
    context: Context = USUAL,
    *,
    gap: float = 0.0,
    save: Callable[[float], None] = lambda after: None,
) -> tuple[T, str]:
    """Rounds until the gap is small enough, nothing improves, or time is over.

    Parameters
    ----------
    prove
        The bound that the best round so far proves.
    gap
        At which the search stops.
    save
        Called after each round with the seconds between two states that are worth a file; 0 at the end.

    Returns
    -------
    tuple[T, str]
        The bound that the best round proves, and why the search ended: ``gap``, ``time``, or what its round said.
    """
    worth, ended = -inf, ""
    last, needs = perf_counter(), 0.0

    def prove_best() -> T:
        nonlocal worth, last, needs
        worth, started = search.worth, perf_counter()
        result = prove()
        last = perf_counter()
        needs = last - started
        return result

    try:
        while not ended:
            wanted = context.interrupted is not None and search.worth > worth
            if wanted and (worth == -inf or perf_counter() - last > PAUSE * needs):
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
    if worth == -inf or search.worth > worth:
        best = prove_best()
    return best, ended
