"""The games by name: those on the families' cards and one more; what a row names is imported when it is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from schedproof.adversary.games import Game, Strategy, best
from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.data.options import Option, number, read, whole
from schedproof.core.errors import InputError, NoSolution, UnknownName
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.runtime.deadline import best_within

Solver = Callable[[Context], Strategy | None]
BIN_STRETCHING = Entry(
    "bin_stretching",
    "schedproof.adversary.bin_stretching:solve",
    "Online bin stretching: the load of the fullest bin where all items fit into as many bins of capacity 1.",
    (
        Option("bins", whole(1, 12), 3, "how many"),
        Option("capacity", whole(1, 200), 14, "of a bin, in the units that items are multiples of"),
        Option(
            "drop",
            whole(0, 200),
            None,
            "an item is at most so much smaller than the one before, which is faster and may miss strategies; "
            "any item may follow if not given",
        ),
    ),
)


def games() -> dict[str, Entry]:
    """The games by name: those of the families, and one that is of none."""
    return {BIN_STRETCHING.name: BIN_STRETCHING, **registry.entries("game")}


def game(
    game: str | Game[Any, Any],
    /,
    *,
    above: Value = 0,
    progress: Progress = silent,
    time_limit: float | None = None,
    **options: Value,
) -> Strategy:
    """What an adversary forces upon every deterministic online algorithm, and how.

    Parameters
    ----------
    game
        A game's name, or one of your own: `schedproof.adversary.games.Game`.
    above
        Only strategies that force more than this are of interest.
    progress
        Called with the progress.
    time_limit
        Seconds; the answer is the best strategy by then.

    Raises
    ------
    Interrupted
        When the user interrupts it (Ctrl-C) and there is a strategy by then, its ``best``.
    NoSolution
        When no strategy forces more, or none was found in time.
    """
    floor = read("above", number(from_equal=True), above)
    return play(game, options, floor, Context(progress=progress, time_limit=time_limit))


def play(game: str | Game[Any, Any], given: Mapping[str, Value], above: Fraction, context: Context) -> Strategy:
    """The same with options as a user gives them."""
    name, solve = _solver(game, given, above)
    result: Strategy | None = best_within(context, solve)
    if result is None:
        why = "was found in time" if context.over else "exists in this game"
        raise NoSolution(f"{name}: no strategy that forces more than {above} {why}")
    return result


def _solver(game: str | Game[Any, Any], given: Mapping[str, Value], above: Fraction) -> tuple[str, Solver]:
    """A game's name, and what finds its best strategy."""
    if not isinstance(game, str):
        if given:
            raise InputError(f"{game.name}: a game of your own has no options ({', '.join(given)})")
        return game.name, lambda context: best(game, above, context)
    known = games()
    if game not in known:
        raise UnknownName("game", game, known)
    return game, lambda context: known[game].call(game, given, context, above)
