"""Compare the LP (4) and SRTF with alternative tools in one run.

    python benchmarks/peers.py JOBS.csv MACHINES.csv [--jobs 500] [--slow]

The first jobs of the Philly trace on 49 machines in slots of an hour. The machines are one server here, so that no peer
pays for 49 equal classes; the horizon ends ten slots after A_online's schedule. Seconds include building; "off" is the
relative distance to the flow's optimum. ``--slow`` adds HiGHS's interior point and PDLP. The compiled loop of SRTF has
the same total JCT, and with pinned chunks the same schedule.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import process_time
from typing import Any

import loops
import numpy as np
from scipy.optimize import linprog

import schedproof as sp
from schedproof.core.runtime.context import USUAL
from schedproof.core.solvers import flow
from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.instances import from_json
from schedproof.relaxations.preemptive.matrix import class_lp
from schedproof.workloads.philly import load


def merged(files: list[Path], jobs: int, slot_seconds: int) -> Any:
    """Return the window with all workers on one server and the cut horizon."""
    options = {"jobs": str(jobs), "machines": "49", "load": "0.95", "slot_seconds": str(slot_seconds)}
    value, _ = load(files, 1, options)
    count = sum(n for server in value["servers"] for n in server["workers"].values())
    value["servers"] = [{"name": "all", "workers": {"gpu": count}, "parameter_servers": count}]
    last = sp.policy("a_online", order="residual").run(from_json(value)).schedule.intervals.end.max()
    return from_json(value | {"horizon": int(last) + 10})


def by_flow(instance: Any) -> float:
    """Solve all columns by OR-tools, with costs in multiples of 2^-24."""
    jobs, (group,) = instance.jobs, instance.classes
    first = np.array([j.arrival + instance.qualified(j)[0][1] for j in jobs])
    length = np.array([instance.last_slot(j) for j in jobs]) + 1 - first
    arrival, chunks, takes = np.array([(j.arrival, j.chunks, j.slots()) for j in jobs]).T
    job = np.repeat(np.arange(len(jobs)), length)
    slot = first[job] + np.arange(job.size) - np.repeat(np.cumsum(length) - length, length)
    costs = np.rint((slot - arrival[job] + (takes[job] + 1) / 2) / (chunks * takes)[job] * 2.0**24).astype(np.int64)
    slots, sink = np.arange(instance.horizon), len(jobs) + instance.horizon
    supplies = np.zeros(sink + 1, dtype=np.int64)
    supplies[: len(jobs)], supplies[sink] = chunks * takes, -(chunks * takes).sum()
    tails, heads = np.append(job, len(jobs) + slots), np.append(len(jobs) + slot, np.full(slots.size, sink))
    most = np.append(chunks[job], np.full(slots.size, group.count))
    outcome, _ = flow.solve(tails, heads, most, np.append(costs, np.zeros_like(slots)), supplies)
    return float(outcome.exact / 2**24)


def by_highs(instance: Any) -> float:
    """HiGHS's simplex method on arrays."""
    lp = class_lp(instance, "half", "ceil_chunk", Fraction(1))
    handle = LinearProgram(lp.costs, lp.matrix, lp.lower, lp.upper)
    return float(handle.solve(USUAL).objective)


def by_scipy(method: str) -> Callable[[Any], float]:
    """SciPy's front to HiGHS."""

    def solve(instance: Any) -> float:
        lp = class_lp(instance, "half", "ceil_chunk", Fraction(1))
        jobs = len(instance.jobs)
        rows = lp.matrix.copy()
        rows.data[rows.indices < jobs] *= -1
        return float(linprog(lp.costs, rows, np.append(-lp.lower[:jobs], lp.upper[jobs:]), method=method).fun)

    return solve


def by_pdlp(instance: Any) -> float:
    """PDLP of OR-tools, to 1e-4."""
    from ortools.pdlp import solvers_pb2
    from ortools.pdlp.python import pdlp

    lp = class_lp(instance, "half", "ceil_chunk", Fraction(1))
    program = pdlp.QuadraticProgram()
    program.resize_and_initialize(lp.costs.size, lp.lower.size)
    program.objective_vector, program.constraint_matrix = lp.costs, lp.matrix
    program.constraint_lower_bounds, program.constraint_upper_bounds = lp.lower, lp.upper
    program.variable_lower_bounds = np.zeros(lp.costs.size)
    asked = solvers_pb2.PrimalDualHybridGradientParams()
    criteria = asked.termination_criteria.simple_optimality_criteria
    criteria.eps_optimal_absolute = criteria.eps_optimal_relative = 1e-4
    found = pdlp.primal_dual_hybrid_gradient(program, asked)
    return float(lp.costs @ found.primal_solution)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--srtf-jobs", type=int, default=20_000)
    parser.add_argument("--slow", action="store_true")
    arguments = parser.parse_args()
    instance = merged(arguments.files, arguments.jobs, 3600)

    def ours(prices: str, **options: Any) -> Callable[[Any], float]:
        return lambda instance: sp.bound("preemptive.lp4", instance, prices=prices, **options).value

    rows = {"ours, prices=flow, certified": ours("flow"), "ours, prices=ascent, 150 steps": ours("ascent", steps=150)}
    rows |= {"OR-tools' flow, all columns": by_flow, "HiGHS, simplex": by_highs, "ours, prices=lp": ours("lp")}
    rows |= {"SciPy, HiGHS's choice": by_scipy("highs")}
    if arguments.slow:
        rows |= {"SciPy, HiGHS's interior point": by_scipy("highs-ipm"), "OR-tools' PDLP, 1e-4": by_pdlp}
    optimum = ours("flow")(instance)  # and the kernels are read
    ours("ascent", steps=1)(instance)
    print(f"{'LP (4), ' + str(arguments.jobs) + ' jobs':<32} {'seconds':>8} {'value':>14} {'off':>9}")
    for name, solve in rows.items():
        started = process_time()
        value = solve(instance)
        print(f"{name:<32} {process_time() - started:8.2f} {value:14.5f} {value / optimum - 1:9.1e}", flush=True)

    instance = merged(arguments.files, arguments.srtf_jobs, 60)
    print(f"\n{'SRTF, ' + str(arguments.srtf_jobs) + ' jobs':<32} {'seconds':>8} {'total JCT':>14}")
    print(loops.MISSING, end="\n" if loops.MISSING else "")
    sp.policy("srtf").run(sp.embedded("day"))  # everything is imported
    for chunks in ("pinned", "floating"):
        started = process_time()
        run = sp.policy("srtf", chunks=chunks).run(instance)
        print(
            f"{'ours, ' + chunks + ', judged':<32} {process_time() - started:8.3f} {int(run.objective):14}", flush=True
        )
        if loops.MISSING:
            continue
        loop = loops.srtf(instance, chunks == "pinned")
        assert loop.total == run.objective
        print(f"{f'a compiled loop, {chunks}':<32} {loop.seconds:8.3f} {loop.total:14}", flush=True)
        if chunks == "pinned":
            table = run.schedule.intervals
            ours = zip(*(column.tolist() for column in (table.job, table.worker, table.start, table.end)), strict=True)
            assert {*ours} == {*map(tuple, loop.spans.tolist())}


if __name__ == "__main__":
    main()
