"""The commands ``schedproof figure`` and ``schedproof figures``: names in, pictures and their numbers out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from schedproof.terminal import INTERRUPTED, progress, say, tell

if TYPE_CHECKING:
    from schedproof.experiments.figures.plan import Figure

Names = Annotated[list[str], typer.Argument(help="Like preemptive:fig9, or by the paper's number: 000:fig9.")]
Paper = Annotated[str | None, typer.Option(help="The paper: its family, or its number, like 000; all if none.")]
Out = Annotated[Path, typer.Option(help="The folder for the pictures and the numbers that they are drawn from.")]
Kept = Annotated[Path, typer.Option("--store", help="Keep every finished run and bound in this SQLite file.")]
Traces = Annotated[Path, typer.Option(help="The folder with the files of real traces, for the figures that need them.")]
Draws = Annotated[int | None, typer.Option("--seeds", help="How many draws, in place of the figure's.", min=1)]
Jobs = Annotated[int | None, typer.Option(help="How many cells at once; one for each processor if not given.", min=1)]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for each figure.")]


def figure(
    names: Names,
    out: Out = Path("figures"),
    store: Kept = Path("figures.sqlite"),
    traces: Traces = Path(),
    seeds: Draws = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Make figures of the papers' evaluations again, beside what is printed about them; goes on where it stopped."""
    from schedproof.experiments.figures import plan

    _make([plan.named(name) for name in names], out, store, traces, seeds, jobs, json)


def figures(
    paper: Paper = None,
    out: Out = Path("figures"),
    store: Kept = Path("figures.sqlite"),
    traces: Traces = Path(),
    seeds: Draws = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Make all figures of the papers' evaluations again, or those of one paper; goes on where it stopped."""
    from schedproof.experiments.figures import plan

    wanted = plan.of_paper(paper) if paper else list(plan.all_figures())
    _make(wanted, out, store, traces, seeds, jobs, json)


def _make(
    wanted: list[Figure], out: Path, store: Path, traces: Path, seeds: int | None, jobs: int | None, json: bool
) -> None:
    from schedproof.core.errors import SchedproofError
    from schedproof.experiments.figures.make import make

    failed: list[SchedproofError] = []
    for chosen in wanted:
        try:
            with progress(chosen.id) as report:
                made = make(chosen, out, store=store, traces=traces, seeds=seeds, jobs=jobs, progress=report)
        except SchedproofError as error:  # the others are made
            say(f"schedproof: {chosen.id}: {error}", sys.stderr)
            failed.append(error)
        except KeyboardInterrupt:
            say(f"schedproof: what is finished is in {store}; the same command goes on from there", sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        else:
            tell(json, made.to_json(), made.lines())
    if failed:
        raise typer.Exit(failed[0].exit_code)
