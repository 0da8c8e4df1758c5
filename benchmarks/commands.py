"""Processor seconds of `run` and `check` at two sizes of each family.

    python benchmarks/commands.py [--repeats 3] [--only dmlrs]

Each command is a separate process, from start to exit: one run fills the caches, then the median is taken.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from statistics import median

CASES = (
    ("preemptive", "a_online", "simulator", ()),
    ("preemptive", "a_online", "simulator", ("jobs=3000",)),
    ("dmlrs", "pd_ors", "figure6", ()),
    ("dmlrs", "pd_ors", "figure9", ("jobs=200",)),
    ("jrp", "jrp_rounding", "figure4", ("jobs=50",)),
    ("jrp", "jrp_rounding", "figure4", ("jobs=400",)),
    ("multiserver", "oga_sched", "figure2", ("density=full", "horizon=2000")),
    ("multiserver", "oga_sched", "large", ("horizon=40",)),
    ("placement", "minimum", "synthetic3", ()),
    ("placement", "minimum", "testbed6", ()),
)


def processor_seconds(words: list[str], folder: str) -> float:
    """Return user and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "schedproof", *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="a family")
    given = parser.parse_args()
    print(f"{'family':<12} {'policy':<13} {'instance':<36} {'run':>7} {'check':>7} {'check/run':>9}")
    for family, policy, preset, settings in CASES:
        if given.only not in family:
            continue
        with tempfile.TemporaryDirectory() as folder:
            options = [word for setting in settings for word in ("--set", setting)]
            processor_seconds(
                ["generate", family, "--preset", preset, "--seed", "1", *options, "--out", "i.json"], folder
            )
            run, check = ["run", policy, "i.json", "--out", "s.json"], ["check", "i.json", "s.json"]
            times = [[processor_seconds(words, folder) for words in (run, check)] for _ in range(given.repeats + 1)]
        ran, checked = (median(row[n] for row in times[1:]) for n in range(2))
        instance = " ".join([preset, *settings])
        print(f"{family:<12} {policy:<13} {instance:<36} {ran:7.2f} {checked:7.2f} {checked / ran:9.2f}", flush=True)


if __name__ == "__main__":
    main()
