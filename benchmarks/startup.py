"""Processor seconds of commands' start, compared with ``python -c "import numpy"``.

    python benchmarks/startup.py [--repeats 7]

Each command is a separate process, after one run that fills the caches. Rounds go through all commands in turn. Times
are medians of user plus system time.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import schedproof as sp

COMMANDS = (
    "--help",
    "programs",
    "policies",
    "claims",
    *(f"show {program}" for program in sp.programs()),
    "schema dmlrs",
    "generate dmlrs --out cluster.json",
    "generate jrp --out cells.json",
    "run fifo cluster.json --out plan.json",
    "check cluster.json plan.json",
    "run greedy cells.json --out accepted.json",
    "check cells.json accepted.json",
)


def processor_seconds(command: list[str], folder: str) -> float:
    """User and system time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = os.environ | {
        "OMP_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "",
    }  # compiled once, as after an installation
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a table: seconds, and how many times numpy's import that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--only", nargs="+", default=[""], help="only commands that begin with one of these words")
    given = parser.parse_args()
    repeats = given.repeats
    schedproof = str(Path(sys.executable).with_name("schedproof"))
    rows = {"import numpy": [sys.executable, "-c", "import numpy"]}
    rows |= {text: [schedproof, *text.split()] for text in COMMANDS if text.startswith((*given.only,))}
    with tempfile.TemporaryDirectory() as folder:
        for command in rows.values():
            processor_seconds(command, folder)
        times = {text: [0.0] * repeats for text in rows}
        for n in range(repeats):
            for text, command in rows.items():
                times[text][n] = processor_seconds(command, folder)
    numpy = median(times["import numpy"])
    print(f"{'command':44} {'seconds':>8} {'least':>8} {'most':>8} {'x numpy':>8}")
    for text, seconds in times.items():
        middle = median(seconds)
        print(f"{text:44} {middle:8.3f} {min(seconds):8.3f} {max(seconds):8.3f} {middle / numpy:8.2f}")


if __name__ == "__main__":
    main()
