"""Options: names, types, defaults and meaning; what a user gives becomes a typed value here, once, or an InputError.

A family's card lists the options of everything it offers. Text from a command line or a JSON object and values from
Python are read alike: ``3/2``, ``1.5`` and ``Fraction(3, 2)`` are the same number.
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

LIMIT = 10**9  # of any number that is an option
FINEST = 10**18  # the largest denominator of one
LONGEST = 60  # characters of one
MOST = 1000  # of a list of them
REQUIRED = object()  # the default of an option that has none


class OutOfBounds(ValueError):
    """A number beyond all reasonable ones: the limit, in words."""


@dataclass(frozen=True)
class Kind:
    """A type of options.

    Attributes
    ----------
    words
        What is expected, in words.
    read
        The typed value of what was given; raises ValueError for anything else.
    choices
        The texts that it can be, where there are finitely many.
    meanings
        The meaning of each, if they are documented one by one.
    """

    words: str
    read: Callable[[Value], Value]
    choices: tuple[str, ...] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Option:
    """An option as a card lists it; where the default is None, the meaning says what is done without it.

    Its meaning is left out where each of its texts has one.
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
        """What it says when it has a value."""
        return self.kind.meanings.get(str(value), self.meaning)

    @property
    def usual(self) -> str:
        """Its default, in words."""
        return "to be given" if self.default is REQUIRED else "" if self.default is None else str(self.default)

    def value(self, given: Value) -> Value:
        """The typed value of what was given.

        Raises
        ------
        InputError
            For a value that is not of the option's type.
        """
        return None if given is None and self.default is None else read(self.name, self.kind, given)


def read(name: str, kind: Kind, given: Value) -> Value:
    """The typed value of what was given under a name; one sentence for anything else."""
    try:
        return kind.read(given)
    except (ValueError, TypeError) as error:
        limit = f", {error}" if isinstance(error, OutOfBounds) else ""
        raise InputError(
            f"{name}={given if isinstance(given, str) else short(given)}: expected {kind.words}{limit}"
        ) from None


def parse_options(what: str, known: tuple[Option, ...], given: Mapping[str, Value]) -> dict[str, Value]:
    """The typed values of the options that were given.

    Raises
    ------
    UnknownName
        For an option that ``what`` does not have.
    SchedproofError
        When one that it needs is missing.
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
    """Options of a function or class that has no card: text is a number where its parameter is annotated as one.

    Raises
    ------
    InputError
        For text that is no such number.
    """
    known, result = signature(function, eval_str=True).parameters, dict(given)
    for name, value in given.items():
        annotation = known[name].annotation if name in known else None
        if isinstance(value, str) and annotation in NUMBERS:
            result[name] = read(name, Kind(NUMBERS[annotation], annotation), value)
    return result


def choice(*texts: str, **meanings: str) -> Kind:
    """One of some texts, given by keyword where each has its own meaning."""
    values = (*texts, *meanings)

    def read(given: Value) -> str:
        if not isinstance(given, str) or given not in values:
            raise ValueError
        return given

    return Kind(f"one of {', '.join(values)}", read, values, meanings)


def number(above: int = 0, below: int = LIMIT, *, or_equal: bool = False, from_equal: bool = False) -> Kind:
    """A rational strictly between two bounds; a float is read by its decimal digits.

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
    """A whole number of at least 1, or another least value."""

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
    """Increasing whole numbers from 1 on, as a sequence or as text with commas."""

    def read(given: Value) -> tuple[int, ...]:
        parts = given.split(",") if isinstance(given, str) else given
        values = tuple(whole().read(part) for part in islice(parts, MOST + 1))
        if len(values) > MOST:
            raise OutOfBounds(f"at most {MOST} of them")
        if any(a >= b for a, b in pairwise(values)):
            raise ValueError
        return values

    return Kind("increasing integers >= 1, like 500,3000", read)


def _text(given: Value) -> str:
    """A number as text; raises ValueError for what is none, or longer than any number that is meant."""
    if isinstance(given, int) and abs(given) >= 10**LONGEST:
        raise OutOfBounds(f"of at most {LONGEST} digits")
    text = str(given).strip()
    if "_" in text or not text.isascii():
        raise ValueError
    if len(text) > LONGEST or ("e" in text.lower() and not -LONGEST < int(text.lower().partition("e")[2]) < LONGEST):
        raise OutOfBounds(f"of at most {LONGEST} digits")
    return text


def either(first: Kind, second: Kind) -> Kind:
    """A value of one type or the other, whichever reads it first."""

    def read(given: Value) -> Value:
        try:
            return first.read(given)
        except ValueError:
            return second.read(given)

    return Kind(f"{first.words}, or {second.words}", read)


def text(words: str) -> Kind:
    """A text that only its user can judge: a name."""

    def read(given: Value) -> str:
        if not isinstance(given, str):
            raise ValueError
        return given

    return Kind(words, read)


def file(words: str) -> Kind:
    """The name of a file, as text or a path."""

    def read(given: Value) -> Path:
        if not isinstance(given, str | Path) or "\0" in str(given):
            raise ValueError
        return Path(given)

    return Kind(words, read)


def any_value(words: str) -> Kind:
    """A value that only its user can judge, who says so in one sentence: an array or a mapping from Python, say."""
    return Kind(words, lambda given: given)


def pick(what: str, value: str, choices: Mapping[str, Value]) -> Value:
    """The meaning of a value; an error of one sentence for an unknown value."""
    if value not in choices:
        raise UnknownName(what, value, choices)
    return choices[value]
