"""The command line: one short function per command; everything heavy is imported when a command runs.

Exit codes: 0 done; 1 a check failed or a verdict differs from the ledger; 2 bad input or a missing solver; 3 no
solution.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Papers on online scheduling of distributed ML jobs, made to run: programs, policies, checked claims.",
)

File = Annotated[Path, typer.Argument(help="An instance file (JSON).")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Options = Annotated[list[str], typer.Option("--option", help="An option of the program, policy or loader, key=value.")]
Seed = Annotated[int, typer.Option(help="The seed of every random choice.")]
Without = Annotated[list[str], typer.Option(help="Drop a group of the program.")]
Out = Annotated[Path | None, typer.Option(help="The file to write.")]


def main() -> None:
    """Run the command line; every foreseen error is one sentence on stderr and an exit code."""
    from schedproof.core.errors import SchedproofError

    try:
        app(standalone_mode=True)
    except SchedproofError as error:
        print(f"schedproof: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except BrokenPipeError:
        raise SystemExit(0) from None


def _pairs(words: list[str], what: str = "--option") -> dict[str, str]:
    from schedproof.core.errors import InputError

    for word in words:
        if "=" not in word:
            raise InputError(f"{what} {word}: expected key=value")
    return dict(word.split("=", 1) for word in words)


def _tell(as_json: bool, result: dict[str, Any], lines: list[str]) -> None:
    import msgspec

    print(msgspec.json.encode(result).decode() if as_json else "\n".join(lines))


def _writable(*paths: Path | None) -> None:
    """Ask for the outputs' places before the work, so that nothing is lost after it."""
    from schedproof.core.files import writable

    for path in paths:
        if path is not None:
            writable(path)


def _instance(path: Path) -> Any:
    """The instance of a file; what there is to know of it beforehand goes to stderr."""
    from schedproof.instances import read

    instance = read(path)
    for note in instance.notes():
        print(f"note: {note}", file=sys.stderr)
    return instance


def _progress(total: int, what: str) -> Any:
    """A progress bar on stderr, for people only."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    task = bar.add_task(what, total=total)
    return bar, lambda steps=1: bar.advance(task, steps)


@app.command()
def tour(out: Annotated[Path, typer.Option(help="The folder for the pictures.")] = Path("tour")) -> None:
    """The main job on an embedded instance: solve, relax, run online, certify, draw."""
    from schedproof.experiments.tour import take

    take(out, print)


def _list(kind: str, as_json: bool, describe: Any) -> None:
    from schedproof.core import registry

    rows = {name: describe(entry) for name, entry in registry.table(kind).items()}
    _tell(as_json, {kind: rows}, [f"{name:36} {text}" for name, text in rows.items()])


def _first_line(entry: Any) -> str:
    return (entry.__doc__ or "").strip().splitlines()[0] if entry.__doc__ else ""


@app.command()
def programs(json: Json = False) -> None:
    """The programs that there are."""
    _list("programs", json, _first_line)


@app.command()
def policies(json: Json = False) -> None:
    """The policies that there are."""
    _list("policies", json, _first_line)


@app.command()
def claims(json: Json = False) -> None:
    """The papers' claims that are checked."""
    _list("claims", json, lambda claim: claim.statement)


@app.command()
def show(
    program: str,
    latex: Annotated[bool, typer.Option("--latex", help="Print LaTeX rows.")] = False,
    without: Without = [],  # noqa: B006 - typer reads the default, nobody writes to it
    relaxed: Annotated[bool, typer.Option("--relaxed", help="Without integrality.")] = False,
    option: Options = [],  # noqa: B006
    json: Json = False,
) -> None:
    """A program's groups, with their sentences and equation numbers."""
    p = _program(program, option, without, relaxed)
    if latex and not json:
        print(p.latex())
        return
    rows = [{"group": g.name, "role": g.role, "source": g.source, "sentence": g.sentence} for g in p.groups]
    head = f"{p.id}: {p.sense}, {'integer' if p.integer else 'continuous'}, built with {p.backend}"
    lines = [head, *(f"  {r['source']:>22}  {r['group']:30} {r['sentence']}" for r in rows)]
    _tell(json, {"program": p.id, "sense": p.sense, "groups": rows, "latex": p.latex()}, lines)


def _program(name: str, option: list[str], without: list[str], relaxed: bool = False) -> Any:
    from schedproof.core import registry

    p = registry.program(name, **_pairs(option))
    p = p.without(*without) if without else p
    return p.relaxed() if relaxed else p


@app.command()
def solve(
    program: str,
    file: File,
    solver: Annotated[
        str, typer.Option(help="highs, scip, gurobi; clarabel, piqp, osqp, scs; or a route of the program: cpsat, ...")
    ] = "highs",
    without: Without = [],  # noqa: B006
    relaxed: Annotated[bool, typer.Option("--relaxed", help="Without integrality.")] = False,
    time_limit: Annotated[float | None, typer.Option(help="Seconds.", min=0)] = None,
    out: Out = None,
    option: Options = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Solve a program on an instance; --out writes the schedule that it decides."""
    _writable(out)
    instance = _instance(file)
    solution = _program(program, option, without, relaxed).solve(instance, solver, time_limit)
    seconds = f"{solution.build_seconds:.2f} s to build, {solution.solve_seconds:.2f} s to solve"
    lines = [f"{solution.program}: {solution.status} ({solution.solver}, {seconds})"]
    if solution.objective is not None:
        lines.append(f"objective {solution.objective:.10g}, bound {solution.bound}")
    if solution.message:
        lines.append(solution.message)
    _tell(json, solution.to_json(), lines)
    if solution.status not in ("optimal", "feasible"):
        raise typer.Exit(3)
    if out is not None:
        _write_schedule(out, solution.schedule(), instance)


def _write_schedule(out: Path, schedule: Any, instance: Any) -> None:
    from schedproof.core.arrays import write_object

    write_object(out, schedule.to_json(instance))


def _draw(plot: Path, result: Any) -> None:
    from schedproof.core.files import atomic

    with atomic(plot) as part:
        result.plot().figure.savefig(part, dpi=150)


@app.command()
def run(
    policy: str,
    file: File,
    out: Out = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the schedule into a PNG file.")] = None,
    seed: Seed = 0,
    option: Options = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Run an online policy on an instance and check its schedule."""
    _writable(out, plot)
    instance = _instance(file)
    result = _run(policy, instance, option, seed)
    if out is not None:
        _write_schedule(out, result.schedule, instance)
    if plot is not None:
        _draw(plot, result)
    number, unit = instance.extent
    average = float(result.objective) / max(1, number)
    lines = [
        f"{result.policy}: objective {float(result.objective):.10g} ({average:.6g} a {unit}), {result.seconds:.2f} s",
        "feasible" if result.feasible else f"NOT feasible: {len(result.violations)} violations",
        *(f"  {v}" for v in result.violations[:10]),
        *result.remarks[:10],
    ]
    _tell(json, result.to_json(), lines)
    if not result.feasible:
        raise typer.Exit(1)


def _run(policy: str, instance: Any, option: list[str], seed: int) -> Any:
    from schedproof.core.run import policy as choose

    number, unit = instance.extent
    bar, step = _progress(number, f"{policy}, {unit}s")
    with bar:
        return choose(policy, **_pairs(option)).run(instance, seed, step)


@app.command()
def check(file: File, schedule: Annotated[Path, typer.Argument(help="A schedule file.")], json: Json = False) -> None:
    """Check a schedule against its instance, exactly, with code that shares nothing with any model or policy."""
    from schedproof.core.arrays import with_arrays
    from schedproof.core.errors import InputError
    from schedproof.core.reading import parse, read_text

    instance = _instance(file)
    try:
        plan = instance.read_schedule(with_arrays(parse(read_text(schedule)), schedule.parent))
    except InputError as error:
        raise error.in_file(str(schedule)) from None
    found = plan.violations(instance)
    objective = plan.objective(instance)
    result = {"feasible": not found, "objective": float(objective), "violations": [v.to_json() for v in found]}
    lines = [
        f"{'feasible' if not found else 'NOT feasible'}, objective {float(objective):.10g}",
        *(f"  {v}" for v in found),
    ]
    _tell(json, result, lines)
    if found:
        raise typer.Exit(1)


@app.command()
def bound(program: str, file: File, option: Options = [], json: Json = False) -> None:  # noqa: B006
    """A certified bound on the optimum, with the witness that proves it (--json)."""
    result = _bound(program, _instance(file), option)
    lines = [f"{result.program}: {result.kind} bound {result.value:.10g} = {result.exact}", str(result.details)]
    _tell(json, result.to_json(), lines)


def _bound(program: str, instance: Any, option: list[str]) -> Any:
    from schedproof.core.bounds import bound as certified

    return certified(program, instance, told=_overwrite, **_pairs(option))


def _overwrite(message: object) -> None:
    """A line on stderr that the next one replaces, for people only."""
    if sys.stderr.isatty():
        print(f"\x1b[2K{message}", end="\r", file=sys.stderr, flush=True)


@app.command()
def ratio(
    policy: str,
    file: File,
    bound: Annotated[str, typer.Option(help="The program whose certified bound is the other side.")],
    seed: Seed = 0,
    option: Options = [],  # noqa: B006
    bound_option: Annotated[list[str], typer.Option(help="An option of the bound, key=value.")] = [],  # noqa: B006
    plot: Annotated[Path | None, typer.Option(help="Draw the ratio into a PNG file.")] = None,
    json: Json = False,
) -> None:
    """The measured competitive ratio of a policy, certified on both sides, with every premise of its guarantee."""
    _writable(plot)
    instance = _instance(file)
    result = _run(policy, instance, option, seed).ratio(_bound(bound, instance, bound_option))
    if plot is not None:
        _draw(plot, result)
    promised = "none" if result.guarantee is None else f"{float(result.guarantee):.6g}"
    lines = [
        result.sentence,
        f"guaranteed: {promised} ({result.promised.source})",
        *(f"  {answer:>11}: {premise}" for premise, answer in result.premises.items()),
    ]
    _tell(json, result.to_json(), lines)


@app.command()
def regret(
    policy: str,
    file: File,
    points: Annotated[int, typer.Option(help="Of the curve.", min=2)] = 100,
    seed: Seed = 0,
    option: Options = [],  # noqa: B006
    plot: Annotated[Path | None, typer.Option(help="Draw the curve into a PNG file.")] = None,
    json: Json = False,
) -> None:
    """A policy's regret against the best fixed decision as time goes on, beside the bound that is proven."""
    from schedproof.core import registry

    _writable(plot)
    instance = _instance(file)
    registry.look_up("regrets", instance.family)  # asked before the run
    result = _run(policy, instance, option, seed).regret(points=points, progress=_overwrite)
    if plot is not None:
        _draw(plot, result)
    _tell(json, result.to_json(), result.lines())


@app.command()
def verify(
    claim: Annotated[list[str] | None, typer.Argument(help="Claims; all of them if none is named.")] = None,
    family: Annotated[str | None, typer.Option(help="All claims of one family.")] = None,
    search: Annotated[bool, typer.Option("--search", help="Look for new and smaller witnesses.")] = False,
    budget: Annotated[float, typer.Option(help="Seconds for the search.", min=0)] = 60.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Judge the papers' claims: replay the witnesses, try the regimes, print the verdicts."""
    from schedproof.proofs_checks.verify import verify as judge

    results = judge(claims=claim or None, family=family, search=search, budget=budget, seed=seed, progress=_overwrite)
    lines = [f"{r['id']:44} {r['verdict']:20} {r['evidence']:11} {r['assumption'] or ''}" for r in results]
    differing = [r["id"] for r in results if r["ledger"] not in (None, r["verdict"])]
    lines += [f"differs from the ledger: {id}" for id in differing]
    _tell(json, {"claims": results}, lines)
    if differing:
        raise typer.Exit(1)


@app.command()
def generate(
    family: str,
    preset: Annotated[str, typer.Option(help="The size, by name.")] = "tiny",
    seed: Seed = 0,
    set_: Annotated[list[str], typer.Option("--set", help="A setting of the generator, key=value.")] = [],  # noqa: B006
    out: Annotated[Path, typer.Option(help="The instance file to write.")] = Path("instance.json"),
    json: Json = False,
) -> None:
    """Draw an instance of a family with the paper's ranges."""
    from schedproof.core import registry

    _writable(out)
    _, draw = registry.look_up("generators", family)
    _write_instance(draw(preset, seed, _pairs(set_, "--set")), out, {}, json)


@app.command()
def trace(
    format: str,
    files: Annotated[list[Path], typer.Argument(help="The trace's files.")],
    out: Annotated[Path, typer.Option(help="The instance file to write.")] = Path("instance.json"),
    seed: Seed = 0,
    option: Options = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Turn a real trace into an instance, and report every dirty row and every field that was drawn."""
    from schedproof.core import registry

    _writable(out)
    _, load = registry.look_up("traces", format)
    value, report = load(files, seed, _pairs(option))
    _write_instance(value, out, report, json)


def _write_instance(value: dict[str, Any], out: Path, report: dict[str, Any], as_json: bool) -> None:
    from schedproof.core.arrays import write_object

    write_object(out, value)
    unit, rows = ("jobs", value["jobs"]) if "jobs" in value else ("slots", value["arrivals"])
    result = {"file": str(out), "family": value["family"], unit: len(rows), "report": report}
    lines = [f"{out}: {len(rows)} {unit}, family {value['family']}", *_report_lines(report)]
    _tell(as_json, result, lines)


def _report_lines(report: dict[str, Any], indent: str = "  ") -> list[str]:
    lines = []
    for key, entry in report.items():
        if isinstance(entry, dict):
            lines += [f"{indent}{key}:", *_report_lines(entry, indent + "  ")]
        elif isinstance(entry, list):
            lines += [f"{indent}{key}:"]
            lines += [f"{indent}  {', '.join(f'{k} {v}' for k, v in row.items())}" for row in entry]
        else:
            lines.append(f"{indent}{key}: {entry}")
    return lines


@app.command()
def schema(family: str) -> None:
    """The JSON Schema of a family's instance files."""
    import msgspec

    from schedproof.core import registry

    _, make = registry.look_up("schemas", family)
    print(msgspec.json.format(msgspec.json.encode(make()), indent=2).decode())
