"""Cases as JSON: frozen dataclasses of exact values.

A case is written as ``{"instance": ..., "data": {...}}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from schedproof.core.base.numbers import as_text, exact, from_text
from schedproof.core.base.untyped import Case, Json
from schedproof.core.cards import registry
from schedproof.core.errors import UNREADABLE, InputError, expect, short
from schedproof.core.runtime.files import encode
from schedproof.core.simulation.instance import Instance

T = TypeVar("T")


class Range(NamedTuple):
    """The range of a Fraction, with the keywords of `msgspec.Meta`."""

    ge: int | None = None
    gt: int | None = None
    le: int | None = None
    lt: int | None = None


Amount = Annotated[Fraction, Range(ge=0)]
PositiveAmount = Annotated[Fraction, Range(gt=0)]
AtLeastOne = Annotated[Fraction, Range(ge=1)]
AboveOne = Annotated[Fraction, Range(gt=1)]
Share = Annotated[Fraction, Range(ge=0, le=1)]
PositiveShare = Annotated[Fraction, Range(gt=0, le=1)]
Inside = Annotated[Fraction, Range(gt=0, lt=1)]
Within = Callable[[Json, Json], bool]
RANGES: dict[str, tuple[str, Within]] = {  # keyword -> sign, and whether a number satisfies the bound
    "ge": (">=", lambda number, bound: number >= bound),
    "gt": (">", lambda number, bound: number > bound),
    "le": ("<=", lambda number, bound: number <= bound),
    "lt": ("<", lambda number, bound: number < bound),
}


def to_json(case: Case) -> dict[str, Json]:
    """Return a case as JSON values; fractions are written ``num/den``."""
    values = {_key(field.name): getattr(case, field.name) for field in fields(case)}
    instance = values.pop("instance", None)
    row = {} if instance is None else {"instance": instance.to_json()}
    return row | {"data": {name: _plain(value) for name, value in values.items() if value is not None}}


def from_json(row: Mapping[str, Json], kind: type[T]) -> T:
    """Return the case of a type from a parsed JSON object.

    Raises
    ------
    InputError
        For invalid data.
    """
    try:
        case = _from_json(row, kind)
    except InputError:
        raise
    except UNREADABLE as error:
        raise InputError(f"expected a {kind.__name__}: {short(str(error) or repr(error))}") from None
    require(case, kind)
    return case


def _from_json(row: Mapping[str, Json], kind: type[T]) -> T:
    hints, data, values = get_type_hints(kind), row.get("data", {}), dict[str, Json]()
    for field in fields(kind):  # type: ignore[arg-type]  # a dataclass
        if _key(field.name) in data:
            values[field.name] = msgspec.convert(data[_key(field.name)], hints[field.name], dec_hook=_exact)
        elif field.name == "instance" and "instance" in row:
            values["instance"] = registry.card_of_json(row["instance"]).load("instance").from_json(row["instance"])
        elif field.default is MISSING:
            raise ValueError(f"a {kind.__name__} lacks its field {field.name}")
    if unknown := data.keys() - {_key(name) for name in values}:
        raise ValueError(f"a {kind.__name__} has no field {', '.join(sorted(unknown))}")
    return kind(**values)


def fits(row: Mapping[str, Json], kind: type) -> bool:
    """Whether the data have exactly the fields of a type."""
    return {_key(field.name) for field in fields(kind)} == {*row.get("data", {})} and "instance" not in row


def require(case: Case, kind: type) -> None:
    """Check the type of a case and the ranges of its numbers.

    Raises
    ------
    InputError
        With the field, its value and the expected range.
    """
    if not isinstance(case, kind):
        raise InputError(f"expected a {kind.__name__}, found {short(case)}")
    _require(case, kind, "")


def _require(value: Case, hint: Json, path: str) -> None:
    origin: Json = get_origin(hint)
    inner = get_args(hint)
    if isinstance(value, Instance) or value is None:
        return  # checked by its reader
    if hasattr(hint, "__metadata__"):
        for name, (sign, within) in RANGES.items():
            for bound in (getattr(meta, name, None) for meta in inner[1:]):
                expect(bound is None or within(value, bound), f"expected a number {sign} {bound}", path, value)
        _require(value, inner[0], path)
    elif is_dataclass(value):
        for name, field in _ranges(value.__class__).items():
            _require(getattr(value, name), field, f"{path}.{_key(name)}".removeprefix("."))
    elif origin in (Union, UnionType):
        for one in inner if len(inner) == 2 and NoneType in inner else ():
            _require(value, one, path)
    elif isinstance(value, tuple | list) and inner:
        for n, item in enumerate(value):
            _require(item, inner[n] if origin is tuple and inner[-1] is not Ellipsis else inner[0], f"{path}[{n}]")
    elif isinstance(value, Mapping) and inner:
        for key, item in value.items():
            _require(key, inner[0], path)
            _require(item, inner[1], f"{path}.{key}")


@cache
def _ranges(kind: Json) -> dict[str, Json]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: hints[field.name] for field in fields(kind)}


def _key(name: str) -> str:
    return name.removesuffix("_")  # a field `lambda_` avoids the Python keyword


def text(row: Mapping[str, Json]) -> bytes:
    """Return the JSON text of a case or witness, as in its file."""
    return msgspec.json.format(encode(row), indent=1) + b"\n"


def size(case: Case) -> int:
    """Return the length of the JSON text, the measure of a witness's size."""
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
