from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from schedproof.core.solvers.linear_program import LinearProgram
from schedproof.formulations.multiserver.optima import stationary
from schedproof.instances.multiserver import Instance, from_json
from tests.instances.multiserver.allocations import cumulative
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_multiserver, tiny_ports

GAINS = ["node", "total"]
AGREE = {"rel": 1e-7, "abs": 1e-7}  # what two solvers, each stopped at 1e-8 at worst, are held to


def one_node(kind: str, demands: list[int], arrivals: list[list[int]], capacity: int, beta: str) -> Instance:
    ports = [([a], [0]) for a in demands]
    return from_json(by_hand([[capacity]], ports, arrivals, kind=kind, alpha=Decimal("1.5"), beta=Decimal(beta)))


@pytest.mark.parametrize("gain", GAINS)
def test_two_solvers_and_the_checkers_agree(gain: str) -> None:
    program, positive = stationary(gain=gain), 0
    for seed in range(size(4, 8, 200)):
        instance = tiny_ports(seed, copies=1 + seed % 3)
        found = program.solve(instance)
        other = program.solve(instance, solver="scs")
        assert found.ended == other.ended == "optimal" and found.solver == "clarabel", seed
        assert found.objective == pytest.approx(other.objective, **AGREE), seed
        schedule = found.schedule()
        assert schedule.violations(instance) == [] and schedule.gain == gain
        low, high = schedule.reward(instance)
        assert float(low) == pytest.approx(found.objective, **AGREE), seed
        assert float(low) <= found.bound + 1e-7 * max(1, found.bound) and high - low < 1e-9
        positive += found.objective > 0.1
    assert positive > size(4, 8, 200) / 2


def by_linear_program(instance: Instance) -> float | None:
    jobs = [(port, count) for port, j in _jobs(instance) if (count := _slots(instance, port.index, j))]
    columns: list[tuple[int, int, str]] = []
    costs, rows, limits = [], [], []
    for i, (port, count) in enumerate(jobs):
        for r in port.nodes:
            for k in instance.resources:
                columns.append((i, r, k))
                costs.append(-count * float(instance.utility(r, k).alpha))
    number = {column: n for n, column in enumerate(columns)}

    def row(entries: dict[int, float], limit: float) -> None:
        rows.append(entries)
        limits.append(limit)

    for (i, _, k), n in number.items():
        row({n: 1.0}, float(jobs[i][0].demand.get(k, 0)))
    for r, node in enumerate(instance.nodes):
        for k in instance.resources:
            row({n: 1.0 for (_, s, m), n in number.items() if (s, m) == (r, k)}, float(node.capacity.get(k, 0)))
    for i, (_, count) in enumerate(jobs):  # the overhead of a job is one more column
        costs.append(float(count))
        for k in instance.resources:
            beta = float(instance.overhead[k])
            row({n: beta for (j, _, m), n in number.items() if (j, m) == (i, k)} | {len(costs) - 1: -1.0}, 0.0)
    matrix = sparse.lil_array((len(rows), len(costs)))
    for n, entries in enumerate(rows):
        for column, value in entries.items():
            matrix[n, column] = value
    solver = LinearProgram(np.array(costs), matrix, np.full(len(rows), -np.inf), np.array(limits))
    value = solver.solve().objective
    return None if value is None else -value


def _jobs(instance: Instance) -> list[tuple[Any, int]]:
    return [(port, j) for port in instance.ports for j in range(1, 1 + int(instance.arrivals[:, port.index].max()))]


def _slots(instance: Instance, port: int, j: int) -> int:
    return int((instance.arrivals[:, port] >= j).sum())


def test_with_linear_utilities_it_equals_the_linear_program() -> None:
    for seed in range(size(4, 8, 200)):
        instance = tiny_ports(seed, kinds=("linear",), copies=1 + seed % 3)
        assert stationary().solve(instance).objective == pytest.approx(by_linear_program(instance), **AGREE), seed


def test_both_readings_agree_for_one_linear_utility() -> None:
    for seed in range(size(3, 6, 100)):
        instance = from_json(tiny_multiserver(seed, kinds=("linear",)) | {"node_utilities": {}})
        node, total = (stationary(gain=gain).solve(instance).objective for gain in GAINS)
        assert node == pytest.approx(total, **AGREE), seed


def test_splitting_over_nodes_gains_more_than_the_total() -> None:
    # Two nodes of 3 GPUs: 2 ln 4 through two channels, ln 7 for the six together.
    value = by_hand([[3], [3]], [([9], [0, 1])], [[1], [0], [1]], kind="log")
    found = [stationary(gain=gain).solve(from_json(value)).objective for gain in GAINS]
    assert found == pytest.approx([2 * 2 * np.log(4), 2 * np.log(7)], rel=1e-9)


def water_level(kind: str, counts: np.ndarray, demands: np.ndarray, capacity: float, beta: float) -> np.ndarray:
    """Equal n_l (f'(y_l) - beta) for all ports between their limits, by bisection."""
    a = 1.5

    def amounts(level: float) -> np.ndarray:
        with np.errstate(divide="ignore"):
            slope = level / counts + beta
            y = {"log": a / slope - 1, "reciprocal": slope**-0.5 - a, "poly": (a / (2 * slope)) ** 2 - 1}[kind]
        return np.clip(y, 0, demands)

    low, high = 0.0, 10.0 * counts.max()
    if amounts(low).sum() <= capacity:
        return amounts(low)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if amounts(middle).sum() > capacity else (low, middle)
    return amounts(high)


@pytest.mark.parametrize("kind", ["log", "reciprocal", "poly"])
@pytest.mark.parametrize("capacity", [3, 30])
def test_on_one_node_it_is_water_filling(kind: str, capacity: int) -> None:
    arrivals = [[1, 1, 0], [1, 0, 1], [1, 0, 0], [1, 1, 0]]
    instance = one_node(kind, [2, 5, 9], arrivals, capacity, "0.2")
    expected = water_level(kind, np.sum(arrivals, axis=0), np.array([2, 5, 9]), capacity, 0.2)
    block = np.broadcast_to(expected[:, None], (len(arrivals), 3, 1))
    best = cumulative(instance, [block])[0]
    found = stationary().solve(instance)
    assert found.objective == pytest.approx(float(best), rel=1e-9)
    y = np.array([found.values["allocation"].get((e, 0), 0.0) for e in range(3)])
    assert np.allclose(y, expected, rtol=0, atol=1e-6)  # the optimum is flat: 1e-12 of it is 1e-6 of a place


def test_several_jobs_of_a_port_are_separate_ports() -> None:
    for seed in range(size(2, 5, 60)):
        value = tiny_multiserver(seed, copies=3)
        instance = from_json(value)
        ports = [port | {"name": f"{port['name']}-{j}"} for port in value["ports"] for j in (1, 2, 3)]
        arrivals = [[int(x >= j) for x in row for j in (1, 2, 3)] for row in value["arrivals"]]
        apart = from_json(value | {"ports": ports, "arrivals": arrivals})
        found, expected = (stationary().solve(i).objective for i in (instance, apart))
        assert found == pytest.approx(expected, **AGREE), seed


def test_no_feasible_point_is_better() -> None:
    rng = np.random.default_rng(0)
    for seed in range(size(2, 6, 60)):
        instance = tiny_ports(seed)
        graph = instance.graph
        best = {gain: stationary(gain=gain).solve(instance).bound for gain in GAINS}
        for _ in range(20):
            y = rng.random(graph.shape) * graph.demand[graph.edge_copy]
            for r in range(len(graph.capacity)):
                used = y[graph.edge_node == r].sum(axis=0)
                y[graph.edge_node == r] *= np.minimum(1, graph.capacity[r] / np.maximum(used, 1e-300))
            block = np.broadcast_to(y, (instance.horizon, *y.shape))
            assert all(cumulative(instance, [block], gain)[1] <= best[gain] + 1e-7 for gain in GAINS), seed


def test_another_prefix_of_the_slots_is_another_parameter_value() -> None:
    instance = tiny_ports(3, horizon=6)
    problem = stationary().build(instance)
    for slots in (6, 3, 1):
        problem.param_dict["presence"].value = instance.counts(slots)
        problem.solve(solver="CLARABEL")
        short = from_json(tiny_multiserver(3, horizon=6) | {"arrivals": instance.arrivals[:slots].tolist()})
        assert problem.value == pytest.approx(stationary().solve(short).objective, rel=1e-6), slots


NOTHING: dict[str, dict[str, Any]] = {
    "ports without nodes": {"ports": [{"name": "p", "demand": {"gpu": 3}, "nodes": []}]},
    "no ports": {"ports": [], "arrivals": [[], []]},
    "no nodes": {"nodes": [], "ports": [{"name": "p", "demand": {"gpu": 3}, "nodes": []}], "node_utilities": {}},
    "nobody arrives": {"arrivals": [[0], [0]]},
    "no capacity": {"nodes": [{"name": "n", "capacity": {}}, {"name": "m", "capacity": {}}]},
    "no demand": {"ports": [{"name": "p", "demand": {}, "nodes": ["m", "n"]}]},
}


def empty(change: str) -> Instance:
    """An instance with reward 0 for every allocation."""
    value: dict[str, Any] = {
        "version": 1,
        "family": "multiserver",
        "resources": ["gpu", "cpu"],
        "nodes": [{"name": "n", "capacity": {"gpu": 2, "cpu": 1}}, {"name": "m", "capacity": {"gpu": 2}}],
        "ports": [{"name": "p", "demand": {"gpu": 3}, "nodes": ["n"]}],
        "utilities": {k: {"kind": "log", "alpha": 1} for k in ("gpu", "cpu")},
        "node_utilities": {"n": {"cpu": {"kind": "reciprocal", "alpha": 2}}},
        "overhead": {"gpu": Decimal("0.5"), "cpu": 1},
        "arrivals": [[1], [0]],
    }
    return from_json(value | NOTHING[change])


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("change", NOTHING)
def test_without_rewards_it_is_zero(gain: str, change: str) -> None:
    instance = empty(change)
    for solver in ("clarabel", "scs"):
        found = stationary(gain=gain).solve(instance, solver=solver)
        assert found.ended == "optimal" and found.objective == pytest.approx(0, abs=1e-8)
        assert found.bound == pytest.approx(0, abs=1e-8)
        assert found.schedule().violations(instance) == [] and abs(found.schedule().objective(instance)) < 1e-8


def test_an_isolated_port_or_node_has_no_effect() -> None:
    instance = one_node("log", [2, 5], [[1, 1]], 4, "0.1")
    ports = [([9], []), ([2], [1]), ([5], [1])]
    value = by_hand([[9], [4]], ports, [[1, 1, 1]], kind="log", alpha=Decimal("1.5"), beta=Decimal("0.1"))
    for gain in GAINS:
        found, expected = (stationary(gain=gain).solve(i).objective for i in (from_json(value), instance))
        assert found == pytest.approx(expected, rel=1e-9)


def test_a_dropped_group_is_absent() -> None:
    instance = one_node("log", [2, 5], [[1, 1]], 4, "0.5")  # f' = 1.5 / (y + 1): at 2 it is just the overhead
    values = {name: stationary().drop(name).solve(instance) for name in ("demand", "capacity", "overhead")}
    plain = stationary().solve(instance).objective
    assert plain == pytest.approx(2 * (1.5 * np.log(3) - 1), rel=1e-9)
    assert values["demand"].objective == pytest.approx(plain, rel=1e-6)
    assert values["capacity"].objective == pytest.approx(plain, rel=1e-6)
    assert values["overhead"].objective == pytest.approx(2 * 1.5 * np.log(3), rel=1e-9)
    overhead_only = stationary().drop("gain_by_node").solve(instance)
    assert overhead_only.objective == pytest.approx(0, abs=1e-9)


def test_every_group_has_a_sentence_and_a_numbered_row() -> None:
    rows = stationary().latex().splitlines()
    assert [row.split(r"\text{")[1].split("}")[0] for row in rows] == ["(12)", "(7)", "(5)", "(6)", "(9)", "(4)"]
    assert stationary(gain="total").latex().splitlines()[1:] == rows[1:]
    assert all(g.sentence.endswith(".") for gain in GAINS for g in stationary(gain=gain).groups)


def test_the_values_are_entries_by_edge_and_resource() -> None:
    instance = one_node("linear", [2, 5], [[1, 1]], 4, "0.5")
    values = stationary().solve(instance).values
    assert values.keys() == {"allocation"} and values["allocation"].keys() <= {(0, 0), (1, 0)}
    assert sum(values["allocation"].values()) == pytest.approx(4)
