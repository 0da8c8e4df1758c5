"""The names of the tests, and reasons for removed ones."""

from __future__ import annotations

import re
from pathlib import Path

RECORDED = Path(__file__).parents[1] / "recorded"


def tests_of(tree: Path) -> dict[str, list[str]]:
    found = {}
    for file in sorted((tree / "tests").rglob("test_*.py")):
        names = re.findall(r"^\s*def (test_\w+)", file.read_text(), re.MULTILINE)
        found[file.relative_to(tree / "tests").as_posix()] = names
    return found


def record(tree: Path) -> None:
    """Write the names, a line for each file."""
    lines = [f"{file}: {' '.join(names)}" for file, names in tests_of(tree).items()]
    (RECORDED / "tests.txt").write_text("\n".join(lines) + "\n")


def missing(tree: Path) -> list[str]:
    """Return recorded tests that are missing in a tree without a stated reason."""
    recorded = (RECORDED / "tests.txt").read_text().splitlines()
    before = {line.partition(": ")[0]: line.partition(": ")[2].split() for line in recorded}
    now = tests_of(tree)
    moved = [name for file, its in now.items() for name in its if name not in before.get(file, [])]
    reasons = [line.split(maxsplit=1)[0] for line in (RECORDED / "tests_gone.txt").read_text().splitlines() if line]
    missing = []
    for file, its in before.items():
        for name in its:
            if name in now.get(file, []):
                continue
            if name in moved:
                moved.remove(name)
            elif not any(f"{file}::{name}".startswith(reason) for reason in reasons):
                missing.append(f"{file}::{name} is gone")
    return missing
