"""Certificates that state their program: its rows in rationals, and multipliers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from schedproof.core.base.numbers import as_text
from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.data.reading import Count, Name, Row, convert
from schedproof.core.errors import InputError
from schedproof.core.programs.exact import compact
from schedproof.core.programs.exact.cones import Cone, Kind
from schedproof.core.programs.exact.entries import Column, Side
from schedproof.core.programs.exact.entries import Row as ListedRow
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.programs.exact.status import Settled
from schedproof.core.programs.exact.tree import Branched, Node
from schedproof.core.programs.group import Index

Rational = Annotated[str, msgspec.Meta(pattern="^-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?$")]
Terms = list[tuple[Count, Rational]]


class ListingRow(Row, frozen=True):
    sense: Literal["minimize", "maximize"]
    constant: Rational
    columns: list[tuple[Name, Rational, Rational | None, Rational | None]]
    rows: list[tuple[Name, Rational | None, Rational | None, Terms]]
    multipliers: Terms
    cones: tuple[tuple[Kind, list[Count]], ...] = ()
    parts: dict[str, list[Json]] = msgspec.field(default_factory=dict)
    rest: dict[Name, Rational] = msgspec.field(default_factory=dict)


@dataclass(frozen=True)
class RowMultipliers:
    """A linear or conic program, and multipliers that prove a bound on its optimum.

    Attributes
    ----------
    multipliers
        Row number -> multiplier, >= 0 for a lower side in a minimum and an upper side in a maximum. Multipliers of a
        cone's rows are in the dual cone. Ranges of the columns bound the remaining reduced costs.
    parts
        Group with generated rows -> indices of its listed rows; group with generated columns -> indices of columns from
        which the rows are listed.
    rest
        Group with unlisted columns -> a lower (for a maximum: upper) bound on their total reduced cost.
    """

    listing: Listing
    multipliers: Multipliers
    parts: Mapping[str, tuple[Index, ...]] = field(default_factory=dict)
    rest: Mapping[str, Fraction] = field(default_factory=dict)

    def value(self, instance: AnyFamily, **parameters: object) -> Fraction:
        """The proven bound on the listed program; ValueError without one."""
        return self.listing.bound(self.multipliers) + sum(self.rest.values())

    def to_json(self) -> dict[str, Json]:
        """Return program and multipliers; large ones in the compact form."""
        if not compact.is_large(self.listing):
            return self.rows_in_full()
        optional = {"parts": dict(self.parts), "rest": {name: str(amount) for name, amount in self.rest.items()}}
        every = compact.to_json(self.listing, self.multipliers)
        return {name: value for name, value in (optional | every).items() if value or name in every}

    def rows_in_full(self) -> dict[str, Json]:
        """Return the program row by row, and its multipliers."""
        listing = self.listing
        optional: dict[str, Json] = {
            "cones": [[cone.kind, list(cone.rows)] for cone in listing.cones],
            "parts": dict(self.parts),
            "rest": {name: str(amount) for name, amount in self.rest.items()},
        }
        return {
            "sense": listing.sense,
            "constant": str(listing.constant),
            "columns": [[c.name, str(c.cost), _text(c.lower), _text(c.upper)] for c in listing.columns],
            "rows": [[row.name, _text(row.lower), _text(row.upper), _pairs(row.terms)] for row in listing.rows],
            "multipliers": _pairs(self.multipliers),
        } | {name: value for name, value in optional.items() if value}

    @classmethod
    def from_json(cls, row: Json, instance: AnyFamily) -> RowMultipliers:
        """Read the output of `to_json`; raise InputError for other objects."""
        if isinstance(row, dict) and "blocks" in row:
            short, listing, multipliers = compact.from_json(row)
            return cls(listing, multipliers, _parts(short.parts), _rest(short.rest))
        given = convert(row, ListingRow)
        columns = tuple(Column(name, _side(low), _side(up), Fraction(cost)) for name, cost, low, up in given.columns)
        rows = tuple(
            ListedRow(name, _side(low), _side(up), _numbers(terms, len(columns), f"multipliers.rows[{i}]"))
            for i, (name, low, up, terms) in enumerate(given.rows)
        )
        cones = _cones(given, rows)
        listing = Listing(given.sense, Fraction(given.constant), columns, rows, cones)
        multipliers = _numbers(given.multipliers, len(rows), "multipliers.multipliers")
        return cls(listing, multipliers, _parts(given.parts), _rest(given.rest))


def status_file(title: str, parameters: Mapping[str, Value], instance: AnyFamily, settled: Settled) -> dict[str, Json]:
    """Return the JSON object that proves a program's status to ``check-bound``.

    An integer program's optimum is proven by a point and a tree, a continuous program's optimum by a bound.
    """
    listing, optimal = settled.listing, settled.status == "optimal"
    proof, kind = RowMultipliers(listing, settled.multipliers).rows_in_full(), str(settled.status)
    if isinstance(settled, Branched):
        proof |= {"integers": list(settled.integers)}
        proof |= {"tree": [_node(node) for node in settled.tree]} if settled.tree else {}
    elif optimal:
        kind = "lower" if listing.sense == "minimize" else "upper"
    needed = {"unbounded": ("point", "ray"), "optimal": ("point",)}.get(kind, ())
    proof |= {name: _pairs(_nonzero(getattr(settled, name))) for name in needed}
    return {
        "version": 2,
        "program": title,
        "kind": kind,
        "among": "",
        "parameters": {name: str(value) for name, value in parameters.items()},
        "instance_sha256": instance.sha256,
        "value": as_text(settled.value) if optimal else None,
        "multipliers": proof,
    }


def _node(node: Node) -> Json:
    return node if isinstance(node, tuple) else _pairs(node)


def _nonzero(values: Sequence[Fraction]) -> dict[int, Fraction]:
    return {j: x for j, x in enumerate(values) if x}


def _cones(given: ListingRow, rows: tuple[ListedRow, ...]) -> tuple[Cone, ...]:
    members = [i for _, each in given.cones for i in each]
    one_sided = all(i < len(rows) and rows[i].upper is None and rows[i].lower is not None for i in members)
    if not one_sided or len(set(members)) < len(members):
        raise InputError("expected rows with a lower side only, each in at most one cone", path="multipliers.cones")
    try:
        return tuple(Cone(kind, tuple(each)) for kind, each in given.cones)
    except ValueError as error:
        raise InputError(str(error), path="multipliers.cones") from None


def _parts(given: Mapping[str, list[Json]]) -> dict[str, tuple[Index, ...]]:
    return {name: tuple(map(_index, indices)) for name, indices in given.items()}


def _rest(given: Mapping[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in given.items()}


def _index(given: Json) -> Index:
    return tuple(map(_index, given)) if isinstance(given, list) else given


def _text(side: Side) -> str | None:
    return None if side is None else str(side)


def _side(text: str | None) -> Side:
    return None if text is None else Fraction(text)


def _pairs(terms: Mapping[int, Fraction | int]) -> list[tuple[int, str]]:
    return list(zip(terms, map(str, terms.values()), strict=True))


def _numbers(pairs: Terms, count: int, path: str) -> dict[int, Fraction]:
    result = {number: Fraction(value) for number, value in pairs}
    if len(result) < len(pairs) or max(result, default=0) >= max(count, 1):
        raise InputError(f"expected indices from 0 to {max(count, 1) - 1}, each at most once", path=path)
    return result
