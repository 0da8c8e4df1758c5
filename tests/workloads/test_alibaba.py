from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.workloads.alibaba import load
from schedproof.workloads.multiserver.options import OWN, SETTINGS
from schedproof.workloads.multiserver.settings import NAMES, RESOURCES
from tests.workloads.trace_files import Row, Trace, check, counts, of_file, table


def task(start: int, cpu: object = 100, memory: object = 0.5, *, status: str = "Terminated", n: int = 0) -> str:
    """A row of batch_task; ``n`` distinguishes simultaneous tasks."""
    return f"M{start}_{n},3,j_1,1,{status},{start},{start + 10},{cpu},{memory}"


def machine(name: str, time: int = 0, status: str = "USING", cpu: int = 96, memory: int = 100) -> str:
    return f"{name},{time},219,17,{cpu},{memory},{status}"


def pai(name: str, gpu: str = "T4", cpu: int = 96, memory: int = 512, gpus: int = 2) -> str:
    return f"{name},{gpu},{cpu},{memory},{gpus}"


TASKS = table(task(100), task(150), task(150, 50, 0.2, n=1), task(199))
META_FILE = table(machine("m_1"), machine("m_2"), machine("m_3"))
PAI_FILE = table(pai("a"), pai("b", "P100", 64), pai("c", "CPU", 96, 384, 0))


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(load, tmp_path, horizon="10", contention="1")


def requests(report: Row) -> list[dict[str, str]]:
    return [{k: port[k] for k in RESOURCES if k in port} for port in report["ports"]]


# --- the mapping ------------------------------------------------------------------------------------------------------


def test_kinds_are_ports_and_starts_are_arrivals(trace: Trace) -> None:
    data, report = trace.load(TASKS, META_FILE)
    check(data, report)
    assert data["resources"] == ["cpu", "memory"]
    assert requests(report) == [{"cpu": "1", "memory": "0.5"}, {"cpu": "0.5", "memory": "0.2"}]
    assert data["arrivals"].tolist() == [[t in (0, 5, 9), t == 5] for t in range(10)]
    assert report["window"] == {"start": 100, "slots": 10, "seconds_per_slot": 10.0, "busy": 0.2}
    assert of_file(report) == of_file(report, 2) == counts(report["jobs"]) == {}


def test_the_order_of_the_files_and_of_the_rows_does_not_matter(trace: Trace) -> None:
    one, _ = trace.load(TASKS, PAI_FILE, memory_scale="5.12")
    two, _ = trace.load(PAI_FILE, table(*reversed(TASKS.splitlines())), memory_scale="5.12")
    encode = msgspec.json.Encoder(decimal_format="number", enc_hook=np.ndarray.tolist).encode
    assert encode(one) == encode(two)
    assert encode(one) != encode(trace.load(TASKS, PAI_FILE, memory_scale="5.12", seed=1)[0])


def test_the_most_frequent_kinds_and_ties_by_the_smaller_request(trace: Trace) -> None:
    rows = [task(100 + n, cpu, n=n) for n, cpu in enumerate([100, 100, 100, 200, 200, 400, 400, 50, 300])]
    data, report = trace.load(table(*rows), META_FILE, ports="3", resources="cpu", counts="keep")
    assert requests(report) == [{"cpu": "1"}, {"cpu": "2"}, {"cpu": "4"}]
    assert data["arrivals"].sum(axis=0).tolist() == [3, 2, 2]
    assert counts(report["jobs"]) == {"other_kind": ("dropped", 2)}


@pytest.mark.parametrize(
    ("digits", "kinds"), [("1", ["1", "2"]), ("2", ["1.2", "1.3", "1.5"]), ("3", ["1.23", "1.25", "1.26", "1.5"])]
)
def test_requests_that_agree_in_so_many_digits_are_of_a_kind(trace: Trace, digits: str, kinds: list[str]) -> None:
    rows = [task(100 + n, cpu) for n, cpu in enumerate([123, 125, 126, 150])]
    _, report = trace.load(table(*rows), META_FILE, resources="cpu", digits=digits)
    assert sorted(row["cpu"] for row in requests(report)) == kinds


def test_tasks_of_a_kind_in_a_slot_count_once_unless_kept(trace: Trace) -> None:
    rows = table(*(task(100 + n // 30, n=n) for n in range(300)), task(109, n=1))
    data, report = trace.load(rows, META_FILE)
    assert data["arrivals"].dtype == np.uint8 and data["arrivals"].tolist() == [[1]] * 10
    assert counts(report["jobs"]) == {"clipped": ("dropped", 291)}
    data, report = trace.load(rows, META_FILE, counts="keep")
    assert data["arrivals"].tolist() == [[30]] * 9 + [[31]] and counts(report["jobs"]) == {}
    data, report = trace.load(rows, META_FILE, counts="keep", horizon="1")
    assert data["arrivals"].tolist() == [[301]] and data["arrivals"].dtype == np.uint16
    check(data, report)


def test_rho_thins_the_arrivals_of_ports_and_slots(trace: Trace) -> None:
    rows = table(*(task(1 + n, n=i) for n in range(1000) for i in range(2)))
    data, report = trace.load(rows, META_FILE, horizon="1000", counts="keep", arrival_probability="0.3")
    check(data, report)
    assert set(data["arrivals"].ravel().tolist()) == {0, 2}, "a slot's arrivals stay or go together"
    assert abs((data["arrivals"] > 0).mean() - 0.3) < 6 * np.sqrt(0.21 / 1000)
    assert counts(report["jobs"]) == {"thinned": ("dropped", 2000 - report["jobs"]["kept"])}
    assert "keeps its arrivals with probability 0.3" in report["drawn"]["arrivals"]
    with pytest.raises(InputError, match=r"no task is left of 2000 tasks; dropped: 2000 \(left out at random"):
        trace.load(rows, META_FILE, horizon="1000", counts="keep", arrival_probability="0")


def test_a_ports_nodes_can_hold_one_request(trace: Trace) -> None:
    machines = table(machine("small", cpu=1), machine("narrow", memory=10), machine("exact", cpu=2, memory=20))
    rows = table(task(1, 200, 20), task(2, 100, 10), task(3, 9700, 1))
    data, report = trace.load(rows, machines, contention="7")
    nodes = {port["demand"]["cpu"]: port["nodes"] for port in data["ports"]}
    assert nodes == {14: ["exact"], 7: ["small", "narrow", "exact"], 679: []}
    check(data, report)


def test_windows(trace: Trace) -> None:
    rows = table(*(task(100 + 10 * n) for n in range(10)))

    def kept(**options: str) -> tuple[list[int], dict[str, tuple[str, int]], float]:
        data, report = trace.load(rows, META_FILE, **options)
        check(data, report)
        return (
            np.flatnonzero(data["arrivals"][:, 0]).tolist(),
            counts(report["jobs"]),
            report["window"]["seconds_per_slot"],
        )

    assert kept(horizon="91") == (list(range(0, 91, 10)), {}, 1.0)
    assert kept(slot_seconds="30") == ([0, 1, 2, 3], {"clipped": ("dropped", 6)}, 30.0)
    assert kept(slot_seconds="10", horizon="4") == ([0, 1, 2, 3], {"beyond_horizon": ("dropped", 6)}, 10.0)
    assert kept(start="145", slot_seconds="10") == ([0, 1, 2, 3, 4], {"before_start": ("dropped", 5)}, 10.0)
    both = {"after_window": ("dropped", 5), "clipped": ("dropped", 2)}
    assert kept(start="50", seconds="100", horizon="5") == ([2, 3, 4], both, 20.0)
    assert kept(start="95", seconds="20", horizon="4") == ([1, 3], {"after_window": ("dropped", 8)}, 5.0)
    assert kept(seconds="100", horizon="100") == (list(range(0, 100, 10)), {}, 1.0)


def test_slots_are_cut_exactly(trace: Trace) -> None:
    # Ten seconds in 30 slots: a third of a second is no double, and second 1 begins slot 3.
    data, _ = trace.load(table(*(task(100 + n) for n in range(10))), META_FILE, horizon="30")
    assert np.flatnonzero(data["arrivals"][:, 0]).tolist() == list(range(0, 30, 3))


def test_sampled_nodes(trace: Trace) -> None:
    machines = table(*(machine(f"m_{n}") for n in range(50)))
    data, report = trace.load(TASKS, machines, nodes="20")
    names = [node["name"] for node in data["nodes"]]
    assert len(set(names)) == 20 and names == sorted(names, key=lambda name: int(name[2:])), "in the order of the file"
    assert counts(report["nodes"]) == {"not_sampled": ("dropped", 30)}
    assert set(names) != {node["name"] for node in trace.load(TASKS, machines, nodes="20", seed=1)[0]["nodes"]}
    assert len(trace.load(TASKS, machines)[0]["nodes"]) == 50, "fewer than the default of 128: all"


# --- the two traces together ------------------------------------------------------------------------------------------


def test_pai_machines_with_v2018_tasks_need_a_scale_for_memory(trace: Trace) -> None:
    data, report = trace.load(TASKS, PAI_FILE, META_FILE, memory_scale="5.12")
    check(data, report)
    capacity = {node["name"]: node["capacity"] for node in data["nodes"]}
    assert capacity["a"] == {"cpu": 96, "memory": 32, "gpu": 2}, "512 GB in units of 16"
    assert capacity["m_1"] == {"cpu": 96, "memory": 32, "gpu": 0}, "100 x 5.12 GB, no GPU"
    assert requests(report)[0]["memory"] == "0.1625", "0.5 x 5.12 GB, to two digits 2.6, in units of 16"
    data, _ = trace.load(TASKS, PAI_FILE, memory_scale="5.12", memory_unit="2")
    assert data["nodes"][0]["capacity"]["memory"] == 256
    data, _ = trace.load(TASKS, PAI_FILE, resources="gpu,cpu")
    assert data["resources"] == ["cpu", "gpu"]


def test_missing_fields_are_drawn_and_reported(trace: Trace) -> None:
    every = "cpu,gpu,npu,tpu,fpga"
    data, report = trace.load(TASKS, PAI_FILE, resources=every, request_npu_low="1", node_tpu_high="3")
    check(data, report)
    assert data["resources"] == ["cpu", "gpu", "npu", "tpu", "fpga"]
    drawn = report["drawn"]
    assert drawn["request for gpu"] == "not in the trace: drawn in [0, 2]"
    assert drawn["request for npu"] == "not in the trace: drawn in [1, 2]"
    assert drawn["capacity of tpu"] == "not in the trace: drawn in [0, 3]"
    assert "capacity of gpu" not in drawn and "request for cpu" not in drawn and "arrivals" not in drawn
    assert drawn["overhead"] == "not in the trace: drawn in [0.3, 0.5] for each resource"
    assert "alpha in [1, 1.5]" in drawn["utilities"]
    other, _ = trace.load(TASKS, PAI_FILE, resources=every, utilities="log", alpha_low="1.5", beta_low="0.5")
    assert {f["kind"] for row in other["node_utilities"].values() for f in row.values()} == {"log"}
    assert {f["alpha"] for f in other["utilities"].values()} == {Fraction(3, 2)}
    assert set(other["overhead"].values()) == {0.5}


def test_without_tasks_ports_and_arrivals_are_drawn(trace: Trace) -> None:
    data, report = trace.load(PAI_FILE, ports="40", arrival_probability="0.25", horizon="4000")
    check(data, report)
    assert "jobs" not in report and "window" not in report
    assert report["drawn"]["arrivals"] == "no tasks among the files: Bernoulli, 0.25"
    assert abs(data["arrivals"].mean() - 0.25) < 0.01
    assert {port["demand"]["cpu"] for port in data["ports"]} <= set(range(1, 17))
    for port in data["ports"]:
        assert port["nodes"] == (["a", "b"] if port["demand"]["gpu"] else ["a", "b", "c"])


def test_machines_are_as_the_log_has_them_last(trace: Trace) -> None:
    log = table(
        *[
            machine("up", 0, "IMPORT_INSTALLING"),
            machine("up", 50),
            machine("down", 60, "OFFLINE"),
            machine("down", 10),
        ],
        *[machine("changed", 5, cpu=10), machine("changed", 99, cpu=20)],
    )
    data, report = trace.load(TASKS, log)
    assert [(node["name"], node["capacity"]["cpu"]) for node in data["nodes"]] == [("up", 96), ("changed", 20)]
    assert of_file(report, 2) == {"replaced": ("dropped", 3), "not_in_use": ("dropped", 1)}
    data, report = trace.load(TASKS, log, machines_at="40")
    assert [(node["name"], node["capacity"]["cpu"]) for node in data["nodes"]] == [("down", 96), ("changed", 10)]
    assert of_file(report, 2) == {"after_moment": ("dropped", 3), "not_in_use": ("dropped", 1)}


def test_machines_of_the_same_name_count_once(trace: Trace) -> None:
    data, report = trace.load(TASKS, META_FILE, table(machine("m_2", cpu=1), machine("m_9")))
    assert [node["name"] for node in data["nodes"]] == ["m_1", "m_2", "m_3", "m_9"]
    assert data["nodes"][1]["capacity"]["cpu"] == 96
    assert counts(report["nodes"]) == {"repeated": ("dropped", 1)}


# --- odd rows ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        (task(160).replace(",3,j_1", ",,j_1"), "instances_missing", "accepted"),
        (task(160).replace(",170,", ",0,"), "ends_before_start", "accepted"),
        (task(160).replace(",170,", ",160,"), "no_duration", "accepted"),
        (task(160).replace(",160,", ",160.0,"), "number_as_decimal", "accepted"),
        (task(160, "100.0", "5e-1"), "", ""),
        (task(160) + ",", "trailing_comma", "fixed"),
        (task(160)[:-7], "field_count", "dropped"),
        (task(160, ""), "request_missing", "dropped"),
        (task(160, 100, "NaN"), "request_missing", "dropped"),
        (task(160, -1), "request_unreadable", "dropped"),
        (task(160, 100, 101), "request_unreadable", "dropped"),
        (task(160, 100, -1), "request_unreadable", "dropped"),
        (task(160, "1e30"), "request_unreadable", "dropped"),
        (task(160, "$(reboot)"), "request_unreadable", "dropped"),
        (task(160, 0, 0), "request_zero", "dropped"),
        (task(160, 0, 0.5), "", ""),
        (task(0, "", ""), "not_started", "dropped"),
        (task(160).replace(",160,", ",,"), "time_missing", "dropped"),
        (task(160).replace(",160,", ",-160,"), "time_unreadable", "dropped"),
        (task(160).replace(",160,", f",{2**63 - 1},"), "time_unreadable", "dropped"),
        (task(100), "duplicate", "dropped"),
        (task(100, 7), "duplicate_name", "dropped"),
    ],
)
def test_each_odd_task_is_counted(trace: Trace, row: str, reason: str, outcome: str) -> None:
    data, report = trace.load(TASKS + row + "\n", META_FILE)
    assert of_file(report) == ({reason: (outcome, 1)} if reason else {})
    assert report["jobs"]["seen"] == (4 if outcome == "dropped" else 5)
    check(data, report)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (pai("d").replace("512", ""), "capacity_missing"),
        (pai("d").replace("512", "-512"), "capacity_unreadable"),
        (pai("d").replace("512", "many"), "capacity_unreadable"),
        (pai(""), "name_missing"),
        (pai("a"), "duplicate"),
        (pai("a", "P100"), "duplicate_name"),
        (pai("d") + ",1", "field_count"),
    ],
)
def test_each_odd_machine_is_counted(trace: Trace, row: str, reason: str) -> None:
    data, report = trace.load(TASKS, PAI_FILE + row + "\n", memory_scale="5.12")
    assert of_file(report, 2) == {reason: ("dropped", 1)}
    assert len(data["nodes"]) == 3
    check(data, report)


def test_unused_columns_may_be_missing(trace: Trace) -> None:
    data, report = trace.load(TASKS + task(160, 100, "") + "\n", META_FILE, resources="cpu")
    assert report["jobs"]["seen"] == 5 and data["resources"] == ["cpu"]


def test_a_status_can_be_asked_for(trace: Trace) -> None:
    rows = TASKS + table(task(160, status="Failed"), task(161, status="Running"), task(0, status="Waiting"))
    _, report = trace.load(rows, META_FILE)
    assert of_file(report) == {"not_started": ("dropped", 1)} and report["jobs"]["seen"] == 6
    _, report = trace.load(rows, META_FILE, status="Terminated, Running")
    assert of_file(report) == {"other_status": ("dropped", 2)} and report["jobs"]["seen"] == 5


def test_a_file_saved_again_with_a_header(trace: Trace) -> None:
    header = "task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem"
    data, report = trace.load(header + "\n" + TASKS, META_FILE)
    other, _ = trace.load(TASKS, META_FILE)
    assert data["ports"] == other["ports"] and np.array_equal(data["arrivals"], other["arrivals"])
    assert of_file(report) == {"header": ("accepted", 1)}


def test_no_option_hides_a_setting() -> None:
    assert not set(OWN) & SETTINGS
    assert set(NAMES) - SETTINGS == {
        *("resources", "density", "arrivals", "counts", "period", "burst", "hardware", "capacity_low", "capacity_high")
    }
