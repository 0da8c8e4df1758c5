from __future__ import annotations

from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.instances.placement import Instance, Start, from_json
from schedproof.online.placement.table import TUNED, read_table
from schedproof.workloads.placement import generate
from tests.instances.placement.drawn import drawn
from tests.support import size


def instance(*tasks: tuple[str, int, list[str]], gpus: tuple[int, ...] = (4,), horizon: int = 50) -> Instance:
    """Return tasks (kind, arrival, clusters) with durations 12, 6, 4 or 3."""
    modes = [{"allocation": {"gpu": g}, "slots": slots} for g, slots in ((1, 12), (2, 6), (3, 4), (5, 3))]
    rows = [
        {
            "name": f"t{j}",
            "kind": kind,
            "arrival": arrival,
            "clusters": clusters,
            "minimum": {"gpu": 1},
            "durations": modes,
        }
        for j, (kind, arrival, clusters) in enumerate(tasks)
    ]
    boxes = [{"name": f"c{n}", "capacity": {"gpu": most}} for n, most in enumerate(gpus)]
    top = {"version": 1, "family": "placement", "horizon": horizon, "resources": ["gpu"]}
    return from_json(top | {"clusters": boxes, "tasks": rows})


def starts(case: Instance, **options: Any) -> list[Start]:
    run = sp.policy("placement.table", **options).run(case)
    assert run.feasible
    return list(run.schedule.starts)


def test_kinds_are_served_in_order_with_their_allocation_and_others_last() -> None:
    case = instance(("z", 0, ["c0"]), ("b", 0, ["c0"]), ("a", 0, ["c0"]), ("a", 0, ["c0"]), gpus=(6,))
    assert starts(case, table="a:2;b:3") == [
        Start(2, 0, (2,), 0),
        Start(3, 0, (2,), 1),
        Start(0, 0, (1,), 2),  # b waits for its three
        Start(1, 0, (3,), 6),
    ]


def test_an_allocation_is_cut_to_the_cluster_or_to_the_least() -> None:
    case = instance(("a", 0, ["c0"]), ("a", 0, ["c1"]), gpus=(3, 4))
    assert [row.allocation for row in starts(case, table={"a": (5,)})] == [(3,), (1,)], "4 has no duration"


def test_simultaneous_clusters_may_choose_one_task_and_sequential_ones_do_not() -> None:
    both = ["c0", "c1"]
    case = instance(("a", 0, both), ("a", 0, both), gpus=(2, 4))
    assert [(row.task, row.cluster, row.slot) for row in starts(case, table="a:2")] == [(0, 1, 0), (1, 0, 1)]
    found = starts(case, table="a:2", turns="in_order")
    assert [(row.task, row.cluster, row.slot) for row in found] == [(0, 0, 0), (1, 1, 0)]


def test_a_window_hides_later_tasks() -> None:
    case = instance(("b", 0, ["c0"]), ("a", 0, ["c0"]))
    assert [row.task for row in starts(case, table="a:1;b:1")] == [1, 0]
    assert [row.task for row in starts(case, table="a:1;b:1", window=1)] == [0, 1]


def test_the_usual_table_is_better_than_the_minimum_on_the_papers_instances() -> None:
    assert read_table("sensitive:2,7;insensitive:2,1") == TUNED
    for seed in range(size(1, 3, 10)):
        case = from_json(generate("synthetic3", seed, {"tasks": "96"}))
        table, least = (sp.policy(f"placement.{name}").run(case).objective for name in ("table", "minimum"))
        assert 2 * table < least


@pytest.mark.parametrize("turns", ["together", "in_order"])
def test_feasible_tasks_run(turns: str) -> None:
    for seed in range(size(30, 120, 2000)):
        case = drawn(seed, tasks=8, clusters=3, horizon=200)
        run = sp.policy("placement.table", table={"insensitive": (2, 1), "sensitive": (3, 3)}, turns=turns).run(case)
        never = {task.name for task in case.unschedulable_tasks}
        assert {v.where for v in run.violations} == never


@pytest.mark.parametrize(
    "table",
    ["sensitive", "a:x", "a:1.5", "a:-1", ":1", "a:1;a:2", 7, {"a": 3}, {"a": ("x",)}, {"": (1,)}],
)
def test_an_invalid_table_gives_one_message(table: Any) -> None:
    with pytest.raises(InputError, match="expected kind:amounts, like sensitive:2,7;insensitive:2,1"):
        sp.policy("placement.table", table=table).build(drawn(1))


def test_a_table_of_other_resources_is_rejected() -> None:
    with pytest.raises(InputError, match=r"table\.a: expected 2 amounts, of cpu, gpu"):
        sp.policy("placement.table", table="a:1").run(drawn(1))
