"""Machines of logs: derived from the jobs, read from the log's header or a machine file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import ceil
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

import schedproof as sp
from schedproof.core.errors import InputError, SchedproofError
from schedproof.instances import from_json
from schedproof.workloads.job_logs.machines import cluster, read_machines
from schedproof.workloads.jobs import Cluster, Job, demand
from tests.workloads.test_job_logs import HEADER, reader
from tests.workloads.trace_files import Row, table

WORK = st.tuples(st.integers(0, 60), st.integers(1, 20), st.integers(1, 40))


def sizes(data: Row) -> list[int]:
    return [server["workers"]["gpu"] for server in data["servers"]]


def as_jobs(rows: Sequence[tuple[int, int, int]]) -> list[Job]:
    return [Job(n, f"j{n}", start, gpus, Decimal(length)) for n, (start, gpus, length) in enumerate(sorted(rows))]


@given(st.lists(WORK, min_size=1, max_size=12), st.integers(1, 8))
def test_derived_machines_have_the_average_demand_and_at_most_the_largest(
    rows: list[tuple[int, int, int]], size: int
) -> None:
    use = [sum(gpus for start, gpus, length in rows if start <= t < start + length) for t in range(101)]
    busy = [gpus for gpus in use if gpus]
    average, largest = demand(as_jobs(rows))
    assert largest == max(use) and average == pytest.approx(sum(busy) / len(busy))
    found, why = Cluster(machine_gpus=size).of(as_jobs(rows))
    wanted = max(sum(busy) / len(busy) - 1e-9, *(gpus for _, gpus, _ in rows))
    assert sum(found) == min(largest, ceil(wanted / size) * size) and max(found) <= size
    assert "not in the log, assumed" in why and f"{largest} at most" in why


def test_ten_jobs_at_once_use_ten_gpus(tmp_path: Path) -> None:
    log = reader("table", tmp_path)
    data, report = log.table(HEADER, *(f"j{n},{n},1,36000" for n in range(10)))
    assert sizes(data) == [8, 2] and "2 of 8 GPUs" not in report["set"]["servers"]
    assert sizes(log.table(HEADER, "a,0,4,3600", machine_gpus="2")[0]) == [2, 2]
    data, report = log.table(HEADER, "a,0,4,3600", machines="7", machine_gpus="2")
    assert sizes(data) == [2] * 7 and report["set"]["servers"] == "as given: 7 of 2 GPUs"


def test_a_pause_between_jobs_does_not_change_the_machines(tmp_path: Path) -> None:
    log = reader("table", tmp_path)
    burst = [f"a{n},{60 * n},4,600" for n in range(20)]
    late = [f"b{n},{10**8 + 60 * n},4,600" for n in range(20)]
    assert sizes(log.table(HEADER, *burst, *late)[0]) == sizes(log.table(HEADER, *burst)[0])


HEADERS = {
    "; MaxNodes: 3\n; MaxProcs: 12\n": [4, 4, 4],
    "; MaxNodes: 3 (1 large)\n; MaxProcs: 13\n": [5, 4, 4],
    "; MaxNodes: 3\n": [1, 1, 1],
    "; MaxProcs: 12\n": [8, 4],
    ";MaxProcs:  -1\n": [2],
}


@pytest.mark.parametrize("header", HEADERS)
def test_the_header_of_a_log_has_its_machines(header: str, tmp_path: Path) -> None:
    row = "1 0 5 120 2 -1 -1 2 -1 -1 1 3 1 -1 -1 -1 -1 -1\n"
    log = reader("swf", tmp_path)
    data, report = log.load(header + row)
    nodes = HEADERS[header]
    assert sizes(data) == nodes
    assert ("in the header" in report["set"]["servers"]) == (nodes != [2])
    assert sizes(log.load(header + row, machines="1")[0]) == [8]


FILES = {
    "sn,gpu,model\nn1,2,P100\nn2,8,T4\nn3,0,\n": ("", (2, 8), ("p100", "t4")),
    "machineId, number of GPUs, single GPU mem\nm1,8,24GB\n": ("", (8,), ()),
    "num_switch,num_node_p_switch,num_gpu_p_node\n2,2,4": ("", (4,) * 4, ()),
    "a,T4,96,512,2\nb,CPU,96,512,0\n": ("gpus=5,type=2", (2,), ("t4",)),
    '{"kind": "big", "g": 16, "n": 2}\n{"kind": "", "g": 1, "n": 1}\n': (
        "gpus=g,count=n,type=kind",
        (16, 16, 1),
        ("big", "big", "unknown"),
    ),
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_has_the_machines(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text(text)
    wanted, found, types = FILES[text]
    assert read_machines(str(file), wanted) == (found, types)
    options = {"machine_file": str(file)} | ({"machine_map": wanted} if wanted else {})
    data, report = reader("table", tmp_path).table(HEADER, "a,0,1,60", **options)
    assert sizes(data) == list(found) and report["set"]["servers"].startswith("of machines.csv: ")


BAD = {
    "date,vcEwI,total\n2020-04-01,72,968\n": "expected a row for each machine, and one column with its GPUs",
    "name,cpus\na,5\n": "the columns are name, cpus",
    "name,gpus\na,many\n": "expected whole numbers of GPUs and machines in line 2",
    "name,gpus\na,0\n": "no machine has GPUs",
    "name,gpus,count\na,1,10000000\n": "expected at most 1000000 machines",
}


@pytest.mark.parametrize("text", BAD)
def test_another_file_of_machines_is_refused(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text(text)
    with pytest.raises(InputError, match=BAD[text]):
        read_machines(str(file))


def test_too_many_machines_are_refused(tmp_path: Path) -> None:
    log = reader("table", tmp_path)
    with pytest.raises(InputError, match="expected at most 1000000 machines of 8 GPUs, not 9000000"):
        log.table(HEADER, "a,0,1,60", machines="9000000")
    with pytest.raises(InputError, match="expected at most 1000000 machines of 1 GPU, not 1600000"):
        log.table(HEADER, "a,0,800000,60", "b,0,800000,60", machine_gpus="1")
    with pytest.raises(InputError, match="no job is left of 1 rows"):
        log.table(f"{HEADER},workers", "a,0,800000,60,800000", map="workers=workers")


def test_two_definitions_of_the_machines_are_refused(tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text(table("gpus", "8"))
    for options in (
        {"machine_file": file, "machines": 2},
        {"machine_file": file, "machine_gpus": 2},
        {"machine_map": "x"},
    ):
        with pytest.raises(SchedproofError, match="has no effect with"):
            cluster(options, {})
    with pytest.raises(InputError, match="expected gpus=COLUMN, count=COLUMN or type=COLUMN"):
        read_machines(str(file), "gpus=2")


TYPED = f"{HEADER},kind"
MIXED = ["a,0,2,60,T4", "b,0,1,60,v100|p100", "c,0,1,60,", "d,0,1,60,A10", "e,0,1,60,P100|A10"]


def test_a_job_runs_on_its_gpu_types(tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text("gpus,model\n2,T4\n4,P100\n1,V100\n")
    log = reader("table", tmp_path)
    data, report = log.table(TYPED, *MIXED, map="type=kind", machine_file=str(file))
    assert [server["workers"] for server in data["servers"]] == [{"t4": 2}, {"p100": 4}, {"v100": 1}]
    types = {job["name"]: job["worker_types"] for job in data["jobs"]}
    assert types == {"a": ["t4"], "b": ["p100", "v100"], "c": ["t4", "p100", "v100"], "e": ["p100"]}
    assert report["jobs"]["reasons"] and "a GPU type that no machine has" in str(report["jobs"]["reasons"])
    assert report["set"]["servers"].endswith("1 of 4 GPUs (p100), 1 of 2 GPUs (t4), 1 of 1 GPU (v100)")
    run = sp.policy("fifo").run(from_json(data))
    assert run.feasible
    untyped, _ = log.table(TYPED, *MIXED, machine_file=str(file))
    assert {tuple(job["worker_types"]) for job in untyped["jobs"]} == {("gpu",)} and len(untyped["jobs"]) == 5


def test_machines_are_derived_for_each_gpu_type(tmp_path: Path) -> None:
    data, report = reader("table", tmp_path).table(TYPED, *MIXED[:1], "f,0,9,60,v100", map="type=kind")
    assert [server["workers"] for server in data["servers"]] == [{"t4": 2}, {"v100": 8}, {"v100": 1}]
    assert "t4: not in the log, assumed: 1 of 2 GPUs" in report["set"]["servers"]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (MIXED[:1], {"machines": "2"}, "expected GPU types of the machines: a machine file"),
        (MIXED[:2], {}, "expected one GPU type for each job, not 2 for b, to derive machines"),
        (MIXED[:1] + MIXED[2:3], {}, "expected one GPU type for each job, not 0 for c"),
    ],
)
def test_unknown_types_of_machines_are_asked_for(
    rows: list[str], options: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        reader("table", tmp_path).table(TYPED, *rows, map="type=kind", **options)


def test_no_job_of_a_type_of_the_machines(tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text("gpus,model\n2,T4\n")
    with pytest.raises(InputError, match=r"no job is left; dropped: .*a GPU type that no machine has"):
        reader("table", tmp_path).table(TYPED, MIXED[3], map="type=kind", machine_file=str(file))


def test_dmlrs_has_no_gpu_types(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected no GPU types for the family dmlrs"):
        reader("table", tmp_path, "dmlrs").table(TYPED, MIXED[0], map="type=kind")


def test_restarts_of_a_log(tmp_path: Path) -> None:
    log = reader("table", tmp_path)
    data, report = log.table(HEADER, "a,0,1,60", restart="3")
    assert data["restart"] == 3 and "shared GPUs" in report["not_covered"]
    assert data["horizon"] == 4 * log.table(HEADER, "a,0,1,60")[0]["horizon"]
    with pytest.raises(SchedproofError, match="restart"):
        log.table(HEADER, "a,0,1,60", restart="-1")
