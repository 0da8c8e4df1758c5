"""Proven integer optima next to CP-SAT and HiGHS, and certified worst regrets next to PEPit.

    python benchmarks/optima.py [--slots 5 10 20]

Processor seconds in one process, with building and imports done. The instances are drawn by the generators. CP-SAT's
models (``second_route.py`` of each family) share no rows with the programs. PEPit's example
``online_gradient_descent`` has the premises of ``multiserver.worst_regret`` with a constant step. All
values must agree.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from importlib.util import find_spec
from time import process_time
from typing import Any

import schedproof as sp

DRAWS = (
    ("preemptive.minlp2", {"jobs": "6"}),
    ("dmlrs.exact", {"jobs": "8"}),
    ("placement.exact", {"tasks": "8"}),
)
WAYS = {"proven": {"prove": True}, "CP-SAT": {"solver": "cpsat"}, "HiGHS": {"solver": "highs"}}
TOLERANCE = 2e-4  # relative: PEPit's solver is CLARABEL


def optima() -> None:
    """Print the time of each way, and the optimum."""
    print(f"{'program':<20} {'instance':<10}", *(f"{way:>8}" for way in WAYS), f"{'optimum':>9}")
    for program, settings in DRAWS:
        family = program.partition(".")[0]
        small = dict.fromkeys(settings, "2")
        first, drawn = (sp.generate(family, preset="tiny", seed=0, **these) for these in (small, settings))
        seconds, found = [], set()
        for way in WAYS.values():
            for instance in (first, drawn):  # the first one imports and compiles
                began = process_time()
                solution = sp.program(program).solve(instance, **way)
            seconds.append(process_time() - began)
            assert solution.status.startswith("optimal")
            found.add(round(solution.objective, 6))
        (optimum,) = found
        name = " ".join(f"{key}={value}" for key, value in settings.items())
        print(f"{program:<20} {name:<10}", *(f"{each:8.2f}" for each in seconds), f"{optimum:9g}", flush=True)


def regrets(slots: list[int]) -> None:
    """Print the time of the certificate and of PEPit, and both values."""
    peer: Any = None
    if find_spec("PEPit"):
        peer = import_module("PEPit.examples.online_learning.online_gradient_descent").wc_online_gradient_descent
    print("" if peer else "\nPEPit is not installed: `pip install --no-deps PEPit` adds its column")
    print(f"{'slots':>5} {'proven':>8} {'PEPit':>8} {'regret/(D G)':>13} {'PEPit':>12}")
    sp.worst_regret("multiserver", slots="2")  # imports
    for number in slots:
        began = process_time()
        upper = float(sp.worst_regret("multiserver", slots=str(number)).upper)
        row = f"{number:5} {process_time() - began:8.2f}"
        if not peer:
            print(f"{row} {'':8} {upper:13.9f}", flush=True)
            continue
        began = process_time()
        value, _ = peer(1, 1, number, solver="CLARABEL", verbose=-1)
        assert abs(value / upper - 1) < TOLERANCE
        print(f"{row} {process_time() - began:8.2f} {upper:13.9f} {value:12.9f}", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slots", type=int, nargs="+", default=[5, 10, 20])
    given = parser.parse_args()
    optima()
    regrets(given.slots)


if __name__ == "__main__":
    main()
