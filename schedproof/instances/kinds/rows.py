"""Look-ups of the stock kinds: positions of jobs and machines, and their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from schedproof.core.base.numbers import as_decimal, as_text, exact, from_text
from schedproof.core.data.codecs import Codec, position
from schedproof.core.data.options import Option, number
from schedproof.core.errors import InputError, PolicyError, expect, short
from schedproof.core.simulation.breaks import Calendar

SPEED = Option("speed", number(), Fraction(1), "speed of the policy's machines; the optimum has speed 1")


def speed_of(instance: Any, options: Mapping[str, Any]) -> Fraction:
    """Return the speed among a policy's options."""
    speed: Fraction = instance.card.rules_among(options)[SPEED.name]
    return speed


def rows(instance: Any) -> Sequence[Any]:
    """Return the jobs or items of an instance."""
    result: Sequence[Any] = getattr(instance, instance.card.own.size[0])
    return result


JOB = Annotated[
    int,
    Codec(
        str,
        lambda name, path, row, scope: position(scope, scope.card.own.size[0], name, path),
        lambda index, record, scope: rows(scope)[index].name,
    ),
]


def places(instance: Any) -> Sequence[Any]:
    """Return an instance's places: named rows, or numbers."""
    given = getattr(instance, instance.card.load("schedule").places)
    return range(given) if isinstance(given, int) else given


def machine_names(instance: Any) -> list[str]:
    """Return the names of an instance's places."""
    return [getattr(one, "name", str(one)) for one in places(instance)]


def capacity_of(instance: Any, place: Any) -> Any:
    """Return the capacity that a place, or else the instance, states."""
    owner = place if hasattr(place, "capacity") else instance
    if not hasattr(owner, "capacity"):
        raise InputError(
            f"{type(instance).__name__} has no field 'capacity', and its places have none: add one, or override "
            "`capacity(instance, n)` in the schedule class"
        )
    return owner.capacity


def amounts(given: Any, count: int = 1) -> tuple[Any, ...]:
    """Return one amount for each resource; a single number counts for each of them."""
    return tuple(given) if isinstance(given, Sequence) else (given,) * count


def calendar(instance: Any) -> Calendar:
    """Return the breaks of an instance's machines; none if it has no field ``breaks``."""
    return Calendar.of(getattr(instance, "breaks", ()), machine_names(instance))


def positions(decided: Any, what: str) -> tuple[int, ...]:
    """Return the positions of the jobs in a policy's answer; refuse other answers."""
    result = list(decided) if isinstance(decided, Iterable) else [decided]
    if not all(isinstance(getattr(one, "index", None), int) for one in result):
        raise PolicyError(f"the policy returned {short(decided)}, expected {what}")
    return tuple(one.index for one in result)


def _number(value: Any, path: str, *around: Any) -> int | Fraction:
    try:
        number = from_text(value) if isinstance(value, str) else exact(value)
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    expect(number >= 0, "expected a number >= 0, or a text like 7/3", path, value)
    return number.numerator if number.denominator == 1 else number


def _positive(value: Any, path: str, *around: Any) -> Fraction:
    number = Fraction(_number(value, path))
    expect(number > 0, "expected a number > 0", path, value)
    return number


def _as_number(value: int | Fraction, *around: Any) -> int | Decimal | str:
    try:
        return as_decimal(Fraction(value))
    except ValueError:  # not a finite decimal
        return as_text(Fraction(value))


AMOUNT = Annotated[Fraction, Codec(Any, _positive, _as_number)]  # a rational > 0; in files a number or a text like 7/3
TIME = Annotated[Any, Codec(Any, _number, _as_number)]  # an int, or a Fraction if it is not whole
