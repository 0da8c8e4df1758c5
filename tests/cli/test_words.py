"""A command has the parameters of its function; reading them is cheap."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from inspect import Parameter
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from typer.testing import CliRunner

import schedproof as sp
from schedproof.cli.command import COMMANDS, Answer, command
from schedproof.cli.words import NUMBERS, options_of, public, texts_of
from tests.command_line import Cli

OF = ["sweep", "worst", "refute", "verify"]  # commands of a public function of their name


@pytest.mark.parametrize("name", OF)
def test_every_option_of_a_public_function_is_one_of_its_command(cli: Cli, name: str) -> None:
    theirs = dict(inspect.signature(getattr(sp, name)).parameters)
    for made in [p.default for p in theirs.values() if is_dataclass(p.default)]:
        theirs |= inspect.signature(type(made)).parameters
    options = options_of(public(name))
    assert [p.annotation for p in options.values()] == [theirs[key].annotation for key in options]
    assert [p.default for p in options.values()] == [theirs[key].default for key in options]
    others = {key for key, p in theirs.items() if p.default is not Parameter.empty} - options.keys()
    assert others <= {"progress", "by", "space"}
    help = cli(name, "--help")[1]
    of_python_alone = {"instance", "claims", "witnesses" if name == "verify" else ""}
    flags = {"settings": "set", "options": "option", "against_options": "against-option"}
    for key in options.keys() - of_python_alone:
        assert f"--{flags.get(key, key.replace('_', '-'))} " in help, key


@pytest.mark.parametrize("home", [*map(public, OF), "schedproof.core.programs.program:Program.solve"])
def test_every_option_is_described(home: str) -> None:
    said = texts_of(home)
    assert said[""] and all(said.get(name) for name in options_of(home) if name not in ("seed", "family"))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_parameter_of_a_command_has_help(name: str) -> None:
    run = COMMANDS[name].run
    helps = [p.annotation.__metadata__[0].help for p in inspect.signature(run).parameters.values()]
    assert run.__doc__ and all(helps)


def sample(first: str, many: Sequence[Path] = (), *, much: Mapping[str, str], keep: str = "1", **words: Any) -> Answer:
    """What it does.

    first: Said in short,
      on two lines.
    jobs: Said here.
    """
    return Answer({"first": first, "many": list(map(str, many)), "much": much, "keep": keep, "seed": words["seed"]}, [])


def test_a_function_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer()
    try:
        command(of=public("worst"), seed=7, chains=...)(sample)
        app.command()(COMMANDS["sample"].run)
    finally:
        del COMMANDS["sample"]
    run = CliRunner()
    told = run.invoke(app, ["x", "a", "b", "--much", "k=v=w", "--much", "l=", "--json"])
    assert told.exit_code == 0, told.output
    assert told.output == '{"first":"x","many":["a","b"],"much":{"k":"v=w","l":""},"keep":"1","seed":7}\n'
    help = " ".join(run.invoke(app, ["--help"], env={"TERM": "dumb"}).output.split())
    assert "What it does." in help and "Said in short, on two lines." in help and "Said here." in help
    assert "--chains" not in help and "--steps" in help
    assert run.invoke(app, ["x", "--steps", "0"]).exit_code == 2


@pytest.mark.parametrize("text", ["1_0", "\u0663", "1\u0665", "\uff11", "2_", "nan", "-NaN"])
@pytest.mark.parametrize("option", ["--seed", "--time-limit"])
def test_a_number_has_the_digits_0_to_9(cli: Cli, option: str, text: str) -> None:
    for words in ([option, text], [f"{option}={text}"]):
        code, out, error = cli("run", "srtf", "day.json", *words)
        assert (code, out) == (
            2,
            "",
        ) and error == f"schedproof: {option} {text}: expected a number in the digits 0 to 9\n"


def test_every_numeric_option_has_a_numeric_type() -> None:
    parameters = [p for each in COMMANDS.values() for p in inspect.signature(each.run).parameters.values()]
    numbers = [p for p in parameters if {int, float} & {(kind := get_args(p.annotation)[0]), *get_args(kind)}]
    flags = {f"--{p.name.replace('_', '-')}" for p in numbers if "Option" in type(get_args(p.annotation)[1]).__name__}
    assert flags == NUMBERS >= {"--seed", "--time-limit", "--budget", "--points"}
