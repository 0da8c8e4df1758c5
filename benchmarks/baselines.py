"""Run time of SRTF, Tiresias-L and BatchSche against the number of jobs.

    python benchmarks/baselines.py JOBS.csv MACHINES.csv [--machines 49] [--load 0.95] [--jobs 1000,2000,...]

The windows are those of ``a_online.py``. Times are processor seconds of the decisions, one run each after one that
compiles the kernels. To compare two versions of the code, check that their total JCT is equal.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

from a_online import window

import schedproof as sp
from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.preemptive.drive import drive

POLICIES = ("srtf", "tiresias_l", "batch_sche", "a_online")


def main() -> None:
    """Print a row for each size and policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--machines", type=int, default=49)
    parser.add_argument("--load", type=float, default=0.95)
    parser.add_argument("--jobs", default="1000,2000,5000,10000,20000,40000,80000")
    parser.add_argument("--policies", default=",".join(POLICIES))
    arguments = parser.parse_args()
    sp.policy("a_online").run(sp.embedded("day"))
    print(f"{'policy':>12} {'jobs':>7} {'seconds':>9} {'intervals':>10} {'us each':>8} {'total JCT':>12}")
    for size in map(int, arguments.jobs.split(",")):
        instance, _ = window(arguments.files, size, arguments.machines, arguments.load)
        for name in arguments.policies.split(","):
            policy = sp.policy(name).build(instance)
            started = process_time()
            schedule = drive(policy, instance, DecidedBy(name, {}, 0), USUAL)
            took = process_time() - started
            rows = schedule.intervals.job.size
            each, total = 1e6 * took / rows, int(schedule.objective(instance))
            print(f"{name:>12} {size:7} {took:9.3f} {rows:10} {each:8.1f} {total:12}", flush=True)


if __name__ == "__main__":
    main()
