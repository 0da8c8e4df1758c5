"""The clock of time limits, which stands still while kernels are compiled, or kept ones are read."""

from __future__ import annotations

import sys
from time import perf_counter


def compile_seconds() -> float:
    """How long this process has compiled kernels so far; 0 before any is imported."""
    compiling = getattr(sys.modules.get("schedproof.core.runtime.kernels"), "COMPILING", None)
    return float(compiling.seconds()) if compiling else 0.0


def now() -> float:
    """Seconds of everything but that."""
    return perf_counter() - compile_seconds()
