"""What a command takes, read off functions: their signatures and their docstrings.

What stands before ``*`` is an argument, what stands after it an option. An ``Instance`` is given as the name of its
file, a mapping as ``key=value``, as often as one likes, a sequence as any number of words.
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

FLAGS = {  # parameters that have another name on the command line
    "against_options": "against_option",
    "claims": "claim",
    "instance": "file",
    "options": "option",
    "settings": "set",
}
LEAST = {"budget": 0, "lift": 5, "points": 2, "seed": 0, "time_limit": 0}
LEAST |= dict.fromkeys(("cases", "chains", "draws", "jobs", "seeds", "steps"), 1)
NUMBERS: set[str] = set()  # the flags of all options that are numbers
TYPES: dict[str, type] = {"Instance": Path, "Folder": Path, "Path": Path, "bool": bool, "int": int, "float": float}
HELP = {  # of parameters of which nothing is said where they stand
    "drop": "Drop a group of the program.",
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
def _definition(home: str) -> Any:
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


def texts_of(home: str) -> dict[str, str]:
    """What the docstrings of a function, and of the dataclasses of its parameters, say of each option."""
    found = parameter_texts(docstring_of(home))
    for each in _dataclasses_of(home):
        found |= parameter_texts(docstring_of(each)) | {"": found[""]}
    return found


def options_of(home: str) -> dict[str, Parameter]:
    """The parameters of a function that have a default, as options; a dataclass stands for its fields."""
    found = {}
    for name, annotation, default in chain.from_iterable(map(_defaults, (*_dataclasses_of(home), home))):
        with suppress(ValueError):  # a default that is no literal is for Python alone
            kind = ast.unparse(annotation or ast.Constant(""))
            found[name] = Parameter(name, Parameter.KEYWORD_ONLY, default=ast.literal_eval(default), annotation=kind)
    return found


def gathered(kind: Any, words: dict[str, Any]) -> Any:
    """A value of a dataclass, from the words that are its fields; the other words are left."""
    return kind(**{field.name: words.pop(field.name) for field in fields(kind) if field.name in words})


def _defaults(home: str) -> list[tuple[str, ast.expr | None, ast.expr]]:
    """Name, annotation and default of the parameters of a function, or of the fields of a dataclass."""
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
    """The homes of the dataclasses of a function's module that are defaults of its parameters, like ``Space()``."""
    made = (default.func for _, _, default in _defaults(home) if isinstance(default, ast.Call))
    return [f"{home.partition(':')[0]}:{kind.id}" for kind in made if isinstance(kind, ast.Name)]


def parameter_texts(docstring: str | None) -> dict[str, str]:
    """What a docstring says of each parameter, in numpydoc or ``name: text``, and before that of the function."""
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
        option = f"--{name.replace('_', '-')}"
        NUMBERS.update([option] if kind in (int, float) else ())
        info = typer.Option(option, help=help, min=LEAST.get(name), autocompletion=complete)
    kind = kind | None if default is None else kind
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])
