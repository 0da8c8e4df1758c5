"""A model's size against free memory: reported after its variables are built, and refused where it does not fit."""

from __future__ import annotations

import os
from math import inf
from pathlib import Path

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Progress

GIB = 2**30
SMALLER = "take a shorter window, fewer jobs, or a certified bound (`schedproof show` lists a family's)"
WORTH_TELLING = 0.25 * GIB
SECONDS_A_BYTE = 1.5e-8  # of building: measured 0.5e-8 to 1.8e-8 over the programs of four families


def require(what: str, columns: int, column_bytes: float, instead: str, progress: Progress) -> None:
    """Report how large a model of so many columns will be, with its rows and inside a solver.

    Raises
    ------
    ProgramError
        When it will take more memory than is free; ``instead`` says what to do then.
    """
    needs = columns * column_bytes
    require_bytes(f"{what} would have {columns:,} columns,", needs, instead)
    if needs >= WORTH_TELLING:
        progress(f"building {columns:,} columns, about {needs / GIB:.1f} GiB and {needs * SECONDS_A_BYTE:.0f} s")


def require_bytes(what: str, needs: float, instead: str) -> None:
    """Refuse what would take more memory than is free.

    Parameters
    ----------
    what
        The beginning of the sentence that says so, before the amount.

    Raises
    ------
    ProgramError
        When it does not fit; ``instead`` says what to do then.
    """
    if needs > (free := free_memory()):
        raise ProgramError(f"{what} about {needs / GIB:.1f} GiB, and {free / GIB:.1f} GiB are free; {instead}")


def free_memory() -> float:
    """Bytes that a process may still take without pushing others out; infinite where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        rows = dict(line.split(":", 1) for line in lines)
        return float(rows["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return inf
