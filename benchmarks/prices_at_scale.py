"""Bounds by price ascent on a trace's first jobs: value, seconds, memory.

    python benchmarks/prices_at_scale.py JOBS.csv MACHINES.csv [--jobs 5000 10000] [--steps 60] [--policies srtf]

The Philly trace on 49 of its machines, arrivals 0.95 times as fast as recorded. Each bound runs in a separate process.
CPU seconds are of the whole process and hardly depend on the machine's load; the others are elapsed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

BOUNDS = {"preemptive.lp4": {"prices": "ascent"}, "preemptive.configuration_lp": {}}


def one(path: str, id: str, steps: int) -> None:
    """The bound of a process: a line of JSON."""
    import schedproof as sp

    started = perf_counter()
    bound = sp.bound(id, sp.read(path), steps=steps, **BOUNDS[id])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(json.dumps([bound.value, perf_counter() - started, process_time(), memory]))


def policy(path: str, name: str, *options: str) -> None:
    """The total JCT of a policy: a line of JSON."""
    import schedproof as sp

    started = perf_counter()
    run = sp.policy(name, **dict(option.split("=") for option in options)).run(sp.read(path))
    print(json.dumps([float(run.objective), perf_counter() - started, process_time()]))


def process(*words: str) -> list[float]:
    """What another process of this script prints."""
    done = subprocess.run([sys.executable, __file__, *words], check=True, capture_output=True, text=True)
    row: list[float] = json.loads(done.stdout)
    return row


def main() -> None:
    """Print a row for each bound and policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2)
    parser.add_argument("--jobs", nargs="+", type=int, default=[5000, 10000, 20000, 40000, 80000])
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--policies", nargs="*", default=[], help="each may bring options: a_online,order=residual")
    given = parser.parse_args()

    import schedproof as sp
    from schedproof.core.runtime.files import write_json

    print(f"{'jobs':>6} {'what':28} {'total JCT':>14} {'seconds':>8} {'CPU s':>7} {'GiB':>5}  ratios", flush=True)
    for jobs in given.jobs:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "day.json")
            options = {"machines": "49", "load": "0.95", "jobs": str(jobs)}
            instance, _ = sp.trace("philly", given.files, seed=1, **options)
            write_json(path, instance.to_json())
            known = []
            for id in BOUNDS:
                value, seconds, cpu, memory = process("bound", path, id, str(given.steps))
                known.append(value)
                print(f"{jobs:6} {id:28} {value:14,.0f} {seconds:8.1f} {cpu:7.1f} {memory:5.2f}", flush=True)
            for words in given.policies:
                value, seconds, cpu = process("policy", path, *words.split(","))
                ratios = " ".join(f"{value / bound:.4f}" for bound in known)
                print(f"{jobs:6} {words:28} {value:14,.0f} {seconds:8.1f} {cpu:7.1f} {'':5}  {ratios}", flush=True)


if sys.argv[1:2] == ["bound"]:
    one(sys.argv[2], sys.argv[3], int(sys.argv[4]))
elif sys.argv[1:2] == ["policy"]:
    policy(*sys.argv[2:])
else:
    main()
