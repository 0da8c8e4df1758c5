"""The command line: all commands, plug-ins, and exit codes."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from importlib import import_module
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from schedproof.cli.command import COMMANDS
from schedproof.cli.terminal import complain, log_to_stderr, names_to_choose, note, plug_ins_first, usage
from schedproof.cli.words import require_digits

UsageError: Any = typer.BadParameter.__mro__[1]  # typer's own, or that of click
PLUG_INS: list[Path] = []  # typer reads the default, nobody writes to it

for module in ("overview", "instances", "searches", "proofs", "workloads", "experiments"):  # in the order of the help
    import_module(f"schedproof.cli.{module}")


def app(words: Iterable[str] = ()) -> typer.Typer:
    group = typer.Typer(
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # importing rich would take longer than the rest of --help
        help="Measure how far online schedulers of distributed ML jobs are from optimal, and prove it.",
        epilog="Exit codes: 0 done; 1 a check failed or a verdict differs from the ledger; 2 bad input, a missing "
        "solver, or an output that cannot be written; 3 no solution, no counterexample, or no verdict in time; "
        "130 interrupted.",
    )
    group.callback(context_settings={"help_option_names": ["-h", "--help"]})(prepare)
    left = dropwhile(lambda pair: "--plugin" in pair or pair[1].startswith("-"), pairwise(["", *words]))
    name = next(left, ("", ""))[1]
    for each in [name] if name in COMMANDS else COMMANDS:
        group.command(each)(COMMANDS[each].run)
    return group


def main() -> None:
    """Run the command line; an expected error prints one sentence and sets the code."""
    from schedproof.core.errors import SchedproofError
    from schedproof.core.runtime.streams import printing

    warnings.showwarning = note
    log_to_stderr()
    words = plug_ins_first(sys.argv[1:]) or ["--help"]
    try:
        commands = app(words)
        require_digits(words)
        with printing():
            code = commands(words, prog_name="schedproof", standalone_mode=False)
        raise SystemExit(code)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except UsageError as error:
        complain(usage(error))
        raise SystemExit(2) from None
    except SchedproofError as error:
        complain(str(error))
        raise SystemExit(error.exit_code) from None


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"schedproof {version('schedproof')}")
        raise typer.Exit


def prepare(
    ctx: typer.Context,
    plugin: Annotated[
        list[Path], typer.Option(help="Load the plug-in FILE.py; the option may stand before or after the command.")
    ] = PLUG_INS,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Register plug-ins; list names in the help of a command."""
    if plugin:
        from schedproof.core.cards import plug_ins

        for file in plugin:
            plug_ins.add(file)
    names = COMMANDS[ctx.invoked_subcommand].names if ctx.invoked_subcommand in COMMANDS else ""
    if names and {"-h", "--help"} & {*sys.argv}:
        command = ctx.command.get_command(ctx, ctx.invoked_subcommand)  # type: ignore[attr-defined]
        command.epilog = names_to_choose(names)
