"""How many decisions of a placement environment a second, in the compiled simulator and on the literal drive.

    python benchmarks/placement.py [--seconds 2] [--presets tiny synthetic3 synthetic6 testbed3]

Processor seconds on one core. ``kernel`` draws environments and plays them to their ends with a compiled rule.
``vector`` does the same from outside, 256 environments at once: what every agent observes is written out, all agents
decide, the environments move on, and those that have ended are drawn anew. ``drive`` is `instances.placement.drive`,
slot by slot in Python, with the policy of the same name on generated instances. The mean completion times of the first
and the last agree within their noise: the same distribution from other random numbers.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

import numpy as np

from schedproof.core.results.run import Policy
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import from_json
from schedproof.instances.placement.drive import drive
from schedproof.online.placement.environments import of_settings, rule
from schedproof.online.placement.heuristics import Minimum, Random
from schedproof.online.placement.kernels import renew, step
from schedproof.online.placement.rule_kernels import play_anew, propose_all
from schedproof.online.placement.table import Table
from schedproof.online.placement.tapfinger.arrays import blank
from schedproof.online.placement.tapfinger.kernels import observe
from schedproof.workloads.placement import PRESETS, draws, generate

WIDTH = 256  # environments at once
INSTANCES = {"tiny": 200, "synthetic3": 6, "synthetic6": 2, "testbed3": 1}
POLICIES = {"random": Random, "minimum": Minimum, "table": Table}


def kernel(preset: str, policy: Any, least: float) -> tuple[float, float]:
    """Decisions a second, and the mean completion time."""
    s = PRESETS[preset]
    world, state = of_settings(s, 16)
    plan = rule(policy, world, [kind.name for kind in draws.kinds(s)], range(16))
    play_anew(world, state, plan, 1, 0)
    decisions, passed, started, number = 0, [], process_time(), 0
    while process_time() - started < least:
        decisions += play_anew(world, state, plan, 1, number)
        passed.append(state.passed.mean() / s.tasks)
        number += 16
    return decisions / (process_time() - started), float(np.mean(passed))


def vector(preset: str, policy: Any, least: float) -> float:
    """Decisions a second."""
    s = PRESETS[preset]
    world, state = of_settings(s, WIDTH)
    kinds = [kind.name for kind in draws.kinds(s)]
    plan = rule(policy, world, kinds, range(WIDTH))
    seen, index = blank(world, state, len(kinds)), np.zeros(s.tasks, np.int64)
    of_kinds, most = np.arange(len(kinds)), np.array([s.most_cpus, s.most_gpus], np.float64)
    choice, allocation = np.zeros((2, WIDTH, s.clusters), np.int64)
    weight, number = np.zeros((WIDTH, s.clusters)), np.arange(WIDTH)
    passed, ended = np.zeros((2, WIDTH), np.int64)
    for e in range(WIDTH):
        renew(world, state, e, 1, e)

    def turn() -> None:
        observe(world, state, of_kinds, most, index, seen)
        propose_all(world, state, plan, choice, weight, allocation)
        step(world, state, choice, weight, allocation, 1, number, passed, ended)

    for _ in range(300):  # the environments are in different phases then
        turn()
    turns, started = 0, process_time()
    while process_time() - started < least:
        turn()
        turns += 1
    return turns * WIDTH / (process_time() - started)


def literal(preset: str, name: str, instances: int) -> tuple[float, float]:
    """Decisions a second, and the mean completion time."""
    decided, passed, seconds = 0, 0.0, 0.0

    def count(message: str, done: float | None = None) -> None:
        nonlocal decided
        decided += 1

    for seed in range(instances):
        instance = from_json(generate(preset, seed, {}))
        context = Context(seed=seed, progress=count)
        policy = Policy(f"placement.{name}", {}).build(instance, context)
        started = process_time()
        schedule = drive(policy, instance, DecidedBy("placement", {}, 0), context)
        seconds += process_time() - started
        passed += float(schedule.objective(instance)) / len(instance.tasks) / instances
    return decided / seconds, passed


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a measurement of the first two columns")
    parser.add_argument("--presets", nargs="+", choices=INSTANCES, default=list(INSTANCES))
    given = parser.parse_args()
    print(f"{'preset':<12} {'policy':<8} {'kernel/s':>10} {'vector/s':>10} {'drive/s':>9}   mean slots: kernel, drive")
    for preset in given.presets:
        for name, kind in POLICIES.items():
            fast, mean = kernel(preset, kind(), given.seconds)
            slow, peer = literal(preset, name, INSTANCES[preset])
            wide = vector(preset, kind(), given.seconds)
            print(
                f"{preset:<12} {name:<8} {fast:>10,.0f} {wide:>10,.0f} {slow:>9,.0f} {mean:>20.2f}, {peer:.2f}",
                flush=True,
            )


main()
