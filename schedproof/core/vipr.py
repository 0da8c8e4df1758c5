"""VIPR files (Cheung, Gleixner and Steffy 2017) of bounds from linear programs, for checkers that are not ours.

A file states a linear program in rationals, row by row, the bound, and one linear combination of the rows that proves
it: weak duality, and nothing else. Its version is 1.0, which checkers of 1.1 take as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Literal

from schedproof.core import registry
from schedproof.core.bound import Bound
from schedproof.core.errors import ProgramError
from schedproof.core.files import write_bytes
from schedproof.core.instance import Instance
from schedproof.core.untyped import OfFamily, Value

Name = tuple[str, tuple[int, ...]]  # of a variable or a row: ``("edge", (0, 7))`` is written ``edge[0,7]``
LETTERS = {"<=": "L", "=": "E", ">=": "G"}
MOST_VARIABLES = 200_000  # some 25 MB


@dataclass(frozen=True)
class Row:
    """``terms`` ``sense`` ``side``."""

    terms: Mapping[Name, Fraction]
    sense: Literal["<=", "=", ">="]
    side: Fraction


@dataclass(frozen=True)
class RationalProgram:
    """A linear program in rationals; its variables are at least 0.

    Attributes
    ----------
    costs
        Of every variable, in the objective.
    most
        The upper bounds of those variables that have one.
    multipliers
        ``multipliers(program, certificate)``: what a certificate multiplies the rows with. The costs that are left are
        for the bounds of the variables.
    """

    sense: Literal["minimize", "maximize"]
    costs: Mapping[Name, Fraction]
    most: Mapping[Name, Fraction]
    rows: Mapping[Name, Row]
    multipliers: Callable[[RationalProgram, OfFamily], Mapping[Name, Fraction]]

    def reduced_costs(self, multipliers: Mapping[Name, Fraction]) -> dict[Name, Fraction]:
        """What is left of the costs when the rows are taken so many times."""
        left = dict(self.costs)
        for name, multiplier in multipliers.items():
            for variable, coefficient in self.rows[name].terms.items():
                left[variable] -= multiplier * coefficient
        return left


def require_listable(id: str, variables: int) -> None:
    """Refuse a program without variables, or with too many."""
    if not 1 <= variables <= MOST_VARIABLES:
        raise ProgramError(f"{id} has {variables} variables here; a VIPR file lists from 1 to {MOST_VARIABLES}")


def listed(name: str, instance: Instance, options: Mapping[str, Value]) -> RationalProgram:
    """The program that a bound with these options is on, before the work; ProgramError where it cannot be listed."""
    id, _ = registry.find_for("bound", name, instance)
    entry = registry.bound_entry(id)
    if not entry.linear:
        raise ProgramError(f"{id} has no VIPR file: its program is not linear, or has a column for every schedule")
    parameters = entry.statement({key: value for key, value in options.items() if key in entry.parameters})
    program: RationalProgram = registry.load(entry.linear)(instance, **parameters)
    return program


def write_vipr(path: str | Path, bound: Bound, program: RationalProgram) -> None:
    """Write a bound with its proof from the program that `listed` gave, whole or not at all."""
    write_bytes(path, "\n".join(_lines(bound, program)).encode() + b"\n")


def _lines(bound: Bound, program: RationalProgram) -> Iterator[str]:
    least, multipliers = program.sense == "minimize", program.multipliers(program, bound.witness)
    bounds = {(f"lower_{group}", n): Row({(group, n): Fraction(1)}, ">=", Fraction(0)) for group, n in program.costs}
    for (group, n), most in program.most.items():
        bounds[f"upper_{group}", n] = Row({(group, n): Fraction(1)}, "<=", most)
    proof = dict(multipliers)
    for (group, n), cost in program.reduced_costs(multipliers).items():
        proof[f"{'lower' if (cost > 0) == least else 'upper'}_{group}", n] = cost
    rows = bounds | dict(program.rows)
    used = [(n, proof[name]) for n, name in enumerate(rows) if proof.get(name)]
    number = {name: n for n, name in enumerate(program.costs)}

    yield f"% {bound.statement}"
    yield "% jobs, their data nodes, servers and worker classes are numbered from 0 as in the instance's file"
    yield f"VER 1.0\nVAR {len(number)}"
    yield from map(_text, number)
    yield f"INT 0\nOBJ {'min' if least else 'max'}\n{_terms(program.costs, number)}\nCON {len(rows)} {len(bounds)}"
    for name, row in rows.items():
        yield f"{_text(name)} {LETTERS[row.sense]} {row.side} {_terms(row.terms, number)}"
    yield f"RTP range {bound.exact} inf" if least else f"RTP range -inf {bound.exact}"
    yield f"SOL 0\nDER 1\nbound {'G' if least else 'L'} {bound.exact} OBJ"
    yield f"{{ lin {len(used)} {' '.join(f'{n} {multiplier}' for n, multiplier in used)} }} -1"


def _text(name: Name) -> str:
    return f"{name[0]}[{','.join(map(str, name[1]))}]"


def _terms(terms: Mapping[Name, Fraction], number: Mapping[Name, int]) -> str:
    some = [f"{number[name]} {value}" for name, value in terms.items() if value]
    return " ".join([str(len(some)), *some])
