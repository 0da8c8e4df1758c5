from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from scipy.optimize import linprog

from schedproof.instances.jrp import Instance
from schedproof.reference import jrp as reference
from schedproof.relaxations.jrp.matrix import linear_program, rows
from schedproof.rounding.jrp import guided
from schedproof.rounding.jrp.guided import GAP, TIE, Guided
from schedproof.rounding.jrp.prune import Candidates
from schedproof.rounding.jrp.relaxed import Relaxed
from schedproof.rounding.jrp.residual_capacity import ResidualCapacity
from schedproof.rounding.jrp.rounds import Rounds, draw
from tests.support import size
from tests.tiny.jrp import crowded, tiny_cells, written


def test_each_edge_is_drawn_with_its_probability() -> None:
    x = np.array([0.5, 0.0, 0.2, 0.0, 0.0, 1e-3, 3e-3, 0.0])
    chance, first = np.array([0.7, 1.0, 1.0, 0.0]), np.array([0, 3, 5, 7, 8])
    law = np.array([0.5, 0.0, 0.2, 0.0, 0.0, 0.25, 0.75, 0.0])
    draws, rng, seen = 10_000, np.random.default_rng(0), np.zeros(8)
    for _ in range(draws):
        drawn = draw(x, chance, first, rng)
        seen[drawn] += 1
    assert (np.abs(seen - draws * law) <= 5 * np.sqrt(draws * law * (1 - law))).all()
    together = 0  # independence: nodes 0 and 2
    for _ in range(draws // 4):
        together += {0, 5} <= set(draw(x, chance, first, rng).tolist())
    assert abs(together - draws / 4 * 0.125) <= 5 * sqrt(draws / 4 * 0.125 * 0.875)


@pytest.mark.parametrize("tested", [1, 3])
def test_kept_data_equal_the_references(tested: int) -> None:
    partly = 0
    for seed in range(size(40, 60, 3000)):
        rng = random.Random(seed)
        instance = crowded(12, seed, nodes=3, epochs=4) if seed % 10 == 0 else tiny_cells(seed, jobs=6)
        run = Rounds(instance, seed, tested)
        x, chosen, edge = np.zeros(len(instance.edges.node)), {}, 0
        for k, job in enumerate(instance.jobs):
            for i, node in enumerate(job.nodes):
                if node.servers and rng.random() < 0.95:
                    n = rng.randrange(len(node.servers))
                    x[edge + n], chosen[k, i] = 0.5, node.servers[n]
                edge += len(node.servers)
        priority = np.array([rng.choice([0.2, 0.5, 1.0]) for _ in instance.jobs])
        everyone = np.ones(len(instance.jobs), dtype=bool)
        row = run.accept(everyone, x, np.ones(len(instance.jobs)), priority)
        kept = reference.keep_prefixes(
            instance, chosen, priority, fits=reference.storage if tested == 1 else reference.all_three
        )
        expected = set(reference.accepted_jobs(instance, kept))
        placed = {(p.job, p.node): p.server for p in run.assignment("").placements}
        assert placed == {place: j for place, j in chosen.items() if place[0] in expected}, seed
        assert row["accepted"] == len(expected) and set(np.flatnonzero(~run.left)) == expected
        assert tested == 1 or not row["overfilled"]
        partly += 0 < len(expected) < len(instance.jobs)
    assert partly > size(10, 15, 800)


def cold(instance: Instance, alive: np.ndarray, jobs: np.ndarray, capacity: ResidualCapacity) -> float:
    edges, lp = instance.edges, linear_program(instance, capacity.approx[:, 1], capacity.approx[:, 2], method="simplex")
    columns = len(edges.node) + len(jobs)
    lp.change_highest(np.arange(columns), np.concatenate([np.where(alive, np.inf, 0), jobs.astype(float)]))
    servers = len(capacity.approx)
    lp.change_sides(len(edges.size) + np.arange(servers), np.full(servers, -np.inf), capacity.approx[:, 0])
    outcome = lp.solve()
    assert outcome.objective is not None
    return -outcome.objective


def by_prices(instance: Instance) -> Guided:
    return Guided(instance, 1)


@pytest.mark.parametrize(
    ("make", "small", "off"), [(Relaxed, 0, 0), (by_prices, 0, TIE + GAP), (by_prices, guided.SMALL, TIE + GAP)]
)
def test_warm_or_guided_solves_equal_cold_ones(
    make: Callable[[Instance], Relaxed | Guided], small: int, off: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guided, "SMALL", small)
    for seed in range(size(5, 5, 300)):
        rng = np.random.default_rng(seed)
        instance = crowded(30, seed, epochs=1 + seed % 4) if seed % 4 == 0 else tiny_cells(seed, jobs=6)
        edges, candidates, capacity, hot = (
            instance.edges,
            Candidates(instance),
            ResidualCapacity(instance),
            make(instance),
        )
        for _ in range(5):
            alive = candidates.prune(capacity, rng.random(len(edges.node)) < 0.95)
            jobs = ~candidates.trivial_jobs(alive) & (rng.random(len(instance.jobs)) < 0.8)
            alive &= jobs[candidates.job]
            point, best = hot.solve(alive, jobs, capacity), cold(instance, alive, jobs, capacity)
            assert best * (1 - off) - 1e-6 <= point.value <= best * (1 + 1e-6) + 1e-6, seed
            assert point.y.sum() == pytest.approx(point.value, rel=1e-6, abs=1e-6)
            assert not point.x[~alive].any() and not point.y[~jobs].any()
            assert (point.x >= 0).all() and (point.x <= 1).all() and (point.y <= 1).all()
            total = np.bincount(edges.node, point.x, len(edges.size))
            assert np.abs(total - point.y[edges.job]).max(initial=0) < 1e-6
            need = (point.x * edges.size[edges.node])[:, None] * capacity.approx_rates[candidates.job]
            used = np.zeros_like(capacity.approx)
            np.add.at(used, edges.server, need)
            assert (used <= capacity.approx * (1 + 1e-6) + 1e-6).all(), seed
            took = [(int(rng.integers(len(instance.servers))), 0, Fraction(int(rng.integers(3)))) for _ in range(3)]
            capacity.take(took)
        assert hot.solves == 5


def test_decisions_by_prices_equal_the_whole_programs_optimum() -> None:
    instance = crowded(80, 3, rings=3)
    everyone, alive = np.ones(80, dtype=bool), np.ones(len(instance.edges.node), dtype=bool)
    capacity, guide = ResidualCapacity(instance), Guided(instance, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guided, "SMALL", 0)
        patch.setattr(guided, "GAP", 0.0)
        point = guide.solve(alive, everyone, capacity)
    nodes, sides = len(instance.edges.size), capacity.approx.T.ravel()
    best = linprog(
        np.concatenate([guide.tie, -np.ones(80)]),
        (matrix := rows(instance.edges).tocsr())[nodes:],
        sides,
        matrix[:nodes],
        np.zeros(nodes),
        [(0, 1)] * matrix.shape[1],
    )
    assert point.x @ guide.tie - point.y.sum() == pytest.approx(best.fun, rel=1e-6)


def test_jobs_that_do_not_fit_together_are_not_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guided, "SMALL", 0)
    monkeypatch.setattr(guided.Dual, "descend", lambda self, *args, **kwargs: np.zeros_like(self.amounts))
    instance = written([(4, 9, 9)], [(0, 0, [(2, (0,))])] * 5)
    point = Guided(instance, 1).solve(*np.ones((2, 5), dtype=bool), ResidualCapacity(instance))
    assert point.value == pytest.approx(2)


def test_omitted_jobs_enter_if_they_improve_the_objective() -> None:
    instance = written([(10, 9, 9), (10, 9, 9)], [*[(0, 0, [(1, (0,))])] * 25, (0, 0, [(9, (1,))])])
    everyone, alive = np.ones(26, dtype=bool), np.ones(26, dtype=bool)
    point = Relaxed(instance).solve(alive, everyone, ResidualCapacity(instance))
    assert point.value == pytest.approx(11) and point.y[25] == 1


def test_taking_too_much_leaves_zero_and_is_counted() -> None:
    instance = written([(4, 2, 2), (4, 9, 9)], [(1, 1, [(2, (0, 1))])])
    capacity = ResidualCapacity(instance)
    assert capacity.take([(0, 0, Fraction(2)), (1, 0, Fraction(1))]) == 2
    assert capacity.exact == [[2, 0, 0], [3, Fraction(7, 2), Fraction(7, 2)]]
    assert capacity.approx.tolist() == [[2, 0, 0], [3, 3.5, 3.5]]
