"""The compact form of a listed linear program and its multipliers, line by line.

The file is one JSON object. Its first line ends with ``"blocks":[``, and each further line is a block, so that a reader
needs one line at a time. All numbers of the blocks are integers; one integer replaces a list of equal integers. A name
is written as the length of the prefix that it shares with the previous name, and the rest.
``["rows", shared, endings, scales, lower sides, upper sides, multipliers]`` comes first. A row is multiplied by its
scale, and its multiplier, divided by the scale, is a multiple of 1 / ``unit``. Then
``["columns", shared, endings, costs, lower ends, upper ends, counts, rows, coefficients]`` has costs and ends in
multiples of 1 / ``scale``, and each column's terms by increasing row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Annotated, Literal

import msgspec

from schedproof.core.base.untyped import Json
from schedproof.core.data.reading import Count, Name, Positive, Row, convert
from schedproof.core.errors import InputError
from schedproof.core.programs.exact.entries import Column, Side
from schedproof.core.programs.exact.entries import Row as ListedRow
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.runtime.files import encode

LARGE = 20_000  # entries and terms of a program from which on it is written in this form
ENTRIES, TERMS = 1000, 10_000  # of a block
Number = int | None
Rational = Annotated[str, msgspec.Meta(pattern="^-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?$")]


class CompactRow(Row, frozen=True):
    sense: Literal["minimize", "maximize"]
    constant: Rational
    unit: int
    scale: int
    digits: Positive
    sizes: tuple[Count, Count, Count]
    blocks: list[list[Json]]
    parts: dict[str, list[Json]] = msgspec.field(default_factory=dict)
    rest: dict[Name, Rational] = msgspec.field(default_factory=dict)


def is_large(listing: Listing) -> bool:
    """Whether a program is written in this form; cones never are."""
    terms = sum(len(row.terms) for row in listing.rows)
    return not listing.cones and len(listing.rows) + len(listing.columns) + terms >= LARGE


def to_json(listing: Listing, multipliers: Multipliers) -> dict[str, Json]:
    """Return the program and its multipliers as a JSON object."""
    scales = [_denominator([row.lower, row.upper, *row.terms.values()]) for row in listing.rows]
    scale = lcm(*{_denominator([column.lower, column.upper, column.cost]) for column in listing.columns})
    shares = {i: y / scales[i] for i, y in multipliers.items()}
    unit = lcm(*{y.denominator for y in shares.values()})
    terms: list[list[int]] = [[] for _ in listing.columns]
    for i, row in enumerate(listing.rows):
        for j, a in row.terms.items():
            terms[j] += i, a.numerator * (scales[i] // a.denominator)
    rows = [
        (row.name, s, _times(row.lower, s), _times(row.upper, s), int(shares.get(i, 0) * unit))
        for i, (row, s) in enumerate(zip(listing.rows, scales, strict=True))
    ]
    blocks: list[list[Json]] = []
    for first in range(0, len(rows), ENTRIES):
        names, *numbers = zip(*rows[first : first + ENTRIES], strict=True)
        blocks.append(["rows", *_shortened(names), *map(_folded, numbers)])
    for first, end in _column_blocks(terms):
        some = listing.columns[first:end]
        ends = [
            [_times(x, scale) for x in each] for each in zip(*((c.cost, c.lower, c.upper) for c in some), strict=True)
        ]
        counts = [len(each) // 2 for each in terms[first:end]]
        among = [n for each in terms[first:end] for n in each[::2]]
        entries = [n for each in terms[first:end] for n in each[1::2]]
        names = _shortened([column.name for column in some])
        blocks.append(["columns", *names, *map(_folded, ends), _folded(counts), among, _folded(entries)])
    most = max((abs(n) for block in blocks for part in block[3:] for n in _integers(part)), default=0)
    return {
        "sense": listing.sense,
        "constant": str(listing.constant),
        "unit": unit,
        "scale": scale,
        "digits": len(str(max(most, unit, scale, *scales, 1))),
        "sizes": [len(listing.rows), len(listing.columns), sum(map(len, terms)) // 2],
        "blocks": blocks,
    }


def as_bytes(file: dict[str, Json]) -> bytes:
    """Return a certificate's file, one block on each line."""
    multipliers = {name: value for name, value in file["multipliers"].items() if name != "blocks"} | {"blocks": []}
    head = encode(file | {"multipliers": multipliers}).removesuffix(b"]}}")
    return head + b"\n" + b",\n".join(map(encode, file["multipliers"]["blocks"])) + b"\n]}}\n"


def from_json(row: Json) -> tuple[CompactRow, Listing, dict[int, Fraction]]:
    """Read the output of `to_json`; raise InputError for other objects."""
    given = convert(row, CompactRow)
    try:
        listing, multipliers = _read(given)
    except (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise InputError(f"expected blocks of rows, then of columns: {error}", path="multipliers.blocks") from None
    return given, listing, multipliers


def _read(given: CompactRow) -> tuple[Listing, dict[int, Fraction]]:
    rows: list[tuple[str, int, Side, Side, dict[int, Fraction | int]]] = []
    columns: list[Column] = []
    multipliers: dict[int, Fraction] = {}
    for kind, shared, endings, *numbers in given.blocks:
        count = len(endings)
        names = _names(_unfolded(shared, count), endings)
        if kind == "rows":
            scales, low, up, times = (_unfolded(part, count) for part in numbers)
            for name, s, lower, upper, y in zip(names, scales, low, up, times, strict=True):
                if y:
                    multipliers[len(rows)] = Fraction(y * s, given.unit)
                rows.append((name, s, _divided(lower, s), _divided(upper, s), {}))
            continue
        costs, low, up, counts = (_unfolded(part, count) for part in numbers[:4])
        ends = [0, *accumulate(counts)]
        among, entries = (_unfolded(part, ends[-1]) for part in numbers[4:])
        for k, (name, cost, lower, upper) in enumerate(zip(names, costs, low, up, strict=True)):
            for i, a in zip(among[ends[k] : ends[k + 1]], entries[ends[k] : ends[k + 1]], strict=True):
                _, s, *_, terms = rows[i]
                terms[len(columns)] = a if s == 1 else _divided(a, s)
            sides = _divided(lower, given.scale), _divided(upper, given.scale)
            columns.append(Column(name, *sides, Fraction(cost, given.scale)))
    if given.sizes[:2] != (len(rows), len(columns)):
        raise ValueError("the sizes of the arrays differ from the stated sizes")
    every = tuple(ListedRow(name, lower, upper, terms) for name, _, lower, upper, terms in rows)
    return Listing(given.sense, Fraction(given.constant), tuple(columns), every), multipliers


def _denominator(numbers: Iterable[Side | int]) -> int:
    return lcm(*{number.denominator for number in numbers if number is not None})


def _times(number: Side, scale: int) -> Number:
    return None if number is None else number.numerator * (scale // number.denominator)


@lru_cache(1 << 14)  # a large program has few different numbers
def _divided(number: Number, scale: int) -> Side:
    return None if number is None else Fraction(number, scale)


def _shortened(names: Sequence[str]) -> tuple[list[int], list[str]]:
    shared = [_length_of_common_start(*pair) for pair in pairwise(["", *names])]
    return shared, [name[k:] for name, k in zip(names, shared, strict=True)]


def _length_of_common_start(name: str, other: str) -> int:
    differ = (k for k, (one, two) in enumerate(zip(name, other, strict=False)) if one != two)
    return next(differ, min(len(name), len(other)))


def _names(shared: Sequence[int], endings: Sequence[str]) -> Iterator[str]:
    name = ""
    for k, ending in zip(shared, endings, strict=True):
        name = name[:k] + ending
        yield name


def _folded(numbers: Sequence[Number]) -> Sequence[Number] | Number:
    return numbers[0] if numbers and len({*numbers}) == 1 else numbers


def _unfolded(part: Json, count: int) -> Sequence[Json]:
    return part if isinstance(part, list | tuple) else [part] * count


def _integers(part: Json) -> Iterator[int]:
    return (n for n in (part if isinstance(part, list | tuple) else [part]) if n is not None)


def _column_blocks(terms: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    first = many = 0
    for j, each in enumerate(terms):
        many += len(each) // 2
        if j + 1 - first == ENTRIES or many >= TERMS or j + 1 == len(terms):
            yield first, j + 1
            first, many = j + 1, 0
