"""A checker of VIPR files with one linear combination, independent of the writer."""

from __future__ import annotations

import os
import shutil
import subprocess
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
    pass


@dataclass(frozen=True)
class Listing:
    """min or max, the objective, and all rows; variables' bounds are rows too."""

    sense: str
    costs: Terms
    rows: Rows


def expect(premise: bool, why: str) -> None:
    if not premise:
        raise Refused(why)


def proven(text: str) -> tuple[Listing, Fraction, Fraction]:
    """Return the program of a file, its claimed bound, and the proven one.

    Raises
    ------
    Refused
        If the file proves no bound.
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
    """Return whether VIPR's own checker verifies a file."""
    assert VIPRCHK is not None
    done = subprocess.run([VIPRCHK, str(file)], capture_output=True, text=True, timeout=60)
    return done.returncode == 0 and "Successfully verified optimal value range" in done.stdout
