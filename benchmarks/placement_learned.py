"""Gaps of trained weights and other policies on generated test instances.

    python benchmarks/placement_learned.py tiny tiny other.safetensors --instances 200 --kept tiny.json
    python benchmarks/placement_learned.py synthetic3 w.safetensors --instances 10 --seconds 0 --kept synthetic3.json

The gap of a run is its total completion time over a lower bound, minus 1. The bound is the larger of CP-SAT's after
``--seconds`` and the certificate of ``placement.lp``. Bounds and other policies' runs are stored in ``--kept``.
Student's 95 % intervals are of the mean gap, and of the mean difference to the weights' gap on the same instances.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t

import schedproof as sp
from schedproof.core.results.run import Policy
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, from_json
from schedproof.instances.placement.drive import drive
from schedproof.workloads.placement import generate

FIRST = 1_000_000  # seed of the first instance
TABLE = {"tiny": "sensitive:2,3;insensitive:2,1", "synthetic3": "sensitive:2,7;insensitive:2,1"}
BASELINES: dict[str, tuple[str, dict[str, str | None]]] = {
    "random": ("random", {}),
    "minimum": ("minimum", {}),
    "tiresias": ("tiresias", {}),
    "optimus": ("optimus", {}),
    "table": ("table", {}),
    "table, tuned": ("table", {"table": None}),
    "table, tuned, in order": ("table", {"table": None, "turns": "in_order"}),
}


class Bound(NamedTuple):
    """A bound on the total completion time, and whether CP-SAT calls it the optimum."""

    value: float
    optimal: bool


def lower(instance: Instance, seconds: float) -> Bound:
    """Return the best proven bound."""
    if seconds:
        found = sp.program("placement.exact").solve(instance, solver="cpsat", time_limit=seconds)
        if found.ended == "optimal" and found.objective is not None:
            return Bound(found.objective, True)
        claimed = found.bound or 0.0
    else:
        claimed = 0.0
    return Bound(max(claimed, sp.bound("placement.lp", instance).value), False)


class Kept:
    """Results independent of the weights, stored by name and the instance's seed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.known = json.loads(file.read_text()) if file.exists() else {}

    def each(self, name: str, instances: Iterable[int], find: Callable[[int], Any]) -> list[Any]:
        """Return the result for every instance, computed once."""
        known = self.known.setdefault(name, {})
        for seed in instances:
            if str(seed) not in known:
                known[str(seed)] = find(seed)
                self.file.write_text(json.dumps(self.known))
        return [known[str(seed)] for seed in instances]


def played(id: str, options: dict[str, Any], instance: Instance, seed: int) -> float:
    """The total completion time."""
    policy = Policy(f"placement.{id}", options).build(instance, Context(seed=seed))
    schedule = drive(policy, instance, DecidedBy("placement", {}, 0), Context())
    assert not schedule.violations(instance)
    return float(schedule.objective(instance))


def interval(differences: np.ndarray) -> str:
    """Return the interval of the mean."""
    half = t.ppf(0.975, len(differences) - 1) * differences.std(ddof=1) / len(differences) ** 0.5
    return f"{100 * differences.mean():+.1f} ± {100 * half:.1f}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("preset")
    parser.add_argument("weights", nargs="*")
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--kept", type=Path, required=True)
    parser.add_argument("--decode", nargs="+", default=["sampled", "sequential"])
    parser.add_argument("--modes", default="all")
    arguments = parser.parse_args()
    seeds = range(FIRST, FIRST + arguments.instances)
    instances = {seed: from_json(generate(arguments.preset, seed, {})) for seed in seeds}
    kept = Kept(arguments.kept)
    least = kept.each("bound", seeds, lambda seed: lower(instances[seed], arguments.seconds))
    value, proven = (np.array(column) for column in zip(*least, strict=True))
    tasks = len(instances[FIRST].tasks)
    print(f"{len(least)} instances of {arguments.preset}, {proven.sum()} optima; {value.mean() / tasks:.3f} a task")
    print(f"{'':<40} {'mean JCT':>8} {'gap %':>12} {'where optimal':>13}")

    def shown(name: str, totals: list[float]) -> np.ndarray:
        total = np.array(totals)
        gap = total / value - 1
        best = f"{100 * gap[proven].mean():.1f}" if proven.any() else "-"
        print(f"{name:<40} {total.mean() / tasks:>8.3f} {interval(gap).lstrip('+'):>12} {best:>13}", flush=True)
        return gap

    gaps = {}
    for name, (id, options) in BASELINES.items():
        given = {key: TABLE.get(arguments.preset) if key == "table" else x for key, x in options.items()}
        own = partial(lambda seed, id, given: played(id, given, instances[seed], seed), id=id, given=given)
        gaps[name] = shown(name, kept.each(name, seeds, own))
    for weights in arguments.weights:
        for decode in arguments.decode:
            options = {"weights": weights, "decode": decode, "modes": arguments.modes}
            totals = [played("tapfinger", options, instance, seed) for seed, instance in instances.items()]
            gap = shown(f"{Path(weights).stem}, {decode}", totals)
            for name, other in gaps.items():
                print(f"    less than {name:<26} {interval(other - gap)}", flush=True)


main()
