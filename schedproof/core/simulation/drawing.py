"""Random instances from the types of their records, and Hypothesis strategies.

The range of a random value is given under the pattern of its place in the file: a length for a list, a range for a
number::

    {"capacity": 12, "items": (1, 9), "items[*].sizes": "resources", "items[*].sizes[*]": [1, 2, 4]}

An integer is the value itself, a pair is a range, a list is a set of choices. A text names an earlier key of the file
and means its number, or the length of its list. Numbers without a range are drawn from 10 consecutive values
that begin at 0 or 1; lists without a length get one in `LENGTHS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from csv import DictReader
from dataclasses import is_dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT

from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.data import records
from schedproof.core.data.codecs import Codec
from schedproof.core.data.options import pick
from schedproof.core.data.reading import PositiveAmount, Row, parse
from schedproof.core.errors import InputError, SchedproofError, expect

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Range = int | str | tuple[int, int] | Sequence[Json]
Ranges = Mapping[str, Range]
Presets = Mapping[str, Ranges]
Choose = Callable[[int, int], int]  # returns an integer between two ends, inclusive
LENGTHS: Mapping[str, tuple[int, int]] = MappingProxyType({"tiny": (1, 4), "small": (5, 12), "large": (60, 120)})
MORE = 9  # default width of a number's range
TRIALS = 1000


def hints(kind: Value, more: Collection[str] = ()) -> dict[str, Value]:
    """Return types of a record's required fields, and of the fields in `more`."""
    types = get_type_hints(kind, include_extras=True)
    return {field.key: types[field.name] for field in records.fields(kind) if _needed(field) or field.key in more}


def _needed(field: records.Field) -> bool:
    return field.codec.form is not None and field.codec.default is NODEFAULT


def places(kind: Value) -> dict[str, None]:
    """Return the patterns of all places in a file that can have a range."""
    return {place: None for name, hint in _all_hints(kind).items() for place in _within(hint, name)}


def _within(hint: Value, pattern: str) -> Iterator[str]:
    kind = hint.__origin__ if hasattr(hint, "__metadata__") else hint
    yield pattern
    if get_origin(kind) is tuple:
        yield from _within(get_args(kind)[0], f"{pattern}[*]")
    elif _is_record(kind):
        for name, inner in _all_hints(kind).items():
            yield from _within(inner, f"{pattern}.{name}")


def _all_hints(kind: Value) -> dict[str, Value]:
    return hints(kind, [field.key for field in records.fields(kind)])


def _is_record(kind: Value) -> bool:
    return isinstance(kind, type) and (issubclass(kind, Row) or hasattr(kind, "_fields") or is_dataclass(kind))


def presets(kind: Value, given: Presets | None, lengths: Ranges) -> dict[str, Ranges]:
    """Return the presets of an instance; each one lists differences from the first.

    Without presets, the default ones set the lengths of lists.

    Parameters
    ----------
    lengths
        Lengths of lists that no preset sets.
    """
    lengths = {pattern: length for pattern, length in lengths.items() if pattern in places(kind)}
    if given is None:
        lists = [name for name, hint in hints(kind).items() if get_args(hint)[1:] == (...,)]
        given = {preset: dict.fromkeys(lists, length) for preset, length in LENGTHS.items()}
    first = next(iter(given.values()), {})
    for preset, ranges in given.items():
        for pattern, value in ranges.items():
            _require_range(kind, f"presets['{preset}']['{pattern}']", value)
    return {preset: _known(kind, {**lengths, **first, **ranges}) for preset, ranges in given.items()}


def _require_range(kind: Value, path: str, value: Value) -> None:
    """Refuse a preset's value that is no number, range, choices or name of a list."""
    is_range = isinstance(value, tuple) and len(value) == 2 and all(type(end) is int for end in value)
    if is_range and value[0] > value[1]:
        raise InputError(
            f"expected a range (low, high) with low <= high, as in ({value[1]}, {value[0]})", path=path, value=value
        )
    if is_range or type(value) is int or (isinstance(value, list) and value):
        return
    if not isinstance(value, str):
        expected = "a number 7, a range (1, 12), choices [1, 2, 4], or the name of a list or number of the instance"
        raise InputError(f"expected {expected}", path=path, value=value)
    pick("setting", value, places(kind))


def _known(kind: Value, ranges: Ranges) -> Ranges:
    known = places(kind)
    for pattern in ranges:
        pick("setting", pattern, known)
    return ranges


def chosen(family: str, preset: str, presets: Mapping[str, Value], settings: Mapping[str, str]) -> Value:
    """Return a preset's ranges, with changes by settings."""
    ranges = pick("preset", preset, presets)
    return {**ranges, **{pattern: _read(pattern, text) for pattern, text in settings.items()}} if settings else ranges


def _read(pattern: str, text: str) -> Range:
    try:
        if ".." in text:
            low, high = text.split("..")
            return int(low), int(high)
        return [int(part) for part in text.split(",")] if "," in text else int(text)
    except ValueError:
        raise InputError(f"{pattern}={text}: expected values like 7, 1..12 or 1,2,4") from None


def table(file: Path) -> list[dict[str, Json]]:
    """Return the rows of a CSV table by column; numbers are ints or Decimals."""
    return [{name: _cell(text) for name, text in row.items()} for row in DictReader(file.read_text().splitlines())]


def _cell(text: str) -> Json:
    try:
        value = parse(text.encode())
    except InputError:
        return text
    return value if type(value) in (int, Decimal) else text


def document(kind: Value, ranges: Ranges, rng: Random) -> dict[str, Json]:
    """Return the file of a random instance that the family accepts."""
    _known(kind, ranges)
    for _ in range(TRIALS):
        value = draw(kind, ranges, rng.randint)
        try:
            kind.from_json(value)
        except InputError as error:
            why_not = error
        else:
            return value
    raise SchedproofError(f"none of {TRIALS} random draws is a valid {kind.family} instance; last error: {why_not}")


def strategy(kind: Value, ranges: Ranges) -> SearchStrategy[AnyFamily]:
    from hypothesis import reject
    from hypothesis import strategies as st

    @st.composite
    def instances(choose: Callable[..., int]) -> AnyFamily:
        value = draw(kind, ranges, lambda low, high: choose(st.integers(low, high)))
        try:
            return kind.from_json(value)
        except InputError:
            return reject()

    return instances()


def draw(kind: Value, ranges: Ranges, choose: Choose) -> dict[str, Json]:
    """Return the file of a random instance, which may be invalid."""
    draws = _Draws(ranges, choose, {"version": 1, "family": kind.family})
    for name, hint in hints(kind, ranges).items():
        draws.known[name] = draws.value(hint, name)
    return draws.known


class _Draws:
    """A random draw: ranges, source of randomness, and the values so far."""

    def __init__(self, ranges: Ranges, choose: Choose, known: dict[str, Json]) -> None:
        self._ranges, self._choose, self.known = ranges, choose, known
        self._names: Counter[str] = Counter()

    def value(self, hint: Value, pattern: str) -> Json:
        marks = getattr(hint, "__metadata__", ())
        kind = hint.__origin__ if marks else hint
        codec = next((mark for mark in marks if isinstance(mark, Codec)), None)
        if codec is not None and codec.of and codec.form is str:
            return self._one_of([row["name"] for row in self.known[codec.of]])
        if get_origin(kind) is tuple:
            count = self._number(pattern, *LENGTHS["tiny"])
            expect(count >= 0, "expected a number of entries", pattern, count)
            return [self.value(get_args(kind)[0], f"{pattern}[*]") for _ in range(count)]
        if get_origin(kind) is Literal:
            return self._one_of(get_args(kind))
        if kind is bool:
            return self._one_of([False, True])
        if kind is str:
            self._names[pattern] += 1
            return f"{pattern[:1]}{self._names[pattern] - 1}"
        if kind is int or (isinstance(kind, type) and issubclass(kind, Fraction)):
            low = max([0, *(mark.ge for mark in marks if getattr(mark, "ge", None) is not None)])
            low = max(low, 1) if kind is PositiveAmount else low
            return self._number(pattern, low, low + MORE)
        if _is_record(kind):
            listed = [name.removeprefix(f"{pattern}.") for name in self._ranges]
            return {name: self.value(inner, f"{pattern}.{name}") for name, inner in hints(kind, listed).items()}
        raise SchedproofError(f"{pattern} cannot be drawn by its type: define a generator for the family")

    def _number(self, pattern: str, low: int, high: int) -> Json:
        given = self._ranges.get(pattern, (low, high))
        if isinstance(given, str):
            known = self.known[given]
            return len(known) if isinstance(known, list) else known
        if isinstance(given, tuple):
            return self._choose(*given)
        return self._one_of(given) if isinstance(given, list) else given

    def _one_of(self, values: Sequence[Json]) -> Json:
        expect(len(values) > 0, "expected at least one choice", "")
        return values[self._choose(0, len(values) - 1)]
