"""Bound and solve a user's linear program, next to HiGHS on arrays, Pyomo's build and other packages with HiGHS.

    python benchmarks/user_programs.py [--slots 112 1066 3370] [--repeats 3] [--ways highs bound]

The program schedules jobs on one machine by fractions of their work in each slot. Each measurement is a process of its
own: seconds are its user plus system time with imports, and MB its peak memory. ``x`` is relative to HiGHS plus Pyomo,
less the start of Python that both contain, and ``kB`` is the memory per column above Pyomo's.
"""

from __future__ import annotations

import argparse
import os
import resource
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import schedproof as sp
from schedproof.core.base.lazy import pyo
from schedproof.instances import from_json

runpy.run_path(str(Path(__file__).parents[1] / "examples" / "flow_time.py"))  # the family


@sp.group("variables", "(1c)", r"0 \le y_{jt} \le 1")
def fractions(block: Any, work: Any) -> None:
    """The machine's share for each job and slot."""
    block.y = pyo.Var([(j.index, t) for j in work.jobs for t in range(j.arrival, work.horizon)], bounds=(0, 1))


@sp.group("objective", "(1)", r"\min \sum_{jt} (2 (t - a_j) + p_j + 1) / (2 p_j) y_{jt}")
def flow(block: Any, work: Any, fractions: Any) -> Any:
    """The fractional flow time."""
    jobs = work.jobs
    return sum(
        (2 * (t - jobs[j].arrival) + jobs[j].time + 1) / (2 * jobs[j].time) * y for (j, t), y in fractions.y.items()
    )


@sp.group("constraints", "(1a)", r"\sum_t y_{jt} / p_j \ge 1")
def done(block: Any, work: Any, fractions: Any) -> Any:
    """Each job is done."""
    y = fractions.y
    return {j.index: sum(1 / j.time * y[j.index, t] for t in range(j.arrival, work.horizon)) >= 1 for j in work.jobs}


@sp.group("constraints", "(1b)", r"\sum_j y_{jt} \le 1")
def machine(block: Any, work: Any, fractions: Any) -> Any:
    """The machine runs one job at a time."""
    y, first = fractions.y, min(j.arrival for j in work.jobs)
    return {t: sum(y[j.index, t] for j in work.jobs if j.arrival <= t) <= 1 for t in range(first, work.horizon)}


PROGRAM = sp.Program("flow_time.slots", "minimize", (flow, done, machine, fractions), integer=False)


def draw(slots: int) -> Any:
    """Return a machine with a job for ten slots."""
    rng = np.random.default_rng(0)
    jobs = slots // 10
    columns = zip(rng.integers(1, 11, jobs).tolist(), rng.integers(0, slots // 4, jobs).tolist(), strict=True)
    rows = [{"name": f"j{n}", "time": time, "arrival": arrival} for n, (time, arrival) in enumerate(columns)]
    return from_json({"version": 1, "family": "flow_time", "horizon": slots, "jobs": rows})


class Arrays(NamedTuple):
    """The program as arrays: 0 <= x <= 1; the rows of jobs are at least 1, those of slots at most 1."""

    matrix: Any
    cost: np.ndarray
    jobs: int


def arrays(slots: int) -> Arrays:
    """Return the program of `draw`."""
    from scipy import sparse

    rng = np.random.default_rng(0)
    jobs = slots // 10
    time, arrival = rng.integers(1, 11, jobs), rng.integers(0, slots // 4, jobs)
    job = np.repeat(np.arange(jobs), slots - arrival)
    slot = np.concatenate([np.arange(a, slots) for a in arrival.tolist()])
    place = np.arange(job.size)
    values = np.concatenate([1 / time[job], np.ones(job.size)])
    matrix = sparse.csr_array((values, (np.concatenate([job, jobs + slot]), np.tile(place, 2))))
    return Arrays(matrix, (2 * (slot - arrival[job]) + time[job] + 1) / (2 * time[job]), jobs)


def by_highs(slots: int) -> float:
    """HiGHS on arrays."""
    import highspy

    matrix, cost, jobs = arrays(slots)
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = np.zeros(cost.size), np.ones(cost.size)
    lp.row_lower_ = np.concatenate([np.ones(jobs), np.full(slots, -np.inf)])
    lp.row_upper_ = np.concatenate([np.full(jobs, np.inf), np.ones(slots)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = highspy.Highs()
    highs.silent()
    highs.passModel(lp)
    highs.run()
    return float(highs.getInfo().objective_function_value)


def by_cvxpy(slots: int) -> float:
    """CVXPY with HiGHS, from the same matrix."""
    import cvxpy as cp

    matrix, cost, jobs = arrays(slots)
    x = cp.Variable(cost.size, bounds=[0, 1])
    problem = cp.Problem(cp.Minimize(cost @ x), [matrix[:jobs] @ x >= 1, matrix[jobs:] @ x <= 1])
    return float(problem.solve(solver=cp.HIGHS))


def rows_of(data: Arrays, x: list[Any]) -> Iterator[tuple[list[Any], list[float]]]:
    """Yield each row's variables and coefficients."""
    begin, index, value = data.matrix.indptr.tolist(), data.matrix.indices.tolist(), data.matrix.data.tolist()
    for i in range(len(begin) - 1):
        yield [x[j] for j in index[begin[i] : begin[i + 1]]], value[begin[i] : begin[i + 1]]


def by_mathopt(slots: int) -> float:
    """MathOpt with HiGHS, one row at a time."""
    from ortools.math_opt.python import mathopt

    data, model = arrays(slots), mathopt.Model()
    x = [model.add_variable(lb=0.0, ub=1.0) for _ in data.cost]
    for i, (some, values) in enumerate(rows_of(data, x)):
        ends = {"lb": 1.0} if i < data.jobs else {"ub": 1.0}
        row = model.add_linear_constraint(**ends)
        for each, value in zip(some, values, strict=True):
            row.set_coefficient(each, value)
    for each, value in zip(x, data.cost.tolist(), strict=True):
        model.objective.set_linear_coefficient(each, value)
    return float(mathopt.solve(model, mathopt.SolverType.HIGHS).objective_value())


def by_pyoptinterface(slots: int) -> float:
    """PyOptInterface with HiGHS, one row at a time."""
    poi, solver = import_module("pyoptinterface"), import_module("pyoptinterface.highs")
    data, model = arrays(slots), solver.Model()
    model.set_model_attribute(poi.ModelAttribute.Silent, True)
    x = [model.add_variable(lb=0.0, ub=1.0) for _ in data.cost]

    def weighted(some: list[Any], values: list[float]) -> Any:
        expression = poi.ExprBuilder()
        for each, value in zip(some, values, strict=True):
            expression.add_affine_term(each, value)
        return expression

    for i, (some, values) in enumerate(rows_of(data, x)):
        model.add_linear_constraint(weighted(some, values), poi.Geq if i < data.jobs else poi.Leq, 1.0)
    model.set_objective(weighted(x, data.cost.tolist()), poi.ObjectiveSense.Minimize)
    model.optimize()
    return float(model.get_model_attribute(poi.ModelAttribute.ObjectiveValue))


def by_pyomo(slots: int) -> None:
    """Build the model by the same rows, in plain Pyomo."""
    work, model = draw(slots), pyo.ConcreteModel()
    fractions.build(model, work)
    model.goal = pyo.Objective(expr=flow.build(model, work, model))
    for name, g in (("done", done), ("machine", machine)):
        rows = g.build(model, work, model)
        model.add_component(name, pyo.Constraint(list(rows), rule=lambda _, n, rows=rows: rows[n]))


WAYS: dict[str, Callable[[int], float | None]] = {
    "start": lambda slots: None,
    "highs": by_highs,
    "pyomo": by_pyomo,
    "cvxpy": by_cvxpy,
    "mathopt": by_mathopt,
    "bound": lambda slots: sp.bound(PROGRAM, draw(slots)).value,
    "solve": lambda slots: PROGRAM.solve(draw(slots)).objective,
}
if find_spec("pyoptinterface"):
    WAYS["pyoptinterface"] = by_pyoptinterface


def measured(way: str, slots: int) -> tuple[float, float, str]:
    """Return seconds, MB and value of one process."""
    command = [sys.executable, __file__, "--way", way, "--slots", str(slots)]
    value = subprocess.run(
        command, check=True, capture_output=True, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )
    seconds, memory, *found = value.stdout.split()
    return float(seconds), float(memory), " ".join(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slots", type=int, nargs="+", default=[112, 1066, 3370])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--ways", choices=WAYS, nargs="+", default=list(WAYS), help="besides start, highs and pyomo")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.way:
        value = WAYS[given.way](given.slots[0])
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, value)
        return
    if "pyoptinterface" not in WAYS:
        print("PyOptInterface is not installed: `pip install pyoptinterface[highs]` adds its row")
    print(f"{'columns':>8} {'way':<14} {'seconds':>8} {'least':>7} {'most':>7} {'x':>6} {'MB':>6} {'kB':>6}  value")
    ways = [way for way in WAYS if way in {"start", "highs", "pyomo", *given.ways}]
    for slots in given.slots:
        columns = sum(slots - job.arrival for job in draw(slots).jobs)
        runs = {way: [measured(way, slots) for _ in range(given.repeats)] for way in ways}
        seconds = {way: median(run[0] for run in each) for way, each in runs.items()}
        memory = {way: median(run[1] for run in each) for way, each in runs.items()}
        peers = seconds["highs"] + seconds["pyomo"] - seconds["start"]
        for way, each in runs.items():
            least, most = min(run[0] for run in each), max(run[0] for run in each)
            kilobytes = (memory[way] - memory["pyomo"]) * 1024 / columns
            ends = f"{least:7.2f} {most:7.2f} {seconds[way] / peers:6.2f} {memory[way]:6.0f} {kilobytes:6.2f}"
            print(f"{columns:>8} {way:<14} {seconds[way]:8.2f} {ends}  {each[0][2]}", flush=True)


if __name__ == "__main__":
    main()
