"""The commands ``schedproof game`` and ``schedproof check-game``: what no deterministic online algorithm guarantees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schedproof.terminal import INTERRUPTED, best_of, page_lines, pairs, progress, tell, then_tell, writable

NOTHING: list[str] = []  # typer reads the default, nobody writes to it
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def game(
    name: Annotated[str | None, typer.Argument(help="A game; all of them with their options if none is named.")] = None,
    option: Annotated[list[str], typer.Option("--option", help="An option of the game, key=value.")] = NOTHING,
    above: Annotated[str, typer.Option(help="Only what forces more than this is of interest, like 9/7.")] = "0",
    out: Annotated[Path | None, typer.Option(help="The file to write the adversary's strategy into.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Seconds; the answer is the best by then.", min=0)] = None,
    json: Json = False,
) -> None:
    """Find what an adversary forces upon every deterministic online algorithm; --out writes its strategy."""
    from schedproof.adversary.catalogue import games, play
    from schedproof.core.catalogue import Page, options
    from schedproof.core.context import Context
    from schedproof.core.options import number, read

    if name is None:
        pages = [Page("game", id, entry.sentence, options=options(entry)) for id, entry in games().items()]
        tell(json, {"games": [page.to_json() for page in pages]}, (line for page in pages for line in page_lines(page)))
        return
    writable(out)
    floor = read("above", number(from_equal=True), above)
    with progress(name) as report:
        found, early = best_of(
            lambda: play(name, pairs(option), floor, Context(progress=report, time_limit=time_limit))
        )
    with then_tell(json, found.to_json(), found.lines()):
        if out is not None:
            found.write(out)
    if early:
        raise typer.Exit(INTERRUPTED)


def check_game(
    file: Annotated[Path, typer.Argument(help="An adversary's strategy, as `schedproof game` writes it.")],
    json: Json = False,
) -> None:
    """Check an adversary's strategy, with code that shares nothing with what found it."""
    from schedproof.check.game import Refused, check, lines

    try:
        result = check(str(file))
    except Refused as refused:
        tell(json, {"proven": False, "reason": str(refused)}, [f"NOT proven: {refused}"])
        raise typer.Exit(1) from None
    tell(json, {"proven": True} | result, lines(result))
