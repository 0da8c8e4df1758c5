"""How the time of policies grows with the jobs, next to compiled loops of SRTF and to A_online's reference.

    python benchmarks/baselines.py JOBS.csv MACHINES.csv [--machines 49] [--load 0.95] [--jobs 1000 10000 80000 100000]

Windows of the Philly trace on so few machines that queues form; arrivals are stretched so that every window has the
same load. A window with more jobs than the trace repeats the trace. Times are processor seconds of the decisions,
without reading the instance and checking the schedule: median, least and most. A loop has the total JCT of the policy.
The reference (``schedproof.reference.preemptive``) runs once. To compare two versions of the code, check that their
total JCT is equal.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import loops

import schedproof as sp
from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances import from_json
from schedproof.instances.preemptive.drive import drive
from schedproof.reference.preemptive import a_online
from schedproof.workloads.philly import load

POLICIES = ("srtf", "srtf floating", "a_online", "gang_online", "tiresias_l", "batch_sche")


def repeated(file: Path, jobs: int, folder: str) -> Path:
    """Return the trace, or a file that repeats it until it has enough jobs."""
    rows = list(csv.DictReader(file.open()))
    if len(rows) >= jobs:
        return file
    times = [datetime.fromisoformat(row["timestamp"]) for row in rows]
    longer = Path(folder) / file.name
    with longer.open("w", newline="") as out:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        for n in range(-(-jobs // len(rows))):
            shift = n * (max(times) - min(times))
            writer.writerows(row | {"timestamp": time + shift} for row, time in zip(rows, times, strict=True))
    return longer


def window(files: list[Path], jobs: int, machines: int, wanted: float) -> tuple[Any, float]:
    """An instance of the first jobs of the trace at a wanted load, and the load that came out."""
    speed = 1.0
    with TemporaryDirectory() as folder:
        source = [repeated(files[0], jobs, folder), files[1]]
        for _ in range(3):
            options = {"jobs": str(jobs), "machines": str(machines), "load": f"{speed:.6f}"}
            value, report = load(source, 1, options)
            found = float(report["load"]["work_over_capacity"])
            if abs(found - wanted) < 0.002:
                break
            speed *= wanted / found
    return from_json(value), found


def runs(name: str, instance: Any) -> Iterator[tuple[float, int, int]]:
    """Yield the seconds of decisions, the number of intervals and the total JCT, again and again."""
    policy, _, chunks = name.partition(" ")
    for _ in count():
        decider = sp.policy(policy, **({"chunks": chunks} if chunks else {})).build(instance)
        began = process_time()
        schedule = drive(decider, instance, DecidedBy(policy, {}, 0), USUAL)
        yield process_time() - began, schedule.intervals.job.size, int(schedule.objective(instance))


def loop_runs(pinned: bool, instance: Any) -> Iterator[tuple[float, int, int]]:
    """Yield the same numbers of a compiled loop."""
    for _ in count():
        ran = loops.srtf(instance, pinned)
        yield ran.seconds, len(ran.spans), ran.total


def main() -> None:
    """Print a row for each size and policy, and the reference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--machines", type=int, default=49)
    parser.add_argument("--load", type=float, default=0.95)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1000, 10_000, 80_000, 100_000])
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=POLICIES)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--reference-jobs", type=int, default=500)
    given = parser.parse_args()
    print(loops.MISSING or "loop: one compiled loop over arrays, with the same total JCT")
    head = f"{'policy':<20} {'jobs':>7} {'load':>5} {'seconds':>8} {'least':>7} {'most':>7} {'growth':>7}"
    print(f"{head} {'us each':>8} {'total JCT':>12}")
    before: dict[str, float] = {}
    small, _ = window(given.files, 1000, given.machines, given.load)
    for name in given.policies:
        next(runs(name, small))  # compiles
    for size in given.jobs:
        instance, load_found = window(given.files, size, given.machines, given.load)
        totals: dict[str, int] = {}
        ways = {name: runs(name, instance) for name in given.policies}
        if not loops.MISSING:
            ways |= {f"loop, {name}": loop_runs(name == "srtf", instance) for name in ways if name in POLICIES[:2]}
        for name, way in ways.items():
            rows = [next(way) for _ in range(given.repeats)]
            seconds, (_, intervals, total) = [row[0] for row in rows], rows[0]
            assert totals.setdefault(name.removeprefix("loop, "), total) == total
            took = median(seconds)
            growth = f"{took / before[name]:.1f}" if name in before else ""
            before[name] = took
            each = f"{1e6 * took / intervals:8.1f}" if intervals else f"{'':8}"
            line = f"{name:<20} {size:7} {load_found:5.2f} {took:8.3f} {min(seconds):7.3f} {max(seconds):7.3f}"
            print(f"{line} {growth:>7} {each} {total:12}", flush=True)
    instance, _ = window(given.files, given.reference_jobs, given.machines, given.load)
    way = runs("a_online", instance)
    next(way)  # compiles
    took, _, total = next(way)
    began = process_time()
    expected = a_online(instance).total_jct
    assert expected == total
    print(f"a_online, {given.reference_jobs} jobs: {took:.3f} s, its reference {process_time() - began:.1f} s", end=" ")
    print("with the same total JCT")


if __name__ == "__main__":
    main()
