"""A concurrent open shop with one LP row per machine and set of jobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies as st

from schedproof.core.base.lazy import pyo
from schedproof.core.programs.group import Group, group
from schedproof.core.programs.program import Program

VIOLATED = 1e-7
Set = tuple[int, ...]


@dataclass(frozen=True)
class Shop:
    """Jobs with a weight and a time on each machine."""

    weights: tuple[int, ...]
    times: tuple[tuple[int, ...], ...]
    family: str = "toy"
    sha256: str = "0" * 64


def shops(most: int = 5) -> st.SearchStrategy[Shop]:
    """Up to `jobs` jobs on up to three machines."""
    sizes = st.tuples(st.integers(1, most), st.integers(1, 3))

    def of(size: tuple[int, int]) -> st.SearchStrategy[Shop]:
        jobs, machines = size
        number = st.tuples(*[st.integers(0, 9)] * jobs)
        return st.builds(Shop, st.tuples(*[st.integers(1, 9)] * jobs), st.tuples(*[number] * machines))

    return sizes.flatmap(of)


@group("variables", "(1c)", r"C_j \in \mathbb{Z}_{\ge 0}")
def completion(block: Any, shop: Shop) -> None:
    """When a job is complete."""
    block.C = pyo.Var(range(len(shop.weights)), domain=pyo.NonNegativeIntegers)


@group("objective", "(1)", r"\min \textstyle\sum_j w_j C_j", needs=("completion",))
def cost(block: Any, shop: Shop) -> None:
    """The weighted sum of completion times."""
    c = block.model().completion.C
    block.term = sum(w * c[j] for j, w in enumerate(shop.weights))


def most_violated(shop: Shop, values: dict[str, dict[Any, float]]) -> Iterator[tuple[int, Set]]:
    c = values["completion.C"]
    order = sorted(c, key=lambda j: c[j])
    for machine, times in enumerate(shop.times):
        lacks = [(_lack(times, order[: n + 1], c), n + 1) for n in range(len(order))]
        lack, count = max(lacks)
        if lack > VIOLATED:
            yield machine, tuple(sorted(order[:count]))


def _lack(times: Set, jobs: Iterable[int], c: dict[int, float]) -> float:
    return float(least(times, jobs)) - sum(times[j] * c[j] for j in jobs)


def least(times: Set, jobs: Iterable[int]) -> Fraction:
    """f(S) = (p(S)^2 + sum of p^2) / 2."""
    mine = [times[j] for j in jobs]
    return Fraction(sum(mine) ** 2 + sum(t * t for t in mine), 2)


ROW = r"\textstyle\sum_{j \in S} p_{ij} C_j \ge f_i(S) \quad \forall i, S"


@group("constraints", "(1a)", ROW, needs=("completion",), separate=most_violated)
def parallel(block: Any, shop: Shop, *, rows: tuple[tuple[int, Set], ...]) -> None:
    """A machine runs one operation at a time."""
    c, block.row = block.model().completion.C, pyo.ConstraintList()
    for machine, jobs in rows:
        times = shop.times[machine]
        block.row.add(pyo.quicksum(times[j] * c[j] for j in jobs) + 0 * c[jobs[0]] >= least(times, jobs))


def at_once(shop: Shop) -> tuple[tuple[int, Set], ...]:
    jobs = range(len(shop.weights))
    return tuple(
        (machine, some)
        for machine, times in enumerate(shop.times)
        for size in range(1, len(jobs) + 1)
        for some in combinations(jobs, size)
        if any(times[j] for j in some)
    )


@group("constraints", "(1b)", r"C_j \le P", needs=("completion",))
def horizon(block: Any, shop: Shop) -> None:
    """No job completes later than if all jobs ran one after another."""
    c, last = block.model().completion.C, int(np.sum(shop.times))
    block.row = pyo.Constraint(list(c), rule=lambda _, j: c[j] <= last)


def lp(rows: Group = parallel) -> Program:
    """The program, with whole completion times."""
    return Program("toy.shop", "minimize", (cost, rows, horizon, completion))


def separated_by(separate: Any) -> Group:
    return replace(parallel, separate=separate)
