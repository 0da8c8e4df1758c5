"""Look-up of programs, policies and bounds by name on the families' cards.

Each card of schedproof or of another package is registered as an entry point in the group ``schedproof.families``.
`schedproof.core.cards.plug_ins` registers the cards of single files. Objects named on a card are imported on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import TypeVar

from schedproof.core.base.loader import load as load
from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.cards import plug_ins
from schedproof.core.cards.family import KINDS, BoundEntry, Entry, Family
from schedproof.core.errors import (
    InputError,
    SchedproofError,
    UnknownName,
    family_of,
    require,
    suggestion,
)
from schedproof.core.runtime.context import Context

T = TypeVar("T")
CACHES: list[Callable[[], None]] = [load.cache_clear]  # called by `forget`


def cached(function: Callable[..., T]) -> Callable[..., T]:
    """Cache the results of a function that reads the cards, until `forget`."""
    result = cache(function)
    CACHES.append(result.cache_clear)
    return result


@cached
def families() -> Mapping[str, Family]:
    """Return the cards of all families by name."""
    result: dict[str, Family] = {}
    for entry in sorted(entry_points(group="schedproof.families"), key=lambda e: e.name):
        try:
            card = entry.load()
            card = card if isinstance(card, Family) else getattr(card, "card", card)
            if not isinstance(card, Family):
                raise TypeError(f"expected a Family, found {card!r}")
        except (Exception, SystemExit) as error:
            raise SchedproofError(f"the plug-in '{entry.name}' ({entry.value}) cannot be loaded: {error}") from error
        result[card.name] = result[card.name].join(card) if card.name in result else card
    for card in plug_ins.cards():
        if card == result.get(card.name):
            continue  # a package has registered this draft's card already
        result[card.name] = result[card.name].join(card) if card.name in result else card
    whole = [name for name, card in result.items() if card.data is not None or card.has_programs_alone]
    for name in result.keys() - set(whole):
        what = f"a plug-in adds rows to the family '{name}', which no package registers"
        raise SchedproofError(f"{what}; {suggestion(name, whole)}")
    return result


def forget() -> None:
    """Clear all caches, so that the next look-up reads the cards again."""
    for clear in CACHES:
        clear()


def family(name: str) -> Family:
    """Return the card of the family `name`."""
    if name not in families():
        raise UnknownName("family", name, families())
    return families()[name]


def card_of(instance: AnyFamily) -> Family:
    """Return the card of an instance's family."""
    return family(family_of(instance))


def card_of_json(value: Json) -> Family:
    """Return the card of the family named in an instance's JSON object.

    Raises
    ------
    InputError
        If it names no known family.
    """
    if not isinstance(value, dict):
        raise InputError("expected a JSON object")
    family = value.get("family")
    if not isinstance(family, str) or family not in families():
        known = f"expected one of {', '.join(sorted(families()))}, or a plug-in's family with --plugin FILE.py"
        raise InputError(known, path="family", value=family)
    return families()[family]


def by_paper(name: str) -> str:
    """Return the family for its name or its paper's number, for example ``000``."""
    numbers = {card.paper.number: known for known, card in families().items() if card.paper and card.paper.number}
    return family(numbers.get(name, name)).name


def programs(family: str | None = None) -> dict[str, str]:
    """Return ids and descriptions of the programs of one family or all families."""
    return _sentences("program", family)


def policies(family: str | None = None, *, offline: bool = False) -> dict[str, str]:
    """Return ids and descriptions of the online policies, or of the offline ones."""
    return _sentences("policy", family, offline)


def _sentences(kind: str, name: str | None, offline: bool = False) -> dict[str, str]:
    cards = families().values() if name is None else [family(name)]
    rows = (row for card in cards for row in card.entries(kind))
    return {id: entry.sentence for id, entry in rows if entry.offline == offline}


@cached
def entries(kind: str) -> Mapping[str, Entry]:
    """Return all rows of a kind in `schedproof.core.cards.family.KINDS` by id."""
    rows: dict[str, Entry] = {}
    for card in families().values():
        for id, entry in card.entries(kind):
            if id in rows:
                others = [other.name for other in families().values() if id in dict(other.entries(kind))]
                raise SchedproofError(f"the families {' and '.join(others)} both have the {kind} {id}; rename one")
            rows[id] = entry
    return rows


def full_name(kind: str, name: str, known: Mapping[str, Value], family: str | None = None) -> str:
    """Return the full id for a short or full name.

    A short name is looked up in `family`; without `family`, it must be unique among all families.
    """
    for candidate in (name, f"{family}.{name}"):
        if candidate in known:
            return candidate
    matches = [id for id in known if id.endswith(f".{name}")]
    if family is None and len(matches) == 1:
        return matches[0]
    raise UnknownName(kind, name, known)


def find(kind: str, name: str, family: str | None = None) -> tuple[str, Entry]:
    """Return the id and card row for a name.

    Raises
    ------
    UnknownName
        If no object of the kind has the name.
    InputError
        If only an object of another kind has the name.
    """
    require(name, str, f"the name of a {kind}")
    rows = entries(kind)
    try:
        id = full_name(kind, name, rows, family)
    except UnknownName:
        if others := [f"the {other} {id}" for other, id, _ in entries_named(name) if other != kind and id not in rows]:
            raise InputError(f"expected a {kind}; '{name}' is {' and '.join(others)}") from None
        raise
    return id, rows[id]


def bound_entry(id: str) -> BoundEntry:
    """Return the card row of a bound by its full id."""
    entry = entries("bound").get(id)
    if not isinstance(entry, BoundEntry):
        raise UnknownName("bound", id, entries("bound"))
    return entry


def find_for(kind: str, name: str, card: Family) -> tuple[str, Entry]:
    """Return the id and row of a name on one card.

    Raises
    ------
    InputError
        If the name belongs to another family.
    """
    row = card.find(kind, name)
    if row is None:
        others = [id for id in entries(kind) if id.endswith(f".{name}")]
        id, _ = find(kind, others[0] if len(others) == 1 else name, card.name)
        takes = f"{id} takes a {id.partition('.')[0]} instance"
        raise InputError(f"{takes}, but the family of this instance is {card.name}")
    return row


def find_bound(name: str, card: Family) -> tuple[str, Entry]:
    """Return the id and row of a bound on a card.

    If no bound has the name, return the program with the name: multipliers of its rows prove a bound on its optimum.

    Raises
    ------
    InputError
        If the name belongs to another family or to an object of another kind.
    UnknownName
        If the name is unknown; the message suggests the family's names.
    """
    if row := card.find("bound", name) or card.find("program", name):
        return row
    if not entries_named(name):
        raise UnknownName("bound", name, {id for kind in ("bound", "program") for id, _ in card.entries(kind)})
    return find_for("bound", name, card)


def entries_named(name: str) -> list[tuple[str, str, Entry]]:
    """Return kind, id and row of all card entries with this id or short name."""
    rows = [(kind, id, entry) for kind in KINDS for id, entry in entries(kind).items()]
    rows += [("regret", *row) for card in families().values() for row in card.regrets]
    return [row for row in rows if name in (row[1], row[1].partition(".")[2])]


def regret(name: str, role: str = "regret") -> Entry:
    """Return a family's ``regret`` or ``worst_regret``; raise an error if it has none."""
    entry = dict(family(name).regrets).get(f"{name}.{role}")
    if entry is None:
        raise SchedproofError(f"the family {name} has no {role.replace('_', ' ')}, only ratios")
    return entry


def what_if(name: str) -> Entry:
    """Return a family's ``what_if``; raise an error if it has none."""
    entry = family(name).what_if
    if entry is None:
        have = ", ".join(other for other, card in families().items() if card.what_if is not None)
        raise InputError(f"the family {name} has no what-if settings; families with some: {have}")
    return entry


def generate(family: str, preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Json]:
    """Return a random instance of a family as the JSON object of its file."""
    _, entry = find("generator", family)
    value: dict[str, Json] = load(entry.home)(preset, seed, settings)
    return value


def train(
    family: str, preset: str, out: AnyFamily, device: str, given: Mapping[str, Value], context: Context
) -> AnyFamily:
    """Train a family's network and write its files."""
    name, entry = find("trainer", family)
    return entry.call(f"the trainer of {name}", given, context, preset, out, device)
