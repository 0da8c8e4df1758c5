"""The command ``schedproof refute``: a claim in, a case that contradicts it out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from schedproof.terminal import INTERRUPTED, best_of, progress, then_tell, writable

NOT_FOUND = 3  # the exit code of a search that has found nothing


def refute(
    claim: Annotated[str, typer.Argument(help="A claim; `schedproof claims` lists them.")],
    reading: Annotated[str | None, typer.Option(help="Only this reading; `schedproof show CLAIM` lists them.")] = None,
    cases: Annotated[int, typer.Option(help="How many cases are looked at, at most.", min=1)] = 2000,
    preset: Annotated[
        str | None, typer.Option(help="The generator's preset, from whose draws instances are moved.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.", min=0)] = 0,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds; the answer is what is found by then.", min=0)
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep how far the attack is in this SQLite file; the same command goes on.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write the counterexample into, as a witness.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Attack a claim: search a case that contradicts it, and shrink it; exit code 3 if there is none among the cases.

    Nothing that is stored with the claim is looked at: cases are drawn from its domain, and moved from a preset's
    draws. A witness that is written is judged by `schedproof verify CLAIM --witness FILE`.
    """
    from schedproof.adversary.refute import refute as attack

    writable(out)
    with progress("refute") as report:
        found, early = best_of(
            lambda: attack(
                claim,
                reading=reading,
                cases=cases,
                preset=preset,
                seed=seed,
                store=store,
                time_limit=time_limit,
                progress=report,
            )
        )
    contradicted = found.written is not None
    result = found.to_json() | {"out": str(out) if out and contradicted else None}
    with then_tell(json, result, [*found.lines(), *([f"written into {out}"] if result["out"] else [])]):
        if out is not None and contradicted:
            found.write(out)
    if early:
        raise typer.Exit(INTERRUPTED)
    if not contradicted or found.against_proofs:
        raise typer.Exit(1 if contradicted else NOT_FOUND)
