from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import schedproof as sp

SCRIPT = Path(__file__).parent / "face" / "script.py"


def complaints(*scripts: Path) -> str:
    words = ("--strict", "--config-file=", "--follow-imports=silent", "--no-error-summary")
    command = [sys.executable, "-m", "mypy", *words, f"--cache-dir={scripts[0].parent}", *map(str, scripts)]
    return subprocess.run(command, cwd=SCRIPT.parents[2], capture_output=True, text=True, check=False).stdout


def test_a_users_script_passes(tmp_path: Path) -> None:
    right_file, wrong_file = tmp_path / "right.py", tmp_path / "wrong.py"
    right_file.write_text(SCRIPT.read_text())
    mistakes = {
        "objective: float | None = solution.objective": "objective: str = solution.objective",
        "certified.verify(day)": "certified.verify(day, 3)",
        "a_online.run(day).objective": "a_online.runs(day).objective",
        'claim = sp.claim("jrp.split_equivalent")': "claim = sp.claim(7)",
        "policies: list[sp.Policy] = [greedy,": "policies: list[sp.Bound] = [greedy,",
    }
    text = SCRIPT.read_text()
    for right, wrong in mistakes.items():
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    wrong_file.write_text(text)
    wrong_lines = {
        n for n, line in enumerate(text.splitlines(), 1) if any(wrong in line for wrong in mistakes.values())
    }
    printed = complaints(right_file, wrong_file)
    assert wrong_lines <= {int(n) for n in re.findall(r"wrong\.py:(\d+): error: ", printed)}
    assert "right.py" not in printed
    assert len(wrong_lines) == len(mistakes)


def test_the_script_runs(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, str(SCRIPT)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "jrp.split_equivalent" in ran.stdout


def test_the_version_is_the_installed_one() -> None:
    assert sp.__version__ == version("schedproof")
