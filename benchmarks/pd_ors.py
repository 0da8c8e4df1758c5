"""PD-ORS at the paper's sizes, how it grows, and how far it is from its literal peer.

    python benchmarks/pd_ors.py [--repeats 3] [--most-jobs 400] [--samples 20 80 320]

Times are processor seconds of a policy's decisions, medians after one run that compiles the kernels. The peer
(`literal_pd_ors.py`) counts samples one by one and solves one linear program for each number of them, so its
jobs have a few hundred samples; it runs once.
"""

from __future__ import annotations

import argparse
import resource
from decimal import Decimal
from statistics import median
from time import process_time
from typing import Any

from literal_pd_ors import Literal

from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances import from_json
from schedproof.instances.dmlrs.drive import drive
from schedproof.online.dmlrs.pd_ors import PdOrs
from schedproof.workloads.dmlrs import generate

SIZES = (
    ("figure6", {}),
    ("figure9", {}),
    ("figure9", {"jobs": "200"}),
    ("figure9", {"jobs": "400"}),
    ("figure9", {"machines": "60"}),
    ("figure9", {"machines": "120"}),
)
BOUNDS = ("printed", "repaired")


def seconds(instance: Any, bounds: str = "printed", repeats: int = 3) -> tuple[float, float]:
    """Median processor seconds of the decisions, and the total utility."""
    times, utility = [], 0.0
    for _ in range(repeats):
        policy = PdOrs(bounds=bounds)
        started = process_time()
        schedule = drive(policy, instance, DecidedBy("dmlrs.pd_ors", {}, 0), USUAL)
        times.append(process_time() - started)
        utility = float(schedule.objective(instance))
    return median(times), utility


def small(jobs: int, samples: int) -> Any:
    """Two machines, four slots, jobs of some five worker-slots, cut into so many samples."""
    demand = {"worker": {"gpu": 1, "memory": 2}, "ps": {"memory": 1}}
    rows = [
        {"name": f"j{n}", "arrival": n % 2, "epochs": 1, "samples": samples, "batch_size": 4, "workers_per_ps": 2}
        | {
            "sample_time": Decimal("4.8") / samples,
            "model_size": Decimal(20) / samples,
            "bandwidth_internal": 100,
            "bandwidth_external": 50,
        }
        | {"utility": {"kind": "linear", "value": 10 + n, "slope": 2}}
        | demand
        for n in range(jobs)
    ]
    machines = [{"name": f"m{h}", "capacity": {"gpu": 4, "memory": 12}} for h in range(2)]
    head = {"version": 1, "family": "dmlrs", "horizon": 4, "resources": ["gpu", "memory"]}
    return from_json(head | {"machines": machines, "jobs": rows})


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--most-jobs", type=int, default=400)
    parser.add_argument("--samples", type=int, nargs="+", default=[20, 80, 320])
    given = parser.parse_args()
    seconds(from_json(generate("tiny", 1, {})), repeats=1)
    head = f"{'preset':<10} {'set':<16} {'prices':<9} {'jobs':>5} {'machines':>8} {'seconds':>8} {'utility':>9}"
    print(f"{head} {'peak MB':>8}")
    for preset, settings in SIZES:
        instance = from_json(generate(preset, 1, settings))
        if len(instance.jobs) > given.most_jobs:
            continue
        for bounds in BOUNDS:
            took, utility = seconds(instance, bounds, given.repeats)
            changed = " ".join(f"{k}={v}" for k, v in settings.items())
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{preset:<10} {changed:<16} {bounds:<9} {len(instance.jobs):5} "
                f"{len(instance.machines):8} {took:8.2f} {utility:9.2f} {peak:8.0f}",
                flush=True,
            )
    print(f"\n{'samples a job':>13} {'policy':>9} {'literal':>9} {'times':>8} {'utility':>9} {'literal':>9}")
    for samples in given.samples:
        instance = small(4, samples)
        took, utility = seconds(instance, repeats=5)
        started = process_time()
        literal = Literal(instance).run()
        peer = process_time() - started
        print(f"{samples:13} {took:9.4f} {peer:9.2f} {peer / took:8.0f} {utility:9.2f} {literal:9.2f}", flush=True)


main()
