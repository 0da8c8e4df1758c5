"""Trials depend on the seed only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DRAWS = """
import sys
from hypothesis import given, settings, strategies as st
from schedproof.proofs_checks.trials import draw

numbers, first, again, usual = st.integers(0, 10**9), [], [], []
draw(numbers, 300, 0, first.append)
sys.path.append(sys.argv[1])
import theirs
draw(numbers, 300, 0, again.append)

@settings(max_examples=300, derandomize=True, database=None)
@given(numbers)
def take(number):
    usual.append(number)

take()
print(again == first, any(number in theirs.NUMBERS for number in usual))
"""


def test_imports_do_not_change_a_seeds_draws(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(f"NUMBERS = {[n**2 + 12_345 for n in range(200)]}\n")
    done = subprocess.run([sys.executable, "-c", DRAWS, tmp_path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True True\n", "")
