from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.formulations.multiserver.projection import projection, read_point
from schedproof.instances.multiserver import Graph, Instance, from_json
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_multiserver, tiny_ports

ZERO = Fraction(0)
# |y - y*|^2 is at most the gap: 1e-12, of values up to about 1,000, for the interior points, which are that far away
# where a multiplier and its slack are both zero; the others end on the right face
FAR = {"clarabel": 5e-5, "piqp": 5e-5, "osqp": 1e-6, "scs": 1e-6}


def in_rationals(graph: Graph, point: np.ndarray) -> np.ndarray:
    """clip(z - tau, 0, a) with the exact root tau of sum y = c."""
    y = np.zeros(point.shape, dtype=object)
    for r, row in enumerate(graph.capacity):
        edges = np.flatnonzero(graph.edge_node == r)
        for k, c in enumerate(map(Fraction, row)):
            z = [Fraction(v) for v in point[edges, k]]
            a = [Fraction(v) for v in graph.demand[graph.edge_copy[edges], k]]
            y[edges, k] = _row(z, a, c)
    return y


def _row(z: list[Fraction], a: list[Fraction], c: Fraction) -> list[Fraction]:
    def at(tau: Fraction) -> list[Fraction]:
        return [min(max(v - tau, ZERO), m) for v, m in zip(z, a, strict=True)]

    if sum(at(ZERO)) <= c:
        return at(ZERO)
    points = sorted({ZERO, *(v for v in z if v > 0), *(v - m for v, m in zip(z, a, strict=True) if v > m)})
    low = max(tau for tau in points if sum(at(tau)) >= c)
    if sum(at(low)) == c:
        return at(low)
    high = min(tau for tau in points if tau > low)
    more, less = sum(at(low)), sum(at(high))
    return at(low + (high - low) * (more - c) / (more - less))


def points(seed: int, instance: Instance) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shape = instance.graph.shape
    return [
        rng.normal(size=shape) * 6,
        rng.integers(-1, 6, shape) / 2.0,
        np.full(shape, 3.0),
        rng.random(shape) / 4,
    ][seed % 4]


def test_every_solver_returns_the_exact_projection() -> None:
    moved = 0
    for seed in range(size(6, 10, 1000)):
        instance = tiny_ports(seed, ports=5, nodes=3, copies=1 + seed % 2, horizon=2)
        graph, z = instance.graph, points(seed, instance)
        exact = in_rationals(graph, z)
        least = float(((exact - z) ** 2).sum())
        for solver, far in FAR.items():
            found = projection(point=z).solve(instance, solver=solver)
            assert found.ended == "optimal", (seed, solver)
            y = np.zeros(graph.shape)
            for entry, value in found.values.get("allocation", {}).items():
                y[entry] = value
            assert np.abs(y - exact.astype(float)).max(initial=0) < far, (seed, solver)
            assert found.objective == pytest.approx(least, rel=1e-6, abs=1e-6), (seed, solver)
            assert found.bound == pytest.approx(least, rel=1e-6, abs=1e-6), (seed, solver)
        moved += least > 0.01
    assert moved >= size(6, 10, 1000) / 4


def test_a_wrong_projection_would_be_noticed() -> None:
    instance = tiny_ports(0, ports=5)
    graph, z = instance.graph, points(0, tiny_ports(0, ports=5))
    y = np.clip(z, 0, graph.demand[graph.edge_copy])
    for r, c in enumerate(graph.capacity):
        used = np.maximum(y[graph.edge_node == r].sum(axis=0), 1e-9)
        y[graph.edge_node == r] *= np.minimum(1, c / used)
    assert ((y - z) ** 2).sum() > projection(point=z).solve(instance).objective + 0.1


TWO = from_json(by_hand([[4, 1]], [([3, 3], [0])] * 2, [[1, 1]]))  # edges, and resources


def test_every_way_of_saying_the_point(tmp_path: Path) -> None:
    rows = [[1.0, 0.5], [2.5, 3.0]]
    np.save(tmp_path / "z.npy", np.array(rows))
    (tmp_path / "z.json").write_text(" [[1, 0.5], [25e-1, 3]]\n")
    ways: list[Any] = [rows, np.array(rows), "[[1,0.5],[2.5,3]]", str(tmp_path / "z.npy"), tmp_path / "z.json"]
    for point in ways:
        found = projection(point=point).solve(TWO, solver="osqp")
        assert found.objective == pytest.approx(0.5**2 + 2**2, rel=1e-8)  # (0.5, 3) GPUs become (0, 1)
    for point in (1, "1", "1e0", Fraction(1)):
        assert projection(point=point).solve(TWO).objective == pytest.approx(0.5, rel=1e-9)


BAD: dict[str, Any] = {
    "[[1,2],[3]]": "point: expected numbers, in rows of equal length",
    "[[1,": "the JSON text ends too early",
    '[["a","b"],["c","d"]]': "point: expected numbers",
    "[[1e999,0],[0,0]]": "point: expected finite numbers",
    "nan": "point: expected finite numbers",
    "nowhere.npy": r"point.file = 'nowhere.npy': expected an array: the file does not exist",
    "nowhere.json": r"nowhere.json: cannot be read: No such file or directory",
}


@pytest.mark.parametrize("text", BAD)
def test_an_invalid_point_gives_one_message(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=BAD[text]):
        projection(point=text)
    with pytest.raises(InputError, match="expected numbers"):
        read_point(np.array([1j]))
    with pytest.raises(InputError, match="expected numbers"):
        read_point(range(10**9))


@pytest.mark.parametrize("point", ["[1,2]", "[[1,2]]", np.zeros((2, 3))])
def test_a_point_of_another_shape_gives_one_message(point: Any) -> None:
    with pytest.raises(InputError, match=r"point: expected 2 x 2 numbers, edges by resources, found \("):
        projection(point=point).solve(TWO)


def test_without_edges_the_projection_is_empty() -> None:
    value = tiny_multiserver(0)
    instance = from_json(value | {"ports": [port | {"nodes": []} for port in value["ports"]]})
    for solver in FAR:
        found = projection(point=3).solve(instance, solver=solver)
        assert (found.ended, found.objective, found.values) == ("optimal", 0, {"allocation": {}})


def test_another_point_is_another_parameter_value() -> None:
    instance = tiny_ports(2, ports=4)
    problem = projection(point=0).build(instance)
    for seed in range(3):
        problem.param_dict["point"].value = points(seed, instance)
        problem.solve(solver="OSQP", eps_abs=1e-9, eps_rel=1e-9)
        assert problem.is_dcp(dpp=True)
        again = projection(point=points(seed, instance)).solve(instance, solver="osqp")
        assert problem.value == pytest.approx(again.objective, rel=1e-6, abs=1e-6)
