"""VIPR files of bounds from linear programs, for independent checkers.

A file (Cheung, Gleixner and Steffy 2017) states a rational linear program row by row, the bound, and one linear
combination of rows that proves it by weak duality. Checkers of versions 1.0 and 1.1 accept it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.certificates import bounds
from schedproof.core.certificates.bound import Bound
from schedproof.core.certificates.program_bound import ProgramBound, program_listing
from schedproof.core.errors import ProgramError, one_sentence
from schedproof.core.programs import named
from schedproof.core.programs.exact.entries import Column, Entry, Terms
from schedproof.core.programs.exact.listing import Listing, Multipliers
from schedproof.core.programs.program import Program
from schedproof.core.runtime.files import write_bytes
from schedproof.core.simulation.instance import Instance

MOST_VARIABLES = 200_000  # a file of about 25 MB


def listing_of(name: str | Program, instance: Instance, options: Mapping[str, Value]) -> Listing | None:
    """Return the program of a bound, or None if the bound's certificate lists it.

    Call this function before the bound is computed.

    Raises
    ------
    ProgramError
        If the program cannot be listed.
    """
    meant = bounds.meaning(name, instance, options)
    if isinstance(meant, Program):
        return None
    id, entry = meant
    if not entry.linear:
        raise ProgramError(f"{id} has no VIPR file: expected a linear program whose columns can all be listed")
    parameters = {key: value for key, value in options.items() if key in entry.parameters}
    listing = program_listing(named.program(entry.program_of(id), **entry.statement(parameters)), instance)
    if not 1 <= len(listing.columns) <= MOST_VARIABLES:
        count = len(listing.columns)
        raise ProgramError(
            f"{id} has {count} variables on this instance; expected 1 to {MOST_VARIABLES} for a VIPR file"
        )
    return listing


def write_vipr(path: str | Path, bound: Bound, listing: Listing | None, instance: Instance) -> None:
    """Write a bound with its proof, atomically.

    Parameters
    ----------
    listing
        The program from `listing_of`, or None if the bound's certificate lists it.

    Raises
    ------
    ProgramError
        For a program with cones, or with columns that are not listed.
    """
    if isinstance(bound, ProgramBound):
        if bound.witness.rest:
            names = " and ".join(f"'{name}'" for name in bound.witness.rest)
            raise ProgramError(
                f"{bound.program} has no VIPR file: expected listed columns only, but {names} has unlisted columns"
            )
        listing, multipliers = bound.witness.listing, bound.witness.multipliers
    else:
        assert listing is not None
        rule = registry.load(registry.bound_entry(bound.program).linear)
        with one_sentence(f"the multipliers of {bound.program}"):
            multipliers = rule(listing, bound.witness, instance)
    if listing.cones:
        raise ProgramError(f"{bound.program} has no VIPR file: expected a linear program, but this program has cones")
    lines = _lines(bound.statement, listing, multipliers, bound.exact - listing.constant)
    write_bytes(path, "\n".join(lines).encode() + b"\n")


def _lines(statement: str, listing: Listing, multipliers: Multipliers, value: Fraction) -> Iterator[str]:
    least, names = listing.sense == "minimize", _names([column.name for column in listing.columns])
    rows, bounds, number = list[str](), 0, dict[tuple[int, Fraction], int]()
    for name, entry, terms in _entries(listing, names):
        for letter, side in _sides(entry):
            number[id(entry), side] = len(rows)
            rows.append(f"{name}_{letter} {letter} {side} {_terms(terms)}")
            bounds += isinstance(entry, Column)
    used = [(number[id(entry), side], times) for entry, times, side in listing.shares(multipliers) if side is not None]

    yield f"% {statement}"
    if listing.constant:
        yield f"% of the objective without its constant, {listing.constant}"
    yield f"VER 1.0\nVAR {len(names)}"
    yield from names
    yield f"INT 0\nOBJ {'min' if least else 'max'}\n{_terms({j: c.cost for j, c in enumerate(listing.columns)})}"
    yield f"CON {len(rows)} {bounds}"
    yield from rows
    yield f"RTP range {value} inf" if least else f"RTP range -inf {value}"
    yield f"SOL 0\nDER 1\nbound {'G' if least else 'L'} {value} OBJ"
    yield f"{{ lin {len(used)} {' '.join(f'{n} {times}' for n, times in sorted(used))} }} -1"


def _entries(listing: Listing, names: list[str]) -> Iterator[tuple[str, Entry, Terms]]:
    for j, column in enumerate(listing.columns):
        yield f"of_{names[j]}", column, {j: Fraction(1)}
    for name, row in zip(_names([row.name for row in listing.rows]), listing.rows, strict=True):
        yield name, row, row.terms


def _sides(entry: Entry) -> Iterator[tuple[str, Fraction]]:
    if entry.lower is not None:
        yield "E" if entry.lower == entry.upper else "G", entry.lower
    if entry.upper is not None and entry.upper != entry.lower:
        yield "L", entry.upper


def _names(names: list[str]) -> list[str]:
    words, known = [re.sub(r"[^\w\[\],.]|[^\x20-\x7e]", "_", name) for name in names], dict[str, int]()
    for n, word in enumerate(words):
        known.setdefault(word, n)
    return [word if known[word] == n else f"{word}.{n}" for n, word in enumerate(words)]


def _terms(terms: Terms) -> str:
    some = [f"{j} {coefficient}" for j, coefficient in terms.items() if coefficient]
    return " ".join([str(len(some)), *some])
