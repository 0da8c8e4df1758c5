"""Differences between instances in numbers, and instances with other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from fractions import Fraction

import msgspec
import numpy as np

from schedproof.core.base.untyped import Value

Step = str | int
Place = tuple[Step, ...]  # attributes, keys and positions that lead to a number
NUMBERS = int, float, Fraction, Decimal


class OtherStructure(Exception):
    """Two instances differ by more than numbers; the message is the place."""


def field_of(place: Place) -> Place:
    """Return a place with ``*`` for every position."""
    return tuple("*" if isinstance(step, int) else step for step in place)


def in_words(field: Place) -> str:
    """Return a field as in presets: ``jobs[*].weight``."""
    return "".join(f"[{step}]" if step == "*" or isinstance(step, int) else f".{step}" for step in field).lstrip(".")


def changes(old: Value, new: Value, place: Place = ()) -> Iterator[tuple[Place, Value]]:
    """Yield the places and values of numbers that changed.

    Raises
    ------
    OtherStructure
        If the instances differ in anything but numbers.
    """
    if old is new:
        return
    if _is_number(old) and _is_number(new):
        if old != new:
            yield place, new
        return
    parts = _parts(old) if type(old) is type(new) else None
    if parts is None:
        if type(old) is not type(new) or not _same(old, new):
            raise OtherStructure(in_words(place))
        return
    others = _parts(new)
    if parts.keys() != others.keys():
        raise OtherStructure(in_words(place))
    for step, part in parts.items():
        if part is not others[step]:
            yield from changes(part, others[step], (*place, step))


def with_numbers(instance: Value, those: set[Place], make: Callable[[Place, Value], Value], place: Place = ()) -> Value:
    """Return an instance whose fields have the numbers ``make(place, number)``.

    Parameters
    ----------
    those
        Fields, as `field_of` returns them.
    """
    field = field_of(place)
    if field in those:
        return make(place, instance) if _is_number(instance) else instance
    if not any(one[: len(field)] == field for one in those):
        return instance
    parts = _parts(instance) or {}
    new = {step: with_numbers(part, those, make, (*place, step)) for step, part in parts.items()}
    changed = {step: part for step, part in new.items() if part is not parts[step]}
    if not changed:
        return instance
    if isinstance(instance, Mapping):
        return type(instance)({**instance, **changed})  # type: ignore[call-arg]
    if isinstance(instance, msgspec.Struct):
        return msgspec.structs.replace(instance, **changed)
    if is_dataclass(instance):
        return replace(instance, **changed)  # type: ignore[type-var]
    if hasattr(instance, "_replace"):
        return instance._replace(**changed)
    return type(instance)(new.values())


def _is_number(value: Value) -> bool:
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def _parts(value: Value) -> Value:
    """Return the parts of a record, a mapping or a list by step; None for others."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, msgspec.Struct):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if hasattr(value, "_fields"):
        return {name: getattr(value, name) for name in value._fields}
    return dict(enumerate(value)) if isinstance(value, tuple | list) else None


def _same(old: Value, new: Value) -> bool:
    return bool(np.array_equal(old, new) if hasattr(old, "dtype") else old == new)
