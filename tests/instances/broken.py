"""Broken instance files: what the tests know of a format, and each change of a valid file with what is told of it."""

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
    """What stands under a key: whole numbers or any, and values that are refused with what was expected."""

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
    """Whole numbers of a range."""
    above = dict.fromkeys((most + 1, 10**30), f"expected an integer <= {most}")
    return Numbers(INTEGER, NO_INTEGERS | {least - 1: f"expected an integer >= {least}"} | above)


ANY_INTEGER = Numbers(INTEGER, NO_INTEGERS)
COUNT, POSITIVE, VERSION = integers(0), integers(1), integers(1, 1)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What may stand in a file of a format, beside its reader.

    Attributes
    ----------
    valid
        A file in which every key stands.
    numbers
        Key -> the numbers that may stand there, or below it.
    maps
        Key -> how deep names, which may be any, stand below it.
    optional, together
        Keys that may be left out, and those of them that may not while the rest stays.
    either
        Key -> the kinds of values that may stand there, where it is more than one.
    whole
        Keys below which nothing is changed here.
    refused
        A path, what is put there, and what is told: one that begins with "expected" follows on the path and the value.
        A string ``"@..."`` is what follows the @, as it stands; a Change says of itself what it changes.
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
        """The valid file, parsed."""
        parsed: dict[str, Any] = parse(self.valid)
        return parsed


@dataclass(frozen=True, kw_only=True)
class Format(Shape):
    """A family's instance file.

    Attributes
    ----------
    not_in_schema
        Ends of sentences about what the reader refuses and the JSON Schema does not.
    number, name
        A decimal that stands in the file once, with its path, and a name of the file; a whole number for a family
        without ``decimals``.
    line_break
        A text of the file, another with a line break in a name, and what is told.
    others
        Texts of the file and others that say something else.
    words
        Values that fuzzed files have more often.
    ask
        Asks an instance everything that is asked before anything is solved.
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
        """The valid file with another text in place of one."""
        assert old.encode() in self.valid
        return self.valid.replace(old.encode(), new if isinstance(new, bytes) else new.encode(), 1)


def formats() -> dict[str, Format]:
    """Family -> its format."""
    return {name: import_module(f"tests.instances.{name}.broken").FORMAT for name in FAMILIES}


def where(path: Sequence[Any]) -> str:
    """A path as errors say it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".") or "$"


def steps(path: str) -> list[Any]:
    """A path that errors say, as its steps."""
    return [int(index) if index else key for index, key in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)]


def put(path: str, new: Any) -> Change:
    """Set the value at a path."""
    *keys, last = steps(path)

    def change(value: Any) -> None:
        at(value, keys)[last] = new

    return change


def drop(path: str) -> Change:
    """Remove what is at a path."""
    *keys, last = steps(path)

    def change(value: Any) -> None:
        del at(value, keys)[last]

    return change


def all_of(*changes: Change) -> Change:
    """One change after the other."""
    return lambda value: [change(value) for change in changes]


def text_of(value: Any) -> bytes:
    """JSON in which a string ``"@..."`` is what follows the @, as it stands."""
    return re.sub(r'"@([^"]*)"', r"\1", json.dumps(value, default=lambda decimal: f"@{decimal}")).encode()


def shown(value: Any) -> str:
    """A value as an error shows it after the path."""
    if value is None or isinstance(value, dict | list):
        return ""
    return f" = {value!r}" if isinstance(value, str) and not value.startswith("@") else f" = {value}".replace("@", "")


def with_change(value: Any, path: str, new: Any, says: str) -> tuple[Any, str]:
    """A row of ``refused``: the file with the change, and the sentence."""
    if callable(new):
        new(value)
        return value, f"{path}: {says}" if path and says.startswith("expected") else says
    put(path, new)(value)
    return value, f"{path}{shown(new)}: {says}" if says.startswith("expected") else says


def other_shapes(form: Shape) -> Iterator[tuple[Any, str]]:
    """The valid file without a key, with one more, with a value of another kind or size; and what is told of it."""
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
    """Whether the keys of the object at a path are names, which may be any."""
    return any(
        sum(isinstance(step, str) for step in path[i + 1 :]) < form.maps.get(key, 0) for i, key in enumerate(path)
    )


def _of_another_kind(form: Shape, path: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """Values that may not stand at a path, with what is told."""
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
    """The valid file with another value under a key of the object at a path, or without it."""
    value = form.value()
    if new:
        at(value, path)[key] = new[0]
    else:
        del at(value, path)[key]
    return value


def told(capsys: Any, monkeypatch: Any, *arguments: str) -> tuple[object, str]:
    """The exit code and stderr of the command line, in this process; nothing on stdout."""
    monkeypatch.setattr(sys, "argv", ["schedproof", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    out, error = capsys.readouterr()
    assert out == ""
    return caught.value.code, error
