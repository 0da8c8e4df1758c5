"""A checker of VIPR files with one linear combination, which shares no code with the writer.

Also the same linear program as a Pyomo model has it, to compare with.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

VIPRCHK = os.environ.get("VIPRCHK") or shutil.which("viprchk")
needs_viprchk = pytest.mark.skipif(VIPRCHK is None, reason="viprchk is neither named by VIPRCHK nor on the path")
Terms = dict[str, Any]  # variable -> coefficient
Rows = dict[str, tuple[str, Any, Terms]]  # label -> sense E, L or G, right-hand side, terms


class Refused(Exception):
    """The file proves nothing."""


@dataclass(frozen=True)
class Listing:
    """min or max, the objective, and all rows; bounds of variables are rows of one term."""

    sense: str
    costs: Terms
    rows: Rows


def expect(premise: bool, why: str) -> None:
    """Refuse unless it holds."""
    if not premise:
        raise Refused(why)


def proven(text: str) -> tuple[Listing, Fraction, Fraction]:
    """The program that a file states, the bound that it claims, and the one that it proves: no worse, perhaps better.

    Raises
    ------
    Refused
        When it proves none.
    """
    words = iter(" ".join(line for line in text.splitlines() if not line.startswith("%")).split())

    def number() -> int:
        return int(next(words))

    def word(*known: str) -> str:
        found = next(words)
        expect(found in known, f"{found} is none of {known}")
        return found

    def terms(count: str) -> Terms:
        if count == "OBJ":
            return costs
        pairs = [(variables[number()], Fraction(next(words))) for _ in range(int(count))]
        expect(len(dict(pairs)) == len(pairs), "a variable twice")
        return dict(pairs)

    def row() -> tuple[str, tuple[str, Fraction, Terms]]:
        return next(words), (word("E", "L", "G"), Fraction(next(words)), terms(next(words)))

    word("VER"), word("1.0"), word("VAR")
    variables = [next(words) for _ in range(number())]
    word("INT"), word("0"), word("OBJ")
    sense = word("min", "max")
    costs: Terms = {}
    costs = terms(next(words))
    word("CON")
    count, _ = number(), number()
    listed = [row() for _ in range(count)]
    rows = dict(listed)
    expect(len(rows) == count and len(set(variables)) == len(variables), "a name twice")
    word("RTP"), word("range")
    ends = next(words), next(words)
    expect(ends[sense == "min"] == ("inf" if sense == "min" else "-inf"), "another range")
    claimed = Fraction(ends[sense == "max"])
    word("SOL"), word("0"), word("DER"), word("1")
    _, (direction, bound, derived) = row()
    expect(derived == costs and direction == {"min": "G", "max": "L"}[sense] and bound == claimed, "another derivation")
    word("{"), word("lin")
    side, left = Fraction(0), dict.fromkeys(variables, Fraction(0)) | costs
    for _ in range(number()):
        (kind, most, taken), multiplier = listed[number()][1], Fraction(next(words))
        expect(kind == "E" or (multiplier > 0) == (kind == direction), "a multiplier of the wrong sign")
        side += multiplier * most
        for name, coefficient in taken.items():
            left[name] -= multiplier * coefficient
    word("}"), word("-1")
    expect(next(words, None) is None and not any(left.values()), "the combination is not the objective")
    expect(side >= bound if sense == "min" else side <= bound, f"it proves {side} alone")
    return Listing(sense, costs, rows), bound, side


def accepts(file: Path) -> bool:
    """Whether VIPR's own checker verifies a file."""
    assert VIPRCHK is not None
    done = subprocess.run([VIPRCHK, str(file)], capture_output=True, text=True, timeout=60)
    return done.returncode == 0 and "Successfully verified optimal value range" in done.stdout


def of_model(model: Any, name: Callable[[Any], str]) -> Listing:
    """What a Pyomo model says, in floats, with VIPR's letters and the names that ``name`` gives its components."""
    import pyomo.environ as pyo
    from pyomo.repn import generate_standard_repn

    def linear(expression: Any) -> tuple[Terms, float]:
        repn = generate_standard_repn(expression)
        assert repn.is_linear()
        pairs = zip(repn.linear_vars, repn.linear_coefs, strict=True)
        return {name(column): value for column, value in pairs if value}, repn.constant

    objective = next(model.component_data_objects(pyo.Objective, active=True))
    rows: Rows = {}
    for column in model.component_data_objects(pyo.Var):
        for side, letter, limit in (("lower", "G", column.lb), ("upper", "L", column.ub)):
            if limit is not None:
                rows[f"{side}_{name(column)}"] = letter, limit, {name(column): 1.0}
    for constraint in model.component_data_objects(pyo.Constraint, active=True):
        found, constant = linear(constraint.body)
        letter = "E" if constraint.equality else "L" if constraint.has_ub() else "G"
        side = pyo.value(constraint.lower if letter == "G" else constraint.upper) - constant
        rows[name(constraint)] = letter, side, found
    return Listing("min" if objective.is_minimizing() else "max", linear(objective.expr)[0], rows)


def assert_same(stated: Listing, model: Listing) -> None:
    """They are one program, row by row, but for the rounding of the model's floats."""

    def close(first: Terms, second: Terms, sign: int = 1) -> bool:
        return {k: sign * float(v) for k, v in first.items()} == pytest.approx(second, rel=1e-12)

    assert stated.sense == model.sense and close(stated.costs, model.costs)
    assert stated.rows.keys() == model.rows.keys()
    for label, (letter, side, terms) in stated.rows.items():
        other, most, found = model.rows[label]
        signs = (1, -1) if letter == "E" else (1,)  # an equation may be turned around
        assert letter == other, label
        assert any(close(terms | {"side": side}, found | {"side": most}, sign) for sign in signs), label
