"""Generated rows against all rows, by jobs and machines, and initial multipliers.

    python benchmarks/generation.py [--most-jobs 2000]

A concurrent open shop with random times from 1 to 99 and equal weights. Its linear program has a row for each machine
and set of jobs (Mastrolilli et al. 2010). Times are processor seconds of the certified bound. ``at once`` lists all
rows, solved by HiGHS; ``less`` is the bound's loss by the tolerance of separation. ``rule's bound`` is the bound of the
rule's rows and multipliers, and ``below`` its distance to the cost of the rule's order. Rows with more than
``--most-jobs`` jobs are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import inf
from time import process_time
from typing import Any

import numpy as np
from pyomo.core.expr.numeric_expr import LinearExpression

from schedproof.check.bound import multiplier_range
from schedproof.core.base.lazy import pyo
from schedproof.core.certificates.program_bound import program_bound
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program
from schedproof.core.runtime.context import Context

AT_ONCE = (6, 2), (8, 3), (10, 4), (12, 4)
GENERATED = (25, 5), (50, 5), (100, 5), (200, 5), (400, 5), (400, 10)
LARGE = (250, 50), (500, 50), (1000, 50), (2000, 50), (2000, 25)
SECONDS = 60.0
VIOLATED = 1e-7
Set = tuple[int, tuple[int, ...]]  # a machine, and jobs


@dataclass(frozen=True)
class Shop:
    """Times by machine and job, and weights."""

    times: np.ndarray
    weights: np.ndarray
    family: str = "shop"
    sha256: str = "0" * 64


def drawn(jobs: int, machines: int) -> Shop:
    """Random times and weights."""
    rng = np.random.default_rng(jobs)
    return Shop(rng.integers(1, 100, (machines, jobs)), rng.integers(1, 100, jobs))


def most_violated(shop: Shop, values: Mapping[str, Mapping[int, float]]) -> Iterator[Set]:
    """Return for each machine the most violated row of first jobs by completion time."""
    done = np.fromiter(values["completion.C"].values(), float)
    order = np.argsort(done, kind="stable")
    times = shop.times[:, order].astype(float)
    work = times.cumsum(axis=1)
    lack = (work**2 + (times**2).cumsum(axis=1)) / 2 - (times * done[order]).cumsum(axis=1)
    for machine, last in enumerate((lack / work).argmax(axis=1).tolist()):
        if lack[machine, last] > VIOLATED * work[machine, last]:
            yield machine, tuple(sorted(order[: last + 1].tolist()))


def of_the_rule(shop: Shop) -> dict[Set, float]:
    """Return the rows of MUSSQ with multipliers.

    The last job is the one on the fullest machine that is cheapest to delay.
    """
    loads, weights, left = shop.times.sum(axis=1), shop.weights.astype(float), np.arange(shop.weights.size)
    result = dict[Set, float]()
    while left.size:
        machine = int(loads.argmax())
        rates = weights[left] / shop.times[machine, left]
        last = int(rates.argmin())
        result[machine, tuple(left.tolist())] = float(rates[last])
        weights[left] -= rates[last] * shop.times[machine, left]
        loads = loads - shop.times[:, left[last]]
        left = np.delete(left, last)
    return result


def cost_of_the_rule(shop: Shop) -> int:
    """Return the cost of the rule's order."""
    sets = [set(jobs) for _, jobs in of_the_rule(shop)]
    order = [*reversed([(a - b).pop() for a, b in zip(sets, [*sets[1:], set[int]()], strict=True)])]
    return int(shop.weights[order] @ shop.times[:, order].cumsum(axis=1).max(axis=0))


@group("variables", "(3)", r"C_j \ge 0")
def completion(block: Any, shop: Shop) -> None:
    """When a job is complete."""
    block.C = pyo.Var(range(shop.weights.size), domain=pyo.NonNegativeReals)


@group("objective", "(1)", r"\min \textstyle\sum_j w_j C_j", needs=("completion",))
def cost(block: Any, shop: Shop) -> None:
    """Weighted completion times."""
    block.term = pyo.quicksum(
        w * c for w, c in zip(shop.weights.tolist(), block.model().completion.C.values(), strict=True)
    )


ROW = r"\textstyle\sum_{j \in S} p_{ij} C_j \ge f_i(S) \quad \forall i, S"


@group("constraints", "(2)", ROW, needs=("completion",), separate=most_violated, start=of_the_rule)
def parallel(block: Any, shop: Shop, *, rows: tuple[Set, ...]) -> None:
    """A machine runs one operation at a time."""
    done, block.row = list(block.model().completion.C.values()), pyo.ConstraintList()
    for machine, jobs in rows:
        times = shop.times[machine, list(jobs)].tolist()
        least = Fraction(sum(times) ** 2 + sum(t * t for t in times), 2)
        work = LinearExpression(constant=0, linear_coefs=times, linear_vars=[done[j] for j in jobs])
        block.row.add(work >= least)


def every(shop: Shop) -> tuple[Set, ...]:
    """All machines and sets."""
    jobs = range(shop.weights.size)
    sets = [some for size in range(1, len(jobs) + 1) for some in combinations(jobs, size)]
    return tuple((machine, some) for machine in range(len(shop.times)) for some in sets)


def at_once(rows: tuple[Set, ...]) -> Group:
    """Return the group with these rows listed."""
    return replace(
        parallel, separate=None, start=None, build=lambda block, shop: parallel.build(block, shop, rows=rows)
    )


def program(rows: Group = parallel) -> Program:
    """The linear program."""
    return Program("shop.lp", "minimize", (cost, rows, completion), integer=False)


def timed(program: Program, shop: Shop, seconds: float = inf) -> tuple[Any, float]:
    """Return a bound and its processor seconds."""
    started = process_time()
    return program_bound(program, shop, Context(time_limit=seconds)), process_time() - started


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most-jobs", type=int, default=2000)
    most = parser.parse_args().most_jobs
    bare = program(replace(parallel, start=None))
    timed(bare, drawn(3, 2))  # imports, and nothing else
    print("jobs machines     rows  at once  generated  of them  times     less")
    for n, m in AT_ONCE:
        shop, rows = drawn(n, m), every(drawn(n, m))
        (full, whole), (lazy, took) = timed(program(at_once(rows)), shop), timed(bare, shop)
        less = float(1 - lazy.exact / full.exact)
        generated = lazy.details["generated"]
        print(
            f"{n:4} {m:8} {len(rows):8} {whole:8.2f} {took:10.2f} {generated:8} {whole / took:6.1f} {less:8.0e}",
            flush=True,
        )
    print("\njobs machines  generated  seconds     ended        bound   rule's bound  cost of its order")
    for n, m in [size for size in GENERATED if size[0] <= most]:
        shop = drawn(n, m)
        (lazy, took), (rule, _) = timed(program(), shop, SECONDS), timed(program(), shop, 0.0)
        d = lazy.details
        print(
            f"{n:4} {m:8} {d['generated']:10} {took:8.2f} {d['ended']:>9} {lazy.value:12.1f} {rule.value:14.1f}"
            f" {cost_of_the_rule(shop):18}",
            flush=True,
        )
    print("\njobs machines    terms  seconds  to check   rule's bound  below")
    for n, m in [size for size in LARGE if size[0] <= most]:
        shop = drawn(n, m)
        rule, took = timed(program(), shop, 0.0)
        proof, started = rule.witness.rows_in_full(), process_time()
        assert multiplier_range(proof)[0] == rule.exact
        check = process_time() - started
        terms = sum(len(row.terms) for row in rule.witness.listing.rows)
        below = 1 - rule.value / cost_of_the_rule(shop)
        print(f"{n:4} {m:8} {terms:8} {took:8.2f} {check:9.2f} {rule.value:14.0f} {below:6.2%}", flush=True)


main()
