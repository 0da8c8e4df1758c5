from __future__ import annotations

import importlib.util
from decimal import Decimal
from typing import Any

import pytest

from schedproof.core.errors import InputError, ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.solvers import pyomo_models
from schedproof.core.solvers.status import Outcome
from schedproof.formulations.multiserver import tangents
from schedproof.formulations.multiserver.gang import gang
from schedproof.formulations.multiserver.optima import slot_optimum
from schedproof.instances.multiserver import Instance, from_json
from tests.support import size
from tests.tiny.multiserver import by_hand, tiny_ports

GAINS = ["node", "total"]
SOLVERS = ["tangents", "brute", *(["scip"] if importlib.util.find_spec("pyscipopt") else [])]
AGREE = {"rel": 2e-6, "abs": 2e-6}  # HiGHS and SCIP stop at a gap of 1e-6


@pytest.mark.parametrize("gain", GAINS)
def test_every_route_finds_the_same_optimum(gain: str) -> None:
    positive = refused = 0
    for seed in range(size(3, 5, 150)):
        instance = tiny_ports(seed, gangs=True, horizon=1, copies=1 + seed % 2)
        found = {solver: gang(slot=0, gain=gain).solve(instance, solver=solver) for solver in SOLVERS}
        assert {solution.ended for solution in found.values()} == {"optimal"}, seed
        best = found["brute"].objective
        for solution in found.values():
            assert solution.objective == pytest.approx(best, **AGREE), (seed, solution.solver)
            assert solution.bound >= best - 2e-6, (seed, solution.solver)
            check(instance, solution.values) if solution.values else None
        positive += best > 0.1
        refused += best < slot_optimum(slot=0, gain=gain).solve(without_tasks(instance)).objective - 1e-3
    assert positive and refused


def without_tasks(instance: Instance) -> Instance:
    from schedproof.instances.multiserver import to_json

    value = to_json(instance)
    for port, row in zip(instance.ports, value["ports"], strict=True):
        if row.pop("tasks", None):
            row.pop("minimum_tasks")
            total = {k: sum(float(task.demand.get(k, 0)) for task in port.tasks) for k in instance.resources}
            row["demand"] = {k: Decimal(str(amount)) for k, amount in total.items()}
    return from_json(value)


def check(instance: Instance, values: dict[str, dict[Any, float]], slack: float = 2e-6) -> None:
    amount, started = values["task_allocation.amount"], values["start.started"]
    ports = {port.name: port for port in instance.ports}
    counts = dict(zip(ports, instance.arrivals[0].tolist(), strict=True))
    used: dict[tuple[str, str], float] = {}
    for (name, number, q, node, k), value in amount.items():
        tasks = ports[name].tasks
        demand = tasks[q].demand if tasks else ports[name].demand
        assert number <= counts[name] and -slack <= value <= float(demand[k]) + slack
        assert value <= slack or (name, number, q) in started
        assert node in {instance.nodes[r].name for r in ports[name].nodes}
        used[node, k] = used.get((node, k), 0.0) + value
    for node in instance.nodes:
        for k, room in node.capacity.items():
            assert used.get((node.name, k), 0.0) <= float(room) + slack
    for name, number, q in started:
        for k, least in ports[name].tasks[q].minimum.items() if ports[name].tasks else ():
            given = [v for (p, n, task, _, m), v in amount.items() if (p, n, task, m) == (name, number, q, k)]
            assert sum(given) >= float(least) - slack
    for name, number in {(name, number) for name, number, _ in started}:
        many = sum((p, n) == (name, number) for p, n, _ in started)
        assert many >= ports[name].minimum_tasks and (name, number) in values["launch.launched"]


@pytest.mark.parametrize("gain", GAINS)
def test_without_tasks_it_is_the_slot_optimum(gain: str) -> None:
    for seed in range(size(2, 5, 60)):
        instance = tiny_ports(seed, horizon=1, copies=2)
        found, expected = (program(slot=0, gain=gain).solve(instance) for program in (gang, slot_optimum))
        assert found.solver == "tangents" and found.objective == pytest.approx(expected.objective, **AGREE), seed


def two_tasks(capacity: int, minimum: int | Decimal, needed: int | None, **more: Any) -> Instance:
    """A job of two tasks of up to 4 GPUs with gain 1 each, and one without tasks."""
    task = {"demand": {"gpu": 4}, "minimum": {"gpu": minimum}}
    port = {"name": "p", "demand": {}, "nodes": ["n"], "tasks": [task, task]}
    value = {
        "version": 1,
        "family": "multiserver",
        "resources": ["gpu"],
        "nodes": [{"name": "n", "capacity": {"gpu": capacity}}],
        "ports": [port if needed is None else port | {"minimum_tasks": needed}],
        "utilities": {"gpu": {"kind": "linear", "alpha": 1}},
        "overhead": {"gpu": Decimal("0.25")},
        "arrivals": [[1]],
    }
    return from_json(value | more)


@pytest.mark.parametrize(
    ("capacity", "minimum", "needed", "gpus"),
    [(8, 3, 2, 8), (7, 3, 2, 7), (5, 3, 2, 0), (5, 3, 1, 4), (2, 3, 1, 0), (5, 3, None, 0), (5, 3, 0, 4), (3, 5, 1, 0)],
)
def test_a_gang_starts_completely_or_not_at_all(capacity: int, minimum: int, needed: int | None, gpus: int) -> None:
    # By default all tasks are needed; below a task's minimum, or with too few tasks, the reward is 0.
    instance = two_tasks(capacity, minimum, needed)
    for solver in ("highs", *SOLVERS):
        found = gang(slot=0).solve(instance, solver=solver)
        assert found.ended == "optimal" and found.objective == pytest.approx(gpus * 0.75, abs=1e-6), solver


def test_of_two_jobs_of_a_port_one_is_launched() -> None:
    instance = two_tasks(8, 4, 2, arrivals=[[2]])
    found = gang(slot=0).solve(instance)
    assert found.objective == pytest.approx(6, abs=1e-6)
    assert len({(port, number) for port, number, _ in found.values["start.started"]}) == 1


def test_the_printed_supremum_is_the_optimum_without_the_minimum() -> None:
    def with_minimum(minimum: Decimal) -> Instance:
        gpu = {"demand": {"gpu": 4}, "minimum": {"gpu": 1}}
        cpu = {"demand": {"cpu": 4}, "minimum": {"cpu": minimum}}
        return two_tasks(
            0,
            1,
            2,
            resources=["gpu", "cpu"],
            nodes=[{"name": "n", "capacity": {"gpu": 4, "cpu": 4}}],
            ports=[{"name": "p", "demand": {}, "nodes": ["n"], "tasks": [gpu, cpu]}],
            utilities={"gpu": {"kind": "linear", "alpha": 1}, "cpu": {"kind": "linear", "alpha": Decimal("0.5")}},
            overhead={"gpu": 0, "cpu": 1},
        )

    assert gang(slot=0).drop("task_minimum").solve(with_minimum(Decimal(1))).objective == pytest.approx(4)
    for m in ("4", "1", "0.1", "0.01"):
        found = gang(slot=0).solve(with_minimum(Decimal(m))).objective
        assert found == pytest.approx(4 - float(m) / 2, abs=1e-6)
    tasks_only = tiny_ports(15, gangs=True, horizon=1, kinds=("linear",))
    printed = gang(slot=0).drop("task_minimum").solve(tasks_only).objective
    assert printed == pytest.approx(slot_optimum(slot=0).solve(without_tasks(tasks_only)).objective, **AGREE)


def test_at_the_time_limit_it_has_a_point_and_a_bound_or_reports_none(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = tiny_ports(12, gangs=True, horizon=1)
    best = gang(slot=0).solve(instance, solver="brute").objective
    monkeypatch.setattr(tangents, "FIRST", (0,))
    truly, limits = pyomo_models.solve, []

    def solve(model: Any, solver: str, context: Context) -> Outcome:
        limits.append(context.remaining)
        return truly(model, solver) if len(limits) == 1 else Outcome("time_limit")

    monkeypatch.setattr(pyomo_models, "solve", solve)
    found = gang(slot=0).solve(instance, time_limit=60.0)
    assert found.status == "feasible" and found.objective < best - 1e-3 and found.bound > best + 1e-3
    assert 60 >= limits[0] > limits[1] > 0 and found.values
    found = gang(slot=0).solve(instance)
    assert (found.status, found.objective, found.bound, limits[-1]) == ("time_limit", None, None, None)
    assert gang(slot=0).solve(instance, solver="brute", time_limit=0.0).ended == "time_limit"


def test_brute_force_is_for_tiny_instances() -> None:
    with pytest.raises(ProgramError, match="more than 5000 choices: brute force is for tiny instances"):
        gang(slot=0).solve(two_tasks(8, 1, 1, arrivals=[[9]]), solver="brute")


@pytest.mark.parametrize("nodes", [[], ["n"]])
@pytest.mark.parametrize("gain", GAINS)
def test_without_jobs_or_startable_tasks_it_is_zero(gain: str, nodes: list[str]) -> None:
    port = {"name": "p", "demand": {}, "nodes": nodes, "tasks": [{"demand": {"gpu": 4}, "minimum": {"gpu": 1}}]}
    for more in ({"arrivals": [[0]]}, {"nodes": [{"name": "n", "capacity": {}}], "arrivals": [[2]]}):
        for solver in ("highs", *SOLVERS):
            found = gang(slot=0, gain=gain).solve(two_tasks(8, 1, 1, ports=[port], **more), solver=solver)
            assert found.ended == "optimal" and found.objective == pytest.approx(0, abs=1e-9), (solver, more)


def test_the_largest_overhead_counts_and_not_their_sum() -> None:
    value = by_hand([[3, 2]], [([], [0])], [[1]], overhead={"gpu": Decimal("0.5"), "cpu": Decimal("0.2")})
    value["ports"][0]["tasks"] = [{"demand": {"gpu": 2, "cpu": 3}, "minimum": {"gpu": 1}}]
    found = gang(slot=0).solve(from_json(value))
    assert found.objective == pytest.approx(5 - 1, abs=1e-6)
    assert found.values["overheads.overhead"] == pytest.approx({("p0", 1): 1})


def test_a_slot_after_the_horizon_gives_a_message() -> None:
    for solver in SOLVERS:
        with pytest.raises(InputError, match=r"slot=5: expected a slot from 0 to 4"):
            gang(slot=5).solve(tiny_ports(0), solver=solver)
