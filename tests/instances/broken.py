"""Broken instance files: a format's rules, and changes with their error messages."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from schedproof.cli import main
from schedproof.core.data.reading import parse
from tests.instances.fuzz import at, paths
from tests.support import FAMILIES

Change = Callable[[dict[str, Any]], object]
INTEGER, NUMBER, STRING, OBJECT, LIST = "an integer", "a number", "a string", "an object", "an array"
OTHERS = {"null": None, STRING: "3", INTEGER: 3, "a boolean": True, OBJECT: {}, LIST: []}  # a value of each kind


class Numbers(NamedTuple):
    """The numbers that a key allows, and invalid values with the expected message."""

    kind: str
    refused: Mapping[Any, str]
    also: frozenset[str] = frozenset()  # kinds of values that say a number too


NO_NUMBERS = {float("nan"): "expected a finite number", float("inf"): "expected a finite number"}
NO_NUMBERS |= {
    Decimal(text): "expected a magnitude between 1e-18 and 1e18" for text in ("1e999999999", "1e-19", "-1e19")
}
NO_INTEGERS = dict.fromkeys((Decimal("1.5"), float("nan")), "expected an integer, got a number")
AMOUNT = Numbers(NUMBER, NO_NUMBERS | dict.fromkeys((-1, Decimal("-0.5")), "expected a number >= 0"))
ABOVE_ZERO = Numbers(NUMBER, NO_NUMBERS | dict.fromkeys((0, -1, Decimal("-1.2")), "expected a number > 0"))


def integers(least: int, most: int = 10**9) -> Numbers:
    """The rule for integers in a range."""
    above = dict.fromkeys((most + 1, 10**30), f"expected an integer <= {most}")
    return Numbers(INTEGER, NO_INTEGERS | {least - 1: f"expected an integer >= {least}"} | above)


ANY_INTEGER = Numbers(INTEGER, NO_INTEGERS)
COUNT, POSITIVE, VERSION = integers(0), integers(1), integers(1, 1)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A valid file of a format, and its allowed and rejected changes.

    Attributes
    ----------
    valid
        A file with every key.
    numbers
        Key -> the numbers allowed under it.
    maps
        Key -> the depth of arbitrary names below it.
    optional, together
        Optional keys, and those that must be omitted together.
    either
        Key -> the allowed kinds of values, if there are several.
    whole
        Keys whose values are not changed.
    refused
        A path, an invalid value, and the error message. A message that begins with "expected" follows path and value.
        The text after ``@`` in a string ``"@..."`` is inserted literally.
    """

    valid: bytes
    numbers: Mapping[str, Numbers]
    refused: Sequence[tuple[str, Any, str]]
    maps: Mapping[str, int] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    together: frozenset[str] = frozenset()
    either: Mapping[str, str] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()

    def value(self) -> dict[str, Any]:
        """The parsed valid file."""
        parsed: dict[str, Any] = parse(self.valid)
        return parsed


@dataclass(frozen=True, kw_only=True)
class Format(Shape):
    """A family's instance file.

    Attributes
    ----------
    not_in_schema
        Ends of messages about errors that the JSON Schema does not express.
    number, name
        A decimal of the file with its path, and a name; an integer for a family without ``decimals``.
    line_break
        A text of the file, its replacement with a line break in a name, and the error message.
    others
        Texts of the file, and replacements with another meaning.
    words
        Values that are frequent in fuzzed files.
    ask
        Computes every property of an instance that needs no solver.
    """

    number: tuple[str, str]
    name: str
    line_break: tuple[str, str, str]
    others: Sequence[tuple[str, str]]
    tiny: Callable[[int], dict[str, Any]]
    words: Sequence[Any]
    ask: Callable[[Any], object] = lambda instance: instance.notes()
    not_in_schema: tuple[str, ...] = ()
    decimals: bool = True

    def with_text(self, old: str, new: str | bytes) -> bytes:
        assert old.encode() in self.valid
        return self.valid.replace(old.encode(), new if isinstance(new, bytes) else new.encode(), 1)


def formats() -> dict[str, Format]:
    """Family -> its format."""
    return {name: import_module(f"tests.instances.{name}.broken").FORMAT for name in FAMILIES}


def where(path: Sequence[Any]) -> str:
    """A path as in error messages."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".") or "$"


def steps(path: str) -> list[Any]:
    """The steps of a path from an error message."""
    return [int(index) if index else key for index, key in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)]


def put(path: str, new: Any) -> Change:
    """Set the value at a path."""
    *keys, last = steps(path)

    def change(value: Any) -> None:
        at(value, keys)[last] = new

    return change


def drop(path: str) -> Change:
    """Remove the value at a path."""
    *keys, last = steps(path)

    def change(value: Any) -> None:
        del at(value, keys)[last]

    return change


def all_of(*changes: Change) -> Change:
    return lambda value: [change(value) for change in changes]


def text_of(value: Any) -> bytes:
    """JSON text; the text after ``@`` in a string ``"@..."`` is inserted literally."""
    return re.sub(r'"@([^"]*)"', r"\1", json.dumps(value, default=lambda decimal: f"@{decimal}")).encode()


def shown(value: Any) -> str:
    """A value as in error messages."""
    if value is None or isinstance(value, dict | list):
        return ""
    return f" = {value!r}" if isinstance(value, str) and not value.startswith("@") else f" = {value}".replace("@", "")


def with_change(value: Any, path: str, new: Any, says: str) -> tuple[Any, str]:
    if callable(new):
        new(value)
        return value, f"{path}: {says}" if path and says.startswith("expected") else says
    put(path, new)(value)
    return value, f"{path}{shown(new)}: {says}" if says.startswith("expected") else says


def other_shapes(form: Shape) -> Iterator[tuple[Any, str]]:
    for path in [(), *paths(form.value())]:
        if isinstance(at(form.value(), path), dict) and not _has_names(form, path):
            yield _changed(form, path, "beta", 3), f"{where(path)}: the object contains unknown field beta"
        if path in ((), ("family",)) or form.whole & {*path[:-1]}:  # without a family there is no format
            continue
        *above, last = path
        if isinstance(last, str) and not _has_names(form, above) and last not in form.optional:
            yield _changed(form, above, last), f"{where(above)}: the object is missing the required field {last}"
        for new, told in _of_another_kind(form, path):
            yield _changed(form, above, last, new), f"{where(path)}{shown(new)}: {told}"


def _has_names(form: Shape, path: Sequence[Any]) -> bool:
    return any(
        sum(isinstance(step, str) for step in path[i + 1 :]) < form.maps.get(key, 0) for i, key in enumerate(path)
    )


def _of_another_kind(form: Shape, path: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    value = at(form.value(), path)
    kinds: Mapping[type, str] = {str: STRING, dict: OBJECT, list: LIST, bool: "a boolean"}
    key = next((step for step in reversed(path) if step in form.numbers), None)
    if type(value) in kinds:
        kind = kinds[type(value)]
    else:
        kind = form.numbers[key].kind
        for new, told in form.numbers[key].refused.items():
            yield new, told.replace(f"{kind}, got", f"{form.either.get(path[-1], kind)}, got")
    kind = form.either.get(path[-1], kind)
    taken = {*kind.split(" or ")} | ({INTEGER} if NUMBER in kind else set())
    taken |= form.numbers[key].also if key else set()
    for other, new in OTHERS.items():
        if other not in taken:
            yield new, f"expected {kind}, got {other}"


def _changed(form: Shape, path: Sequence[Any], key: Any, *new: Any) -> Any:
    value = form.value()
    if new:
        at(value, path)[key] = new[0]
    else:
        del at(value, path)[key]
    return value


def told(capsys: Any, monkeypatch: Any, *arguments: str) -> tuple[object, str]:
    """Return exit code and stderr of the command line, run in this process."""
    monkeypatch.setattr(sys, "argv", ["schedproof", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    out, error = capsys.readouterr()
    assert out == ""
    return caught.value.code, error
