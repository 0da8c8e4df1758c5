"""Commands for comparisons, sweeps, and the figures of the papers' evaluations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import schedproof as sp
from schedproof.cli.command import Answer, Folder, command
from schedproof.cli.terminal import STDIN, instance_of, pairs, report_lines, resumable, say, tell, writable
from schedproof.cli.terminal import progress as bar

if TYPE_CHECKING:
    from schedproof.core.base.untyped import Frame
    from schedproof.core.runtime.context import Progress
    from schedproof.experiments.figures.plan import Figure

TINY = "tiny"  # the default preset
MAKE = "schedproof.experiments.figures.make:make"


@command(files="out")
def sweep(
    plan: Path, *, store: Path | None = None, out: Folder | None = None, format: str = "text", **words: Any
) -> Answer:
    """Run the policies and bounds of a plan on many instances.

    The exit code is 1 if a policy of the plan has no result.

    plan: The plan of the sweep (TOML).
    store: Keep every finished cell in this SQLite file; PLAN.sqlite if not given.
    out: Write the table into a file (.csv, .parquet).
    format: The printed table as text, with the columns that fit the terminal; or markdown, csv, latex.
    """
    from schedproof.core.data.options import choice, read
    from schedproof.experiments.export import table_file, write_table
    from schedproof.experiments.standings import FORMATS, Standings, merged
    from schedproof.experiments.table import RUN

    read("--format", choice(*FORMATS), format)
    place = plan.with_suffix(".sqlite") if store is None else store
    if out is not None:
        table_file(out)
    with resumable(place):
        table = sp.sweep(plan, place, **words)
    wrong, standings = _errors(table), Standings.of_each(table)
    result = merged(standings) | {"errors": wrong, "store": str(place), "out": out and str(out)}
    end = f"{len(table)} rows, {wrong} errors or infeasible schedules; stored in {place}"
    lines = [line for each in standings for line in (*each.printed(format, _width()), "")]
    lines = [*lines, end] if format == "text" else lines[:-1]
    failed = _without_result(table, RUN[:2])
    return Answer(result, lines, exit_code=int(failed), write=partial(write_table, table))


def _width() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def _without_result(table: Frame, by: Sequence[str], error: str = "error") -> bool:
    """Whether a policy, or its bound, has an error on every instance."""
    if not {error, "policy"} <= {*table}:  # a table of bounds
        return False
    by = [name for name in by if name in table]
    return bool((table[error].fillna("") != "").groupby([table[name] for name in by], dropna=False).all().any())


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
    what_if: Mapping[str, str],
    trace: str | None = None,
    map: str = "",
    trace_option: Mapping[str, str],
    policy: Sequence[str] = (),
    speed: Sequence[str] = (),
    bound: str = "usual",
    bound_option: Mapping[str, str],
    baseline: str | None = None,
    restart: int | None = None,
    time_limit: float | None = None,
    jobs: int | None = None,
    out: Path | None = None,
    format: str = "text",
    progress: Progress,
) -> Answer:
    """Run policies on instances and print their means in one table.

    Each run is compared with a certified bound. The exit code is 1 if a named policy has no result, or if a policy has
    no ratio because its bound is refused on every instance.

    files: Instance files (JSON), or one job log; without files, instances are drawn from the preset.
    family: Family of the preset, or of a log's instance.
    seeds: Number of draws, from seed 0 on.
    vary: A setting of the generator with several values, key=value,value.
    what_if: A setting of the file with several values, like machines=40..80, machines=40..80/5, machines=1x,1.5x,2x or
        load=0.8,1,1.2; the table has a row for each.
    trace: The reader of the job log; by default swf for a file .swf, and table for .csv, .tsv, .jsonl and .parquet.
    map: For a log: the fields of a job, by names or numbers of columns, like arrival=submit,gpus=n,duration=4:h.
    trace_option: An option of the log's reader, key=value, like slot_seconds=10.
    policy: A policy, NAME or FILE.py:NAME, perhaps with :key=value,key=value; by default the family's.
    speed: Speed 1 + eps of the policies; may be repeated.
    bound: The program that gives the bound, by default usual (the family's); "none" omits ratios; for one instance also
        a certificate's file, FILE.json.
    bound_option: An option of the bound, key=value.
    baseline: The policy with which the other policies are compared; default: the family's baseline.
    restart: Slots without progress before an interrupted chunk resumes; default: the instances' own.
    time_limit: Seconds for each bound, and for each program that a policy solves.
    jobs: With --what-if: number of parallel cells; as many as processors if not given.
    out: Keep every finished cell in this SQLite file, from which the same command resumes. With --what-if the default
        is FILE.sqlite.
    format: The table as text, with the columns that fit the terminal; or markdown, csv, latex.
    plot: Draw the ratios into a file (.png, .pdf, .svg, .jpg).
    """
    from schedproof.core.cards import registry
    from schedproof.core.data.options import choice, read
    from schedproof.core.errors import InputError
    from schedproof.experiments.compare import bounds_and_runs, draws
    from schedproof.experiments.compare import what_if as compare_settings
    from schedproof.experiments.curves import picture
    from schedproof.experiments.families import comparison, default_policies
    from schedproof.experiments.finer_slots import on_slots, with_fine_slots
    from schedproof.experiments.plans import with_settings
    from schedproof.experiments.recorded import on_recorded, recorded
    from schedproof.experiments.standings import FORMATS, Standings
    from schedproof.experiments.table import RUN, swept

    read("--format", choice(*FORMATS), format)
    if files and (settings or vary or preset != TINY):
        raise InputError("--preset, --set and --vary cannot be combined with files")
    if jobs is not None and not what_if:
        raise InputError("--jobs needs --what-if")
    log = _log(files, trace, family, {**trace_option, **({"map": map} if map else {})})
    if what_if and (not files or (len(files) > 1 and not log) or files[0] == STDIN):
        raise InputError("--what-if needs the name of one instance file, or of one job log")
    store = files[0].with_suffix(".sqlite") if what_if and out is None else out
    policies, rates = [_policy(words) for words in policy], speed or ["1"]
    words: dict[str, Any] = {"policies": policies, "speeds": rates, "baseline": baseline, "time_limit": time_limit}
    words |= {"bound": None if bound == "none" else bound, "bound_options": bound_option, "results": store}

    def report(done: int, total: int, row: Mapping[str, Any]) -> None:
        what, seed = row.get("policy") or row.get("program"), row.get("seed")
        progress(f"{done} of {total}, {what}{'' if seed is None else f' on draw {seed}'}", done / total)

    with resumable(store) if store else nullcontext():
        instance, report_of_log = _instance_in(log) if log else (None, {})
        cases: list[Any] = [instance] if log else [instance_of(file) for file in files]
        notes: list[str] = []
        if what_if:
            settled = {**({} if restart is None else {"restart": restart}), **what_if}
            table = compare_settings(log or {"files": [str(*files)]}, settled, jobs=jobs, progress=progress, **words)
            known = registry.what_if(table["family"].iloc[0]).options
            notes = [*(f"{option.name}: {option.meaning}" for option in known if option.name in what_if)]
            notes += on_slots(table)
        else:
            values = {name: text.split(",") for name, text in vary.items()}
            if restart is not None:
                if not cases:
                    raise InputError("--restart needs files")
                cases = [with_settings(case, {"restart": restart}) for case in cases]
            drawn = cases or draws(preset, seeds=seeds, family=family, vary=values, **settings)
            own = recorded(report_of_log) if rates == ["1"] else None
            if own is not None:
                words["policies"] = [own, *(policies or default_policies(cases[0].family, cases[0]))]
            table = sp.compare(drawn, progress=report, **words)
            if len(cases) == 1:
                runs = bounds_and_runs(cases[0], words["policies"], None, None, rates)[1]
                table = with_fine_slots(table, cases[0], runs, partial(_in_seconds, log, report_of_log, cases[0]))
                notes = on_slots(table)
        if log:
            if "time" in report_of_log:
                notes.append(f"a slot is {report_of_log['time']['slot_seconds']:g} s")
            notes.append(on_recorded(report_of_log, instance, table))
        notes += dict.fromkeys(note for case in cases for note in comparison(case.family).notes(case))
        standings = Standings.of(table, notes)
        result = standings.to_json() | {"errors": _errors(table), "out": store and str(store)}
        by = (*swept(table), *RUN[:4])
        failed = (bool(policies) and _without_result(table, by[:-1])) or _without_result(table, by, "bound_error")
        lines = standings.printed(format, _width(), bool(what_if))
        return Answer(result, lines, exit_code=int(failed), plot=partial(picture, table))


LOGS = {".csv": "table", ".tsv": "table", ".jsonl": "table", ".parquet": "table", ".swf": "swf"}  # reader by suffix


def _log(files: Sequence[Path], trace: str | None, family: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Return a plan's ``traces`` for a job log, or nothing for instance files."""
    from schedproof.core.errors import InputError
    from schedproof.workloads import recognise

    reader = trace or (LOGS.get(Path(files[0].name.removesuffix(".gz")).suffix) if files else None)
    if reader is None or not files:
        if trace or options:
            raise InputError("--trace, --map and --trace-option need a job log")
        return {}
    id, _ = recognise.reader(reader, files, family)
    return {"traces": [{"name": id, "files": [*map(str, files)], "options": options}]}


def _instance_in(log: Mapping[str, Any]) -> tuple[sp.Instance, dict[str, Any]]:
    """Read a job log and print its report on stderr."""
    (row,) = log["traces"]
    instance, report = sp.trace(row["name"], row["files"], **row["options"])
    for line in report_lines(report):
        say(line, sys.stderr)
    return instance, report


def _in_seconds(log: Mapping[str, Any], report: Mapping[str, Any], instance: Any) -> tuple[int, sp.Instance | None]:
    """Return a log's seconds per slot, and its instance in slots of a second."""
    from schedproof.core.cards import registry
    from schedproof.core.errors import InputError
    from schedproof.experiments.plans import with_settings
    from schedproof.families.logs import LogEntry

    for row in log.get("traces", ()):
        seconds = int(report.get("time", {}).get("slot_seconds", 1))
        if seconds > 1 and isinstance(registry.entries("trace")[row["name"]], LogEntry):
            with suppress(InputError):  # more slots than an instance may have
                fine, _ = sp.trace(row["name"], row["files"], **{**row["options"], "slot_seconds": "1"})
                return seconds, with_settings(fine, {"restart": instance.restart * seconds})
    return 1, None


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

    The policy cannot read the instance, write files or print. The exit code is 1 if the policy fails or its schedule is
    infeasible.

    policy: FILE.py with one policy, or FILE.py:NAME.
    bound: The program that gives the bound, by default usual (the family's); "none"; or a certificate's file,
        FILE.json.
    option: An option of the policy, key=value.
    time_limit: Seconds for the policy, including its start.
    memory: MiB that the policy's process may use.
    """
    from schedproof.core.certificates.bounds import CERTIFICATES, read_bound

    known = None if bound == "none" else read_bound(bound, instance) if bound.endswith(CERTIFICATES) else bound
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
