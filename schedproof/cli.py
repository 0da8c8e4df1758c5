"""The command line: one short function per command; everything heavy is imported when a command runs."""

from __future__ import annotations

import sys
import warnings
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from schedproof.figures_command import figure, figures
from schedproof.game_command import check_game, game
from schedproof.refute_command import refute
from schedproof.regret_command import check_regret, worst_regret
from schedproof.sweep_command import sweep
from schedproof.terminal import (
    INTERRUPTED,
    beginning,
    best_of,
    draw,
    instance_of,
    list_rows,
    log_to_stderr,
    names_to_choose,
    note,
    page_lines,
    pairs,
    plug_ins_first,
    progress,
    report_lines,
    say,
    table,
    tell,
    then_tell,
    usage,
    writable,
    write_schedule,
)
from schedproof.worst_command import worst

if TYPE_CHECKING:
    from schedproof.core.bound import Bound
    from schedproof.core.instance import Instance
    from schedproof.core.program import Program
    from schedproof.core.run import Run

app = typer.Typer(
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # importing what draws frames takes longer than all else in help
    help="Papers on online scheduling of distributed ML jobs, made to run: programs, policies, checked claims.",
    epilog="Exit codes: 0 done; 1 a check failed or a verdict differs from the ledger; 2 bad input, a missing solver, "
    "or an output that cannot be written; 3 no solution, no counterexample, or no verdict in time; 130 interrupted.",
)

File = Annotated[Path, typer.Argument(help="An instance file (JSON).")]
OfFamily = Annotated[str | None, typer.Option("--family", help="Only those of a family.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Options = Annotated[list[str], typer.Option("--option", help="An option, key=value; see `schedproof show`.")]
Rules = Annotated[list[str], typer.Option("--option", help="A rule to judge by, key=value, like speed=3/2.")]
BoundOptions = Annotated[list[str], typer.Option(help="An option of the bound, key=value; see `schedproof show`.")]
Against = Annotated[list[Path], typer.Option(help="A schedule file, to enclose the true ratio; more than one will do.")]
Settings = Annotated[list[str], typer.Option("--set", help="A setting of the generator, key=value.")]
Seed = Annotated[int, typer.Option(help="Seed of every random choice.", min=0)]
TimeLimit = Annotated[float | None, typer.Option(help="Seconds; the answer is what is found by then.", min=0)]
EachLimit = Annotated[float | None, typer.Option(help="Seconds for each program that the policy solves.", min=0)]
BothLimits = Annotated[float | None, typer.Option(help="Seconds for the bound, and for each of a policy's.", min=0)]
Drop = Annotated[
    list[str], typer.Option("--drop", "--without", help="Drop a group of the program (formerly --without).")
]
Relaxed = Annotated[bool, typer.Option("--relaxed", help="Drop integrality.")]
Out = Annotated[Path | None, typer.Option(help="The file to write.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the result into a file (.png, .pdf, .svg, .jpg).")]
UsageError: Any = typer.BadParameter.__mro__[1]  # typer's own, or that of click
NONE: list[str] = []  # typer reads the defaults, nobody writes to them
NO_FILES: list[Path] = []
EXPLAINED_IN = 10.0  # seconds, at most, after an infeasible program has been solved
NAMES = {  # what the first argument of a command can be
    "solve": "program",
    "run": "policy",
    "ratio": "policy",
    "worst": "policy",
    "regret": "policy",
    "bound": "bound",
    "generate": "generator",
    "trace": "trace",
}


def _named(kind: str) -> Any:
    """An argument that is the name of something of a kind, which a shell can complete."""
    return typer.Argument(help=f"A {kind}; `schedproof show` prints its options.", autocompletion=beginning(kind))


ProgramName = Annotated[str, _named("program")]
PolicyName = Annotated[str, _named("policy")]
BoundName = Annotated[str, _named("bound")]
GeneratorName = Annotated[str, _named("generator")]
TraceName = Annotated[str, _named("trace")]


def main() -> None:
    """Run the command line; every foreseen error is one sentence on stderr and an exit code."""
    from schedproof.core.errors import SchedproofError
    from schedproof.core.streams import printing

    warnings.showwarning = note
    log_to_stderr()
    words = plug_ins_first(sys.argv[1:]) or ["--help"]
    try:
        with printing():
            code = app(words, prog_name="schedproof", standalone_mode=False)
        raise SystemExit(code)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except UsageError as error:
        print(f"schedproof: {usage(error)}", file=sys.stderr)
        raise SystemExit(2) from None
    except SchedproofError as error:
        say(f"schedproof: {error}", sys.stderr)
        raise SystemExit(error.exit_code) from None


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"schedproof {version('schedproof')}")
        raise typer.Exit


@app.callback(context_settings={"help_option_names": ["-h", "--help"]})
def prepare(
    ctx: typer.Context,
    plugin: Annotated[
        list[Path], typer.Option(help="A file with a card of your own, FILE.py; before or after the command.")
    ] = NO_FILES,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Register plug-ins; list names in the help of a command."""
    if plugin:
        from schedproof.core import plug_ins

        for file in plugin:
            plug_ins.add(file)
    if {"-h", "--help"} & {*sys.argv} and ctx.invoked_subcommand in NAMES:
        command = ctx.command.get_command(ctx, ctx.invoked_subcommand)  # type: ignore[attr-defined]
        command.epilog = names_to_choose(NAMES[ctx.invoked_subcommand])


@app.command()
def tour(out: Annotated[Path, typer.Option(help="The folder for the pictures.")] = Path("tour")) -> None:
    """Take the main job on an embedded instance: solve, relax, run online, certify, draw."""
    from schedproof.experiments.tour import take

    take(out, say)


@app.command()
def programs(family: OfFamily = None, json: Json = False) -> None:
    """List programs."""
    _list("program", "programs", family, json)


@app.command()
def policies(family: OfFamily = None, json: Json = False) -> None:
    """List policies."""
    _list("policy", "policies", family, json)


def _list(kind: str, title: str, family: str | None, json: bool) -> None:
    from schedproof.core import registry

    cards = registry.families().values() if family is None else [registry.family(family)]
    list_rows(title, {id: entry.sentence for card in cards for id, entry in card.entries(kind)}, json)


@app.command()
def claims(
    family: OfFamily = None,
    verdict: Annotated[str | None, typer.Option(help="Only those of a verdict, like refuted_as_printed.")] = None,
    json: Json = False,
) -> None:
    """List the papers' claims that are checked, with their verdicts in the ledger."""
    from schedproof.core.claims import in_words, listed

    rows = listed(family, verdict)
    verdicts = {id: row["verdict"] for id, row in rows.items()}
    words = [(id, f"{in_words(row['verdict']):25}  {row['statement']}") for id, row in rows.items()]
    statements = {id: row["statement"] for id, row in rows.items()}
    tell(json, {"claims": statements, "verdicts": verdicts}, table(words))


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="An id or a short name, of whatever there is.")],
    latex: Annotated[bool, typer.Option("--latex", help="Print a program's LaTeX rows.")] = False,
    drop: Drop = NONE,
    relaxed: Relaxed = False,
    dual: Annotated[bool, typer.Option("--dual", help="Take the dual of a continuous linear program.")] = False,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Show what a name means: a family, a program and its groups, a policy, bound, game, generator or trace and its
    options, a claim with its verdict.
    """
    from schedproof.core import catalogue

    if latex or drop or relaxed or dual or option:
        program = _program(name, option, drop, relaxed)
        pages = [catalogue.program_page(program.dual() if dual else program)]
    else:
        pages = catalogue.pages(name)
    if latex and not json:
        print(pages[0].latex)
        return
    tell(json, {"shown": [page.to_json() for page in pages]}, (line for page in pages for line in page_lines(page)))


def _program(name: str, option: list[str], drop: list[str], relaxed: bool = False) -> Program:
    from schedproof.core import registry

    p = registry.program(name, **pairs(option))
    p = p.drop(*drop) if drop else p
    return p.relaxed() if relaxed else p


@app.command()
def solve(
    program: ProgramName,
    file: File,
    solver: Annotated[
        str | None,
        typer.Option(help="highs, scip, gurobi; clarabel, piqp, osqp, scs; or an exact method of the program."),
    ] = None,
    drop: Drop = NONE,
    relaxed: Relaxed = False,
    time_limit: TimeLimit = None,
    confirm: Annotated[
        bool,
        typer.Option(
            "--confirm", help="Ask a second exact method that shares no solver; exit code 1 unless it agrees."
        ),
    ] = False,
    out: Out = None,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Solve a program on an instance, or say why it is infeasible; --out writes the schedule that it decides."""
    writable(out)
    instance = instance_of(file)
    chosen = _program(program, option, drop, relaxed)
    with progress(program) as report:
        solution, early = best_of(lambda: chosen.solve(instance, solver, time_limit, confirm, report))
    seconds = f"{solution.build_seconds:.2f} s to build, {solution.solve_seconds:.2f} s to solve"
    lines = [f"{solution.program}: {solution.status} ({solution.solver}, {seconds})"]
    if solution.objective is not None or solution.bound is not None:
        amounts = [
            instance.measure.amount(x) if x is not None else "none" for x in (solution.objective, solution.bound)
        ]
        lines.append("objective {}, bound {}".format(*amounts))
    if solution.rests_on:
        lines.append(f"rests on {solution.rests_on}")
    if solution.message:
        lines.append(solution.message)
    decided = solution.ended in ("optimal", "feasible")
    result = solution.to_json()
    if solution.ended == "infeasible" and solution.status != "disputed" and not early:
        left = inf if time_limit is None else time_limit - solution.build_seconds - solution.solve_seconds
        why, more = _why_infeasible(chosen, instance, min(EXPLAINED_IN, max(0.0, left)))
        result, lines = result | why, lines + more
    with then_tell(json, result, lines):
        if out is not None and decided and not (confirm and not solution.proven):
            write_schedule(out, solution.schedule(), instance)
    raise typer.Exit(INTERRUPTED if early else 1 if confirm and not solution.proven else 0 if decided else 3)


def _why_infeasible(program: Program, instance: Instance, seconds: float) -> tuple[dict[str, Any], list[str]]:
    from schedproof.core.errors import SchedproofError

    try:
        why = program.why_infeasible(instance, seconds)
    except SchedproofError as error:
        return {}, [f"not explained: {error}"]
    return {"why_infeasible": why.to_json()}, why.lines()


@app.command()
def run(
    policy: PolicyName,
    file: File,
    out: Out = None,
    plot: Plot = None,
    seed: Seed = 0,
    time_limit: EachLimit = None,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Run an online policy on an instance and check its schedule."""
    writable(out, plot)
    instance = instance_of(file)
    result = _run(policy, instance, option, seed, time_limit)
    with then_tell(json, result.to_json(), _in_words(result)):
        if out is not None:
            write_schedule(out, result.schedule, instance, plot)
        if plot is not None:
            draw(plot, result)
    if not result.feasible:
        raise typer.Exit(1)


def _in_words(result: Run) -> list[str]:
    rules = ", ".join(f"{name}={value}" for name, value in result.rules.items())
    return [
        f"{result.policy}: {result.instance.in_words(result.objective)}, {result.seconds:.2f} s",
        result.judgement,
        *([f"judged by {rules}"] if rules else []),
        *(f"  {v}" for v in result.violations[:10]),
        *result.remarks[:10],
    ]


def _run(policy: str, instance: Instance, option: list[str], seed: int, time_limit: float | None) -> Run:
    from schedproof.core.run import policy as choose

    with progress(policy) as report:
        return choose(policy, **pairs(option)).run(instance, seed, progress=report, time_limit=time_limit)


@app.command()
def check(
    file: File,
    schedule: Annotated[Path, typer.Argument(help="A schedule file.")],
    option: Rules = NONE,
    json: Json = False,
) -> None:
    """Check a schedule against its instance, exactly, with code that shares nothing with any model or policy."""
    from schedproof.core import registry
    from schedproof.instances import read_schedule

    instance = instance_of(file)
    rules = registry.rules(instance.family, pairs(option))
    plan = read_schedule(schedule, instance)
    found, objective = plan.violations(instance, **rules), plan.objective(instance, **rules)
    told = plan.contradiction(rules)
    result = {
        "feasible": not found,
        "objective": float(objective),
        "judged_by": {name: str(value) for name, value in rules.items()},
        "contradiction": told,
        "violations": [v.to_json() for v in found],
    }
    verdict = f"{'feasible' if not found else 'NOT feasible'}: {instance.in_words(objective)}"
    judged = [
        f"judged by {rule.name}={rules[rule.name]}: {rule.meaning_of(rules[rule.name])}"
        for rule in registry.family(instance.family).rules
    ]
    tell(json, result, [verdict, *judged, *([told] if told else []), *(f"  {v}" for v in found)])
    if found:
        raise typer.Exit(1)


@app.command()
def bound(
    program: BoundName,
    file: File,
    certificate: Annotated[Path | None, typer.Option(help="The file to write the bound and its proof into.")] = None,
    time_limit: TimeLimit = None,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Compute a certified bound on the optimum; --certificate writes it with the multipliers that prove it.

    A name that ends in .vipr makes a VIPR file, which states the linear program too; other names make JSON.
    """
    from schedproof.core import vipr
    from schedproof.core.bounds import write_bound

    writable(certificate)
    instance, listed = instance_of(file), None
    if certificate is not None and certificate.suffix == ".vipr":
        listed = vipr.listed(program, instance, pairs(option))
    result, early = best_of(lambda: _bound(program, instance, option, time_limit))
    head = f"{result.program}: {result.kind} bound {instance.measure.amount(result.exact)} = {result.exact}"
    with then_tell(json, result.to_json(), [head, result.statement, *report_lines(result.details)]):
        if certificate is not None and listed is not None:
            vipr.write_vipr(certificate, result, listed, instance)
        elif certificate is not None:
            write_bound(certificate, result)
    if early:
        raise typer.Exit(INTERRUPTED)


@app.command("check-bound")
def check_bound(
    file: File, certificate: Annotated[Path, typer.Argument(help="A bound's certificate.")], json: Json = False
) -> None:
    """Check a bound's certificate against its instance, with code that shares nothing with what made it."""
    from schedproof.check.bound import Refused, check, lines

    try:
        result = check(str(file), str(certificate))
    except Refused as refused:
        tell(json, {"proven": False, "reason": str(refused)}, [f"NOT proven: {refused}"])
        raise typer.Exit(1) from None
    tell(json, {"proven": True} | result, lines(result))


def _bound(program: str, instance: Instance, option: list[str], time_limit: float | None) -> Bound:
    from schedproof.core.bounds import compute
    from schedproof.core.context import Context

    with progress(program) as report:
        return compute(program, instance, pairs(option), Context(progress=report, time_limit=time_limit))


@app.command()
def ratio(
    policy: PolicyName,
    file: File,
    bound: Annotated[str, typer.Option(help="The bound that is the other side.", autocompletion=beginning("bound"))],
    seed: Seed = 0,
    time_limit: BothLimits = None,
    option: Options = NONE,
    bound_option: BoundOptions = NONE,
    against: Against = NO_FILES,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Measure a policy's competitive ratio, certified on both sides, with every premise of its guarantee.

    Where no bound is found in time, the run is told by itself. --against encloses the true ratio: it is at least that
    to the best known schedule, and at most that to the bound.
    """
    from schedproof.core.errors import NoSolution
    from schedproof.core.interval import interval
    from schedproof.instances import read_schedule

    writable(plot=plot)
    instance = instance_of(file)
    known = [read_schedule(path, instance) for path in against]
    measured = _run(policy, instance, option, seed, time_limit)
    try:
        other, early = best_of(lambda: _bound(bound, instance, bound_option, time_limit))
    except (NoSolution, KeyboardInterrupt):
        tell(json, measured.to_json(), _in_words(measured))
        raise
    result = measured.ratio(other)
    between = interval(result, known) if known else None
    lines = [
        result.sentence,
        *([between.sentence] if between else []),
        result.promise,
        *(f"  {answer:>12}: {premise}" for premise, answer in result.premises.items()),
    ]
    gap, why_not = result.gap_or_why_not()
    told = result.to_json() | (between.to_json() if between else {})
    with then_tell(json, told, lines + ([why_not] if gap is None else gap.lines())):
        if plot is not None:
            draw(plot, result)
    if early:
        raise typer.Exit(INTERRUPTED)


@app.command()
def regret(
    policy: PolicyName,
    file: File,
    points: Annotated[int | None, typer.Option(help="Number of curve points.", min=2)] = None,
    seed: Seed = 0,
    time_limit: TimeLimit = None,
    option: Options = NONE,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Measure a policy's regret against the best fixed decision over time, beside the bound that is proven."""
    from schedproof.core.context import Context
    from schedproof.core.regret import regret as measured
    from schedproof.core.run import policy as choose

    writable(plot=plot)
    instance = instance_of(file)
    player, wishes = choose(policy, **pairs(option)), {} if points is None else {"points": points}
    with progress("regret") as report:
        context = Context(seed, report, time_limit)
        result, early = best_of(
            lambda: measured(instance.family, lambda _: player.run(instance, seed, progress=report), wishes, context)
        )
    with then_tell(json, result.to_json(), result.lines()):
        if plot is not None:
            draw(plot, result)
    if early:
        raise typer.Exit(INTERRUPTED)


app.command("worst-regret")(worst_regret)
app.command("check-regret")(check_regret)
app.command()(sweep)
app.command()(worst)
app.command()(refute)
app.command()(figure)
app.command()(figures)
app.command()(game)
app.command("check-game")(check_game)


@app.command()
def verify(
    claim: Annotated[list[str] | None, typer.Argument(help="Claims; all of them if none is named.")] = None,
    family: Annotated[str | None, typer.Option(help="All claims of one family.")] = None,
    search: Annotated[bool, typer.Option("--search", help="Look for new and smaller witnesses.")] = False,
    budget: Annotated[float, typer.Option(help="Seconds for the search.", min=0)] = 60.0,
    seed: Seed = 0,
    record: Annotated[
        Path | None, typer.Option(help="Keep every finished result in this file; the same command goes on from there.")
    ] = None,
    witness: Annotated[
        list[Path], typer.Option(help="Judge this witness, too; `schedproof refute` writes such files.")
    ] = NO_FILES,
    time_limit: TimeLimit = None,
    json: Json = False,
) -> None:
    """Judge the papers' claims: replay the witnesses, try the coverage cases, print the verdicts."""
    from schedproof.proofs_checks.verify import verify as judge

    with progress("verify") as report:
        results, early = best_of(
            lambda: judge(claim or None, family, search, budget, seed, report, record, time_limit, witness)
        )
    rows = [result.to_json() for result in results]
    lines = [line for result in results for line in (result.lines() if claim or witness else result.lines()[:1])]
    differing = [result.claim.id for result in results if result.differs]
    lines += [f"differs from the ledger: {id}" for id in differing]
    tell(json, {"claims": rows}, lines)
    if early or differing or not all(result.judged for result in results):
        raise typer.Exit(INTERRUPTED if early else 1 if differing else 3)


@app.command()
def errata(
    paper: Annotated[str, typer.Option(help="The paper: its family, or its number in the README, like 000.")],
    out: Annotated[Path, typer.Option(help="The report to write: .pdf (LaTeX), .html or .tex.")] = Path("errata.pdf"),
    json: Json = False,
) -> None:
    """Write down what is not true as printed in a paper: statement, readings, counterexample, repair, proof.

    Without LaTeX a PDF becomes an HTML page beside it.
    """
    from schedproof.core import registry
    from schedproof.proofs_checks.errata import write

    writable(out)
    family = registry.by_paper(paper)
    with progress("errata") as report:
        written = write(family, out, report)
    no_pdf = f" ({out.suffix} needs pdflatex, which is not installed)" if written != out else ""
    tell(json, {"file": str(written), "family": family}, [f"{written}{no_pdf}"])


@app.command()
def generate(
    family: GeneratorName,
    preset: Annotated[str, typer.Option(help="Named preset.")] = "tiny",
    seed: Seed = 0,
    set_: Settings = NONE,
    out: Annotated[Path, typer.Option(help="The instance file to write.")] = Path("instance.json"),
    json: Json = False,
) -> None:
    """Draw a random instance of a family with the paper's ranges."""
    from schedproof.core import registry

    writable(out)
    _write_instance(registry.generate(family, preset, seed, pairs(set_, "--set")), out, {}, json)


@app.command()
def trace(
    format: TraceName,
    files: Annotated[list[Path], typer.Argument(help="The trace's files.")],
    out: Annotated[Path, typer.Option(help="The instance file to write.")] = Path("instance.json"),
    seed: Seed = 0,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Turn a real trace into an instance, and report every dirty row and every field that was drawn."""
    from schedproof.core import registry

    writable(out)
    _, entry = registry.find("trace", format)
    value, report = registry.load(entry.home)(files, seed, pairs(option))
    _write_instance(value, out, report, json)


def _write_instance(value: dict[str, Any], out: Path, report: dict[str, Any], as_json: bool) -> None:
    from schedproof.core import registry
    from schedproof.core.arrays import write_object
    from schedproof.core.numbers import plural

    write_object(out, value)
    rows, unit = registry.data(value["family"]).size
    size = plural(len(value[rows]), unit)
    result = {"file": str(out), "family": value["family"], f"{unit}s": len(value[rows]), "report": report}
    lines = [f"{out}: {size}, family {value['family']}", *report_lines(report)]
    tell(as_json, result, lines)


@app.command()
def train(
    family: str,
    preset: Annotated[str, typer.Option(help="Named preset.")] = "tiny",
    seed: Seed = 0,
    out: Annotated[Path, typer.Option(help="The file of weights to write.")] = Path("weights.safetensors"),
    device: Annotated[str, typer.Option(help="Where to compute: cpu or cuda.")] = "cpu",
    time_limit: TimeLimit = None,
    option: Options = NONE,
    json: Json = False,
) -> None:
    """Train a family's network; the same command goes on where it was interrupted or out of time.

    A table of what it learned stands beside the weights, in .csv, and until it ends a .state to go on from.
    """
    from schedproof.core import registry
    from schedproof.core.context import Context

    writable(out)
    with progress("train") as report:
        context = Context(seed, report, time_limit)
        result = registry.train(family, preset, out, device, pairs(option), context)
    tell(json, {"file": str(out), **result._asdict()}, [f"{out}:", *report_lines(result._asdict())])


@app.command()
def schema(family: str) -> None:
    """Print the JSON Schema of a family's instance files."""
    import msgspec

    from schedproof.core import registry

    schema = registry.load(registry.data(family).instance).json_schema()
    print(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())
