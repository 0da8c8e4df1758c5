"""Experiments: sweeps, and the figures of the papers' evaluations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import schedproof as sp
from schedproof.cli.command import Answer, Folder, command
from schedproof.cli.terminal import progress as bar
from schedproof.cli.terminal import resumable, say, tell

if TYPE_CHECKING:
    from schedproof.experiments.figures.plan import Figure

MAKE = "schedproof.experiments.figures.make:make"


@command(files="out")
def sweep(plan: Path, *, store: Path | None = None, out: Folder | None = None, **words: Any) -> Answer:
    """
    plan: What is to be tried (TOML).
    store: Keep every finished cell in this SQLite file; PLAN.sqlite if not given.
    out: Write the table into a file (.csv, .parquet).
    """
    from schedproof.experiments.export import means, table_file, write_table

    place = plan.with_suffix(".sqlite") if store is None else store
    if out is not None:
        table_file(out)
    with resumable(place):
        table = sp.sweep(plan, place, **words)
    wrong = sum(int((table[name].fillna("") != "").sum()) for name in ("error", "bound_error") if name in table)
    result = {"rows": len(table), "errors": wrong, "store": str(place), "out": out and str(out)}
    lines = [means(table), "", f"{len(table)} rows, {wrong} errors or infeasible schedules; kept in {place}"]
    return Answer(result, lines, write=partial(write_table, table))


@command(of=MAKE, store=Path("figures.sqlite"), jobs=None)
def figure(names: Sequence[str], *, out: Folder = Path("figures"), json: bool = False, **words: Any) -> None:
    """Make figures of the papers' evaluations again, beside what is printed about them; goes on where it stopped.

    names: Like preemptive:fig9, or by the paper's number: 000:fig9.
    json: Print one JSON object for each figure.
    """
    from schedproof.experiments.figures import plan

    _make([plan.named(name) for name in names], out, json, words)


@command(of=MAKE, store=Path("figures.sqlite"), jobs=None)
def figures(*, paper: str | None = None, out: Folder = Path("figures"), json: bool = False, **words: Any) -> None:
    """Make all figures of the papers' evaluations again, or those of one paper; goes on where it stopped.

    paper: The paper: its family, or its number, like 000; all if none.
    json: Print one JSON object for each figure.
    """
    from schedproof.experiments.figures import plan

    _make(plan.of_paper(paper) if paper else plan.all_figures(), out, json, words)


def _make(wanted: Iterable[Figure], out: Path, json: bool, words: Mapping[str, Any]) -> None:
    from schedproof.core.errors import SchedproofError
    from schedproof.experiments.figures.make import make

    failed: list[SchedproofError] = []
    for chosen in wanted:
        try:
            with resumable(words["store"]), bar(chosen.id) as report:
                made = make(chosen, out, **{**words, "progress": report})
        except SchedproofError as error:  # the others are made
            say(f"schedproof: {chosen.id}: {error}", sys.stderr)
            failed.append(error)
        else:
            tell(json, made.to_json(), made.lines())
    if failed:
        raise typer.Exit(failed[0].exit_code)
