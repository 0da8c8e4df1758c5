"""Column generation for R-DMLRS on machines that all differ: how far its value and its bound are apart, and when.

    python benchmarks/column_generation.py [--seconds 100] [--seed 0]

The instance is the generator's preset figure9 (100 jobs, 30 machines, 80 slots) with capacities of 14 to 22 workers'
mean demands; seconds are processor seconds since the start, kernels compiled beforehand.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import process_time

from schedproof.core.runtime.context import USUAL
from schedproof.instances import from_json
from schedproof.relaxations.dmlrs.column_generation import Round, column_generation
from schedproof.workloads.dmlrs import generate


def main() -> None:
    """Print the rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    instance = from_json(generate("figure9", arguments.seed, {"capacity_low": "14", "capacity_high": "22"}))
    column_generation(from_json(generate("tiny", 0, {})))
    started = process_time()
    print(f"{'round':>5} {'schedules':>9} {'seconds':>7} {'value':>9} {'bound':>9} {'gap':>7}")

    def show(last: Round) -> None:
        spent = process_time() - started
        row = f"{last.number:5} {last.columns:9} {spent:7.1f} {last.value:9.2f} {last.bound:9.2f} {last.gap:7.2%}"
        print(row, flush=True)

    context = replace(USUAL, time_limit=arguments.seconds)
    print(column_generation(instance, context=context, progress=show).ended)


main()
