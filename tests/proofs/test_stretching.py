"""The adversary's strategy in proofs/stretching.v is the one that the game bin_stretching finds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from schedproof.adversary.bin_stretching import solve
from schedproof.core.runtime.context import USUAL

FILE = Path(__file__).parents[2] / "proofs" / "stretching.v"


def test_the_strategy_and_its_value_are_those_of_the_game() -> None:
    found = solve(Fraction(1), context=USUAL, bins=2, capacity=3)
    assert found is not None and found.value == Fraction(4, 3) and found.best
    rows = [
        f"(({', '.join(map(str, row['loads']))}), [{'; '.join(map(str, row['items']))}], {row['send']})"
        for row in found.rows
    ]
    assert f"[{'; '.join(rows)}]" in FILE.read_text(encoding="utf-8")
