"""How A_online's time grows with the jobs, and how far it is from its literal peer.

    python benchmarks/a_online.py JOBS.csv MACHINES.csv [--machines N] [--peer-jobs 2000]

Windows of the Philly trace, doubling, on a machine list cut so that queues form; every time is the median of three runs in
this process, after one warm-up that compiles the kernels. The peer runs on the smallest window, in the same process.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import perf_counter

import literal_a_online

import schedproof as sp
from schedproof.instances import from_json
from schedproof.workloads.philly import load

SIZES = (2_500, 5_000, 10_000, 20_000, 40_000, 80_000)


def window(files: list[Path], jobs: int, machines: int) -> tuple[object, float]:
    """An instance of the first jobs of the trace, and its load."""
    value, report = load(files, 1, {"jobs": str(jobs), "machines": str(machines)})
    return from_json(value), float(report["load"]["factor"])


def seconds(instance: object, repeats: int = 3) -> tuple[float, int]:
    """Median seconds of a run of A_online (its decisions, without reading and checking), and its total JCT."""
    runs = [sp.policy("a_online").run(instance) for _ in range(repeats)]
    return median(run.seconds for run in runs), int(runs[0].objective)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--machines", type=int, default=10**6, help="keep so many machines")
    parser.add_argument("--peer-jobs", type=int, default=2_000)
    arguments = parser.parse_args()
    sp.policy("a_online").run(sp.embedded("day"))

    print(f"{'jobs':>7} {'load':>6} {'seconds':>9} {'growth':>7} {'total JCT':>14}")
    before = None
    for size in SIZES:
        instance, load_factor = window(arguments.files, size, arguments.machines)
        took, objective = seconds(instance)
        growth = "" if before is None else f"{took / before:7.2f}"
        print(f"{size:7} {load_factor:6.3f} {took:9.3f} {growth:>7} {objective:14}", flush=True)
        before = took

    instance, _ = window(arguments.files, arguments.peer_jobs, arguments.machines)
    took, objective = seconds(instance)
    started = perf_counter()
    literal = literal_a_online.run(instance)
    peer = perf_counter() - started
    same = "the same" if literal == objective else f"DIFFERENT, {literal} and {objective}"
    print(f"\n{arguments.peer_jobs} jobs: policy {took:.3f} s, literal {peer:.3f} s, {peer / took:.0f} times; JCT {same}")


main()
