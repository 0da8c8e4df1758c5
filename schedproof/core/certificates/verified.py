"""Ask ``schedproof-verified``, the checker that Coq proves sound."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from schedproof.core.errors import SchedproofError

PROGRAM, FOLDER = "schedproof-verified", Path(sys.prefix, "bin")
BUILD = "build it in a clone of the project with: python proofs/build.py (on Debian it needs the package coq)"


def judged(*words: str | Path, time_limit: float | None = None) -> tuple[bool, str]:
    """Return whether the verified checker accepts a certificate, and its line.

    Parameters
    ----------
    words
        The certificate; before a ratio's certificate, ``--system`` and the listing of `schedproof.check.ratio`.

    Raises
    ------
    SchedproofError
        If the checker is not built or exceeds the time limit, in seconds.
    """
    program = FOLDER / PROGRAM
    if not program.is_file():
        raise SchedproofError(f"{PROGRAM} is not built; {BUILD}")
    try:
        ended = subprocess.run([program, *words], capture_output=True, text=True, check=False, timeout=time_limit)
    except subprocess.TimeoutExpired:
        raise SchedproofError(f"{PROGRAM} exceeded its time limit of {time_limit:g} s") from None
    line = ended.stdout.strip() or f"NOT proven: {PROGRAM} ended with exit code {ended.returncode}"
    return ended.returncode == 0, line
