"""Program (1)-(8) without integrality."""

from __future__ import annotations

from dataclasses import replace

from schedproof.core.programs.program import Program
from schedproof.formulations.placement.exact import exact


def lp() -> Program:
    return replace(exact().relaxed(), id="placement.lp", changes=())
