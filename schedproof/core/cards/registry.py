"""What there is, read off the families' cards; what a card names is imported when it is used.

schedproof's own families are registered in ``pyproject.toml`` exactly as another package registers its own: one entry
point under ``schedproof.families`` for each card. A file's cards are registered by `schedproof.core.cards.plug_ins`.
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
    """Keep the results of a function that reads the cards until `forget` is called."""
    result = cache(function)
    CACHES.append(result.cache_clear)
    return result


@cached
def families() -> Mapping[str, Family]:
    """The card of every family, by name."""
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
            continue  # of a package whose card is a draft
        result[card.name] = result[card.name].join(card) if card.name in result else card
    whole = [name for name, card in result.items() if card.data is not None or card.has_programs_alone]
    for name in result.keys() - set(whole):
        what = f"a plug-in adds rows to the family '{name}', which no package registers"
        raise SchedproofError(f"{what}; {suggestion(name, whole)}")
    return result


def forget() -> None:
    """Read the cards again at the next look-up."""
    for clear in CACHES:
        clear()


def family(name: str) -> Family:
    """The card of that name."""
    if name not in families():
        raise UnknownName("family", name, families())
    return families()[name]


def card_of(instance: AnyFamily) -> Family:
    """The card of an instance's family; a sentence for what is none."""
    return family(family_of(instance))


def card_of_json(value: Json) -> Family:
    """The card of the family that an instance's JSON object names.

    Raises
    ------
    InputError
        Where it names none.
    """
    if not isinstance(value, dict):
        raise InputError("expected a JSON object")
    family = value.get("family")
    if not isinstance(family, str) or family not in families():
        known = f"expected one of {', '.join(sorted(families()))}, or one of your own, with --plugin FILE.py"
        raise InputError(known, path="family", value=family)
    return families()[family]


def by_paper(name: str) -> str:
    """The family of a paper, which is named by its family or by its number: 000."""
    numbers = {card.paper.number: known for known, card in families().items() if card.paper and card.paper.number}
    return family(numbers.get(name, name)).name


def programs(family: str | None = None) -> dict[str, str]:
    """The programs of all families, or of one: each id, and what the program is."""
    return _sentences("program", family)


def policies(family: str | None = None, *, offline: bool = False) -> dict[str, str]:
    """The online policies of all families, or of one: each id, and what the policy does; or those that are offline."""
    return _sentences("policy", family, offline)


def _sentences(kind: str, name: str | None, offline: bool = False) -> dict[str, str]:
    cards = families().values() if name is None else [family(name)]
    rows = (row for card in cards for row in card.entries(kind))
    return {id: entry.sentence for id, entry in rows if entry.offline == offline}


@cached
def entries(kind: str) -> Mapping[str, Entry]:
    """Everything of a kind (`schedproof.core.cards.family.KINDS`), by id."""
    rows: dict[str, Entry] = {}
    for card in families().values():
        for id, entry in card.entries(kind):
            if id in rows:
                raise SchedproofError(f"two packages register the {kind} {id}; give one of them another name")
            rows[id] = entry
    return rows


def full_name(kind: str, name: str, known: Mapping[str, Value], family: str | None = None) -> str:
    """The id that a name means; a short one is resolved by the family, or where it is the only one of its name."""
    for candidate in (name, f"{family}.{name}"):
        if candidate in known:
            return candidate
    matches = [id for id in known if id.endswith(f".{name}")]
    if family is None and len(matches) == 1:
        return matches[0]
    raise UnknownName(kind, name, known)


def find(kind: str, name: str, family: str | None = None) -> tuple[str, Entry]:
    """The id and the card's row of a name.

    Raises
    ------
    UnknownName
        Where nothing of that kind has the name.
    InputError
        Where something of another kind has it.
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
    """The card's row of a bound, by its whole id."""
    entry = entries("bound").get(id)
    if not isinstance(entry, BoundEntry):
        raise UnknownName("bound", id, entries("bound"))
    return entry


def find_for(kind: str, name: str, card: Family) -> tuple[str, Entry]:
    """The id and the row of a name on a card.

    Raises
    ------
    InputError
        When the name is of another family.
    """
    row = card.find(kind, name)
    if row is None:
        others = [id for id in entries(kind) if id.endswith(f".{name}")]
        id, _ = find(kind, others[0] if len(others) == 1 else name, card.name)
        raise InputError(f"{id} takes a {id.partition('.')[0]} instance, this one is {card.name}")
    return row


def find_bound(name: str, card: Family) -> tuple[str, Entry]:
    """The id and the row of a card's bound; of its program where no bound has the name: its own rows bound it.

    Raises
    ------
    InputError
        When the name is of another family, or of something else.
    UnknownName
        When nothing has it; those of the family are offered.
    """
    if row := card.find("bound", name) or card.find("program", name):
        return row
    if not entries_named(name):
        raise UnknownName("bound", name, {id for kind in ("bound", "program") for id, _ in card.entries(kind)})
    return find_for("bound", name, card)


def entries_named(name: str) -> list[tuple[str, str, Entry]]:
    """Kind, id and row of everything on a card that an id or a short name means."""
    rows = [(kind, id, entry) for kind in KINDS for id, entry in entries(kind).items()]
    rows += [("regret", *row) for card in families().values() for row in card.regrets]
    return [row for row in rows if name in (row[1], row[1].partition(".")[2])]


def regret(name: str, role: str = "regret") -> Entry:
    """The regret of a family, or its ``worst_regret``, for one that has it."""
    entry = dict(family(name).regrets).get(f"{name}.{role}")
    if entry is None:
        raise SchedproofError(f"the family {name} has no {role.replace('_', ' ')}, only ratios")
    return entry


def generate(family: str, preset: str, seed: int, settings: Mapping[str, str]) -> dict[str, Json]:
    """A random instance of a family, as the JSON object of its file."""
    _, entry = find("generator", family)
    value: dict[str, Json] = load(entry.home)(preset, seed, settings)
    return value


def train(
    family: str, preset: str, out: AnyFamily, device: str, given: Mapping[str, Value], context: Context
) -> AnyFamily:
    """Train a family's network; its files are written."""
    name, entry = find("trainer", family)
    return entry.call(f"the trainer of {name}", given, context, preset, out, device)
