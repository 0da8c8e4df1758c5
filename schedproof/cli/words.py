"""What a command takes, read off functions: their signatures and their docstrings.

What stands before ``*`` is an argument, what stands after it an option. An ``Instance`` is given as the name of its
file, a mapping as ``key=value``, as often as one likes, a sequence as any number of words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from inspect import Parameter, cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer

import schedproof

FLAGS = {  # parameters that have another name on the command line
    "against_options": "against_option",
    "claims": "claim",
    "instance": "file",
    "options": "option",
    "settings": "set",
}
FORMER = {"drop": "--without"}
LEAST = {"budget": 0, "lift": 5, "points": 2, "seed": 0, "time_limit": 0}
LEAST |= dict.fromkeys(("cases", "chains", "draws", "jobs", "seeds", "steps"), 1)
NUMBERS: set[str] = set()  # the flags of all options that are numbers
TYPES: dict[str, type] = {"Instance": Path, "Folder": Path, "Path": Path, "bool": bool, "int": int, "float": float}
HELP = {  # of parameters of which nothing is said where they stand
    "drop": "Drop a group of the program (formerly --without).",
    "family": "Only those of a family.",
    "graph": "Write the graph of states and steps into a file, as GraphML.",
    "instance": "An instance file (JSON).",
    "json": "Print one JSON object.",
    "option": "An option, key=value; see `schedproof show`.",
    "out": "The file to write.",
    "plot": "Draw the result into a file (.png, .pdf, .svg, .jpg).",
    "preset": "Named preset.",
    "relaxed": "Drop integrality.",
    "seed": "Seed of every random choice.",
    "settings": "A setting of the generator, key=value.",
    "time_limit": "Seconds; the answer is what is found by then.",
}


@cache
def _definition(home: str) -> ast.FunctionDef:
    """The text of ``module:function`` or ``module:Class.method``; nothing that it needs is imported."""
    module, _, name = home.partition(":")
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    found: Any = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    for part in name.split("."):
        found = next(node for node in found.body if getattr(node, "name", "") == part)
    return found


def public(name: str) -> str:
    """The home of a function of `schedproof`."""
    return f"{schedproof.HOMES[name]}:{name}"


def docstring_of(home: str) -> str:
    """What a function says of itself."""
    return ast.get_docstring(_definition(home)) or ""


def options_of(home: str) -> dict[str, Parameter]:
    """The parameters of a function that have a default, as options."""
    arguments, found = _definition(home).args, {}
    plain = [*arguments.posonlyargs, *arguments.args][::-1]
    rows: list[tuple[ast.arg, Any]] = [*zip(plain, arguments.defaults[::-1], strict=False)][::-1]  # of the last ones
    for each, default in (*rows, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)):
        with suppress(ValueError):  # a default that is no literal is for Python alone
            usual, annotation = ast.literal_eval(default), ast.unparse(each.annotation or ast.Constant(""))
            found[each.arg] = Parameter(each.arg, Parameter.KEYWORD_ONLY, default=usual, annotation=annotation)
    return found


def parameter_texts(docstring: str | None) -> dict[str, str]:
    """What a docstring says of each parameter, in numpydoc or ``name: text``, and before that of the function."""
    head, *sections = re.split(r"^(\w+)\n-+\n", cleandoc(docstring or "").replace("``", "`"), flags=re.MULTILINE)
    section = dict(zip(sections[::2], sections[1::2], strict=True)).get("Parameters", "")
    head, _, short = re.sub(r"(^|\n\n)(?=\w+: )", "\0", head, count=1).partition("\0")
    rows = re.findall(r"^(\w[\w, ]*)\n((?:(?: +.*)?\n?)+)", section, re.MULTILINE)
    rows += re.findall(r"^(\w+): (.*(?:\n .*)*)", short, re.MULTILINE)
    found = {name: " ".join(words.split()) for names, words in rows for name in names.split(", ")}
    for name, words in found.items():
        if fellow := re.match(r"As for `schedproof\.(\w+)`", words):
            found[name] = parameter_texts(docstring_of(public(fellow[1])))[name]
    return found | ({"": head.strip()} if head.strip() else {})


def require_digits(words: list[str]) -> None:
    """Refuse a number with an underscore, or with digits of other scripts: not every version of typer does."""
    from schedproof.core.errors import InputError

    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, text = word.partition("=")
        text = text if equals else after
        if name in NUMBERS and ("_" in text or not text.isascii()):
            raise InputError(f"{name} {text}: expected a number in the digits 0 to 9")


def flag(name: str) -> str:
    """The name that typer knows a parameter by."""
    return FLAGS.get(name, name)


def for_typer(parameter: Parameter, help: str, complete: Callable[[str], list[str]] | None) -> Parameter:
    """A parameter as typer knows it."""
    name, annotation, default = flag(parameter.name), str(parameter.annotation), parameter.default
    kind: Any = next((TYPES[word] for word in TYPES if re.search(rf"\b{word}\b", annotation)), str)
    if "Mapping" in annotation or "Sequence" in annotation:
        kind = list[kind]
        default = [] if "Mapping" in annotation or default == () else default
    elif kind is str and default not in (None, Parameter.empty):
        default = str(default)
    help += "" if "=" in help or "Mapping" not in annotation else " Given as key=value."
    info: Any = typer.Argument(help=help, autocompletion=complete)
    if parameter.kind is Parameter.KEYWORD_ONLY:
        flags = [f"--{name.replace('_', '-')}", *([FORMER[name]] if name in FORMER else [])]
        NUMBERS.update(flags if kind in (int, float) else ())
        info = typer.Option(*flags, help=help, min=LEAST.get(name), autocompletion=complete)
    kind = kind | None if default is None else kind
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])
