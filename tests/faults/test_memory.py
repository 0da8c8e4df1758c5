"""A process that goes on and on holds no more than at first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import FAMILIES, PROFILE, size

COUNT = size(15, 15, 1000)
WHAT = ("read", "policies", "bounds", "programs", "pictures") if PROFILE == "deep" else ("everything",)
MOST_EACH, MOST_ONCE = 2, 4096  # KiB: of a run, and in all, beyond what a third of the runs has come to

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")


def grown(family: str, what: str) -> float:
    """KiB more than allowed, at the end beside a third of the way; at most 0 where memory does not grow."""
    command = [sys.executable, "-m", "tests.faults.memory", family, what, str(COUNT)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], env=os.environ)
    assert done.returncode == 0, done.stderr
    held = json.loads(done.stdout)
    first = len(held) // 3
    return max(held[-3:]) - max(held[: first + 1]) - MOST_ONCE - MOST_EACH * COUNT * (len(held) - first) / len(held)


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("family", FAMILIES)
def test_memory_does_not_grow(family: str, what: str) -> None:
    assert grown(family, what) <= 0, f"python -m tests.faults.memory {family} {what} {COUNT}"


def test_memory_that_grows_is_seen() -> None:
    assert grown("jrp", "leak") > 0
