from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from schedproof.core.errors import SchedproofError
from schedproof.workloads.multiserver.options import OF_TASKS
from tests.workloads.good_traces import MACHINES, META, NODES, PAI, PHILLY, PODS, PROFILE, TASKS, TRACES, with_file
from tests.workloads.trace_files import Row, Trace, table


def sentence_of(name: str, folder: Path, files: Sequence[str | bytes], options: dict[str, str] | None = None) -> str:
    trace = Trace(TRACES[name].load, folder, **TRACES[name].options)
    with pytest.raises(SchedproofError) as caught:
        trace.load(*files, **(options or {}))
    assert "\n" not in str(caught.value)
    return str(caught.value)


HEADER = PHILLY.splitlines()[0]
OPTIONS: dict[str, list[tuple[dict[str, str], str]]] = {
    "philly": [
        ({"mapping": "mine"}, "unknown value of mapping 'mine'; available: paper, trace"),
        ({"epochs_low": "3"}, "unknown option of philly with mapping=trace 'epochs_low'; available: "),
        ({"mapping": "paper", "servers": "3"}, "unknown option of philly with mapping=paper 'servers'"),
        ({"start": "monday"}, "start = 'monday': expected a Pacific time as YYYY-MM-DD"),
        ({"hours": "0"}, "hours = '0': expected a number"),
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"machines": "4"}, "machines = 4: expected at most 3, the number of machines that have GPUs"),
        ({"slot_seconds": "-60"}, "slot_seconds = '-60': expected a number"),
        ({"gpus": "first"}, "gpus = 'first': has no effect on the derived table: it has no attempts"),
        ({"mapping": "paper", "duration": "span"}, "duration = 'span': has no effect while mapping is paper"),
        ({"start": "2018-01-01"}, "no job is left of 3 rows; dropped: 3 (submitted before the window"),
    ],
    "google": [
        ({"speed": "2"}, "unknown option of google 'speed'; available: batch_size_high, "),
        ({"Jobs": "3"}, "unknown option of google 'Jobs'"),
        ({"mix": "30/69/1"}, "unknown option of google 'mix'"),
        ({"utilities": "cubic"}, "unknown value of utilities 'cubic'"),
        ({"start": "monday"}, "start = 'monday': expected a number"),
        ({"start": "-5"}, "start = '-5': expected a number"),
        ({"seconds": "0"}, "seconds = '0': expected a number"),
        ({"scale": "0"}, "scale = '0': expected a number"),
        ({"skip": "1.5"}, "skip = '1.5': expected an integer"),
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"horizon": "0"}, "horizon = '0': expected an integer above 0"),
        ({"start": "10000"}, "no job is left of 3 jobs; dropped: 3 (submitted before the window"),
        ({"skip": "3"}, "no job is left of 3 jobs; dropped: 3 (among the skipped first jobs"),
        ({"start": "600", "seconds": "1"}, "no job is left of 3 jobs; dropped: 3 (submitted after the window"),
        ({"start": "600", "scale": "1", "horizon": "5"}, "no job is left of 3 jobs; dropped: 3 (in a slot beyond"),
    ],
    "alibaba": [
        ({"speed": "2"}, "unknown option of alibaba 'speed'; available: alpha_high, "),
        ({"Nodes": "3"}, "unknown option of alibaba 'Nodes'"),
        ({"density": "2"}, "unknown option of alibaba 'density'"),
        ({"counts": "2"}, "unknown value of counts '2'; available: clip, keep"),
        ({"resources": "cpu,tape"}, "unknown resource 'tape'; available: cpu, fpga, gpu, memory, npu, tpu"),
        ({"resources": "gpu,npu"}, "resources = 'gpu,npu': expected at least one of cpu, memory"),
        ({"digits": "0"}, "digits = '0': expected an integer above 0, at most 9"),
        ({"start": "monday"}, "start = 'monday': expected an integer"),
        ({"seconds": "0"}, "seconds = '0': expected an integer above 0"),
        ({"slot_seconds": "0"}, "slot_seconds = '0': expected a number"),
        ({"ports": "0"}, "ports = '0': expected an integer above 0"),
        ({"nodes": "4"}, "nodes = 4: expected at most 3, the number of machines in the files"),
        (
            {"memory_unit": "4"},
            "memory_unit = '4': has no effect without memory_scale, as the memory of v2018 is normalised",
        ),
        ({"resources": "cpu", "memory_scale": "5"}, "memory_scale = '5': has no effect if no memory of v2018"),
        ({"resources": "cpu", "memory_unit": "5"}, "memory_unit = '5': has no effect without memory among the resou"),
        ({"request_cpu_low": "1"}, "request_cpu_low = '1': has no effect where no request for cpu is drawn"),
        ({"node_npu_low": "1"}, "node_npu_low = '1': has no effect without npu among the resources"),
        ({"start": "10000"}, "no task is left of 3 tasks; dropped: 3 (before the window"),
        ({"start": "50", "seconds": "1"}, "no task is left of 3 tasks; dropped: 3 (after the window"),
        ({"start": "50", "slot_seconds": "1"}, "no task is left of 3 tasks; dropped: 3 (in a slot beyond the horizon"),
        ({"status": "Lost"}, "part-0: the batch_task of v2018 has no usable row; dropped: 3 (a status"),
    ],
    "openb": [
        ({"memory_scale": "1"}, "unknown option of openb 'memory_scale'"),
        ({"machines_at": "1"}, "unknown option of openb 'machines_at'"),
        ({"resources": "npu"}, "expected at least one of cpu, memory, gpu"),
    ],
    "tapfinger": [
        ({"sensitive_low": "3"}, "unknown setting 'sensitive_low'; available: "),
        ({"repeats": "most"}, "unknown value of repeats 'most'; available: first, least, mean"),
    ],
}


@pytest.mark.parametrize(
    ("name", "options", "sentence"), [(name, *row) for name, rows in OPTIONS.items() for row in rows], ids=str
)
def test_a_bad_option_gives_one_message(name: str, options: dict[str, str], sentence: str, tmp_path: Path) -> None:
    assert sentence in sentence_of(name, tmp_path, TRACES[name].files, options)


@pytest.mark.parametrize("option", OF_TASKS)
def test_options_of_tasks_have_no_effect_without_tasks(option: str, tmp_path: Path) -> None:
    told = sentence_of("alibaba", tmp_path, [PAI], {option: "keep" if option == "counts" else "1"})
    assert f"{option} = " in told and "has no effect without batch_task of v2018" in told


def test_a_moment_for_the_machines_has_no_effect_without_their_log(tmp_path: Path) -> None:
    told = sentence_of("alibaba", tmp_path, [PAI], {"machines_at": "7"})
    assert "machines_at = '7': has no effect without machine_meta of v2018" in told


def test_slots_too_short_for_the_span_give_one_message(tmp_path: Path) -> None:
    rows = table(HEADER, "2017-01-01 00:00:00,0.000001,1,0,x", "2017-10-09 08:01:55,0.000001,2,180.0,11cb48")
    told = sentence_of("philly", tmp_path, (rows, MACHINES), {"slot_seconds": "0.000001"})
    assert "slot_seconds = 0.000001: expected longer slots or a shorter time span" in told


SPEC_TOO = "expected machine_meta of v2018 or pai_machine_spec of gpu-v2020, found neither among "
SCALE = "set memory_scale, the GB of"
FILES: dict[str, list[tuple[Sequence[str], str]]] = {
    "philly": [
        ((PHILLY,), "expected two files, the jobs and the machine list, not 1"),
        ((PHILLY, PHILLY), "part-1: expected a header with machineid, number of gpus in line 1"),
        ((PHILLY, table(",machineId,number of GPUs", "0,m0,0")), "part-1: no machine has GPUs in 1 rows; dropped: 1"),
    ],
    "google": [
        ((), "expected at least one file of task events, found none among 0"),
        (("0,1,0,platform,0.5,0.2493\n",), "expected at least one file of task events, found none among 1"),
    ],
    "alibaba": [
        ((), SPEC_TOO + "0 files"),
        ((TASKS,), SPEC_TOO + "1 files"),
        ((TASKS, table("sn,cpu_milli,memory_mib,gpu,model", "n1,1000,1024,0,")), "part-1: expected machine_meta of v"),
        ((TASKS, "n1,1000,1024,0,\n"), "found 4 fields in the first"),
        ((META,), f"normalised and drawn requests are in GB: {SCALE}"),
        *(
            (files, f"normalised and the memory of PAI is in GB: {SCALE}")
            for files in ((TASKS, PAI), (META, PAI), (TASKS, META, PAI))
        ),
    ],
    "openb": [
        ((), "expected a node list, found none among 0 files"),
        ((NODES,), "expected a pod list, found none among 1 files"),
        ((PODS, PODS), "expected a node list, found none among 2 files"),
        ((NODES, "a,T4,96,512,2\n"), "part-1: expected node list (5 columns) or pod list (11 columns) among the first"),
        ((NODES, PODS.splitlines()[0] + "\n"), "part-1: the pod list has no usable row; dropped: none"),
    ],
    "tapfinger": [
        (("a,b,c\n",), "part-0: the profile has no usable row; dropped: 1 (fewer than"),
        ((PROFILE, PROFILE), "expected one file, the profile, not 2"),
        (("image,2,1,900000000\n",), "slots with noise"),
    ],
}


@pytest.mark.parametrize(("name", "files", "sentence"), [(name, *row) for name, rows in FILES.items() for row in rows])
def test_wrong_files_give_one_message(name: str, files: Sequence[str], sentence: str, tmp_path: Path) -> None:
    assert sentence in sentence_of(name, tmp_path, files)


JOBS: list[Row] = json.loads(TRACES["philly's log"].files[0])[:2]
LOG = json.dumps(JOBS)
TRUNCATED = "the JSON array ends too early, after element {}: the file is truncated"
AMONG = "expected task events of 13 fields or machine events of 6 among the first 100 lines, found "
EVENT = "{},,1,0,,{},user,1,0,0.0125,0.0159,0.0004,0\n"
FIRST: dict[str, list[tuple[str, str]]] = {
    "philly": [
        (HEADER + "\n", "expected rows below the header"),
        (HEADER, "expected rows below the header"),
        ("a,b,c\n1,2,3\n", "expected a header with timestamp, duration, num_gpus in line 1"),
        (MACHINES, "expected a header with timestamp, duration, num_gpus in line 1"),
        (LOG[:-1], TRUNCATED.format(2)),
        (LOG[:-9], TRUNCATED.format(1)),
        (LOG[: len(LOG) // 2 - 20], TRUNCATED.format(0)),
        ("[", TRUNCATED.format(0)),
        (LOG + "]", "is not a JSON array of jobs: expected nothing after the array"),
        (LOG.replace("}, {", "} {"), "expected a comma after element 1"),
        ("[{'a': 1}]", "is not a JSON array of jobs: Expecting property name enclosed in double quotes in element 1"),
        ("[" * 100_000 + "]" * 100_000, "element 1 is nested too deeply for a job"),
        ("[" + "1" * 5000 + "]", "Exceeds the limit (4300 digits) for integer string conversion"),
        ("[]", "no job is left of 0 rows"),
        (HEADER + "\n" + "x" * (1 << 21), "expected fewer than 1048576 characters"),
        (HEADER + "\n" + "x" * 200_000, "expected a CSV row in line 2: field larger than field limit"),
        (
            table(HEADER, *["2017-10-10 07:01:55,0,1,0,x"] * 2),
            "no job is left of 2 rows; dropped: 2 (a duration that is zero or negative",
        ),
    ],
    "google": [
        ("600000000,,5,0,user,1,name,logical\n", AMONG + "8 in the first"),
        ("a,b,c\n1,2,3\n", AMONG + "3 in the first"),
        ("\n" * 200 + TRACES["google"].files[0], AMONG + "nothing"),
        (TRACES["google"].files[0] + "x" * (1 << 21), "line 4 is too long: expected fewer than 1048576 characters"),
        (EVENT.format(0, 0), "no job is left of 1 jobs; dropped: 1 (an event at time 0"),
        (EVENT.format(700_000_000, 4), "no job is left of 1 jobs; dropped: 1 (no SUBMIT after time 0"),
        (",,,,,,,,,,,,\n", "no job is left of 0 jobs; dropped: none"),
    ],
}
ROWS = [pytest.param(name, *row, id=f"{name}-{row[1]}") for name, rows in FIRST.items() for row in rows]


@pytest.mark.parametrize(("name", "content", "sentence"), ROWS)
def test_an_unusable_first_file_gives_one_message_with_its_name(
    name: str, content: str, sentence: str, tmp_path: Path
) -> None:
    told = sentence_of(name, tmp_path, with_file(name, 0, content))
    assert told.startswith(f"{tmp_path / 'part-0'}: ") and sentence in told
