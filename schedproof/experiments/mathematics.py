"""The pages of mathematics: each family's programs as the paper prints them.

``python -m schedproof.experiments mathematics docs`` writes ``docs/<family>.md`` from the programs' groups. Tests
compare every printed row with the rows that its group builds, at random points.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from schedproof.core.cards import registry
from schedproof.core.cards.family import Entry
from schedproof.core.claims import claims
from schedproof.core.data.options import REQUIRED, Option
from schedproof.core.errors import SchedproofError
from schedproof.core.programs import named
from schedproof.core.programs.group import Group
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import write_bytes
from schedproof.proofs_checks.formulas import markdown

ROOT = Path(__file__).parents[2]
ROLES = {
    "objective": "objective",
    "constraints": "constraint",
    "variables": "variables",
}  # families in the order of the pages
GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "eps", "eta"),
    *("zeta", "kappa", "lambda", "mu", "tau", "theta", "varpi"),
)
HEAD = ("equation", "formula", "group", "in words", "claims")
BACKENDS = {"pyomo": "Pyomo", "cvxpy": "CVXPY"}
SAMPLE = "1"  # values of options that have no default


def write_pages(folder: str | Path) -> list[Path]:
    pages = {family: Path(folder) / f"{family}.md" for family in documented_families()}
    for family, path in pages.items():
        write_bytes(path, page(family).encode())
    return list(pages.values())


def documented_families() -> list[str]:
    """Return this package's families; other packages document their own."""
    cards = registry.families().values()
    return sorted(c.name for c in cards if c.data is not None and c.data.instance.startswith("schedproof."))


def page(family: str) -> str:
    programs = {f"{family}.{entry.name}": entry for entry in registry.family(family).programs}
    symbols = inspect.getdoc(import_module(f"schedproof.instances.{family}")) or ""
    parts = [
        f"# The programs of the family `{family}`",
        "Each row of a table is one group: a part that `drop` takes away and `add` puts in. "
        "`schedproof show PROGRAM --latex` prints a program's rows alone.",
        f"Paper: {registry.family(family).paper}.",
        f"{' · '.join(f'[{id}](#{_anchor(id)})' for id in programs)}",
        f"Schedules are checked by {_link(f'schedproof.instances.{family}.checker')}; every claim about these programs "
        "is in [the ledger](ledger.md).",
        "## Symbols",
        *_symbols(symbols),
        *(part for id, entry in programs.items() for part in _section(id, entry)),
    ]
    return "\n\n".join(parts) + "\n"


# --- one program -----------------------------------------------------------------------------------------------------


def _section(id: str, entry: Entry) -> Iterator[str]:
    given = {option.name: SAMPLE for option in entry.options if option.default is REQUIRED}
    program = named.program(id, **given)
    yield f"## {id}"
    yield words(entry.sentence)
    kind = "integer" if program.integer else "continuous"
    routes = (
        f"; exact methods beside a solver: {', '.join(f'`{route}`' for route in program.routes)}"
        if program.routes
        else ""
    )
    yield f"{program.sense.capitalize()}, {kind}, built with {BACKENDS[program.backend]}{routes}."
    modules = dict.fromkeys(g.build.__module__ for g in _in_printed_order(program.groups))
    yield f"Written in {', '.join(map(_link, modules))}."
    yield _table(HEAD, (_row(program, g) for g in _in_printed_order(program.groups)))
    if entry.options:
        yield _table(("option", "values", "default", "meaning"), map(_option, entry.options))
    for option in entry.options:
        for value in option.kind.choices:
            if value != option.default:
                yield from _difference(id, f"{option.name}={value}", program, given | {option.name: value})


def _link(module: str) -> str:
    path = f"{module.replace('.', '/')}.py"
    return f"[`{path.removeprefix('schedproof/')}`](../{path})"


def _option(option: Option) -> tuple[str, ...]:
    default = option.usual if option.default in (REQUIRED, None) else f"`{option.usual}`"
    return f"`{option.name}`", words(option.kind.words), default, words(option.meaning)


def _in_printed_order(groups: Iterable[Group]) -> list[Group]:
    return sorted(groups, key=lambda g: list(ROLES).index(g.role))


def _row(program: Program, g: Group) -> tuple[str, ...]:
    speaking = (id for id, numbers in _claims(program.family).items() if numbers & _numbers(g.source))
    links = " ".join(_claim_link(id) for id in speaking)
    return g.source, _inline(g.row(program.integer)), f"`{g.name}`", words(g.sentence), links


def _claim_link(id: str) -> str:
    name = id.partition(".")[2]
    return f"[{name}](../{claims.find(id).file.relative_to(ROOT)}#{name})"


@cache
def _claims(family: str) -> Mapping[str, frozenset[str]]:
    filed = claims.of_family(family).values()
    printed = [f.claim for f in filed if f.claim.repaired is not None or not f.claim.id.endswith("_repaired")]
    return {claim.id: _numbers(f"{claim.source} {claim.statement}") for claim in printed}


def _numbers(text: str) -> frozenset[str]:
    single = re.findall(r"\((\d+[a-z]?)\)", text)
    ranges = re.findall(r"\((\d+)\)-\((\d+)\)", text)
    return frozenset(single) | {str(n) for low, high in ranges for n in range(int(low), int(high) + 1)}


def _difference(id: str, choice: str, program: Program, given: dict[str, str]) -> Iterator[str]:
    try:
        other = named.program(id, **given)
    except SchedproofError:  # this value requires another option
        return
    brought = [g for g in other.groups if g not in program.groups]
    gone = [g for g in program.groups if g not in other.groups]
    names = ", ".join(f"`{g.name}`" for g in _in_printed_order(gone))
    if brought:
        yield f"With `{choice}`{f', in place of {names}' if gone else ''}:"
        yield _table(HEAD, (_row(other, g) for g in _in_printed_order(brought)))
    elif gone:
        yield f"With `{choice}`, without {names}."


# --- symbols ---------------------------------------------------------------------------------------------------------


def _symbols(text: str) -> list[str]:
    lines = text.splitlines()
    rules = [n for n, line in enumerate(lines) if line.startswith("===")]
    if not rules:
        return [words(" ".join(lines))]
    spans = [m.span() for m in re.finditer("=+", lines[rules[0]])]
    ends = [start for start, _ in spans[1:]] + [None]

    def cells(line: str) -> list[str]:
        return [line[a:b].strip() for (a, _), b in zip(spans, ends, strict=True)]

    rows: list[list[str]] = []
    for line in lines[rules[1] + 1 : rules[-1]]:
        if line[: spans[0][1]].strip() or not rows:
            rows.append(cells(line))
        else:  # a continued row: its first column is empty
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells(line), strict=True)]
    body = ((_symbol(row[0]), row[1].replace("``", "`"), *map(_symbol, row[2:])) for row in rows)
    return [
        words(" ".join(line.strip() for line in lines[: rules[0]] if line.strip())),
        _table(cells(lines[rules[0] + 1]), body),
    ]


# --- Markdown --------------------------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


def _inline(latex: str) -> str:
    return "$`" + latex.replace("|", r"\vert ") + "`$"


def words(text: str) -> str:
    """Return a sentence of the code in Markdown, with its formulas typeset."""
    return markdown(text.replace("``", "`"))


def _symbol(text: str) -> str:
    def formula(match: re.Match[str]) -> str:
        name, index, power = match.groups()
        greek = rf"\{name}" if name.lower() in GREEK else name
        return _inline(f"{greek}_{{{index}}}" + (f"^{{{power.strip('{}')}}}" if power else ""))

    return re.sub(r"([A-Za-z]+)_([a-z]+|\([a-z,]+\))(?:\^([a-z]|\{[a-z,]+\}))?", formula, text)


def _anchor(id: str) -> str:
    return re.sub(r"[^\w-]", "", id.lower().replace(" ", "-"))


def main(arguments: Sequence[str] = ()) -> None:
    for path in write_pages(arguments[0] if arguments else "docs"):
        print(path)
