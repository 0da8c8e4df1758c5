from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.online.multiserver.projection import Layout, project, project_row
from schedproof.reference import multiserver_projection as exact
from tests.online.multiserver.literal import cluster
from tests.support import size
from tests.tiny.multiserver import tiny_ports

Case = tuple[list[float], list[float], float]


def degenerate(rng: random.Random) -> Case:
    n = rng.choice([1, 2, 3, 7, 8, 9, 16, 30])
    scale = rng.choice([1.0, 1.0, 1e12, 1e-12])
    height = rng.choice([1.0, 1.0, 1e12, 1e-12, 1e24])  # of z, relative to the demands
    pool = [rng.uniform(0, scale) for _ in range(rng.choice([1, 2, 100]))]
    a = [rng.choice(pool) * rng.choice([0.0, 1.0, 1.0, 1.0]) for _ in range(n)]
    shift = rng.choice([0.0, 0.0, 1.0, -1.0]) * scale * height
    heights = [shift + rng.uniform(-1, 2) * scale * rng.choice([1.0, height]) for _ in range(rng.choice([1, 3, 100]))]
    z = [rng.choice(heights) for _ in range(n)]
    total = sum(min(max(x, 0.0), most) for x, most in zip(z, a, strict=True))
    c = rng.choice(
        [0.0, total, sum(a), total / 2, total * rng.random(), total * 1e-12, scale * rng.random(), 2 * total]
    )
    return z, a, c


def rationals(case: Case) -> tuple[list[Fraction], list[Fraction], Fraction]:
    z, a, c = case
    return [Fraction(x) for x in z], [Fraction(x) for x in a], Fraction(c)


def is_projection(y: np.ndarray, case: Case) -> bool:
    z, a, c = rationals(case)
    got, error = [Fraction(amount) for amount in y.tolist()], 11 * (-(-len(z) // 8) * 8 + 4) * c / 2**53
    near = all(abs(amount - w) <= error for amount, w in zip(got, exact.project_row(z, a, c), strict=True))
    return near and exact.outside(got, a, c) == 0


def test_rational() -> None:
    for seed in range(size(300, 600, 10_000)):
        case = degenerate(random.Random(seed))
        assert is_projection(project_row(np.array(case[0]), np.array(case[1]), case[2]), case), seed
        z, a, c = rationals(case)
        want = exact.project_row(z, a, c)
        assert exact.outside(want, a, c) == 0 == exact.gap(z, want, a, c), seed


def test_slack() -> None:
    rng = random.Random(5)
    for _ in range(size(50, 120, 2000)):
        z, a, _ = degenerate(rng)
        free = np.clip(z, 0.0, a)
        assert (project_row(np.array(z), np.array(a), 1.001 * float(free.sum())) == free).all()


def test_wrong_answers() -> None:
    case = [3.0, 2.0, -1.0], [1.5, 2.0, 1.0], 2.0
    z, a, c = rationals(case)
    assert exact.project_row(z, a, c) == (Fraction(3, 2), Fraction(1, 2), 0)
    for y, outside in (([2, 0, 0], 0.5), ([1.5, 2, 0], 1.5), ([1, 1, 0], 0), ([0.5, 0, 0], 0), ([1.5, 0.5, -0.1], 0.1)):
        row = list(map(Fraction, y))
        assert exact.outside(row, a, c) == Fraction(outside)
        assert outside or exact.gap(z, row, a, c) > 0
        assert not is_projection(np.array(y, dtype=float), case)


@pytest.mark.parametrize(
    ("solver", "options"),
    [
        ("CLARABEL", {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}),
        ("PIQP", {"eps_abs": 1e-12, "eps_rel": 1e-12, "eps_duality_gap_abs": 1e-12, "eps_duality_gap_rel": 1e-12}),
    ],
)
def test_solvers(solver: str, options: dict[str, float]) -> None:
    # Well-scaled rows, five in a program; a gap g in |y - z|^2 leaves sqrt(g) in y.
    import cvxpy as cp
    from scipy.sparse import block_diag

    rng = np.random.default_rng(7)
    for _ in range(size(10, 18, 1000) // 5):
        rows = [(rng.uniform(-2, 6, n), rng.uniform(0, 3, n)) for n in rng.integers(1, 12, 5)]
        capacities = np.array([rng.uniform(0.1, 1.2) * a.sum() for _, a in rows])
        z, a = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        y = cp.Variable(len(z))
        sums = block_diag([np.ones((1, len(row))) for row, _ in rows], format="csr")
        problem = cp.Problem(cp.Minimize(cp.sum_squares(y - z)), [y >= 0, y <= a, sums @ y <= capacities])
        found = problem.solve(solver, **options)
        ours = np.concatenate([project_row(*row, c) for row, c in zip(rows, capacities, strict=True)])
        distance = float(((ours - z) ** 2).sum())
        assert abs(found - distance) < 1e-10 * (1 + distance)
        assert np.abs(y.value - ours).max() < np.sqrt(1e-12 * (1 + distance))


@pytest.mark.parametrize("seed", range(size(5, 12, 300)))
def test_all_rows(seed: int) -> None:
    graph = tiny_ports(seed, ports=9, nodes=4).graph
    point = np.random.default_rng(seed).normal(1, 3, graph.shape)
    got = project(point, graph)
    for r in range(len(graph.capacity)):
        edges = graph.edge_node == r
        for k in range(graph.shape[1]):
            demand = graph.demand[graph.edge_copy[edges], k]
            assert (got[edges, k] == project_row(point[edges, k], demand, graph.capacity[r, k])).all()


@pytest.mark.parametrize("density", [1.0, 0.3])
def test_threads(density: float) -> None:
    graph = cluster(20, 400, density)
    point = np.random.default_rng(3).normal(1, 5, graph.shape)
    assert (project(point, graph, threads=1) == project(point, graph, threads=2)).all()


@pytest.mark.parametrize("seed", range(size(5, 12, 200)))
def test_layout(seed: int) -> None:
    graph = tiny_ports(seed, ports=11, copies=2).graph
    layout = Layout.of(graph)
    allocation = np.random.default_rng(seed).random(graph.shape)
    assert len(np.unique(layout.place)) == allocation.size
    assert (layout.to_edges(layout.to_rows(allocation)) == allocation).all()
    rows, values = layout.rows, layout.to_rows(allocation)
    for r in range(len(graph.capacity)):
        begin, end = rows.begin[r : r + 2]
        edges = np.flatnonzero(graph.edge_node == r)
        assert rows.port[begin:end][: len(edges)].tolist() == graph.edge_copy[edges].tolist()
        assert (rows.port[begin:end][len(edges) :] >= len(graph.port)).all()
        for k in range(graph.shape[1]):
            start = begin * graph.shape[1] + k * (end - begin)
            assert values[start : start + len(edges)].tolist() == allocation[edges, k].tolist()


def test_empty_rows_and_clusters() -> None:
    assert project_row(np.zeros(0), np.zeros(0), 1.0).shape == (0,)
    assert project(np.zeros((0, 3)), cluster(3, 2, 0.0)).shape == (0, 3)


def test_tiny_capacities() -> None:
    for c in (5e-324, 1e-300, 2.0**-899, 2.0**-901):
        y = project_row(np.array([1.0, 2.0, 3.0]), np.ones(3), c)
        assert sum(map(Fraction, y.tolist())) <= Fraction(c)
        assert (y >= 0).all()


@pytest.mark.parametrize(
    ("z", "a", "c"),
    [
        ([1.0], [1.0, 2.0], 1.0),
        ([[1.0]], [[1.0]], 1.0),
        ([np.nan], [1.0], 1.0),
        ([1.0], [np.inf], 1.0),
        ([1.0], [1.0], np.inf),
        ([1.0], [-1.0], 1.0),
        ([1.0], [1.0], -1.0),
    ],
)
def test_bad_rows(z: list[float], a: list[float], c: float) -> None:
    with pytest.raises(InputError, match="expected"):
        project_row(np.array(z), np.array(a), c)


def test_bad_points() -> None:
    graph = tiny_ports(1).graph
    with pytest.raises(InputError, match="shape"):
        project(np.zeros((graph.shape[0] + 1, graph.shape[1])), graph)
    with pytest.raises(InputError, match="finite"):
        project(np.full(cluster(2, 2, 1.0).shape, np.inf), cluster(2, 2, 1.0))
