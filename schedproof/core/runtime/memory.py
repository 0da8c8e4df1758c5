"""Estimate a model's memory, report it, and refuse models beyond free memory."""

from __future__ import annotations

import os
from math import inf
from pathlib import Path

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Progress

GIB = 2**30
SMALLER = "take a shorter window, fewer jobs, or a certified bound (`schedproof show FAMILY` lists bounds)"
REPORTED = 0.25 * GIB
SECONDS_A_BYTE = 1.5e-8  # time to build a model; measured: 0.5e-8 to 1.8e-8 for four families


def require(what: str, columns: int, column_bytes: float, instead: str, progress: Progress) -> None:
    """Report a model's estimated memory, including its rows and the solver.

    Raises
    ------
    ProgramError
        If the model exceeds free memory; ``instead`` suggests alternatives.
    """
    needs = columns * column_bytes
    require_bytes(f"{what} would have {columns:,} columns,", needs, instead)
    if needs >= REPORTED:
        progress(f"building {columns:,} columns, about {needs / GIB:.1f} GiB and {needs * SECONDS_A_BYTE:.0f} s")


def require_bytes(what: str, needs: float, instead: str) -> None:
    """Raise an error for work that needs more than the free memory.

    Parameters
    ----------
    what
        Start of the message, before the amount.

    Raises
    ------
    ProgramError
        If the work exceeds free memory; ``instead`` suggests alternatives.
    """
    if needs > (free := free_memory()):
        raise ProgramError(f"{what} about {needs / GIB:.1f} GiB, but {free / GIB:.1f} GiB are free; {instead}")


def free_memory() -> float:
    """Return the available memory in bytes; infinite if the system does not report it."""
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
