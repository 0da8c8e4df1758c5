"""Derive a command's arguments and options from signatures and docstrings.

Parameters before ``*`` become arguments, parameters after ``*`` become options. An ``Instance`` is given as a file
name, a mapping as repeated ``key=value``, a sequence as any number of words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib.util import find_spec
from inspect import Parameter, cleandoc
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

import schedproof

FLAGS = {  # parameters with another name on the command line
    "against_options": "against_option",
    "claims": "claim",
    "instance": "file",
    "options": "option",
    "settings": "set",
}
LEAST = {"budget": 0, "lift": 5, "points": 2, "seed": 0, "time_limit": 0}
LEAST |= dict.fromkeys(("cases", "chains", "draws", "jobs", "seeds", "steps"), 1)
NUMBERS: set[str] = set()  # the flags of numeric options
TYPES: dict[str, type] = {"Instance": Path, "Folder": Path, "Path": Path, "bool": bool, "int": int, "float": float}
HELP = {  # for parameters that no docstring describes
    "drop": "Drop a group of the program.",
    "family": "Only this family.",
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
    "time_limit": "Time limit in seconds; the output is the best result within it.",
}


@cache
def _definition(home: str) -> Any:
    """Return the syntax tree of ``module:function`` or ``module:Class.method``.

    The module is not imported.
    """
    module, _, name = home.partition(":")
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    found: Any = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    for part in name.split("."):
        found = next(node for node in found.body if getattr(node, "name", "") == part)
    return found


def public(name: str) -> str:
    return f"{schedproof.HOMES[name]}:{name}"


def docstring_of(home: str) -> str:
    return ast.get_docstring(_definition(home)) or ""


def texts_of(home: str) -> dict[str, str]:
    """Return help texts by option, of a function and its dataclass parameters."""
    found = parameter_texts(docstring_of(home))
    for each in _dataclasses_of(home):
        found |= parameter_texts(docstring_of(each)) | {"": found[""]}
    return found


def options_of(home: str) -> dict[str, Parameter]:
    """Return the parameters with defaults as options; a dataclass yields its fields."""
    found = {}
    for name, annotation, default in chain.from_iterable(map(_defaults, (*_dataclasses_of(home), home))):
        with suppress(ValueError):  # a default that is not a literal is available in Python only
            kind = ast.unparse(annotation or ast.Constant(""))
            found[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=ast.literal_eval(default), annotation=kind)
    return found


def gathered(kind: Any, words: dict[str, Any]) -> Any:
    """Return a dataclass made from its fields in `words`, which are removed there."""
    return kind(**{field.name: words.pop(field.name) for field in fields(kind) if field.name in words})


def _defaults(home: str) -> list[tuple[str, ast.expr | None, ast.expr]]:
    node = _definition(home)
    if isinstance(node, ast.ClassDef):
        rows: Any = (each for each in node.body if isinstance(each, ast.AnnAssign) and each.value)
        return [(each.target.id, each.annotation, each.value) for each in rows]
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    last = plain[len(plain) - len(given.defaults) :]
    pairs = [*zip(last, given.defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return [(each.arg, each.annotation, default) for each, default in pairs if default]


def _dataclasses_of(home: str) -> list[str]:
    made = (default.func for _, _, default in _defaults(home) if isinstance(default, ast.Call))
    return [f"{home.partition(':')[0]}:{kind.id}" for kind in made if isinstance(kind, ast.Name)]


def parameter_texts(docstring: str | None) -> dict[str, str]:
    """Return a docstring's text of each parameter, and under "" the function's own.

    Parameters are described in numpydoc, or as ``name: text``.
    """
    head, *sections = re.split(r"^(\w+)\n-+\n", cleandoc(docstring or "").replace("``", "`"), flags=re.MULTILINE)
    by_name = dict(zip(sections[::2], sections[1::2], strict=True))
    section = by_name.get("Parameters", by_name.get("Attributes", ""))
    head, _, short = re.sub(r"(^|\n\n)(?=\w+: )", "\0", head, count=1).partition("\0")
    rows = re.findall(r"^(\w[\w, ]*)\n((?:(?: +.*)?\n?)+)", section, re.MULTILINE)
    rows += re.findall(r"^(\w+): (.*(?:\n .*)*)", short, re.MULTILINE)
    found = {name: " ".join(words.split()) for names, words in rows for name in names.split(", ")}
    for name, words in found.items():
        if fellow := re.match(r"As for `schedproof\.(\w+)`", words):
            found[name] = parameter_texts(docstring_of(public(fellow[1])))[name]
    return found | ({"": head.strip()} if head.strip() else {})


def require_digits(words: list[str]) -> None:
    """Reject NaN, underscores and non-ASCII digits, as some typer versions do."""
    from schedproof.core.errors import InputError

    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, equals, text = word.partition("=")
        text = text if equals else after
        if name in NUMBERS and ("_" in text or not text.isascii() or text.strip(" +-").lower() == "nan"):
            raise InputError(f"{name} {text}: expected a number in the digits 0 to 9")


def flag(name: str) -> str:
    return FLAGS.get(name, name)


def for_typer(parameter: Parameter, help: str, complete: Callable[[str], list[str]] | None) -> Parameter:
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
        option = f"--{name.replace('_', '-')}"
        NUMBERS.update([option] if kind in (int, float) else ())
        info = typer.Option(option, help=help, min=LEAST.get(name), autocompletion=complete)
    kind = kind | None if default is None else kind
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])
