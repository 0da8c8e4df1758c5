"""How A_online's time grows with the jobs, and how far it is from its reference.

    python benchmarks/a_online.py JOBS.csv MACHINES.csv [--machines 49] [--load 0.95] [--peer-jobs 500]

Windows of the Philly trace, doubling, on so few machines that queues form; arrivals are stretched so that every window
has the same load. Times are processor seconds of this process, medians of three runs after one that compiles the
kernels; a run is the policy's decisions, without reading the instance and checking the schedule. The reference runs
once, on one window more.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import schedproof as sp
from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances import from_json
from schedproof.instances.preemptive.drive import drive
from schedproof.online.preemptive.a_online import AOnline
from schedproof.reference.preemptive import a_online
from schedproof.workloads.philly import load

SIZES = (2_500, 5_000, 10_000, 20_000, 40_000, 80_000)


def window(files: list[Path], jobs: int, machines: int, wanted: float) -> tuple[Any, float]:
    """An instance of the first jobs of the trace at a wanted load, and the load that came out."""
    speed = 1.0
    for _ in range(3):
        options = {"jobs": str(jobs), "machines": str(machines), "load": f"{speed:.6f}"}
        value, report = load(files, 1, options)
        found = float(report["load"]["work_over_capacity"])
        if abs(found - wanted) < 0.002:
            break
        speed *= wanted / found
    return from_json(value), found


def seconds(instance: Any, repeats: int = 3) -> tuple[float, int, int]:
    """Median processor seconds of a run of A_online, its total JCT and its preemptions."""
    times = []
    for _ in range(repeats):
        started = process_time()
        schedule = drive(AOnline(), instance, DecidedBy("preemptive.a_online", {}, 0), USUAL)
        times.append(process_time() - started)
    return median(times), int(schedule.objective(instance)), schedule.preemptions()


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--machines", type=int, default=49)
    parser.add_argument("--load", type=float, default=0.95)
    parser.add_argument("--peer-jobs", type=int, default=500)
    arguments = parser.parse_args()
    seconds(sp.embedded("day"), 1)

    print(f"{'jobs':>7} {'load':>6} {'seconds':>9} {'growth':>7} {'total JCT':>12} {'preemptions':>12}")
    before = None
    for size in SIZES:
        instance, found = window(arguments.files, size, arguments.machines, arguments.load)
        took, objective, preemptions = seconds(instance)
        growth = "" if before is None else f"{took / before:7.2f}"
        print(f"{size:7} {found:6.3f} {took:9.3f} {growth:>7} {objective:12} {preemptions:12}", flush=True)
        before = took

    instance, _ = window(arguments.files, arguments.peer_jobs, arguments.machines, arguments.load)
    took, objective, _ = seconds(instance)
    started = process_time()
    expected = a_online(instance).total_jct
    peer = process_time() - started
    same = "the same" if expected == objective else f"DIFFERENT, {expected} and {objective}"
    print(f"\n{arguments.peer_jobs} jobs: policy {took:.3f} s, reference {peer:.1f} s, {peer / took:.0f} times")
    print(f"total JCT {same}")


if __name__ == "__main__":
    main()
