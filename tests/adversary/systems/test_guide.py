"""The page on systems and its example print the stated numbers."""

from __future__ import annotations

import re
import runpy
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "howto" / "systems.md").read_text()


def blocks(language: str) -> str:
    return "\n".join(re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_runs_with_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rental.py").write_text(blocks("python"))
    outs = []
    for line in filter(None, blocks("sh").splitlines()):
        code, out, _ = cli(*line.split()[1:])
        assert code == 0
        outs.append(out)
    prove, checked, best, check_best = outs
    assert "the competitive ratio of Rent (price=4) is 7/4 = 1.75, without an additive constant" in prove
    assert "worst sequence: 'day' 'day' 'day' 'day'; the algorithm's cost is 7, the offline cost 4" in prove
    assert "cost <= 7/4 * optimum for every sequence" in prove
    assert "proven: the competitive ratio of Rent (price=4) is 7/4" in checked
    assert "RentGame (price=3) is 27/19" in best
    assert "proven" in check_best and "27/19" in check_best
    for number in (
        "Checked (price=4) is 7/4",
        "consistent: 1 robust: 4",
        "RandomRent is 4/3",
        "FirstPrice is 4,",
        "proves the ratio 2:",
        "> 4/3 * ",
        "MoveToFront is 4/3",
    ):
        assert number in prove


def test_the_curve_of_predictions_is_below_the_theorem() -> None:
    example = runpy.run_path(str(ROOT / "examples" / "predicted_rental.py"))
    rows = example["curve"](6, [Fraction(n, 6) for n in range(1, 7)])
    assert (Fraction(1, 2), Fraction(17, 6), Fraction(4, 3)) in rows
    before = inf
    for lambda_, robust, consistent in rows:
        assert consistent <= 1 + lambda_
        assert robust <= min(before, 1 + 1 / lambda_)
        before = robust
    assert len(example["draw"](rows, 6).axes[0].lines) == 4
