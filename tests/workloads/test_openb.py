from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from schedproof.workloads.openb import load
from tests.workloads.trace_files import Trace, check, counts, of_file, table

NODE_HEADER = "sn,cpu_milli,memory_mib,gpu,model"
POD_HEADER = (
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
)


def node(name: str, gpus: int = 2, model: str = "P100", cpu: int = 64_000, memory: int = 262_144) -> str:
    return f"{name},{cpu},{memory},{gpus},{model}"


def pod(time: int, gpus: int = 1, share: int = 1000, spec: str = "", cpu: int = 12_000, phase: str = "Running") -> str:
    return f"pod-{time},{cpu},16384,{gpus},{share},{spec},LS,{phase},{time},{time + 50},{time}"


NODES = table(NODE_HEADER, node("n1"), node("n2", 8, "T4"), node("n3", 0, "", 8_000))
PODS_FILE = table(POD_HEADER, pod(0), pod(50), pod(60, 1, 460), pod(99, 0, 0))


@pytest.fixture
def trace(tmp_path: Path) -> Trace:
    return Trace(load, tmp_path, horizon="10", contention="1")


def test_nodes_pods_and_shares_of_gpus(trace: Trace) -> None:
    data, report = trace.load(NODES, PODS_FILE)
    check(data, report)
    assert data["resources"] == ["cpu", "memory", "gpu"]
    assert [row["capacity"] for row in data["nodes"]] == [
        {"cpu": 64, "memory": 16, "gpu": 2},
        {"cpu": 64, "memory": 16, "gpu": 8},
        {"cpu": 8, "memory": 16, "gpu": 0},
    ]
    asked = [tuple(map(float, port["demand"].values())) for port in data["ports"]]
    assert asked == [(12, 1, 1), (12, 1, 0), (12, 1, 0.46)]
    assert data["arrivals"].tolist() == [[t in (0, 5), t == 9, t == 6] for t in range(10)]
    assert of_file(report) == of_file(report, 2) == counts(report["jobs"]) == {}
    assert report["trace"] == "openb" and report["window"]["seconds_per_slot"] == 10


def test_a_ports_nodes_hold_one_request_on_a_gpu_of_its_models(trace: Trace) -> None:
    rows = [pod(1, 1, spec="T4"), pod(2, 1, spec="T4|P100"), pod(3, 1, spec="P100|T4|T4"), pod(4, 1, spec="A10")]
    rows += [pod(5, 4), pod(6, 0, 0, cpu=1000), pod(7, 1), pod(8, 1, 1000, cpu=65_000)]
    data, report = trace.load(NODES, table(POD_HEADER, *rows), horizon="8")
    check(data, report)
    found = {
        (row.get("gpu_models", ""), row["gpu"], row["cpu"]): port["nodes"]
        for row, port in zip(report["ports"], data["ports"], strict=True)
    }
    assert found == {
        ("P100|T4", "1", "12"): ["n1", "n2"],
        ("T4", "1", "12"): ["n2"],
        ("A10", "1", "12"): [],
        ("", "4", "12"): ["n2"],
        ("", "0", "1"): ["n1", "n2", "n3"],
        ("", "1", "12"): ["n1", "n2"],
        ("", "1", "65"): [],
    }
    assert data["ports"][0]["nodes"] == ["n1", "n2"], "the two spellings are one kind, and the most frequent"


def test_the_options_are_those_of_alibaba_but_two(trace: Trace) -> None:
    data, _ = trace.load(NODES, PODS_FILE, resources="cpu,gpu,npu", ports="2", nodes="2", counts="keep", digits="1")
    assert (data["resources"], len(data["ports"]), len(data["nodes"])) == (["cpu", "gpu", "npu"], 2, 2)
    data, _ = trace.load(NODES, PODS_FILE, memory_unit="1")
    assert data["nodes"][0]["capacity"]["memory"] == 256 and data["ports"][0]["demand"]["memory"] == 16


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        (pod(70, 2, 500), "share_of_several", "accepted"),
        (pod(70).replace(",,70", ",,70.0"), "", ""),
        (pod(70).replace("Running,70,", "Running,70.0,"), "number_as_decimal", "accepted"),
        (pod(70).replace("Running,70,", "Running,,"), "time_missing", "dropped"),
        (pod(70).replace("Running,70,", "Running,-70,"), "time_unreadable", "dropped"),
        (pod(70).replace("16384", ""), "request_missing", "dropped"),
        (pod(70).replace("16384", "lots"), "request_unreadable", "dropped"),
        (pod(70).replace("1000,", "None,"), "request_missing", "dropped"),
        (pod(70, 0, 0, cpu=0).replace("16384", "0"), "request_zero", "dropped"),
        (pod(70, phase="Pending")[:-2], "", ""),
        (pod(70)[:-14], "field_count", "dropped"),
        (pod(50), "duplicate", "dropped"),
        (pod(50, 4), "duplicate_name", "dropped"),
    ],
)
def test_each_odd_pod_is_counted(trace: Trace, row: str, reason: str, outcome: str) -> None:
    data, report = trace.load(NODES, PODS_FILE + row + "\n")
    assert of_file(report, 2) == ({reason: (outcome, 1)} if reason else {})
    assert report["jobs"]["seen"] == (4 if outcome == "dropped" else 5)
    check(data, report)


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        (node("n4", 2, ""), "model_missing", "accepted"),
        (node("n4", 0, ""), "", ""),
        (node("n4").replace("64000", ""), "capacity_missing", "dropped"),
        (node("n4").replace("64000", "-1"), "capacity_unreadable", "dropped"),
        (node(""), "name_missing", "dropped"),
        (node("n1", 4), "duplicate_name", "dropped"),
        ("n4,64000,262144,2", "field_count", "dropped"),
        (NODE_HEADER, "header_again", "dropped"),
    ],
)
def test_each_odd_node_is_counted(trace: Trace, row: str, reason: str, outcome: str) -> None:
    data, report = trace.load(NODES + row + "\n", PODS_FILE)
    assert of_file(report) == ({reason: (outcome, 1)} if reason else {})
    assert len(data["nodes"]) == (3 if outcome == "dropped" else 4)
    check(data, report)


def test_a_phase_can_be_asked_for(trace: Trace) -> None:
    rows = PODS_FILE + table(pod(70, phase="Failed"), pod(71, phase="Pending"))
    assert trace.load(NODES, rows)[1]["jobs"]["seen"] == 6
    _, report = trace.load(NODES, rows, status="Running,Failed")
    assert of_file(report, 2) == {"other_status": ("dropped", 1)} and report["jobs"]["seen"] == 5


def test_lists_without_headers_are_read_too(trace: Trace) -> None:
    data, report = trace.load(*("\n".join(text.splitlines()[1:]) + "\n" for text in (PODS_FILE, NODES)))
    other, _ = trace.load(PODS_FILE, NODES)
    assert data["ports"] == other["ports"] and np.array_equal(data["arrivals"], other["arrivals"])
    assert of_file(report) == of_file(report, 2) == {"no_header": ("accepted", 1)}
