"""The sizes of each profile, shared by the tests; small seeded instances are in ``tests/tiny``."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

PROFILE = os.environ.get("SCHEDPROOF_PROFILE", "ci")


FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp")  # schedproof's own; the tests' plug-in adds another


def size(dev: int, ci: int, deep: int) -> int:
    """How many cases the chosen profile runs."""
    return {"dev": dev, "ci": ci, "deep": deep}[PROFILE]


def required(factory: Callable[..., Any]) -> dict[str, str]:
    """A value for every option that a registered factory cannot do without."""
    every = inspect.signature(factory).parameters.values()
    return {p.name: "1" for p in every if p.kind is p.KEYWORD_ONLY and p.default is p.empty}
