"""Machines of logs: derived from the jobs, read from the log's header or a machine file."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import ceil
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from schedproof.core.errors import InputError, SchedproofError
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
    "sn,gpu,model\nn1,2,P100\nn2,8,T4\nn3,0,\n": ("", (2, 8)),
    "machineId, number of GPUs, single GPU mem\nm1,8,24GB\n": ("", (8,)),
    "num_switch,num_node_p_switch,num_gpu_p_node\n2,2,4": ("", (4,) * 4),
    "a,T4,96,512,2\nb,CPU,96,512,0\n": ("gpus=5", (2,)),
    '{"kind": "big", "g": 16, "n": 2}\n{"kind": "small", "g": 1, "n": 1}\n': ("gpus=g,count=n", (16, 16, 1)),
}


@pytest.mark.parametrize("text", FILES)
def test_a_file_has_the_machines(text: str, tmp_path: Path) -> None:
    (file := tmp_path / "machines.csv").write_text(text)
    wanted, found = FILES[text]
    assert read_machines(str(file), wanted) == found
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
    with pytest.raises(InputError, match="expected gpus=COLUMN or count=COLUMN"):
        read_machines(str(file), "gpus=2")
