"""The mathematics pages: every registered program as the paper prints it, one page per family.

``python -m schedproof.experiments.mathematics docs`` writes ``docs/<family>.md`` from the groups themselves, so that a
page cannot say anything else than what is built and solved.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from schedproof.core import registry
from schedproof.core.errors import SchedproofError
from schedproof.core.files import write_bytes
from schedproof.core.program import Group, Program

ROLES = {"objective": "objective", "constraints": "constraint", "variables": "variables"}  # in printed order
GREEK = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "eps",
    "eta",
    "zeta",
    "kappa",
    "lambda",
    "mu",
    "tau",
    "theta",
    "varpi",
)
BACKENDS = {"pyomo": "Pyomo", "cvxpy": "CVXPY"}
SAMPLE = "1"  # the value of an option that has no default, to look at the program

Factory = Callable[..., Program]


class Option(NamedTuple):
    """One option of a program: its default as text (None where it must be given), and what its docstring says."""

    name: str
    default: str | None
    words: str


def write_pages(folder: str | Path) -> list[Path]:
    """Write one page per family that has programs, atomically; returns the pages."""
    families = sorted({id.partition(".")[0] for id in _programs()})
    pages = [Path(folder) / f"{family}.md" for family in families]
    for family, path in zip(families, pages, strict=True):
        write_bytes(path, page(family).encode())
    return pages


def page(family: str) -> str:
    """The page of one family, in GitHub's Markdown."""
    mine = {id: factory for id, factory in _programs().items() if id.partition(".")[0] == family}
    symbols = inspect.getdoc(import_module(f"schedproof.instances.{family}")) or ""
    parts = [
        f"# The programs of the family `{family}`",
        "Generated from the programs by `python -m schedproof.experiments.mathematics docs`; do not edit. "
        "Each row of a table is one group: a part that `without` drops and `with_` adds. "
        "`schedproof show PROGRAM --latex` prints a program's rows alone.",
        f"{' · '.join(f'[{id}](#{_anchor(id)})' for id in mine)}",
        "## Symbols",
        *_symbols(symbols),
        *(part for id, factory in mine.items() for part in _section(id, factory, mine)),
    ]
    return "\n\n".join(parts) + "\n"


def _programs() -> dict[str, Factory]:
    """This package's programs; another package documents its own."""
    rows = registry.table("programs")
    return {id: factory for id, factory in rows.items() if factory.__module__.partition(".")[0] == "schedproof"}


# --- one program -----------------------------------------------------------------------------------------------------


def _section(id: str, factory: Factory, family: Mapping[str, Factory]) -> Iterator[str]:
    options = _options(factory, family)
    given = {option.name: SAMPLE for option in options if option.default is None}
    program = factory(**given)
    yield f"## {id}"
    yield _plain(_doc(factory)[0])
    kind = "integer" if program.integer else "continuous"
    routes = (
        f"; routes beside a solver: {', '.join(f'`{route}`' for route in program.routes)}" if program.routes else ""
    )
    yield f"{program.sense.capitalize()}, {kind}, built with {BACKENDS[program.backend]}{routes}."
    yield _table(("equation", "", "group", "in words"), map(_row, _printed(program.groups)))
    if options:
        yield _table(("option", "default", ""), ((f"`{o.name}`", _default(o), _plain(o.words)) for o in options))
    for option in options:
        for value, other in _alternatives(option, factory, given):
            yield from _difference(f"{option.name}={value}", program, other)


def _printed(groups: Iterable[Group]) -> list[Group]:
    """In the paper's order: objective, constraints, variables, each as the program lists them."""
    return sorted(groups, key=lambda g: list(ROLES).index(g.role))


def _row(g: Group) -> tuple[str, ...]:
    return g.source, _inline(g.latex), f"`{g.name}`", _plain(g.sentence)


def _default(option: Option) -> str:
    return "to be given" if option.default is None else f"`{option.default}`"


def _difference(choice: str, program: Program, other: Program) -> Iterator[str]:
    """The groups that an option's value brings, and those that make room for them."""
    brought = [g for g in other.groups if g not in program.groups]
    gone = [g for g in program.groups if g not in other.groups]
    if brought or gone:
        instead = f", in place of {', '.join(f'`{g.name}`' for g in _printed(gone))}" if gone else ""
        yield f"With `{choice}`{instead}:"
        yield _table(("equation", "", "group", "in words"), map(_row, _printed(brought)))


def _alternatives(option: Option, factory: Factory, given: dict[str, str]) -> Iterator[tuple[str, Program]]:
    """The program under each other value that the option's description names."""
    for value in dict.fromkeys(re.findall(r"``(\w+)``", option.words)):
        if value != option.default:
            try:
                yield value, factory(**(given | {option.name: value}))
            except SchedproofError:  # a word of code that is no value of this option
                continue


# --- docstrings ------------------------------------------------------------------------------------------------------


def _doc(factory: Factory) -> list[str]:
    return (inspect.getdoc(factory) or factory.__name__).splitlines()


def _options(factory: Factory, family: Mapping[str, Factory]) -> list[Option]:
    """The factory's keyword options, described by its docstring or by that of the program it refers to."""
    described = _described(factory, family)
    signature = inspect.signature(factory).parameters.values()
    return [
        Option(p.name, None if p.default is p.empty else str(p.default), described.get(p.name, ""))
        for p in signature
        if p.kind is p.KEYWORD_ONLY
    ]


def _described(factory: Factory, family: Mapping[str, Factory]) -> dict[str, str]:
    """Option -> description, from the section 'Parameters'; "as in ILP (4)" is looked up where it points."""
    lines = _doc(factory)
    referred = re.search(r"options as in `(\w+)`", lines[0])
    found = _parameters(lines)
    if referred:
        found = _described(_named(referred[1], family), family) | found
    for name, words in found.items():
        elsewhere = re.fullmatch(r"As in ILP \((\d+)\)\.", words)
        if elsewhere:
            found[name] = _described(_named(f"ilp{elsewhere[1]}", family), family).get(name, words)
    return found


def _named(name: str, family: Mapping[str, Factory]) -> Factory:
    return next(factory for id, factory in family.items() if id.partition(".")[2] == name)


def _parameters(lines: Sequence[str]) -> dict[str, str]:
    if "Parameters" not in lines:
        return {}
    found: dict[str, list[str]] = {}
    names: list[str] = []
    section = lines[lines.index("Parameters") + 2 :]
    for n, line in enumerate(section):
        if n + 1 < len(section) and section[n + 1].startswith("---"):
            break
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(",")]
        elif line:
            for name in names:
                found.setdefault(name, []).append(line.strip())
    return {name: " ".join(words) for name, words in found.items()}


def _symbols(text: str) -> list[str]:
    """The docstring of the family's instances: its sentences, and its table of symbols."""
    lines = text.splitlines()
    rules = [n for n, line in enumerate(lines) if line.startswith("===")]
    if not rules:
        return [_plain(" ".join(lines))]
    spans = [m.span() for m in re.finditer("=+", lines[rules[0]])]
    ends = [start for start, _ in spans[1:]] + [None]

    def cells(line: str) -> list[str]:
        return [line[a:b].strip() for (a, _), b in zip(spans, ends, strict=True)]

    rows: list[list[str]] = []
    for line in lines[rules[1] + 1 : rules[-1]]:
        if line[: spans[0][1]].strip() or not rows:
            rows.append(cells(line))
        else:  # a row that goes on: its first column is empty
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells(line), strict=True)]
    body = ((_symbol(row[0]), *(_plain(cell) for cell in row[1:])) for row in rows)
    return [
        _plain(" ".join(line.strip() for line in lines[: rules[0]] if line.strip())),
        _table(cells(lines[rules[0] + 1]), body),
    ]


# --- Markdown --------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _inline(latex: str) -> str:
    """Mathematics within a line; between dollar and backtick Markdown leaves braces and underscores alone."""
    return "$`" + latex.replace("|", r"\vert ") + "`$"


def _plain(text: str) -> str:
    """A docstring's code marks and angle brackets as Markdown has them."""
    return text.replace("``", "`").replace("<", "&lt;")


def _symbol(text: str) -> str:
    """``Delta_js`` and its like as mathematics, the words around them as they are."""

    def formula(match: re.Match[str]) -> str:
        name, index, power = match.groups()
        greek = rf"\{name}" if name.lower() in GREEK else name
        return _inline(f"{greek}_{{{index}}}" + (f"^{{{power.strip('{}')}}}" if power else ""))

    return re.sub(r"([A-Za-z]+)_([a-z]+|\([a-z,]+\))(?:\^([a-z]|\{[a-z,]+\}))?", formula, text)


def _anchor(id: str) -> str:
    """GitHub's anchor of a heading."""
    return re.sub(r"[^\w-]", "", id.lower().replace(" ", "-"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pages into the folder named on the command line, ``docs`` if none is."""
    words: Any = sys.argv[1:] if arguments is None else arguments
    for path in write_pages(words[0] if words else "docs"):
        print(path)


if __name__ == "__main__":
    main()
