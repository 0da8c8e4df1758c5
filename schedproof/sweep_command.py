"""The command ``schedproof sweep``: words in, a store and a table out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from schedproof.engine_options import NOTHING, Engine, Jobs, Scheduler, Slurm
from schedproof.terminal import INTERRUPTED, pairs, progress, say, tell


def sweep(
    plan: Annotated[Path, typer.Argument(help="What is to be tried (TOML).")],
    store: Annotated[
        Path | None, typer.Option(help="Keep every finished cell in this SQLite file; PLAN.sqlite if not given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the table into a file (.csv, .parquet).")] = None,
    engine: Engine = "joblib",
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    slurm: Slurm = NOTHING,
    retry: Annotated[bool, typer.Option("--retry", help="Try the cells that failed again.")] = False,
    so_far: Annotated[bool, typer.Option("--so-far", help="Compute nothing; the table has what is finished.")] = False,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="Say in the table with what each row was made, in how many seconds.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Try policies and bounds on many instances; the same command goes on where it was cut short, by whatever.

    Every finished cell (a policy's run or a bound on one instance) is kept at once, and cells that are there, from this
    sweep or another one, are not computed again. Several processes may work on one store.
    """
    from schedproof.experiments.export import means, table_file, write_table
    from schedproof.experiments.sweep import sweep as work

    place = plan.with_suffix(".sqlite") if store is None else store
    if out is not None:
        table_file(out)
    words: dict[str, Any] = {"engine": engine, "jobs": jobs, "scheduler": scheduler, "slurm": pairs(slurm, "--slurm")}
    try:
        with progress("sweep") as report:
            table = work(plan, place, **words, retry=retry, so_far=so_far, provenance=provenance, progress=report)
    except KeyboardInterrupt:
        say(f"schedproof: what is finished is in {place}; the same command goes on from there", sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    if out is not None:
        write_table(table, out)
    wrong = sum(int((table[name].fillna("") != "").sum()) for name in ("error", "bound_error") if name in table)
    result = {"rows": len(table), "errors": wrong, "store": str(place), "out": None if out is None else str(out)}
    tell(
        json, result, [means(table), "", f"{len(table)} rows, {wrong} errors or infeasible schedules; kept in {place}"]
    )
