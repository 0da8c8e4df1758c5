"""Look-up of games by name: those of the families' cards, and bin stretching."""

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
    "Online bin stretching: the load of the fullest bin if all items fit into as many bins of capacity 1.",
    (
        Option("bins", whole(1, 12), 3, "number of bins"),
        Option("capacity", whole(1, 200), 14, "capacity of a bin, in units of the items' sizes"),
        Option(
            "drop",
            whole(0, 200),
            None,
            "largest decrease from one item to the next; a small value is faster but may miss strategies; no limit "
            "if not given",
        ),
    ),
)


def games() -> dict[str, Entry]:
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
    """Find the payoff that an adversary forces on every deterministic algorithm.

    Parameters
    ----------
    game
        A game's name, or a `schedproof.adversary.games.Game`.
    above
        Return only strategies that force a payoff above this value.
    progress
        Called with the progress.
    time_limit
        Seconds; the result is the best strategy found within them.

    Raises
    ------
    Interrupted
        On Ctrl-C, if a strategy was found; the error's ``best`` is that strategy.
    NoSolution
        If no strategy forces more, or none was found in time.
    """
    floor = read("above", number(from_equal=True), above)
    return play(game, options, floor, Context(progress=progress, time_limit=time_limit))


def play(game: str | Game[Any, Any], given: Mapping[str, Value], above: Fraction, context: Context) -> Strategy:
    name, solve = _solver(game, given, above)
    result: Strategy | None = best_within(context, solve)
    if result is None:
        why = "was found in time" if context.over else "exists in this game"
        raise NoSolution(f"{name}: no strategy that forces a ratio above {above} {why}")
    return result


def _solver(game: str | Game[Any, Any], given: Mapping[str, Value], above: Fraction) -> tuple[str, Solver]:
    if not isinstance(game, str):
        if given:
            raise InputError(f"{game.name}: expected no options for a Game object, got {', '.join(given)}")
        return game.name, lambda context: best(game, above, context)
    known = games()
    if game not in known:
        raise UnknownName("game", game, known)
    return game, lambda context: known[game].call(game, given, context, above)
