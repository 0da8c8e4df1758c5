from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from schedproof.instances.placement import Instance, from_json
from schedproof.workloads.tapfinger import load
from tests.workloads.trace_files import Row, Trace, accounted, of_file

EPOCHS = '"(7.4, 174.7)","(11.7, 167.0)"'
ROWS = (f"image,2,1,95,{EPOCHS}", f"image,2,2,50,{EPOCHS}", "speech,2,1,17.6", "speech,4,8,20.0")


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(load, tmp_path, noise="0", tasks="40")


def durations(data: Row) -> dict[str, set[Any]]:
    """Kind -> the sets of modes of its tasks."""
    instance = from_json(data)
    found: dict[str, set[Any]] = {}
    for task in instance.tasks:
        found.setdefault(task.kind, set()).add(frozenset(task.modes))
    return found


def test_tasks_take_the_measured_slots_rounded_up(trace: Trace) -> None:
    data, report = trace.table(*ROWS)
    assert durations(data) == {
        "image": {frozenset({((2, 1), 10), ((2, 2), 5)})},
        "speech": {frozenset({((2, 1), 2), ((4, 8), 2)})},
    }
    assert of_file(report) == {}
    assert report["tasks"]["image"] == {"allocations": 2, "seconds": [50.0, 95.0], "repeats_differ_by": 1.0}
    accounted(data, report)
    shorter, _ = trace.table(*ROWS, downsizing="2", slot_seconds="5")
    assert durations(shorter) == durations(data)
    shorter, _ = trace.table(*ROWS, downsizing="2.5")
    assert durations(shorter)["image"] == {frozenset({((2, 1), 4), ((2, 2), 2)})}


def test_the_rest_is_drawn_as_by_the_generators_test_bed(trace: Trace) -> None:
    instance: Instance = from_json(trace.table(*ROWS, tasks="300")[0])
    assert [cluster.amounts for cluster in instance.clusters] == [(32, 16)] * 3
    kinds = Counter(task.kind for task in instance.tasks)
    assert len(instance.tasks) == 300 and abs(kinds["image"] - 150) < 45 and kinds.total() == 300
    assert abs(instance.tasks[-1].arrival - 200) < 60 and all(task.clusters for task in instance.tasks)
    noisy = durations(trace.table(*ROWS, noise="0.1", tasks="300")[0])
    assert len(noisy["image"]) > 1


@pytest.mark.parametrize(("repeats", "slots"), [("mean", 8), ("least", 5), ("first", 10)])
def test_repeats_that_disagree_are_one_of_three_things(trace: Trace, repeats: str, slots: int) -> None:
    data, report = trace.table("image,2,1,95", "image,2,1,45", "image,2,1,88", repeats=repeats)
    assert durations(data) == {"image": {frozenset({((2, 1), slots)})}}
    what = {"repeat": ("fixed", 2)} if repeats == "mean" else {"repeat_left_out": ("dropped", 2)}
    assert of_file(report) == what
    assert report["tasks"]["image"]["repeats_differ_by"] == round(95 / 45, 4)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("image,2,3", "field_count"),
        (",2,3,50", "name_missing"),
        ("x" * 1001 + ",2,3,50", "name_missing"),
        ("image,two,3,50", "amount_unreadable"),
        ("image,2,2.5,50", "amount_unreadable"),
        ("image,-2,3,50", "amount_unreadable"),
        ("image,2,3,0", "time_unreadable"),
        ("image,2,3,nan", "time_unreadable"),
        ("image,2,3,1e12", "time_unreadable"),
        ("image,2,3,__import__('os')", "time_unreadable"),
        ("image,1,3,50", "outside"),
        ("image,2,9,50", "outside"),
        (",,,", "blank_line"),
    ],
)
def test_each_odd_row_is_counted_and_changes_nothing(trace: Trace, row: str, reason: str) -> None:
    data, report = trace.table(*ROWS, row)
    usual, _ = trace.table(*ROWS)
    assert data == usual and of_file(report)[reason] == ("dropped", 1)
    accounted(data, report)


def test_rows_outside_the_amounts_can_be_asked_for(trace: Trace) -> None:
    data, report = trace.table("image,1,1,50", "image,2,9,30", minimum_cpus="1", most_gpus="9")
    assert durations(data)["image"] == {frozenset({((1, 1), 5), ((2, 9), 3)})}
    assert report["files"]["1: part-0"]["kept"] == 2
