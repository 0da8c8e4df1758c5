from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import FAMILIES, PROFILE, size

COUNT = size(6, 6, 1000)
WHAT = ("read", "policies", "bounds", "programs", "pictures") if PROFILE == "deep" else ("everything",)
MOST_EACH, MOST_ONCE = 2, 4096  # KiB: of a run, and in all, beyond what a third of the runs has come to

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")


def grown(what: str, *families: str) -> dict[str, float]:
    """Return the KiB above the allowance, at the end relative to a third of the way."""
    command = [sys.executable, "-m", "tests.faults.memory", what, str(COUNT), *families]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], env=os.environ)
    assert done.returncode == 0, done.stderr
    more = {}
    for family, held in json.loads(done.stdout).items():
        first = len(held) // 3
        allowed = MOST_ONCE + MOST_EACH * COUNT * (len(held) - first) / len(held)
        more[family] = max(held[-3:]) - max(held[: first + 1]) - allowed
    return more


@pytest.mark.parametrize("what", WHAT)
def test_memory_does_not_grow(what: str) -> None:
    more = grown(what, *FAMILIES)
    assert more.keys() == set(FAMILIES) and max(more.values()) <= 0, f"{more}, python -m tests.faults.memory"


def test_memory_that_grows_is_seen() -> None:
    assert grown("leak", "jrp")["jrp"] > 0
