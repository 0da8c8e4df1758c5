"""The columns of a log's fields, by their usual names or the option ``map``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.job_logs.cells import UNITS
from schedproof.workloads.job_logs.content import Source
from schedproof.workloads.job_logs.forms import KEYS, Form


class Column(NamedTuple):
    """The position of a field, and the unit of its numbers, if given."""

    place: int
    name: str
    unit: str = ""


Columns = Mapping[str, Sequence[Column]]


def columns_of(source: Source, form: Form, header: Sequence[str]) -> Columns:
    """Return the columns of each key."""
    lower = [name.lower() for name in header]
    chosen: dict[str, Sequence[str]] = {
        key: [name for name in names if name.lower() in lower] for key, names in form.usual.items()
    }
    for word in filter(None, source.options.get("map", "").split(",")):
        key, sign, name = (part.strip() for part in word.partition("="))
        if not sign or not name:
            raise InputError(f"--map {word}: expected KEY=COLUMN, like arrival=submit")
        if key not in KEYS:
            raise UnknownName("key of --map", key, KEYS)
        chosen[key] = [name]
    for key in ("arrival", "gpus", "duration"):
        if not chosen.get(key) and not (key == "duration" and chosen.get("start") and chosen.get("end")):
            more = ", or start and end" if key == "duration" else ""
            names = ", ".join(header[:50])
            raise InputError(f"expected --map {key}=COLUMN{more}; the columns are {names}", file=source.file)
    return {key: [_column(key, name, header, source.file) for name in names] for key, names in chosen.items() if names}


def _column(key: str, name: str, header: Sequence[str], file: str) -> Column:
    """Return the column with a given name or number, and the unit after a colon."""
    whole = _places(name, header)
    column, _, unit = (name, "", "") if whole else name.rpartition(":")
    places = whole or _places(column, header)
    if not places:
        try:
            raise UnknownName("column", column or name, header)
        except UnknownName as error:
            raise InputError(str(error), file=file) from None
    if unit and unit not in UNITS:
        raise UnknownName("unit", unit, UNITS)
    if len(places) > 1:
        numbers = " and ".join(str(place + 1) for place in places)
        raise InputError(
            f"the columns {numbers} are all named '{header[places[0]]}': select one by its number, as in "
            f"--map {key}={places[0] + 1}",
            file=file,
        )
    return Column(places[0], header[places[0]], unit)


def _places(name: str, header: Sequence[str]) -> list[int]:
    """Return the columns with a name (same case preferred) or a number (from 1)."""
    same = [place for place, other in enumerate(header) if other == name]
    alike = same or [place for place, other in enumerate(header) if other.lower() == name.lower()]
    numbered = name.isdecimal() and 1 <= int(name) <= len(header)
    return alike or ([int(name) - 1] if numbered else [])
