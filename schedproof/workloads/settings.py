"""Settings of random workloads: ranges to draw from, and parsing of values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Context, Decimal, InvalidOperation
from typing import NamedTuple, TypeVar

import numpy as np

from schedproof.core.base.untyped import AnyFamily
from schedproof.core.errors import InputError, UnknownName

LARGEST = 1_000_000  # largest value of any setting: larger values are likely typing errors
FINEST = 9  # most decimals of any setting
WIDE = Context(prec=60)

S = TypeVar("S", bound=tuple[AnyFamily, ...])  # a family's Settings, a NamedTuple with a default for every field


class Range(NamedTuple):
    """A uniform draw from ``low`` to ``high`` in numbers with ``places`` decimals."""

    low: Decimal
    high: Decimal
    places: int

    def __str__(self) -> str:
        return f"[{self.low}, {self.high}]"

    def draw(self, rng: np.random.Generator, size: int | tuple[int, int]) -> np.ndarray:
        """Return integer draws (int64), to be divided by 10^places."""
        low, high = (int(end.scaleb(self.places, WIDE)) for end in (self.low, self.high))
        return rng.integers(low, high, size=size, endpoint=True)

    def numbers(self, rng: np.random.Generator, size: int) -> list[Decimal]:
        """Return draws as exact decimals."""
        return [Decimal(n).scaleb(-self.places) for n in self.draw(rng, size).tolist()]


def range_of(low: str, high: str, places: int = 0) -> Range:
    """Return a range from the decimals of its ends."""
    return Range(Decimal(low), Decimal(high), places)


class Rules(NamedTuple):
    """Constraints on a family's settings.

    Attributes
    ----------
    choices
        Setting -> its allowed texts.
    whole, zero_allowed
        The ranges with integer ends, and the settings that may be 0.
    unused
        (setting, value) -> settings that have no effect with the value, and are refused.
    """

    choices: Mapping[str, tuple[str, ...]]
    whole: Collection[str]
    zero_allowed: Collection[str]
    unused: Mapping[tuple[str, str], tuple[str, ...]]


def ranges(defaults: Mapping[str, object]) -> tuple[str, ...]:
    """Return the fields that are ranges, from a Settings class's ``_field_defaults``."""
    return tuple(name for name, value in defaults.items() if isinstance(value, Range))


def names(defaults: Mapping[str, object]) -> tuple[str, ...]:
    """Return every setting's name: a range ``x`` has ``x_low`` and ``x_high``."""
    ends = ranges(defaults)
    return tuple(n for field in defaults for n in ((f"{field}_low", f"{field}_high") if field in ends else (field,)))


def configure(base: S, given: Mapping[str, str], known: Collection[str], rules: Rules) -> S:
    """Return ``base`` with the given settings replaced.

    Raises
    ------
    UnknownName
        For an unknown setting or choice.
    InputError
        For a malformed or impossible value, or a setting without effect.
    """
    result: AnyFamily = base
    for name, text in given.items():
        if name not in known:
            raise UnknownName("setting", name, known)
        result = _replace(result, name, str(text), rules)
    for field, value in zip(result._fields, result, strict=True):
        if isinstance(value, Range) and value.low > value.high:
            raise InputError(
                f"expected at most {field}_high, which is {value.high}", path=f"{field}_low", value=value.low
            )
    for (choice, value), unused in rules.unused.items():
        for name in unused:
            if getattr(result, choice) == value and name in given:
                raise InputError(f"has no effect while {choice} is {value}", path=name, value=str(given[name]))
    return result


def _replace(settings: AnyFamily, name: str, text: str, rules: Rules) -> AnyFamily:
    field, _, end = name.rpartition("_") if name.endswith(("_low", "_high")) else (name, "", "")
    old = getattr(settings, field)
    new: AnyFamily
    if isinstance(old, str):
        if text not in rules.choices[name]:
            raise UnknownName(f"value of {name}", text, rules.choices[name])
        new = text
    else:
        whole = isinstance(old, int) or field in rules.whole
        value = positive(name, text, whole=whole, zero=field in rules.zero_allowed)
        new = int(value) if isinstance(old, int) else value
        if isinstance(old, Range):
            new = old._replace(places=max(old.places, decimals(value)), **{end: value})
    return settings._replace(**{field: new})


def positive(name: str, text: str, *, whole: bool = False, zero: bool = False, largest: int = LARGEST) -> Decimal:
    """Return the number of a setting.

    Raises
    ------
    InputError
        If the text is not a number in range, whole if required, or has too many decimals.
    """
    number = decimal_of(text)
    if (
        number is None
        or not 0 <= number <= largest
        or (number == 0 and not zero)
        or (whole and number % 1)
        or decimals(number) > FINEST
    ):
        kind = "an integer" if whole else f"a number of at most {FINEST} decimals"
        least = "from 0 to" if zero else "above 0, at most"
        raise InputError(f"expected {kind} {least} {largest}", path=name, value=text)
    return number


def decimal_of(text: str) -> Decimal | None:
    """Return the finite number of a text of at most 60 characters; else None."""
    text = text.strip()
    try:
        number = Decimal(text) if len(text) <= 60 and text.isascii() and "_" not in text else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() and -30 <= number.adjusted() <= 18 else None


def decimals(number: Decimal) -> int:
    """Return a number's count of decimals."""
    exponent = number.normalize(WIDE).as_tuple().exponent
    return max(0, -int(exponent))
