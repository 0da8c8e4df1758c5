"""The sizes of each profile; small seeded instances are in ``tests/tiny``."""

from __future__ import annotations

import os

PROFILE = os.environ.get("SCHEDPROOF_PROFILE", "dev")


# schedproof's own; the tests' plug-in adds another
FAMILIES = ("preemptive", "dmlrs", "multiserver", "jrp", "placement")


def size(dev: int, ci: int, deep: int) -> int:
    """How many cases the chosen profile runs."""
    return {"dev": dev, "ci": ci, "deep": deep}[PROFILE]
