from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.instances import from_json
from schedproof.workloads.dmlrs.settings import NAMES
from schedproof.workloads.google import load
from schedproof.workloads.google.options import SETTINGS
from schedproof.workloads.google.tables import AFTER
from tests.workloads.trace_files import Row, Trace, counts

SUBMIT, SCHEDULE, EVICT, FAIL, FINISH, KILL = range(6)
SECOND = 1_000_000


def task(seconds: float, job: int, event: int = SUBMIT, kind: int | str = 1, index: int = 0, missing: str = "") -> str:
    time = round(seconds * SECOND)
    return f"{time},{missing},{job},{index},,{event},user,{kind},0,0.0125,0.0159,0.0004,0"


def machine(seconds: float, id: int, event: int = 0, capacity: str = "0.5,0.2493") -> str:
    return f"{round(seconds * SECOND)},{id},{event},platform,{capacity}"


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(load, tmp_path, jobs="50", machines="3")


def of_rows(report: Row) -> dict[str, tuple[str, int]]:
    return counts(next(iter(report["files"].values())))


def of_jobs(report: Row) -> dict[str, tuple[str, int]]:
    return counts(report["jobs"])


def arrivals(data: Row) -> dict[str, int]:
    return {row["name"]: row["arrival"] for row in data["jobs"]}


GOOD = [task(700, 11, kind=0), task(710, 12, kind=2), task(779, 13, kind=3)]

# --- the mapping ---------------------------------------------------------------------------------------------------


def test_a_job_arrives_with_the_first_submit_of_any_of_its_tasks(trace: Trace) -> None:
    rows = [task(700, 5), task(700.5, 5, SCHEDULE), task(740, 5, index=1), task(750, 6, index=7), task(790, 6, index=2)]
    data, report = trace.table(*rows, scale="10", start="600")
    assert arrivals(data) == {"5": 10, "6": 15}
    assert of_rows(report) == {} and of_jobs(report) == {}


def test_jobs_alive_at_time_zero_are_no_arrivals(trace: Trace) -> None:
    rows = [task(0, 5), task(0, 6, SCHEDULE), task(0, 8, 8, missing="2"), task(700, 5), task(701, 6), task(702, 7)]
    data, report = trace.table(*rows)
    assert arrivals(data) == {"7": 0}
    assert of_jobs(report) == {"alive_before": ("dropped", 3)}
    assert of_rows(report) == {"snapshot": ("accepted", 3), "missing_info": ("accepted", 1)}


def test_a_part_without_the_beginning_recognises_older_jobs_by_their_first_event(trace: Trace) -> None:
    rows = [task(700, 5, FINISH), task(700, 6, EVICT), task(701, 6), task(702, 7), task(702, 7, SCHEDULE)]
    data, report = trace.table(*rows)
    assert arrivals(data) == {"7": 0}
    assert of_jobs(report) == {"no_submit": ("dropped", 1), "event_before_submit": ("dropped", 1)}


def test_the_scheduling_class_decides_how_critical_time_is(trace: Trace) -> None:
    rows = [task(700 + n, n + 1, kind=n % 4) for n in range(40)]
    data, report = trace.table(*rows)
    for n, row in enumerate(data["jobs"]):
        theta2 = row["utility"]["theta2"]
        low, high = [(0, 0), (Fraction("0.01"), 1), (Fraction("0.01"), 1), (4, 6)][n % 4]
        assert low <= Fraction(theta2) <= high
    assert report["jobs"]["classes"] == {"0": 10, "1": 10, "2": 10, "3": 10}


def test_the_class_of_the_first_submit_counts(trace: Trace) -> None:
    rows = [
        task(700, 5, kind=3),
        task(701, 5, SCHEDULE, kind=0),
        task(702, 6, kind=""),
        task(703, 6, SCHEDULE, kind=0),
        task(704, 7, kind=""),
        task(705, 8, kind=7),
    ]
    data, report = trace.table(*rows)
    assert [(row["name"], row["utility"]["theta2"] >= 4) for row in data["jobs"]] == [("5", True), ("6", False)]
    assert data["jobs"][1]["utility"]["theta2"] == 0
    assert of_jobs(report) == {"class_changed": ("accepted", 1), "no_class": ("dropped", 2)}
    assert of_rows(report) == {"class_missing": ("accepted", 2), "class_unknown": ("accepted", 1)}


def test_the_window_fills_the_horizon(trace: Trace) -> None:
    # From the first arrival to the last: 79 s and a microsecond in 80 slots, so that the last one is slot 79.
    data, report = trace.table(*GOOD)
    assert data["horizon"] == 80 and arrivals(data) == {"11": 0, "12": 10, "13": 79}
    assert report["window"] == {
        "start": 700.0,
        "first": 700.0,
        "last": 779.0,
        "slots": 80,
        "seconds_per_slot": pytest.approx(79 / 80, abs=1e-6),
    }
    assert arrivals(trace.table(*GOOD, horizon="10")[0]) == {"11": 0, "12": 1, "13": 9}
    assert arrivals(trace.table(*GOOD, seconds="160")[0]) == {"11": 0, "12": 5, "13": 39}
    assert arrivals(trace.table(*GOOD, start="690", seconds="80")[0]) == {"11": 10, "12": 20}
    assert arrivals(trace.table(*GOOD, scale="1")[0]) == {"11": 0, "12": 10, "13": 79}
    assert arrivals(trace.table(*GOOD, scale="0.5")[0]) == {"11": 0, "12": 20}
    assert arrivals(trace.table(GOOD[0])[0]) == {"11": 0}


def test_slots_are_cut_exactly(trace: Trace) -> None:
    # A third of a second per slot is no finite double: 1/3 s short of a slot is the slot before.
    times = ["600000000", "600999999", "601000000", "601000001"]
    rows = [task(0.000001, n + 1).replace("1,", f"{time},", 1) for n, time in enumerate(times)]
    data, _ = trace.table(*rows, start="600", seconds="26.666666667", horizon="80")
    assert list(arrivals(data).values()) == [0, 2, 2, 3]


def test_windows_of_the_trace(trace: Trace) -> None:
    rows = [task(700 + 10 * n, n + 1) for n in range(10)]

    def kept(**options: str) -> tuple[list[str], dict[str, tuple[str, int]]]:
        data, report = trace.table(*rows, **options)
        return [row["name"] for row in data["jobs"]], of_jobs(report)

    assert kept(jobs="2") == (["1", "2"], {"beyond_jobs": ("dropped", 8)})
    assert kept(skip="8") == (["9", "10"], {"skipped": ("dropped", 8)})
    assert kept(seconds="11") == (["1", "2"], {"after_window": ("dropped", 8)})
    assert kept(start="775") == (["9", "10"], {"before_start": ("dropped", 8)})
    assert kept(scale="2", horizon="6") == (["1", "2"], {"beyond_horizon": ("dropped", 8)})
    names, found = kept(start="715", skip="1", seconds="45", jobs="1")
    assert names == ["4"]
    assert found == {
        "before_start": ("dropped", 2),
        "skipped": ("dropped", 1),
        "after_window": ("dropped", 4),
        "beyond_jobs": ("dropped", 2),
    }


def test_the_rest_is_drawn_as_by_the_generator(trace: Trace) -> None:
    data, report = trace.table(*GOOD, machines="4", epochs_low="60", epochs_high="60", slot_seconds="60")
    instance = from_json(data)
    assert len(instance.machines) == 4 and instance.machines[0].capacity["gpu"] == 36
    assert {job.epochs for job in instance.jobs} == {60}
    assert all(7500 <= job.bandwidth_external <= 75000 for job in instance.jobs)
    assert report["drawn"]["epochs"] == "not in the trace: drawn in [60, 60]"
    drawn = report["drawn"].keys()
    assert {"machines", "worker", "ps", "utility", "samples", "batch_size", "sample_time", "model_size"} <= drawn
    rational, report = trace.table(*GOOD, utilities="rational")
    assert [row["utility"]["kind"] for row in rational["jobs"]] == ["constant", "linear", "table"]
    assert report["drawn"]["utility"].endswith("as rational utilities")


def test_jobs_that_cannot_finish_are_counted_and_can_be_redrawn(trace: Trace) -> None:
    rows = [task(700 + n, n + 1) for n in range(30)]
    data, report = trace.table(*rows, horizon="20", machines="30")
    assert report["jobs"]["infeasible_alone"] == len(from_json(data).unservable_jobs) > 0
    again, report = trace.table(*rows, horizon="20", machines="30", infeasible_alone="redraw")
    assert report["jobs"]["infeasible_alone"] == 0 and arrivals(again) == arrivals(data)
    assert "drawn again" in report["drawn"]["infeasible_alone"]


def test_the_parts_may_come_in_any_order(trace: Trace) -> None:
    first = "\n".join([task(0, 1), task(700, 2, kind=0)]) + "\n"
    second = "\n".join([task(710, 2, SCHEDULE, kind=0), task(720, 1), task(730, 3)]) + "\n"
    forward, report = trace.load(first, second)
    backward, _ = trace.load(second, first)
    assert arrivals(forward) == arrivals(backward) == {"2": 0, "3": 79}
    assert forward == backward
    assert list(report["files"]) == ["1: part-0", "2: part-1"]
    assert of_jobs(report) == {"alive_before": ("dropped", 1)}


def test_machine_events_are_counted_and_no_more(trace: Trace) -> None:
    tasks = "\n".join(GOOD) + "\n"
    events = [machine(0, 1), machine(0, 2), machine(0, 2), machine(650, 2, 1), machine(690, 3, capacity=",")]
    events += [machine(695, 1, 2), machine(701, 4), machine(702, 9, 1), machine(0, 5, 7)]
    data, report = trace.load(tasks, "\n".join(events) + "\n")
    assert data == trace.load(tasks)[0]
    assert report["window"]["machines_there"] == 2, "1 and 3; 2 went before the window, 4 came in it"
    found = counts(report["files"]["2: part-1"])
    assert found == {"blank_capacity": ("accepted", 1), "event_unknown": ("dropped", 1)}
    assert report["files"]["2: part-1"]["table"] == "machine_events"
    assert "machines_there" not in trace.load(tasks)[1]["window"]


# --- odd rows ------------------------------------------------------------------------------------------------------

LATER = task(790, 14)


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        ("", "blank_line", "dropped"),
        ("   ", "blank_line", "dropped"),
        (",,,,,,,,,,,,", "time_missing", "dropped"),
        ("time,missing info,job ID,task index,machine ID,event type,user,class,p,c,m,d,x", "header", "dropped"),
        (LATER + ",", "trailing_comma", "fixed"),
        (LATER + ",more", "field_count", "dropped"),
        (LATER[:20], "field_count", "dropped"),
        ('"' + LATER, "field_count", "dropped"),
        (LATER.replace("790000000", "790000000.0"), "number_as_decimal", "accepted"),
        (LATER.replace("790000000", "7.9E+8"), "number_as_decimal", "accepted"),
        (LATER.replace("790000000", ""), "time_missing", "dropped"),
        (LATER.replace("790000000", "-1"), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "790.5"), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "soon"), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "nan"), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "$(reboot)"), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "1" * 5000), "time_unreadable", "dropped"),
        (LATER.replace("790000000", str(AFTER)), "after_trace", "dropped"),
        (LATER.replace("790000000", str(AFTER + 1)), "time_unreadable", "dropped"),
        (LATER.replace("790000000", "599999999"), "before_window", "accepted"),
        (LATER.replace(",14,", ",,"), "id_missing", "dropped"),
        (LATER.replace(",14,", ",abc,"), "id_unreadable", "dropped"),
        (LATER.replace(",14,", ",-4,"), "id_unreadable", "dropped"),
        (LATER.replace(",14,", f",{2**64},"), "id_unreadable", "dropped"),
        (LATER.replace(",,0,user", ",,,user"), "event_missing", "dropped"),
        (LATER.replace(",,0,user", ",,9,user"), "event_unknown", "dropped"),
        (LATER.replace(",,0,user", ",,SUBMIT,user"), "event_unknown", "dropped"),
        (LATER.replace("790000000,,", "790000000,1,"), "missing_info", "accepted"),
        (LATER.replace("0.0125", ""), "blank_request", "accepted"),
        (task(779, 13, kind=3), "duplicate", "accepted"),
        (task(778.5, 14), "unordered", "fixed"),
    ],
)
def test_each_odd_row_is_counted(trace: Trace, row: str, reason: str, outcome: str) -> None:
    data, report = trace.table(*GOOD, row)
    found = of_rows(report)
    assert found.pop(reason) == (outcome, 1)
    assert found == ({"unordered": ("fixed", 1)} if reason == "before_window" else {})
    table = next(iter(report["files"].values()))
    assert (table["table"], table["rows"]) == ("task_events", 4)
    assert next(r for r in table["reasons"] if r["reason"] == reason)["first_row"] == 4
    assert len(data["jobs"]) == (3 if outcome == "dropped" or reason == "duplicate" else 4)
    from_json(data)


def test_quoted_fields_are_read(trace: Trace) -> None:
    data, _ = trace.table(GOOD[0].replace("user", '"a, b"'))
    assert arrivals(data) == {"11": 0}


def test_ids_beyond_a_double_and_with_decimals(trace: Trace) -> None:
    data, _ = trace.table(task(700, 2**53 + 1), task(701, 2**53), task(702, 7).replace(",7,", ",7.0,"))
    assert list(arrivals(data)) == [str(2**53 + 1), str(2**53), "7"]


def test_ties_are_counted_and_ordered_by_id(trace: Trace) -> None:
    data, report = trace.table(task(700, 9), task(700, 10), task(700, 8), task(701, 1))
    assert list(arrivals(data)) == ["8", "9", "10", "1"]
    assert of_jobs(report) == {"tie": ("accepted", 2)}


# --- forms of the files --------------------------------------------------------------------------------------------


def test_every_row_may_have_a_trailing_comma_and_the_first_may_be_a_header(trace: Trace) -> None:
    data, _ = trace.table(*GOOD)
    other, report = trace.table(*(row + "," for row in GOOD))
    assert other == data and of_rows(report) == {"trailing_comma": ("fixed", 3)}
    header = "time,missing info,job ID,task index,machine ID,event type,user,class,priority,cpu,memory,disk,different"
    other, report = trace.table(header, *GOOD)
    assert other == data and of_rows(report) == {"header": ("dropped", 1)}


def test_every_setting_of_the_generator_can_be_given_but_the_mix() -> None:
    assert set(NAMES) - SETTINGS == {"mix"}
