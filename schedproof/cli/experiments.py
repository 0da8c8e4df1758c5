"""Commands for comparisons, sweeps, and the figures of the papers' evaluations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import schedproof as sp
from schedproof.cli.command import Answer, Folder, command
from schedproof.cli.terminal import instance_of, pairs, resumable, say, tell, writable
from schedproof.cli.terminal import progress as bar

if TYPE_CHECKING:
    from schedproof.core.base.untyped import Frame
    from schedproof.core.runtime.context import Progress
    from schedproof.experiments.figures.plan import Figure

TINY = "tiny"  # the default preset
MOST_ERRORS = 10  # of a sweep, in its output
MAKE = "schedproof.experiments.figures.make:make"


@command(files="out")
def sweep(plan: Path, *, store: Path | None = None, out: Folder | None = None, **words: Any) -> Answer:
    """Exit code 1 if a policy of the plan has no result.

    plan: The plan of the sweep (TOML).
    store: Keep every finished cell in this SQLite file; PLAN.sqlite if not given.
    out: Write the table into a file (.csv, .parquet).
    """
    from schedproof.experiments.export import means, table_file, write_table
    from schedproof.experiments.standings import errors

    place = plan.with_suffix(".sqlite") if store is None else store
    if out is not None:
        table_file(out)
    with resumable(place):
        table = sp.sweep(plan, place, **words)
        wrong = _errors(table)
        result = {"rows": len(table), "errors": wrong, "store": str(place), "out": out and str(out)}
        lines = [means(table), "", f"{len(table)} rows, {wrong} errors or infeasible schedules; stored in {place}"]
        lines += errors(table)[:MOST_ERRORS]
    failed = _without_result(table, ["policy", "options"])
    return Answer(result, lines, exit_code=int(failed), write=partial(write_table, table))


def _without_result(table: Frame, by: Sequence[str]) -> bool:
    """Whether a policy has an error on every instance."""
    if not {"error", "policy"} <= {*table}:  # a table of bounds
        return False
    return bool((table["error"].fillna("") != "").groupby([table[name] for name in by]).all().any())


def _errors(table: Frame) -> int:
    return sum(int((table[name].fillna("") != "").sum()) for name in ("error", "bound_error") if name in table)


@command(files="plot")
def compare(
    files: Sequence[Path] = (),
    *,
    preset: str = TINY,
    family: str = "preemptive",
    seeds: int = 5,
    settings: Mapping[str, str],
    vary: Mapping[str, str],
    policy: Sequence[str] = (),
    speed: Sequence[str] = (),
    bound: str = "usual",
    bound_option: Mapping[str, str],
    baseline: str | None = None,
    time_limit: float | None = None,
    out: Path | None = None,
    format: str = "text",
    progress: Progress,
) -> Answer:
    """Run policies on instances and print their means in one table.

    Each run is compared with a certified bound. Exit code 1 if a named policy has no result.

    files: Instance files (JSON); if none is given, instances are drawn from the preset.
    family: Family of the preset.
    seeds: Number of draws, from seed 0 on.
    vary: A setting of the generator with several values, key=value,value.
    policy: A policy, NAME or FILE.py:NAME, with optional :key=value,key=value; default: the family's default policies.
    speed: Speed 1 + eps of the policies; may be repeated.
    bound: The program that is bounded: usual (the family's default), or "none" to omit ratios.
    bound_option: An option of the bound, key=value.
    baseline: The policy with which the other policies are compared; default: the family's baseline.
    time_limit: Seconds for each bound, and for each program that a policy solves.
    out: Keep every finished cell in this SQLite file, from which the same command resumes.
    format: The table's format: text (only the columns that fit the terminal), markdown, csv or latex.
    plot: Draw the ratios into a file (.png, .pdf, .svg, .jpg).
    """
    from shutil import get_terminal_size

    from schedproof.core.data.options import choice, read
    from schedproof.core.errors import InputError
    from schedproof.experiments.compare import draws
    from schedproof.experiments.finer_slots import with_fine_slots
    from schedproof.experiments.standings import FORMATS, Standings
    from schedproof.experiments.table import picture

    read("--format", choice(*FORMATS), format)
    if files and (settings or vary or preset != TINY):
        raise InputError("--preset, --set and --vary cannot be combined with instance files")
    values = {name: words.split(",") for name, words in vary.items()}
    cases = [instance_of(file) for file in files] or draws(preset, seeds=seeds, family=family, vary=values, **settings)

    def report(done: int, total: int, row: Mapping[str, Any]) -> None:
        what, seed = row.get("policy") or row.get("program"), row.get("seed")
        progress(f"{done} of {total}, {what}{'' if seed is None else f' on draw {seed}'}", done / total)

    with resumable(out) if out else nullcontext():
        policies, speeds = [_policy(words) for words in policy], speed or ["1"]
        table = sp.compare(
            cases,
            policies,
            bound=None if bound == "none" else bound,
            bound_options=bound_option,
            speeds=speeds,
            baseline=baseline,
            results=out,
            progress=report,
            time_limit=time_limit,
        )
        by = [name for name in (*vary, "policy", "options", "speed") if name in table]
        notes: list[str] = []
        if len(files) == 1 and cases[0].family == "preemptive":
            table, notes = with_fine_slots(table, cases[0], policies, speeds)
        standings = Standings.of(table, by, notes)
        texts = {"markdown": standings.markdown, "csv": standings.csv, "latex": standings.latex}
        lines = [texts[format]()] if format in texts else standings.lines(get_terminal_size().columns)
        result = standings.to_json() | {"errors": _errors(table), "out": out and str(out)}
        failed = bool(policies) and _without_result(table, by)
        return Answer(result, lines, exit_code=int(failed), plot=lambda: picture(table, by))


@command()
def evaluate(
    policy: str,
    instance: sp.Instance,
    *,
    bound: str = "usual",
    option: Mapping[str, str],
    time_limit: float = 60.0,
    memory: int = 4096,
) -> Answer:
    """Evaluate a policy file in its own process: feasibility, ratio and gap.

    The policy cannot read the instance, write files or print. Exit code 1 if it fails or its schedule is infeasible.

    policy: FILE.py with one policy, or FILE.py:NAME.
    bound: The program that is bounded: usual (the family's default); "none"; or a certificate's file, FILE.json.
    option: An option of the policy, key=value.
    time_limit: Seconds for the policy, including its start.
    memory: MiB that the policy's process may use.
    """
    from schedproof.core.certificates.bounds import read_bound

    known = None if bound == "none" else read_bound(bound, instance) if bound.endswith(".json") else bound
    found = sp.evaluate(policy, instance, known, options=option, time_limit=time_limit, memory=memory)
    return Answer(found.to_json(), found.lines(), 0 if found.feasible else 1)


@command(files="out")
def plot(files: Sequence[Path], *, out: Path) -> Answer:
    """Draw an instance, schedules, ratios, or a table of ratios.

    files: An instance; an instance, its schedules and perhaps a bound's certificate; a table of sweep (.csv, .parquet);
        or a store of compare (.sqlite).
    out: The picture (.png, .pdf, .svg, .jpg).
    """
    from schedproof.core.simulation.pictures import save
    from schedproof.experiments.plot import picture_of

    writable(out, picture=True)
    figure = picture_of(files).figure
    return Answer({"out": str(out)}, [f"drawn into {out}"], write=partial(save, figure))


def _policy(words: str) -> sp.Policy:
    name, colon, options = words.rpartition(":")
    name, options = (name, options) if colon and "=" in options else (words, "")
    return sp.policy(name, **pairs(options.split(",") if options else [], "--policy"))


@command(of=MAKE, store=Path("figures.sqlite"), jobs=None)
def figure(names: Sequence[str], *, out: Folder = Path("figures"), json: bool = False, **words: Any) -> None:
    """Reproduce figures of the papers' evaluations.

    The output lists the paper's numbers next to the reproduced ones. After an interruption, the same command resumes.

    names: Figures by family or by the paper's number, like preemptive:fig9 or 000:fig9.
    json: Print one JSON object for each figure.
    """
    from schedproof.experiments.figures import plan

    _make([plan.find(name) for name in names], out, json, words)


@command(of=MAKE, store=Path("figures.sqlite"), jobs=None)
def figures(*, paper: str | None = None, out: Folder = Path("figures"), json: bool = False, **words: Any) -> None:
    """Reproduce all figures of the papers' evaluations.

    After an interruption, the same command resumes.

    paper: Only the figures of this paper: its family, or its number, like 000.
    json: Print one JSON object for each figure.
    """
    from schedproof.experiments.figures import plan

    _make(plan.of_paper(paper) if paper else plan.all_figures(), out, json, words)


def _make(wanted: Iterable[Figure], out: Path, json: bool, words: Mapping[str, Any]) -> None:
    from schedproof.core.errors import SchedproofError
    from schedproof.experiments.figures.make import make

    failed: dict[str, list[str]] = {}  # sentence -> figures
    code = 0
    figures = list(wanted)
    if len(figures) > 1:
        each = "each figure takes minutes to hours, less with fewer --seeds"
        say(f"note: {len(figures)} figures; {each}; finished cells are stored in {words['store']}", sys.stderr)
    for chosen in figures:
        try:
            with resumable(words["store"]), bar(chosen.id) as report:
                made = make(chosen, out, **{**words, "progress": report})
        except SchedproofError as error:  # continue with the other figures
            if str(error) not in failed:
                say(f"schedproof: {chosen.id}: {error}", sys.stderr)
            failed.setdefault(str(error), []).append(chosen.id)
            code = code or error.exit_code
        else:
            tell(json, made.to_json(), made.lines())
    for first, *more in failed.values():
        if more:
            say(f"schedproof: {', '.join(more)}: the same error as for {first}", sys.stderr)
    if code:
        raise typer.Exit(code)
