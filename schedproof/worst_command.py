"""The command ``schedproof worst``: a policy and what it is measured against in, the worst instance for it out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from schedproof.engine_options import NOTHING, Engine, Jobs, Scheduler, Slurm
from schedproof.terminal import INTERRUPTED, beginning, draw, instance_of, pairs, progress, say, then_tell, writable

Policy = Annotated[
    str, typer.Argument(help="A policy; `schedproof show` prints its options.", autocompletion=beginning("policy"))
]


def worst(
    policy: Policy,
    file: Annotated[Path | None, typer.Argument(help="An instance file, some of whose numbers are free.")] = None,
    against: Annotated[str, typer.Option(help="A bound, a program that decides schedules, or FAMILY.regret.")] = ...,  # type: ignore[assignment]  # typer's word for an option that has to be given
    free: Annotated[
        list[str], typer.Option(help="Numbers that are free, like 'jobs[*].arrival=0..20', in FILE or one draw.")
    ] = NOTHING,
    preset: Annotated[
        str, typer.Option(help="The generator's preset, whose draws say what instances may be.")
    ] = "tiny",
    set_: Annotated[list[str], typer.Option("--set", help="A setting of the generator, key=value.")] = NOTHING,
    witnesses: Annotated[
        bool, typer.Option("--witnesses", help="Start from the instances of stored witnesses, too.")
    ] = False,
    cases_of: Annotated[
        str | None, typer.Option(help="Start from instances of this claim's cases, as Hypothesis draws them, too.")
    ] = None,
    within: Annotated[
        list[str], typer.Option(help="What numbers may be, like 'jobs[*].chunks=1..2', in place of what is drawn.")
    ] = NOTHING,
    only: Annotated[
        str,
        typer.Option(
            help="Which instances count: all; finite, those on which the policy earns something; guaranteed, those on "
            "which every premise of its guarantee holds, for the largest share of what that promises."
        ),
    ] = "all",
    option: Annotated[list[str], typer.Option(help="An option of the policy, key=value.")] = NOTHING,
    against_option: Annotated[list[str], typer.Option(help="An option of what it is against, key=value.")] = NOTHING,
    chains: Annotated[int, typer.Option(help="How many searches.", min=1)] = 4,
    steps: Annotated[int, typer.Option(help="How many instances each of them looks at.", min=1)] = 250,
    keep: Annotated[str, typer.Option(help="The share of the ratio that shrinking has to keep.")] = "1",
    seed: Annotated[int, typer.Option(help="Seed of every random choice.", min=0)] = 0,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds; the answer is what is found by then, the same command goes on.", min=0),
    ] = None,
    store: Annotated[Path, typer.Option(help="Keep how far the search is in this SQLite file.")] = Path("worst.sqlite"),
    engine: Engine = "joblib",
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    slurm: Slurm = NOTHING,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the instance, the schedule, and the bound or better schedule.")
    ] = None,
    lift: Annotated[
        int | None, typer.Option(help="Let copies and numbers grow to this, and tell how the ratio does.", min=5)
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the schedule into a file (.png, .pdf, .svg, .jpg).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Search the worst instance for a policy, and shrink it; the same command goes on where it was cut short.

    Against a bound, the ratio on the instance is at most what is found; against a program that decides schedules, at
    least that. Where free numbers allow no more instances than would be looked at, all are, and no other is worse.
    """
    from schedproof.experiments.worst import worst as search

    writable(plot=plot)
    words: dict[str, Any] = {
        "free": free,
        "preset": preset,
        "settings": pairs(set_, "--set"),
        "options": pairs(option),
        "against_options": pairs(against_option, "--against-option"),
        "witnesses": witnesses,
        "cases_of": cases_of,
        "within": within,
        "only": only,
        "chains": chains,
        "steps": steps,
        "keep": keep,
        "seed": seed,
        "time_limit": time_limit,
        "store": store,
        "engine": engine,
        "jobs": jobs,
        "scheduler": scheduler,
        "slurm": pairs(slurm, "--slurm"),
    }
    instance = None if file is None else instance_of(file)
    try:
        with progress("worst") as report:
            found = search(policy, against, instance, **words, progress=report)
    except KeyboardInterrupt:
        say(f"schedproof: what is found is in {store}; the same command goes on from there", sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    lifted = [] if lift is None else [one.sentence for one in found.lifts(lift)]
    result = found.to_json() | {"store": str(store), "out": None if out is None else str(out), "lifts": lifted}
    with then_tell(json, result, [*found.lines(), *lifted, *([f"written into {out}"] if out else [])]):
        if out is not None:
            found.write(out)
        if plot is not None:
            draw(plot, found)
