"""Catalogue pages by name: family, program, policy, bound, workload or claim."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from schedproof.core.base.untyped import Json
from schedproof.core.cards import registry
from schedproof.core.cards.family import KINDS, OBJECTIVE, Entry, Family
from schedproof.core.claims import claims
from schedproof.core.data.options import REQUIRED
from schedproof.core.errors import SchedproofError, UnknownName, close_names
from schedproof.core.programs import named
from schedproof.core.programs.program import Program

Row = dict[str, str]


@dataclass(frozen=True)
class Page:
    """A catalogue page of one object.

    Attributes
    ----------
    more
        Further fields by title: ``paper``, ``presets``, ``verdict``.
    options
        Options with type, default and meaning.
    rows
        Parts: a program's groups, a family's programs and policies, a generator's settings.
    built
        Function that returns a program's variables and rows on a random draw; called only when the page is shown.
    latex
        LaTeX of a program.
    text
        Documentation of an object whose card does not list its options.
    """

    kind: str
    id: str
    sentence: str
    more: Row = field(default_factory=dict)
    options: tuple[Row, ...] = ()
    rows: tuple[Row, ...] = ()
    built: Callable[[], tuple[Row, ...]] = tuple
    latex: str = ""
    text: str = ""

    def to_json(self) -> dict[str, Json]:
        """Return the page as a row of ``show --json``."""
        rows = {"rows": list(self.rows), "built": list(self.built())}
        parts = {"options": list(self.options), **rows, "latex": self.latex, "text": self.text}
        head = {"kind": self.kind, "id": self.id, "sentence": self.sentence}
        return head | self.more | {name: part for name, part in parts.items() if part}


def pages(name: str) -> list[Page]:
    """Return the pages of all objects with this id or short name.

    Raises
    ------
    SchedproofError
        If the name is unknown.
    """
    pages_found = [_entry_page(kind, id, entry) for kind, id, entry in registry.entries_named(name)]
    pages_found += [_family_page(card) for card in registry.families().values() if card.name == name]
    statements = claims.statements()
    pages_found += [_claim_page(id, statements[id]) for id in statements if name in (id, id.partition(".")[2])]
    if not pages_found:
        known = sorted({*registry.families(), *statements, *(id for kind in KINDS for id in registry.entries(kind))})
        if close_names(name, known):
            raise UnknownName("name", name, known)
        raise SchedproofError(f"unknown name '{name}'; `schedproof programs`, `policies` and `claims` list names")
    return pages_found


def program_page(program: Program) -> Page:
    """Return the page of a program, which may be a changed program or a dual."""
    primal, _, dual = program.id.partition(":")
    _, entry = registry.find("program", primal)
    sentence = f"The dual of `{primal}`." if dual else entry.sentence
    more = {"sense": program.sense, "variables": "integer" if program.integer else "continuous"}
    more |= {"built with": program.backend, **_paper(registry.family(program.family))}
    groups = tuple(
        {"group": g.name, "source": g.source, "sentence": g.sentence, "role": g.role} for g in program.groups
    )
    return Page(
        "program", program.id, sentence, more, options(entry), groups, partial(_built, program), program.latex()
    )


def _built(program: Program) -> tuple[dict[str, str], ...]:
    from schedproof.core.programs.outline import on_a_draw

    return on_a_draw(program)


def _entry_page(kind: str, id: str, entry: Entry) -> Page:
    if kind == "program" and all(option.default is not REQUIRED for option in entry.options):
        return program_page(named.program(id))
    more = _paper(next(card for card in registry.families().values() if entry in _entries(card)))
    more |= {"presets": ", ".join(entry.presets)} if entry.presets else {}
    more |= {"always": "; ".join(entry.forgoes.values())} if entry.forgoes else {}
    if entry.settings:
        more["settings"] = (inspect.getdoc(registry.load(entry.settings)) or "").partition("\n")[0]
        return Page(kind, id, entry.sentence, more, rows=tuple(settings(entry.settings)))
    text = inspect.getdoc(registry.load(entry.home)) or "" if kind == "trace" else ""
    return Page(kind, id, entry.sentence, more, options(entry), text=text)


def options(entry: Entry) -> tuple[Row, ...]:
    """Return the options of a card's row with type, default and meaning."""
    return tuple(
        {"option": o.name, "expected": o.kind.words, "default": o.usual, "meaning": o.meaning} for o in entry.options
    )


def settings(home: str) -> Iterator[Row]:
    """Yield a generator's settings from the docstring of their class."""
    kind = registry.load(home)
    for names, meaning in re.findall(r"^(\w.*)\n((?: +.+\n?)+)", inspect.getdoc(kind) or "", re.MULTILINE):
        usual = ", ".join(str(kind._field_defaults[name]) for name in names.split(", "))
        yield {"setting": names, "default": usual, "meaning": " ".join(meaning.split())}


def _entries(card: Family) -> Iterator[Entry]:
    yield from (entry for kind in KINDS for _, entry in card.entries(kind))
    yield from (entry for _, entry in card.regrets)


def _family_page(card: Family) -> Page:
    rows = [{"id": id, "kind": kind, "sentence": entry.sentence} for kind in KINDS for id, entry in card.entries(kind)]
    measure = card.data.measure if card.data else OBJECTIVE
    more = _paper(card) | {"objective": f"{measure.total}{f', in {measure.unit}' if measure.unit else ''}"}
    more["claims"] = f"{len(claims.ledger_rows(card.name))}; see `schedproof claims --family {card.name}`"
    if card.what_if is not None:
        more["what-if settings"] = "; ".join(f"{o.name}: {o.meaning}" for o in card.what_if.options)
    return Page("family", card.name, card.sentence, more, rows=tuple(rows))


def _claim_page(id: str, statement: str) -> Page:
    row = claims.ledger(id.partition(".")[0]).get(id, {})
    shown_fields = ("source", "verdict", "evidence", "severity", "assumption", "repaired_by")
    row = row | {"verdict": claims.in_words(row["verdict"])} if row else row
    witnesses = tuple({"witness": name, "sentence": note} for name, note in row.get("witnesses", {}).items())
    return Page("claim", id, statement, {name: row[name] for name in shown_fields if row.get(name)}, rows=witnesses)


def _paper(card: Family) -> Row:
    return {} if card.paper is None else {"paper": str(card.paper)}
