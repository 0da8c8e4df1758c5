"""A family's checker: one standard-library file, run with ``python -I``."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from schedproof.core.cards.family import Family
from schedproof.core.cards.plug_ins import plug_in_files
from schedproof.core.errors import SchedproofError

LONGEST = 600.0  # seconds
UNKNOWN = 2  # the exit code for an unknown program


def script(card: Family) -> Path | None:
    """Return the file of a card's checker, or None for a card without one."""
    if not card.checker:
        return None
    beside = (Path(file).with_name(f"{card.checker}.py") for file in plug_in_files())
    if found := next((path for path in beside if path.is_file()), None):
        return found
    try:
        spec = find_spec(card.checker)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        raise SchedproofError(f"the card of {card.name} names the checker {card.checker}, but no such module exists")
    return Path(spec.origin)


def run(file: Path, *words: str, time_limit: float | None = None) -> tuple[int, str]:
    """Run a checker; return its exit code and output, after a failure the last line."""
    command = [sys.executable, "-I", str(file), *words]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=time_limit or LONGEST)
    except subprocess.TimeoutExpired:
        raise SchedproofError(f"{file.name} exceeded its time limit of {time_limit or LONGEST:g} s") from None
    if ended.returncode == 0:
        return 0, ended.stdout
    lines = (ended.stdout + ended.stderr).strip().splitlines()
    return ended.returncode, lines[-1][:300] if lines else f"exit code {ended.returncode}"
