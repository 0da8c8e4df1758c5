"""The certified LP bound: columns, seconds a million columns, and how tight coarser prices are.

    python benchmarks/class_lp.py [--pyomo] [--only testbed]

The presets of the generator, and 150 jobs on 20 servers; with --pyomo also the declarative program through HiGHS, on
the smallest of them, as the peer.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import schedproof as sp
from schedproof.instances import from_json
from schedproof.workloads.preemptive import generate

SIZES = {
    "testbed": ("testbed", {}),
    "25 jobs x 45 servers": ("simulator", {"jobs": "25", "servers": "45"}),
    "150 jobs x 20 servers": ("simulator", {"jobs": "150", "servers": "20"}),
    "simulator": ("simulator", {}),
}


def main() -> None:
    """Print one row per size and block."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pyomo", action="store_true")
    parser.add_argument("--only", nargs="+", choices=SIZES, default=list(SIZES))
    given = parser.parse_args()
    sp.bound("preemptive.lp4", sp.embedded("day"))  # imports, and nothing else
    head = ("columns", "seconds", "s/1e6", "bound", "of LP")
    print(f"{'size':24} {'block':>5} {head[0]:>9} {head[1]:>8} {head[2]:>7} {head[3]:>12} {head[4]:>7}")
    for name in given.only:
        preset, settings = SIZES[name]
        instance = from_json(generate(preset, 1, settings))
        exact = None
        for block in (1, 2, 4, 8):
            started = perf_counter()
            bound = sp.bound("preemptive.lp4", instance, prices="lp", block=block)
            took = perf_counter() - started
            exact = exact or bound.value
            d = bound.details
            print(
                f"{name:24} {block:5} {d['columns']:9} {took:8.2f}"
                f" {took / d['columns'] * 1e6:7.2f} {bound.value:12.2f} {bound.value / exact:7.4f}",
                flush=True,
            )
        if given.pyomo and name == "testbed":
            solution = sp.program("preemptive.lp4").solve(instance)
            took = solution.build_seconds + solution.solve_seconds
            print(f"{name:24} Pyomo and HiGHS, no pools: {took:.2f} s, optimum {solution.objective:.2f}")


main()
