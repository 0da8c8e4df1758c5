"""Program (1)-(8) without integrality."""

from __future__ import annotations

from dataclasses import replace

from schedproof.core.programs.program import Program
from schedproof.formulations.placement.exact import exact


def lp() -> Program:
    """The time-indexed LP: `placement.exact` with tasks that may be split over several starts, a lower bound on it."""
    return replace(exact().relaxed(), id="placement.lp", changes=())
