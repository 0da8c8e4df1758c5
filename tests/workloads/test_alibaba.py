"""The Alibaba loader: nodes, ports and arrivals from hand-written rows, odd rows counted, the real files if at hand."""

from __future__ import annotations

import csv
from collections import Counter
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest

from schedproof.core.errors import InputError, SchedproofError, UnknownName
from schedproof.instances.multiserver import from_json
from schedproof.workloads.alibaba import load
from schedproof.workloads.multiserver.options import OF_TASKS, OWN, SETTINGS
from schedproof.workloads.multiserver.settings import NAMES, RESOURCES
from tests.workloads.trace_files import Row, Trace, check, counts, of_file, table

REAL = Path(__file__).parents[3] / "shared" / "traces"
META = REAL / "alibaba-v2018" / "machine_meta.csv"
PREFIX = REAL / "alibaba-v2018" / "batch_task.selected_DAGs.prefix.csv"
NEGATIVE = REAL / "alibaba-v2018" / "batch_task.selected_DAGs.negative-duration-jobs.csv"
SPEC = REAL / "alibaba-gpu-v2020" / "pai_machine_spec.csv"
real = pytest.mark.skipif(not SPEC.is_file(), reason="the Alibaba files are not beside this checkout")


def task(start: int, cpu: object = 100, memory: object = 0.5, *, status: str = "Terminated", n: int = 0) -> str:
    """A row of batch_task; ``n`` tells those apart that start together."""
    return f"M{start}_{n},3,j_1,1,{status},{start},{start + 10},{cpu},{memory}"


def machine(name: str, time: int = 0, status: str = "USING", cpu: int = 96, memory: int = 100) -> str:
    """A row of machine_meta."""
    return f"{name},{time},219,17,{cpu},{memory},{status}"


def pai(name: str, gpu: str = "T4", cpu: int = 96, memory: int = 512, gpus: int = 2) -> str:
    """A row of pai_machine_spec."""
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
    assert "left in with probability 0.3" in report["drawn"]["arrivals"]
    with pytest.raises(InputError, match="no task is left of 2000; dropped: 2000 with left out at random"):
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
    """Ten seconds in 30 slots: a third of a second is no double, and second 1 begins slot 3."""
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
    with pytest.raises(InputError, match="nodes = 51: expected at most 50, the machines of the files"):
        trace.load(TASKS, machines, nodes="51")


# --- the two traces together ------------------------------------------------------------------------------------------


def test_pai_machines_with_v2018_tasks_need_a_scale_for_memory(trace: Trace) -> None:
    for files in ((TASKS, PAI_FILE), (META_FILE, PAI_FILE), (TASKS, META_FILE, PAI_FILE)):
        with pytest.raises(InputError, match="normalised and that of PAI is in GB: expected memory_scale, the GB of"):
            trace.load(*files)
    with pytest.raises(InputError, match="normalised and drawn requests are in GB: expected memory_scale"):
        trace.load(META_FILE)
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


def test_what_the_traces_do_not_have_is_drawn_and_said(trace: Trace) -> None:
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


def test_what_is_not_asked_for_may_be_missing(trace: Trace) -> None:
    data, report = trace.load(TASKS + task(160, 100, "") + "\n", META_FILE, resources="cpu")
    assert report["jobs"]["seen"] == 5 and data["resources"] == ["cpu"]


def test_a_status_can_be_asked_for(trace: Trace) -> None:
    rows = TASKS + table(task(160, status="Failed"), task(161, status="Running"), task(0, status="Waiting"))
    _, report = trace.load(rows, META_FILE)
    assert of_file(report) == {"not_started": ("dropped", 1)} and report["jobs"]["seen"] == 6
    _, report = trace.load(rows, META_FILE, status="Terminated, Running")
    assert of_file(report) == {"other_status": ("dropped", 2)} and report["jobs"]["seen"] == 5
    with pytest.raises(InputError, match=r"part-0: no row is left of the batch_task of v2018; dropped: 7 with another"):
        trace.load(rows, META_FILE, status="Lost")


def test_a_file_saved_again_with_a_header(trace: Trace) -> None:
    header = "task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem"
    data, report = trace.load(header + "\n" + TASKS, META_FILE)
    other, _ = trace.load(TASKS, META_FILE)
    assert data["ports"] == other["ports"] and np.array_equal(data["arrivals"], other["arrivals"])
    assert of_file(report) == {"header": ("accepted", 1)}


# --- one sentence -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"speed": "2"}, "unknown option of alibaba 'speed'; available: alpha_high, "),
        ({"density": "2"}, "unknown option of alibaba 'density'"),
        ({"counts": "2"}, "unknown value of counts '2'; available: clip, keep"),
        ({"resources": "cpu,tape"}, "unknown resource 'tape'; available: cpu, fpga, gpu, memory, npu, tpu"),
        ({"resources": "gpu,npu"}, "resources = 'gpu,npu': expected at least one of cpu, memory"),
        ({"digits": "0"}, "digits = '0': expected an integer above 0, at most 9"),
        ({"start": "monday"}, "start = 'monday': expected an integer"),
        ({"seconds": "0"}, "seconds = '0': expected an integer above 0"),
        ({"slot_seconds": "0"}, "slot_seconds = '0': expected a number"),
        ({"ports": "0"}, "ports = '0': expected an integer above 0"),
        ({"memory_unit": "4"}, "memory_unit = '4': has no effect while the memory of v2018 is normalised"),
        (
            {"resources": "cpu", "memory_scale": "5"},
            "memory_scale = '5': has no effect where no memory of v2018",
        ),
        (
            {"resources": "cpu", "memory_unit": "5"},
            "memory_unit = '5': has no effect without memory among the resources",
        ),
        ({"request_cpu_low": "1"}, "request_cpu_low = '1': has no effect where no request for cpu is drawn"),
        ({"node_npu_low": "1"}, "node_npu_low = '1': has no effect without npu among the resources"),
        ({"start": "10000"}, "no task is left of 4; dropped: 4 with before the window"),
        ({"start": "50", "seconds": "1"}, "no task is left of 4; dropped: 4 with after the window"),
        ({"start": "50", "slot_seconds": "1"}, "no task is left of 4; dropped: 4 with in a slot beyond the horizon"),
    ],
)
def test_a_bad_option_is_one_sentence(trace: Trace, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(SchedproofError) as caught:
        trace.load(TASKS, META_FILE, **options)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


def test_wrong_files_are_one_sentence(trace: Trace) -> None:
    machines = "expected machine_meta of v2018 or pai_machine_spec of gpu-v2020 among the "
    for files, sentence in (
        ((), machines + "0 files"),
        ((TASKS,), machines + "1 files"),
        ((TASKS, "sn,cpu_milli,memory_mib,gpu,model\nn1,1000,1024,0,\n"), "part-1: expected machine_meta of v2018 (7 "),
        ((TASKS, "n1,1000,1024,0,\n"), "found 4 fields in the first"),
        (
            (TASKS, "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
            "part-1: expected data, found a Git",
        ),
    ):
        with pytest.raises(InputError) as caught:
            trace.load(*files)
        assert sentence in str(caught.value) and "\n" not in str(caught.value)
    for name in OF_TASKS:
        with pytest.raises(InputError, match=f"{name} = .* has no effect without batch_task of v2018"):
            trace.load(PAI_FILE, **{name: "keep" if name == "counts" else "1"})
    with pytest.raises(InputError, match="machines_at = '7': has no effect without machine_meta of v2018"):
        trace.load(PAI_FILE, machines_at="7")
    with pytest.raises(UnknownName):
        trace.load(TASKS, META_FILE, Nodes="3")


def test_no_option_hides_a_setting() -> None:
    assert not set(OWN) & SETTINGS
    assert set(NAMES) - SETTINGS == {
        *("resources", "density", "arrivals", "counts", "period", "burst", "hardware", "capacity_low", "capacity_high")
    }


# --- the real files ---------------------------------------------------------------------------------------------------


@real
def test_the_papers_hybrid_from_the_real_files() -> None:
    data, report = load([PREFIX, SPEC], 0, {"memory_scale": "5.12"})
    check(data, report)
    assert data["arrivals"].shape == (2000, 10) and len(data["nodes"]) == 128
    assert of_file(report) == {
        "header": ("accepted", 1),
        "request_missing": ("dropped", 20),
        "not_started": ("dropped", 1),
        "no_duration": ("accepted", 506),
    }
    assert of_file(report, 2) == {} and report["nodes"]["seen"] == 1897
    assert report["jobs"]["seen"] == 15_000
    assert {(node["capacity"]["cpu"], node["capacity"]["gpu"]) for node in data["nodes"]} >= {(64, 2), (96, 2), (96, 8)}


@real
def test_the_real_log_of_machines_and_the_jobs_that_still_run() -> None:
    data, report = load([META, NEGATIVE], 0, {"nodes": "4000", "slot_seconds": "300", "counts": "keep"})
    check(data, report)
    assert of_file(report) == {"replaced": ("dropped", 13_558), "not_in_use": ("dropped", 1)}
    assert report["nodes"]["seen"] == 4033
    assert of_file(report, 2) == {
        "header": ("accepted", 1),
        "not_started": ("dropped", 191),
        "request_missing": ("dropped", 5),
        "ends_before_start": ("accepted", 51),
    }
    assert {tuple(node["capacity"].values()) for node in data["nodes"]} == {(96, 100)}


@real
def test_arrivals_equal_a_literal_reading_of_the_file() -> None:
    """The same counts by a dozen lines that share nothing with the loader."""
    with PREFIX.open() as text:
        rows = [row for row in csv.DictReader(text) if row["plan_cpu"]]
    kinds = Counter((float(row["plan_cpu"]) / 100, float(row["plan_mem"])) for row in rows)
    first = min(int(row["start_time"]) for row in rows)
    data, report = load([PREFIX, META], 0, {"slot_seconds": "600", "counts": "keep", "digits": "9", "ports": "5"})
    for n, (kind, count) in enumerate(kinds.most_common(5)):
        own = [row for row in rows if (float(row["plan_cpu"]) / 100, float(row["plan_mem"])) == kind]
        slots = Counter((int(row["start_time"]) - first) // 600 for row in own)
        assert {t: x for t, x in enumerate(data["arrivals"][:, n].tolist()) if x} == slots
        assert report["ports"][n]["arrivals"] == count
        assert from_json(data).ports[n].demand == {"cpu": Fraction(kind[0]) * 10, "memory": Fraction(str(kind[1])) * 10}
