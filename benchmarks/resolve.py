"""Solve one linear program for 100 right-hand sides, with each tool in one run.

    python benchmarks/resolve.py [--columns 1000 10000 100000] [--changes 100] [--repeats 3]

The program is a transport problem: supplies of 20 depots, demands of the customers, and a cost for each pair. The
supplies change from step to step. Each tool builds the program once, and then changes the supplies and solves again.
Seconds are those of the processor, for one change and solve; the first change of `compile`, which traces the model, is
counted with building. `rebuilt` solves a new model each time, `REBUILT` times.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from time import process_time
from typing import Any

import highspy
import numpy as np
from scipy import sparse

import schedproof as sp
from schedproof.core.base.lazy import pyo

DEPOTS, REBUILT = 20, 3


@dataclass(frozen=True)
class Transport:
    """Supplies, demands, and costs by depot and customer."""

    supplies: tuple[int, ...]
    demands: tuple[int, ...]
    costs: tuple[tuple[int, ...], ...]


@sp.group("variables", "(1c)", r"x_{dc} \ge 0")
def flow(block: Any, data: Transport) -> None:
    """The amounts by depot and customer."""
    block.x = pyo.Var(range(len(data.supplies)), range(len(data.demands)), domain=pyo.NonNegativeReals)


@sp.group("objective", "(1)", r"\min \sum_{dc} c_{dc} x_{dc}")
def cost(block: Any, data: Transport, flow: Any) -> Any:
    """The total cost."""
    return sum(c * flow.x[d, i] for d, costs in enumerate(data.costs) for i, c in enumerate(costs))


@sp.group("constraints", "(1a)", r"\sum_c x_{dc} \le s_d")
def supply(block: Any, data: Transport, flow: Any) -> Any:
    """A depot's amounts are within its supply."""
    return {d: sum(flow.x[d, i] for i in range(len(data.demands))) <= s for d, s in enumerate(data.supplies)}


@sp.group("constraints", "(1b)", r"\sum_d x_{dc} \ge b_c")
def demand(block: Any, data: Transport, flow: Any) -> Any:
    """A customer's demand is met."""
    return {i: sum(flow.x[d, i] for d in range(len(data.supplies))) >= b for i, b in enumerate(data.demands)}


PROGRAM = sp.Program("benchmark.transport", "minimize", (cost, supply, demand, flow), integer=False)


def draw(columns: int, changes: int) -> tuple[Transport, list[tuple[int, ...]]]:
    """Return a problem, and the supplies of each step."""
    rng = np.random.default_rng(1)
    customers = columns // DEPOTS
    demands = rng.integers(1, 20, customers)
    costs = tuple(tuple(row) for row in rng.integers(1, 100, (DEPOTS, customers)).tolist())
    least = int(demands.sum() // DEPOTS) + 1
    supplies = [tuple((least + rng.integers(0, least, DEPOTS)).tolist()) for _ in range(changes)]
    return Transport(supplies[0], tuple(demands.tolist()), costs), supplies


Step = Callable[[tuple[int, ...]], float]  # takes the supplies, returns the optimum


def compiled(data: Transport) -> Step:
    """Return the steps of `Program.compile`; each optimum is proven in rationals."""
    model = PROGRAM.compile(data)
    model.solve()
    model.update(replace(data, supplies=tuple(s + 1 for s in data.supplies)))
    model.solve()

    def step(supplies: tuple[int, ...]) -> float:
        model.update(replace(data, supplies=supplies))
        solution = model.solve()
        assert not model.rebuilt and solution.status == "optimal"
        return float(solution.objective or 0)

    return step


def rebuilt(data: Transport) -> Step:
    """Return steps that build and solve a new model."""
    return lambda supplies: float(PROGRAM.solve(replace(data, supplies=supplies)).objective or 0)


def plain(data: Transport) -> Step:
    """Return the steps of HiGHS on arrays."""
    customers = len(data.demands)
    place = np.arange(DEPOTS * customers)
    matrix = sparse.csc_array(
        (
            np.ones(2 * place.size),
            (np.concatenate([place // customers, DEPOTS + place % customers]), np.tile(place, 2)),
        )
    )
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.col_cost_ = np.array(data.costs, dtype=float).ravel()
    lp.col_lower_, lp.col_upper_ = np.zeros(place.size), np.full(place.size, np.inf)
    lp.row_lower_ = np.concatenate([np.full(DEPOTS, -np.inf), data.demands])
    lp.row_upper_ = np.concatenate([data.supplies, np.full(customers, np.inf)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = matrix.indptr, matrix.indices, matrix.data
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.passModel(lp)
    highs.run()
    rows, lower = np.arange(DEPOTS, dtype=np.int32), np.full(DEPOTS, -np.inf)

    def step(supplies: tuple[int, ...]) -> float:
        highs.changeRowsBounds(DEPOTS, rows, lower, np.array(supplies, dtype=float))
        highs.run()
        return float(highs.getInfo().objective_function_value)

    return step


def by_linopy(data: Transport) -> Step:
    """Return the steps of linopy's persistent solver."""
    linopy, xr = (import_module(name) for name in ("linopy", "xarray"))
    model = linopy.Model()
    x = model.add_variables(lower=0, coords=[range(DEPOTS), range(len(data.demands))], dims=["d", "c"], name="x")
    model.add_constraints(x.sum("c") <= xr.DataArray(list(data.supplies), dims="d"), name="supply")
    model.add_constraints(x.sum("d") >= xr.DataArray(list(data.demands), dims="c"), name="demand")
    model.add_objective((x * xr.DataArray(np.array(data.costs), dims=["d", "c"])).sum())
    solver = linopy.solvers.Highs.from_model(model, io_api="direct", track_updates=True, options={"output_flag": False})
    solver.solve()

    def step(supplies: tuple[int, ...]) -> float:
        model.constraints["supply"].rhs = xr.DataArray(list(supplies), dims="d")
        result = solver.solve(model)
        return float(result.solution.objective)

    return step


TOOLS = {"schedproof compile": compiled, "highspy on arrays": plain, "linopy": by_linopy, "schedproof rebuilt": rebuilt}


def rows(columns: int, changes: int, repeats: int) -> Iterator[tuple[str, float, list[float], list[float]]]:
    data, supplies = draw(columns, changes)
    for name, tool in TOOLS.items():
        if tool is by_linopy and find_spec("linopy") is None:
            print("linopy is not installed: `pip install linopy` adds its row")
            continue
        for _ in range(repeats if tool is not rebuilt else 1):
            begin = process_time()
            step = tool(data)
            built, seconds, optima = process_time() - begin, [], []
            for these in supplies[: REBUILT if tool is rebuilt else None]:
                begin = process_time()
                optima.append(step(these))
                seconds.append(process_time() - begin)
            yield name, built, seconds, optima


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\\n")[0])
    parser.add_argument("--columns", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    for columns in given.columns:
        optima: list[float] = []
        for name, built, seconds, found in rows(columns, given.changes, given.repeats):
            optima = optima or found
            agree = np.allclose(found, optima[: len(found)], rtol=1e-9)
            low, high = np.quantile(seconds, (0.1, 0.9))
            print(
                f"{columns:>7} {name:<19} build {built:7.3f} s   step {1000 * median(seconds):9.2f} ms "
                f"(tenth to nine tenths: {1000 * low:.2f} to {1000 * high:.2f})   sweep {sum(seconds):7.2f} s"
                f"{'' if agree else '   OTHER OPTIMA'}",
                flush=True,
            )


if __name__ == "__main__":
    main()
