"""Local search: the same data nodes on allowed servers, never with more overload."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from schedproof.core.runtime.context import USUAL, Context
from schedproof.formulations.jrp.local_search import ROUNDING, LocalSearch, improve, overload
from schedproof.formulations.jrp.tangents import Linear, feasible_part
from schedproof.instances.jrp import Instance, Placement
from schedproof.instances.jrp.server_feasibility import fits
from tests.formulations.jrp.tiny import cells, job, server
from tests.support import size
from tests.tiny.jrp import tiny_cells

ZERO = Fraction(0)


def start(instance: Instance) -> list[Placement]:
    return Linear(instance).round(len(instance.jobs))


def test_it_keeps_the_jobs_and_does_not_increase_overload() -> None:
    less = 0
    for seed in range(size(5, 18, 300)):
        instance = tiny_cells(seed, jobs=3 + seed % 3)
        placed = start(instance)
        search = LocalSearch(placed, instance)
        first = last = sum(search.over)
        for _ in range(60):
            search.step()
            now = [Placement(row.job, row.node, j) for j, here in enumerate(search.here) for row in here]
            assert sorted(row[:2] for row in now) == sorted(row[:2] for row in placed)
            assert all(j in instance.jobs[k].nodes[i].servers for k, i, j in now)
            assert search.over == pytest.approx(LocalSearch(now, instance).over, abs=1e-9)
            assert sum(search.over) <= last + 1e-9
            last = sum(search.over)
        less += last < first - 1e-9
        if not any(search.over):
            assert len(feasible_part(now, instance)) == len(now)
    assert less


def test_an_overload_is_rejected_by_the_exact_test() -> None:
    quarters = [Fraction(n, 4) for n in range(6)]
    some = set()
    for stored, a, b, root in product(quarters, repeat=4):
        if root <= min(a, b):
            whole = stored <= 1 and fits(Fraction(1), Fraction(1), [(root, root), (a - root, ZERO), (ZERO, b - root)])
            assert (overload(float(stored), float(a), float(b), float(root)) == 0) == whole
            some.add(whole)
    assert some == {False, True}
    assert overload(1 + ROUNDING / 2, 0, 0, 0) == 0 < overload(1 + 2 * ROUNDING, 0, 0, 0)


def packing(seed: int) -> Instance:
    rng = random.Random(seed)
    rows = []
    for _ in range(3):
        cuts = sorted(rng.sample(range(1, 40), 3))
        rows += [b - a for a, b in zip([0, *cuts], [*cuts, 40], strict=True)]
    return cells([server(1, 1, 10)] * 3, *(job(0, 0, n * 0.25) for n in sorted(rows)))


def test_it_fills_servers_better_than_the_greedy_rule() -> None:
    filled = greedy = 0
    for seed in range(size(10, 12, 200)):
        instance = packing(seed)
        found = improve(start(instance), instance, USUAL)
        assert found == improve(start(instance), instance, USUAL)
        filled += len(feasible_part(found, instance)) == 12
        greedy += len(feasible_part(start(instance), instance)) == 12
    assert filled > size(5, 6, 100) > greedy


def test_it_stops_in_time() -> None:
    instance = packing(0)
    assert improve(start(instance), instance, Context(time_limit=0)) == start(instance)
