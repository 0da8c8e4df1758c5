"""Algorithm 1 of Wang et al. 2019: how it grows, what its linear programs cost, and how many jobs it accepts.

    python benchmarks/jrp_rounding.py [--large] [--most-jobs 1142]

Times are processor seconds of a policy's whole decision, medians of three runs after one that imports; instances are
those of the generator's preset figure4. The peer solves every LP_I whole and from scratch, by HiGHS's simplex method;
everything else is the same. With --large also 1,027 cells and 5,000 jobs; with fewer jobs than 1,142 the first table
only, as far as so many jobs.
"""

from __future__ import annotations

import argparse
import resource
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances import from_json
from schedproof.instances.jrp.drive import drive
from schedproof.online.jrp.baselines import Greedy, Random
from schedproof.online.jrp.jrp_rounding import JrpRounding
from schedproof.relaxations.jrp.matrix import linear_program
from schedproof.rounding.jrp import rounds
from schedproof.rounding.jrp.relaxed import Point, Relaxed
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity
from schedproof.workloads.jrp import generate

MOST = 1142  # jobs


class Cold:
    """`Relaxed` without what makes it fast."""

    def __init__(self, instance: Any) -> None:
        self.instance, self.solves = instance, 0

    def solve(self, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> Point:
        """Every column, from scratch."""
        self.solves += 1
        lp = linear_program(self.instance, capacity.approx[:, 1], capacity.approx[:, 2], method="simplex")
        lp.change_highest(np.arange(len(alive) + len(jobs)), np.concatenate([np.where(alive, np.inf, 0.0), 1.0 * jobs]))
        storage = len(self.instance.edges.size) + np.arange(len(capacity.approx))
        lp.change_sides(storage, np.full(len(storage), -np.inf), capacity.approx[:, 0])
        value = -(lp.solve().objective or 0.0)
        x, y = np.split(np.clip(lp.point, 0, 1), [len(alive)])
        return Point(value, x * alive, np.round(y, 9) * jobs)


def instance_of(jobs: int, rings: int = 2, seed: int = 1) -> Any:
    """An instance of the preset figure4."""
    instance = from_json(generate("figure4", seed, {"jobs": str(jobs), "rings": str(rings)}))
    assert len(instance.edges.storage) == 1 + 3 * rings * (rings + 1)
    return instance


def decided(policy: Any, instance: Any, repeats: int = 3) -> tuple[float, Any]:
    """Median processor seconds, and the schedule."""
    times = []
    for _ in range(repeats):
        started = process_time()
        schedule = drive(policy, instance, DecidedBy("jrp", {}, 0), USUAL)
        times.append(process_time() - started)
    return median(times), schedule


def growth(most: int) -> None:
    """Doubling the jobs on 19 cells, and both on more and more cells."""
    head = f"{'cells':>5} {'jobs':>5} {'edges':>7} {'seconds':>8} {'growth':>6} {'iterations':>10}"
    print(f"{head} {'LPs':>4} {'accepted':>8} {'LP_I':>8} {'peer':>7} {'times':>6}")
    before = None
    for rings, jobs in [(2, n) for n in (25, 50, 100, 200, 400)] + [(3, 195), (4, 321), (5, 479), (8, MOST)]:
        if jobs > most:
            continue
        instance = instance_of(jobs, rings)
        took, schedule = decided(JrpRounding(), instance)
        trace = schedule.trace
        rounds.Relaxed = Cold
        peer, _ = decided(JrpRounding(), instance, 1) if rings < 5 else (None, None)
        rounds.Relaxed = Relaxed
        rate = "" if before is None else f"{took / before:6.2f}"
        print(f"{len(instance.servers):5} {jobs:5} {len(instance.edges.node):7} {took:8.2f} {rate:>6}", end=" ")
        print(f"{len(trace):10} {sum(row['solved'] for row in trace):4}", end=" ")
        print(f"{len(schedule.accepted_jobs(instance)):8} {trace[0]['lp_i']:8.2f}", end=" ")
        print(f"{peer:7.2f} {peer / took:6.1f}" if peer else "", flush=True)
        before = took


def accepted() -> None:
    """Jobs accepted at the loads of figure 4, means of five seeds; how often the printed run overfills a server."""
    policies = {
        "repaired": JrpRounding(),
        "printed": JrpRounding(variant="printed"),
        "random": Random(),
        "greedy": Greedy(),
        "random, cone": Random(resources="cone"),
        "greedy, cone": Greedy(resources="cone"),
    }
    print(f"\n{'jobs':>5} {'LP_I':>8}", *(f"{name:>12}" for name in policies), f"{'infeasible':>10} {'limit hit':>9}")
    for jobs in range(10, 101, 10):
        counts: dict[str, list[int]] = {name: [] for name in policies}
        bounds, broken, stopped = [], 0, 0
        for seed in range(1, 6):
            instance = instance_of(jobs, seed=seed)
            for name, policy in policies.items():
                _, schedule = decided(policy, instance, 1)
                counts[name].append(len(schedule.accepted_jobs(instance)))
                if name == "repaired":
                    bounds.append(schedule.trace[0]["lp_i"])
                if name == "printed":
                    broken += bool(schedule.violations(instance))
                    stopped += "stopped" in schedule.trace[-1]["ended"]
        means = (f"{np.mean(row):12.1f}" for row in counts.values())
        print(f"{jobs:5} {np.mean(bounds):8.2f}", *means, f"{broken:8}/5 {stopped:7}/5", flush=True)


def large() -> None:
    """1,027 cells, 5,000 jobs."""
    instance = instance_of(5000, 18)
    took, schedule = decided(JrpRounding(), instance, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    solved = sum(row["solved"] for row in schedule.trace)
    print(f"\n1,027 cells, 5,000 jobs, {len(instance.edges.node)} edges: {took:.0f} s, {peak:.1f} GiB,", end=" ")
    print(
        f"{solved} LPs in {len(schedule.trace)} iterations, {len(schedule.accepted_jobs(instance))} jobs accepted,",
        end=" ",
    )
    print(f"LP_I {schedule.trace[0]['lp_i']:.2f}, {len(schedule.violations(instance))} violations")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--most-jobs", type=int, default=MOST)
    arguments = parser.parse_args()
    decided(JrpRounding(), instance_of(10), 1)
    growth(arguments.most_jobs)
    if arguments.most_jobs >= MOST:
        accepted()
    if arguments.large:
        large()


main()
