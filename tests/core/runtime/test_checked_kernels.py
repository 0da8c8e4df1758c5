"""No kernel uses an index outside an array; every kernel is tried."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.support import size

SCRIPT = Path(__file__).with_name("checked_kernels.py")
UNTRIED: dict[str, str] = {}  # kernel -> the reason why the script does not call it
WRONG = """
import numpy as np
from checked_kernels import OUTSIDE, checked

@checked
def read(values, at):
    return values[:at].sum() + values[at, -1]

print(read(np.ones((3, 2)), 2))
for at in (3, -1):
    try:
        read(np.ones((3, 2)), at)
    except IndexError:
        print(*OUTSIDE)
    OUTSIDE.clear()
"""


def started(*command: Path | str) -> subprocess.CompletedProcess[str]:
    folders = os.pathsep.join(map(str, (SCRIPT.parents[3], SCRIPT.parent)))
    env = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": folders}
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, env=env)


@cache
def result() -> dict[str, Any]:
    run = started(SCRIPT, str(size(1, 1, 20)))
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_no_kernel_leaves_an_array() -> None:
    assert result()["outside"] == {}


def test_every_kernel_runs() -> None:
    defined, called = set(result()["defined"]), set(result()["called"])
    assert defined - called == UNTRIED.keys() and len(defined) > 100


def test_an_index_outside_is_found(tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(WRONG)
    run = started(file)
    assert run.stdout == "5.0\n__main__:read\n__main__:read\n", run.stderr
