"""``schedproof worst-regret`` and ``schedproof check-regret``: a step rule in, a certificate out; and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schedproof.terminal import INTERRUPTED, best_of, pairs, progress, tell, then_tell, writable

NONE: list[str] = []  # typer reads the default, nobody writes to it
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def worst_regret(
    family: Annotated[str, typer.Argument(help="A family with a theorem on regret, like multiserver.")],
    certificate: Annotated[Path | None, typer.Option(help="The file to write both ends' proofs into.")] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds; the answer is what is found by then.", min=0)
    ] = None,
    option: Annotated[
        list[str], typer.Option("--option", help="An option, key=value; see `schedproof show FAMILY.worst_regret`.")
    ] = NONE,
    json: Json = False,
) -> None:
    """Enclose the worst regret that a theorem's premises allow between two rationals, beside what the theorem says."""
    from schedproof.core.arrays import write_object
    from schedproof.core.regret import worst_regret as enclosed

    writable(certificate)
    with progress("worst regret") as report:
        found, early = best_of(lambda: enclosed(family, progress=report, time_limit=time_limit, **pairs(option)))
    with then_tell(json, found.to_json(), found.lines()):
        if certificate is not None:
            write_object(certificate, found.to_file())
    if early:
        raise typer.Exit(INTERRUPTED)


def check_regret(
    certificate: Annotated[Path, typer.Argument(help="A worst regret's certificate.")], json: Json = False
) -> None:
    """Check a worst regret's certificate, with code that shares nothing with what made it."""
    from schedproof.check.regret import Refused, check, lines

    try:
        result = check(str(certificate))
    except Refused as refused:
        tell(json, {"proven": False, "reason": str(refused)}, [f"NOT proven: {refused}"])
        raise typer.Exit(1) from None
    tell(json, {"proven": True} | result, lines(result))
