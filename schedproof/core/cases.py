"""Cases as JSON: a frozen dataclass of exact values, written as ``{"instance": ..., "data": {...}}`` and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from typing import TypeVar, get_type_hints

import msgspec

from schedproof.core import registry
from schedproof.core.files import encode
from schedproof.core.instance import Instance
from schedproof.core.numbers import as_text, exact, from_text
from schedproof.core.untyped import Case, Json

T = TypeVar("T")


def to_json(case: Case) -> dict[str, Json]:
    """A case as JSON values: fractions as ``num/den``, its ``instance`` as the instance's own JSON object."""
    values = {_key(field.name): getattr(case, field.name) for field in fields(case)}
    instance = values.pop("instance", None)
    row = {} if instance is None else {"instance": instance.to_json()}
    return row | {"data": {name: _plain(value) for name, value in values.items() if value is not None}}


def from_json(row: Mapping[str, Json], kind: type[T]) -> T:
    """The case of that type from a parsed JSON object.

    Raises
    ------
    TypeError, ValueError
        For data that are not such a case.
    """
    hints, data, values = get_type_hints(kind), row.get("data", {}), dict[str, Json]()
    for field in fields(kind):  # type: ignore[arg-type]  # a dataclass
        if _key(field.name) in data:
            values[field.name] = msgspec.convert(data[_key(field.name)], hints[field.name], dec_hook=_exact)
        elif field.name == "instance" and "instance" in row:
            values["instance"] = registry.card_of_json(row["instance"]).load("instance").from_json(row["instance"])
        elif field.default is MISSING:
            raise ValueError(f"a {kind.__name__} needs {field.name}")
    if unknown := data.keys() - {_key(name) for name in values}:
        raise ValueError(f"a {kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**values)


def _key(name: str) -> str:
    """A field's name in the file; what is a word of Python's, as lambda, has an underscore in the field."""
    return name.removesuffix("_")


def text(row: Mapping[str, Json]) -> bytes:
    """The JSON text of a case or a witness, as it stands in a file."""
    return msgspec.json.format(encode(row), indent=1) + b"\n"


def size(case: Case) -> int:
    """The length of its JSON text: the measure by which witnesses are called smaller."""
    return len(text(to_json(case)))


def _plain(value: Json) -> Json:
    if isinstance(value, Fraction):
        return as_text(value)
    if isinstance(value, Instance):
        return value.to_json()
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def _exact(kind: type, value: Json) -> Json:
    if kind is Fraction:
        return from_text(value) if isinstance(value, str) else exact(value)
    raise NotImplementedError(kind)
