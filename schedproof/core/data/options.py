"""Options: names, types, defaults, meanings, and conversion to typed values.

A family's card lists the options of its entries. Text from the command line, JSON values and Python values are read
alike: ``3/2``, ``1.5`` and ``Fraction(3, 2)`` are the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from itertools import islice, pairwise
from pathlib import Path

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError, SchedproofError, UnknownName, short

LIMIT = 10**9  # strict upper limit of a number
FINEST = 10**18  # largest denominator of a number
LONGEST = 60  # most characters of a number
MOST = 1000  # longest list of numbers
REQUIRED = object()  # marks an option without a default


class OutOfBounds(ValueError):
    """A number outside the accepted limits; the error's text is the limit."""


@dataclass(frozen=True)
class Kind:
    """A type of options.

    Attributes
    ----------
    words
        Description of the expected value.
    read
        Returns the typed value; raises ValueError for invalid input.
    choices
        All possible texts, if there are finitely many.
    meanings
        The meaning of each choice, if documented.
    """

    words: str
    read: Callable[[Value], Value]
    choices: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    """An option on a card; the meaning also explains a default of None.

    An empty meaning is replaced by the meanings of the choices.
    """

    name: str
    kind: Kind
    default: Value
    meaning: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.kind, Kind):
            raise TypeError(f"the option {self.name}: expected a kind like whole() or number(), found {self.kind!r}")
        if not self.meaning:
            meanings = "; ".join(f"{text}: {meaning}" for text, meaning in self.kind.meanings.items())
            object.__setattr__(self, "meaning", meanings)

    def meaning_of(self, value: Value) -> str:
        """Return the meaning of a value."""
        return self.kind.meanings.get(str(value), self.meaning)

    @property
    def usual(self) -> str:
        """The default as text."""
        return "required" if self.default is REQUIRED else "" if self.default is None else str(self.default)

    def value(self, given: Value) -> Value:
        """Return the typed value.

        Raises
        ------
        InputError
            For a value of the wrong type.
        """
        return None if given is None and self.default is None else read(self.name, self.kind, given)


def read(name: str, kind: Kind, given: Value) -> Value:
    """Return the typed value of an option; raise an `InputError` for an invalid one."""
    try:
        return kind.read(given)
    except (ValueError, TypeError) as error:
        limit = f", {error}" if isinstance(error, OutOfBounds) else ""
        raise InputError(
            f"{name}={given if isinstance(given, str) else short(given)}: expected {kind.words}{limit}"
        ) from None


def parse_options(what: str, known: tuple[Option, ...], given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the typed values of the given options.

    Raises
    ------
    UnknownName
        If ``what`` has no such option.
    SchedproofError
        If a required option is missing.
    """
    by_name = {option.name: option for option in known}
    for name in given:
        if name not in by_name:
            raise UnknownName(f"option of {what}", name, by_name)
    for option in known:
        if option.default is REQUIRED and option.name not in given:
            raise SchedproofError(f"{what} needs the option {option.name}: {option.kind.words}")
    return {name: by_name[name].value(value) for name, value in given.items()}


NUMBERS = {int: "an integer", Fraction: "a number like 1.5 or 3/2", float: "a number like 1.5"}


def typed(function: Callable[..., Value], given: Mapping[str, Value]) -> dict[str, Value]:
    """Convert texts to numbers for a function without a card, by its annotations.

    Raises
    ------
    InputError
        For text that is no number of the annotated type.
    """
    known, result = signature(function, eval_str=True).parameters, dict(given)
    for name, value in given.items():
        annotation = known[name].annotation if name in known else None
        if isinstance(value, str) and annotation in NUMBERS:
            result[name] = read(name, Kind(NUMBERS[annotation], annotation), value)
    return result


def choice(*texts: str, **meanings: str) -> Kind:
    """Return the kind of a choice among texts; keywords give their meanings."""
    values = (*texts, *meanings)

    def read(given: Value) -> str:
        if not isinstance(given, str) or given not in values:
            raise ValueError
        return given

    return Kind(f"one of {', '.join(values)}", read, values, meanings)


def number(above: int = 0, below: int = LIMIT, *, or_equal: bool = False, from_equal: bool = False) -> Kind:
    """Return the kind of a rational strictly between two bounds.

    A float is read by its decimal digits.

    Parameters
    ----------
    or_equal, from_equal
        Whether the upper or the lower bound is allowed too.
    """

    def read(given: Value) -> Fraction:
        try:
            value = Fraction(_text(given))
        except ZeroDivisionError:
            raise ValueError from None
        if value >= LIMIT or value.denominator > FINEST:
            raise OutOfBounds(f"less than {LIMIT} and a fraction with a denominator of at most {FINEST}")
        if not (above < value < below or (or_equal and value == below) or (from_equal and value == above)):
            raise ValueError
        return value

    if below == LIMIT:
        return Kind(f"a number {'>=' if from_equal else '>'} {above}, like 1.5 or 3/2", read)
    ends = "[" if from_equal else "(", "]" if or_equal else ")"
    return Kind(f"a number in {ends[0]}{above}, {below}{ends[1]}, like 0.5 or 1/2", read)


def whole(least: int = 1, most: int = LIMIT - 1) -> Kind:
    """Return the kind of an integer from ``least`` to ``most``."""

    def read(given: Value) -> int:
        value = int(_text(given))
        if value > most:
            raise OutOfBounds(f"at most {most}")
        if value < least:
            raise ValueError
        return value

    words = f"an integer >= {least}" if most == LIMIT - 1 else f"an integer from {least} to {most}"
    return Kind(words, read)


def increasing() -> Kind:
    """Return the kind of increasing integers >= 1, a sequence or comma-separated text."""

    def read(given: Value) -> tuple[int, ...]:
        parts = given.split(",") if isinstance(given, str) else given
        values = tuple(whole().read(part) for part in islice(parts, MOST + 1))
        if len(values) > MOST:
            raise OutOfBounds(f"at most {MOST} numbers")
        if any(a >= b for a, b in pairwise(values)):
            raise ValueError
        return values

    return Kind("increasing integers >= 1, like 500,3000", read)


def _text(given: Value) -> str:
    if isinstance(given, int) and abs(given) >= 10**LONGEST:
        raise OutOfBounds(f"of at most {LONGEST} digits")
    text = str(given).strip()
    if "_" in text or not text.isascii():
        raise ValueError
    if len(text) > LONGEST or ("e" in text.lower() and not -LONGEST < int(text.lower().partition("e")[2]) < LONGEST):
        raise OutOfBounds(f"of at most {LONGEST} digits")
    return text


def either(first: Kind, second: Kind) -> Kind:
    """Return the kind of a value of one of two types; the first one is tried first."""

    def read(given: Value) -> Value:
        try:
            return first.read(given)
        except ValueError:
            return second.read(given)

    return Kind(f"{first.words}, or {second.words}", read)


def text(words: str) -> Kind:
    """Return the kind of a free text, for example a name."""

    def read(given: Value) -> str:
        if not isinstance(given, str):
            raise ValueError
        return given

    return Kind(words, read)


def file(words: str) -> Kind:
    """Return the kind of a file name, as text or path."""

    def read(given: Value) -> Path:
        if not isinstance(given, str | Path) or "\0" in str(given):
            raise ValueError
        return Path(given)

    return Kind(words, read)


def any_value(words: str) -> Kind:
    """Return the kind of a value without checks, for example an array from Python."""
    return Kind(words, lambda given: given)


def pick(what: str, value: str, choices: Mapping[str, Value]) -> Value:
    """Return the meaning of a value; raise `UnknownName` for an unknown one."""
    if value not in choices:
        raise UnknownName(what, value, choices)
    return choices[value]
