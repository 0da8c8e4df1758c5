"""Checks of runs of OGASched, which speak about the cases that have an exact one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from schedproof.core.claim import Finding
from schedproof.reference.multiserver_oga import NoExactRun

P = ParamSpec("P")


def of_exact_runs(check: Callable[P, Finding | None]) -> Callable[P, Finding | None]:
    """The check, which says nothing where a step or a gradient is irrational."""

    @wraps(check)
    def found(*arguments: P.args, **settings: P.kwargs) -> Finding | None:
        try:
            return check(*arguments, **settings)
        except NoExactRun:
            return None

    return found
