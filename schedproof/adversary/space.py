"""Spaces of instances: which documents a search may look at, said in words."""

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

DRAWS = 30  # of a preset, from which the values of a space are taken
MOST_VALUES = 100_000  # of one number
RANGE = re.compile(r"(-?[0-9.]+)\.\.(-?[0-9.]+)(?::([0-9.]+))?")
SETTLED = ("version", "family")  # what makes a document one of a family
NONE: Mapping[str, Sequence[Document]] = MappingProxyType({})


@dataclass(frozen=True)
class Documents:
    """The documents that a search may look at.

    Attributes
    ----------
    sentence
        In words.
    starts
        Those where searches begin.
    numbers
        What the numbers may be, by their place or by the pattern of their places, in increasing order.
    lists
        How many items the lists may have at most, by pattern; one at least. All others keep what they have.
    limits
        The numbers, by pattern, that even a smaller instance may not leave.
    """

    sentence: str
    starts: Sequence[Document] = field(repr=False)
    numbers: Mapping[str, Sequence[Number]] = field(repr=False)
    lists: Mapping[str, int] = field(default_factory=dict, repr=False)
    limits: Mapping[str, Sequence[Number]] = field(default_factory=dict, repr=False)

    @property
    def sha256(self) -> str:
        """What the space is known by."""
        content = [self.sentence, *map(text, self.starts), repr(sorted(self.numbers.items())), repr(self.lists)]
        return sha256("\n".join(content).encode())

    def domain(self, part: Part) -> Sequence[Number]:
        """What a number may be; nothing for one that is settled."""
        return (
            self.numbers.get(in_words(part.place), self.numbers.get(part.pattern, ())) if is_number(part.value) else ()
        )

    def limit(self, most: int) -> Documents:
        """The part of it whose lists of what has a name have so many items at most, with the starts cut to that."""
        lists = {
            pattern: min(count, most) if pattern in self._name_lists else count for pattern, count in self.lists.items()
        }
        starts = [self._cut(start, most) for start in self.starts]
        return Documents(f"{self.sentence}, no more than {most} of a kind", starts, self.numbers, lists, self.limits)

    def wider(self) -> Documents:
        """The same where each number may also be 0, 1, or ten times its largest value."""
        numbers = {place: sorted({*values, 0, 1, 10 * values[-1]}) for place, values in self.numbers.items()}
        return Documents(
            f"{self.sentence}, and wider", self.starts, {**numbers, **self.limits}, self.lists, self.limits
        )

    @property
    def largest(self) -> int:
        """How many of a kind there may be."""
        return max((self.lists[pattern] for pattern in self._name_lists), default=0)

    @cached_property
    def _name_lists(self) -> set[str]:
        """The patterns of lists of what has a name."""
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
        """How many documents there are; None where lists may grow and shrink."""
        return None if self.lists else prod(len(values) for _, values in self.free)

    @property
    def free(self) -> list[tuple[Place, Sequence[Number]]]:
        """The places of the first start's free numbers, and what they may be."""
        return [(part.place, values) for part in parts(self.starts[0]) if (values := self.domain(part))]

    def document(self, number: int) -> Document:
        """The document of that number, of a space that has a size."""
        answer = copy(self.starts[0])
        for place, values in self.free:
            number, chosen = divmod(number, len(values))
            put(answer, place, values[chosen])
        return answer

    def draw(self, rng: np.random.Generator) -> Document:
        """A start whose free numbers are drawn anew, of a space that has a size."""
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
    """The space around what a generator draws: each number is one that it draws there, no list is longer than drawn.

    Parameters
    ----------
    seed
        Of the draws.
    more
        Other documents that are in the space, with their values, by what they are: ``stored witnesses``. They are the
        first starts.
    within
        What numbers may be instead, like ``jobs[*].chunks=1..2``; in a start the nearest of these is taken.

    Raises
    ------
    InputError
        For a wish that is none, or that no number of a start fits.
    """
    limits = dict(_wish("within", wish) for wish in within)
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
        raise InputError(f"--within: no number stands at {pattern}; there are {', '.join(sorted(known))}")
    chosen = "".join(f", {name}={value}" for name, value in settings.items())
    sentence = f"{family} instances with the values and sizes of {DRAWS} draws of the preset {preset}{chosen}"
    sentence += "".join(f", of {len(documents)} {words}" for words, documents in more.items())
    sentence += f", with {', '.join(within)}" if within else ""
    return Documents(
        sentence, starts, {name: _fill(values) for name, values in numbers.items()} | limits, lists, limits
    )


def nearest(values: Sequence[Number], wanted: Number | Fraction) -> Number:
    """The value that is nearest to a number, of equals the first."""
    return min(values, key=lambda value: abs(Fraction(value) - Fraction(wanted)))


def _fill(values: Iterable[Number]) -> list[Number]:
    """Numbers in order; of whole ones also those between."""
    result = sorted(values)
    whole = all(isinstance(value, int) for value in result) and result[-1] - result[0] < MOST_VALUES
    return list(range(int(result[0]), int(result[-1]) + 1)) if whole else result


def of_free(document: Document, free: Sequence[str]) -> Documents:
    """The space of a document in which some numbers are free.

    Parameters
    ----------
    free
        Like ``jobs[*].arrival=0..20``; behind the sign a range of whole numbers, one with a step (``0..2:0.25``), or a
        list (``1,2,4``).

    Raises
    ------
    InputError
        For a wish that is none, or that no number of the document fits.
    """
    document = copy(document)
    numbers: dict[str, Sequence[Number]] = {}
    for wish in free:
        pattern, values = _wish("free", wish)
        words = re.escape(pattern).replace(r"\[\*\]", r"\[\d+\]").replace(r"\.\*", r"\.[^.\[\]]+")
        result = [in_words(part.place) for part in parts(document) if is_number(part.value)]
        fitting = [place for place in result if re.fullmatch(words, place)]
        if not fitting:
            known = ", ".join(sorted({part.pattern for part in parts(document) if is_number(part.value)}))
            raise InputError(f"--free {wish}: no number stands at {pattern}; there are {known}")
        numbers |= dict.fromkeys(fitting, values)
    if not numbers:
        raise InputError("expected numbers that are free, like --free 'jobs[*].arrival=0..20'")
    return Documents(f"the given instance with {', '.join(free)}", [document], numbers)


def _wish(name: str, wish: str) -> tuple[str, list[Number]]:
    """The place that a wish is about, and the values that it tells, in order."""
    pattern, sign, words = wish.rpartition("=")
    if not sign or not pattern:
        raise InputError(f"--{name} {wish}: expected a place and its values, like jobs[*].arrival=0..20")
    try:
        if between := RANGE.fullmatch(words):
            low, high, step = (Decimal(end) for end in (between[1], between[2], between[3] or "1"))
            if step <= 0 or not 0 <= (high - low) / step < MOST_VALUES:
                raise ValueError
            result = [low + n * step for n in range(int((high - low) / step) + 1)]
        else:
            result = sorted({Decimal(word) for word in words.split(",")})
    except (ArithmeticError, ValueError):
        raise InputError(f"--{name} {wish}: expected values like 0..20, 0..2:0.25 or 1,2,4, found {words}") from None
    return pattern, [int(value) if value == value.to_integral_value() else value for value in result]
