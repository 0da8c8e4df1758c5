"""The clock of time limits, without the time to compile or load kernels."""

from __future__ import annotations

import sys
from time import perf_counter


def compile_seconds() -> float:
    """Return the seconds this process has spent on kernels; 0 before any is imported."""
    compiling = getattr(sys.modules.get("schedproof.core.runtime.kernels"), "COMPILING", None)
    return float(compiling.seconds()) if compiling else 0.0


def now() -> float:
    """Return the current time in seconds, without the time spent on kernels."""
    return perf_counter() - compile_seconds()
