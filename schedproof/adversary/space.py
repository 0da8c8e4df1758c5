"""Spaces of instances: the documents that a search may evaluate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import prod
from types import MappingProxyType

import numpy as np

from schedproof.adversary.documents import (
    Document,
    Number,
    Part,
    Place,
    copy,
    in_words,
    is_number,
    parts,
    put,
    text,
    without,
)
from schedproof.core.cards import registry
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import sha256

DRAWS = 30  # draws of a preset, whose values make up the space
MOST_VALUES = 100_000  # values of one number
RANGE = re.compile(r"(-?[0-9.]+)\.\.(-?[0-9.]+)(?::([0-9.]+))?")
SETTLED = ("version", "family")  # never changed
NONE: Mapping[str, Sequence[Document]] = MappingProxyType({})


@dataclass(frozen=True)
class Documents:
    """The documents that a search may evaluate.

    Attributes
    ----------
    sentence
        The space in words.
    starts
        The documents where searches begin.
    numbers
        The values of numbers, ascending, by place or by pattern.
    lists
        The largest length of lists, at least 1, by pattern; other lists keep their length.
    limits
        The values of numbers that shrinking must keep, by pattern.
    """

    sentence: str
    starts: Sequence[Document] = field(repr=False)
    numbers: Mapping[str, Sequence[Number]] = field(repr=False)
    lists: Mapping[str, int] = field(default_factory=dict, repr=False)
    limits: Mapping[str, Sequence[Number]] = field(default_factory=dict, repr=False)

    @property
    def sha256(self) -> str:
        content = [self.sentence, *map(text, self.starts), repr(sorted(self.numbers.items())), repr(self.lists)]
        return sha256("\n".join(content).encode())

    def domain(self, part: Part) -> Sequence[Number]:
        return (
            self.numbers.get(in_words(part.place), self.numbers.get(part.pattern, ())) if is_number(part.value) else ()
        )

    def limit(self, most: int) -> Documents:
        """Return the subspace with at most `most` items in each list of named items."""
        lists = {
            pattern: min(count, most) if pattern in self._name_lists else count for pattern, count in self.lists.items()
        }
        starts = [self._cut(start, most) for start in self.starts]
        return Documents(f"{self.sentence}, no more than {most} of a kind", starts, self.numbers, lists, self.limits)

    def wider(self) -> Documents:
        """Return the space in which numbers may also be 0, 1, or 10 times the maximum."""
        numbers = {place: sorted({*values, 0, 1, 10 * values[-1]}) for place, values in self.numbers.items()}
        return Documents(
            f"{self.sentence}, and wider", self.starts, {**numbers, **self.limits}, self.lists, self.limits
        )

    @property
    def largest(self) -> int:
        return max((self.lists[pattern] for pattern in self._name_lists), default=0)

    @cached_property
    def _name_lists(self) -> set[str]:
        every = (part for start in self.starts for part in parts(start) if isinstance(part.value, list))
        return {
            part.pattern for part in every if part.value and isinstance(part.value[0], dict) and "name" in part.value[0]
        }

    def _cut(self, start: Document, most: int) -> Document:
        for part in parts(start):
            if part.pattern in self._name_lists and len(part.value) > most:
                return self._cut(without(start, (*part.place, len(part.value) - 1)), most)
        return start

    @property
    def size(self) -> int | None:
        """The number of documents, or None if lists have variable length."""
        return None if self.lists else prod(len(values) for _, values in self.free)

    @property
    def free(self) -> list[tuple[Place, Sequence[Number]]]:
        """The places of the first start's free numbers, with their values."""
        return [(part.place, values) for part in parts(self.starts[0]) if (values := self.domain(part))]

    def document(self, number: int) -> Document:
        """Return the document with this number, in a space with a size."""
        answer = copy(self.starts[0])
        for place, values in self.free:
            number, chosen = divmod(number, len(values))
            put(answer, place, values[chosen])
        return answer

    def draw(self, rng: np.random.Generator) -> Document:
        """Return a start with random free numbers, in a space with a size."""
        answer = copy(self.starts[0])
        for place, values in self.free:
            put(answer, place, values[int(rng.integers(len(values)))])
        return answer


def of_preset(
    family: str,
    preset: str,
    settings: Mapping[str, str],
    seed: int = 0,
    more: Mapping[str, Sequence[Document]] = NONE,
    within: Sequence[str] = (),
) -> Documents:
    """Return the space with the numbers and list lengths of a generator's draws.

    Parameters
    ----------
    seed
        Seed of the draws.
    more
        Additional documents of the space by description, like ``stored witnesses``; they are the first starts.
    within
        Values that replace those of the draws, like ``jobs[*].chunks=1..2``; a start takes the nearest value.

    Raises
    ------
    InputError
        For a text in `within` that cannot be read, or that matches no number of a start.
    """
    limits = dict(_place_and_values("within", setting) for setting in within)
    draws = (registry.generate(family, preset, DRAWS * seed + n, settings) for n in range(DRAWS))
    starts = [copy(document) for document in chain(*more.values(), draws)]
    numbers: dict[str, set[Number]] = {}
    lists: dict[str, int] = {}
    for start in starts:
        for part in parts(start):
            if part.pattern in limits and is_number(part.value):
                put(start, part.place, nearest(limits[part.pattern], part.value))
            elif is_number(part.value) and part.pattern not in SETTLED:
                numbers.setdefault(part.pattern, set()).add(part.value)
            elif isinstance(part.value, list):
                lists[part.pattern] = max(lists.get(part.pattern, 0), len(part.value))
    known = {part.pattern for start in starts for part in parts(start) if is_number(part.value)}
    for pattern in limits.keys() - known:
        raise InputError(f"--within: no number at {pattern}; expected one of {', '.join(sorted(known))}")
    chosen = "".join(f", {name}={value}" for name, value in settings.items())
    sentence = f"{family} instances with the values and sizes of {DRAWS} draws of the preset {preset}{chosen}"
    sentence += "".join(f", of {len(documents)} {words}" for words, documents in more.items())
    sentence += f", with {', '.join(within)}" if within else ""
    return Documents(
        sentence, starts, {name: _fill(values) for name, values in numbers.items()} | limits, lists, limits
    )


def nearest(values: Sequence[Number], wanted: Number | Fraction) -> Number:
    """Return the value nearest to a number; of equally near values the first."""
    return min(values, key=lambda value: abs(Fraction(value) - Fraction(wanted)))


def _fill(values: Iterable[Number]) -> list[Number]:
    result = sorted(values)
    whole = all(isinstance(value, int) for value in result) and result[-1] - result[0] < MOST_VALUES
    return list(range(int(result[0]), int(result[-1]) + 1)) if whole else result


def of_free(document: Document, free: Sequence[str]) -> Documents:
    """Return the space of a document in which some numbers are free.

    Parameters
    ----------
    free
        Places and values, like ``jobs[*].arrival=0..20``. Values are a range of integers, a range with a step
        (``0..2:0.25``), or a list (``1,2,4``).

    Raises
    ------
    InputError
        For a text that cannot be read, or that matches no number of the document.
    """
    document = copy(document)
    numbers: dict[str, Sequence[Number]] = {}
    for setting in free:
        pattern, values = _place_and_values("free", setting)
        words = re.escape(pattern).replace(r"\[\*\]", r"\[\d+\]").replace(r"\.\*", r"\.[^.\[\]]+")
        result = [in_words(part.place) for part in parts(document) if is_number(part.value)]
        fitting = [place for place in result if re.fullmatch(words, place)]
        if not fitting:
            known = ", ".join(sorted({part.pattern for part in parts(document) if is_number(part.value)}))
            raise InputError(f"--free {setting}: no number at {pattern}; expected one of {known}")
        numbers |= dict.fromkeys(fitting, values)
    if not numbers:
        raise InputError("expected free numbers, like --free 'jobs[*].arrival=0..20'")
    return Documents(f"the given instance with {', '.join(free)}", [document], numbers)


def _place_and_values(name: str, setting: str) -> tuple[str, list[Number]]:
    pattern, sign, words = setting.rpartition("=")
    if not sign or not pattern:
        raise InputError(f"--{name} {setting}: expected a place and its values, like jobs[*].arrival=0..20")
    try:
        if between := RANGE.fullmatch(words):
            low, high, step = (Decimal(end) for end in (between[1], between[2], between[3] or "1"))
            if step <= 0 or not 0 <= (high - low) / step < MOST_VALUES:
                raise ValueError
            result = [low + n * step for n in range(int((high - low) / step) + 1)]
        else:
            result = sorted({Decimal(word) for word in words.split(",")})
    except (ArithmeticError, ValueError):
        raise InputError(f"--{name} {setting}: expected values like 0..20, 0..2:0.25 or 1,2,4, got {words}") from None
    return pattern, [int(value) if value == value.to_integral_value() else value for value in result]
