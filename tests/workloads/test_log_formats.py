"""Formats of logs: what the documents of SWF, sacct and the published traces define."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

import schedproof as sp
from schedproof.core.errors import InputError, SchedproofError
from tests.command_line import Cli
from tests.workloads.test_job_logs import HEADER, SACCT, SHARED, jobs, reader
from tests.workloads.trace_files import Row, accounted, counts, table

DOCS = Path(__file__).parents[2] / "docs"
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the traces are not beside this checkout")


def tally(report: Row) -> dict[str, int]:
    """Reason -> count."""
    return {reason: n for reason, (_, n) in counts(report["jobs"]).items()}


def swf(job: int, submit: int, run: int, status: int, gpus: int = 2, wait: int = 5) -> str:
    return f"{job} {submit} {wait} {run} {gpus} -1 -1 {gpus} -1 -1 {status} 3 1 -1 -1 -1 -1 -1"


def test_partial_executions_are_not_counted_beside_the_whole_job(tmp_path: Path) -> None:
    data, report = reader("swf", tmp_path).table(
        "; Version: 2.2",
        "; UnixStartTime: 1709287200",
        swf(1, 0, 180, 1), swf(1, 0, 60, 2), swf(1, -1, 120, 3),
        swf(2, 60, 60, 2), swf(2, -1, 60, 2), swf(2, -1, 30, 4),
        swf(3, 120, 60, 2),
        swf(4, 180, -1, 5, gpus=-1), swf(5, 180, 0, 5, gpus=0), swf(6, 240, 60, 5),
    )  # fmt: skip
    assert jobs(data) == [("1", 0, 2, 3), ("2", 1, 2, pytest.approx(2.5)), ("6", 4, 2, 1)]
    assert tally(report) == {"partial": 2, "partial_added": 2, "unfinished": 1, "never_started": 2}
    assert report["window"] == {"first": "2024-03-01 10:00:00+00:00", "last": "2024-03-01 10:04:00+00:00"}
    accounted(data, report)


def test_the_window_of_a_log_may_be_dated_by_its_header(tmp_path: Path) -> None:
    log = reader("swf", tmp_path)
    rows = ("; UnixStartTime: 1709287200", *(swf(n, 3600 * n, 60, 1) for n in range(1, 5)))
    for start in ("2024-03-01T12:00:00Z", "7200"):
        assert [name for name, *_ in jobs(log.table(*rows, start=start)[0])] == ["2", "3", "4"]


def sacct_row(id: str, *, tres: str = "gres/gpu=2", state: str = "COMPLETED", hour: int = 10, minutes: int = 5) -> str:
    when = "|".join(f"2024-03-01T{hour}:{minute:02d}:00Z" for minute in (0, 10, 10 + minutes))
    return f"{id}|u|{when}|00:{minutes:02d}:00|{state}|{tres}"


def test_components_are_one_job_and_tasks_of_an_array_are_several(tmp_path: Path) -> None:
    data, report = reader("sacct", tmp_path).table(
        SACCT,
        sacct_row("7+0"), sacct_row("7+0.batch"), sacct_row("7+0.extern"), sacct_row("7+1", minutes=6),
        sacct_row("7+2", tres="cpu=4"), sacct_row("8_1"), sacct_row("8_2"), sacct_row("8_2.0"),
    )  # fmt: skip
    assert jobs(data) == [("7+0", 0, 4, 6), ("8_1", 0, 2, 5), ("8_2", 0, 2, 5)]
    assert tally(report) == {"step": 3, "component": 1, "gpus_zero": 1, "tie": 3}


def test_each_run_of_a_requeued_job_is_a_job(tmp_path: Path) -> None:
    data, report = reader("sacct", tmp_path).table(
        SACCT, sacct_row("7", state="REQUEUED"), sacct_row("7", hour=11), sacct_row("9+0", state="REQUEUED"),
        sacct_row("9+1", state="REQUEUED"), sacct_row("9+0", hour=12), sacct_row("9+1", hour=12),
    )  # fmt: skip
    assert [row[1:] for row in jobs(data)] == [(0, 2, 5), (0, 4, 5), (60, 2, 5), (120, 4, 5)]
    assert tally(report) == {"rerun": 3, "id_again": 3, "component": 2, "tie": 2, "unordered": 1}


TRES = {
    ("AllocTRES", "billing=8,cpu=8,gres/gpu:a100=3,gres/gpu:v100=1,node=1", ""): 4,
    ("ReqTRES", "cpu=8,gres/gpu=4,gres/gpu:a100=4", ""): 4,
    ("AllocTRES", "1=8,2=64000,4=1,1001=2", ""): 2,
    ("AllocGRES", "gpu:a100:2", "2"): 2,
    ("TresPerNode", "gres/gpu:2", "3"): 6,
    ("TresPerNode", "gpu:a100:4(S:0-1)", "1"): 4,
}


@pytest.mark.parametrize(("column", "cell", "nodes"), TRES)
def test_every_form_of_tres(column: str, cell: str, nodes: str, tmp_path: Path) -> None:
    head = f"JobID|Submit|Elapsed|State|NNodes|AllocTRES2|{column}|"  # --parsable ends lines with a bar
    data, report = reader("sacct", tmp_path).table(head, f"7|2024-03-01T10:00:00Z|01:00:00|COMPLETED|{nodes}||{cell}|")
    assert jobs(data) == [("7", 0, TRES[column, cell, nodes], 60)]
    assert tally(report) == ({"gpus_numbered": 1} if "1001" in cell else {})


def test_gpus_of_a_node_need_the_number_of_nodes(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="TresPerNode has the GPUs of one node: name the number of nodes, as in --map workers"
    ):
        reader("sacct", tmp_path).table("JobID|Submit|Elapsed|TresPerNode", "7|2024-03-01T10:00:00|01:00:00|gpu:4")


def test_the_column_that_names_gpus_counts(tmp_path: Path) -> None:
    """Without GPUs in AllocTRES, the requested GPUs count."""
    head = "JobID|Submit|Elapsed|State|AllocTRES|ReqGRES|NNodes"
    rows = [
        f"{n}|2024-03-01T10:00:00Z|01:00:00|COMPLETED|cpu=4,node=2|{cell}|2" for n, cell in enumerate(("gpu:2", ""))
    ]
    data, report = reader("sacct", tmp_path).table(head, *rows)
    assert jobs(data) == [("0", 0, 4, 60)] and tally(report) == {"gpus_zero": 1}


def test_unknown_statuses_are_asked_about(tmp_path: Path) -> None:
    log = reader("table", tmp_path)
    rows = (f"{HEADER},status", "a,0,1,60,Done", "b,0,1,60,zombie", "c,0,1,60,RUNNING", "d,0,1,60,odd", "e,0,1,60,")
    with pytest.raises(InputError, match="unknown statuses, the first in line 3: zombie, odd; list the statuses"):
        log.table(*rows)
    data, report = log.table(*rows, status="done,zombie")
    assert [name for name, *_ in jobs(data)] == ["a", "b"] and tally(report)["other_status"] == 3
    data, report = log.table(*(row for row in rows if "zombie" not in row and "odd" not in row))
    assert [name for name, *_ in jobs(data)] == ["a", "e"] and tally(report)["unfinished"] == 1


def test_a_missing_end_is_asked_about(tmp_path: Path) -> None:
    log, rows = (
        reader("table", tmp_path),
        ("id,arrival,gpus,start,end", "a,0,1,60,120", "b,10,1,60,", "c,20,1,60,0", "d,20,1,60,4294967294"),
    )
    with pytest.raises(InputError, match="no end time in line 3: skip such jobs with no_end=skip, or give"):
        log.table(*rows)
    data, report = log.table(*rows, no_end="skip")
    assert jobs(data) == [("a", 0, 1, 1)] and tally(report)["end_missing"] == 3
    data, report = log.table(*rows, no_end="180")
    assert [row[3] for row in jobs(data)] == [1, 2, 2, 2] and tally(report)["end_assumed"] == 3


def test_a_duration_without_an_end_or_a_status_may_be_that_of_a_running_job(tmp_path: Path) -> None:
    head = "JobID|Submit|Start|End|Elapsed|AllocTRES"
    rows = [
        f"{n}|2024-03-01T10:00Z|2024-03-01T10:00Z|{end}|00:05:00|gpu=1"
        for n, end in enumerate(("2024-03-01T10:05Z", "Unknown"))
    ]
    log = reader("sacct", tmp_path)
    with pytest.raises(InputError, match="no end time in line 3"):
        log.table(head, *rows)
    assert jobs(log.table(head, *rows, no_end="skip")[0]) == [("0", 0, 1, 5)]
    assert jobs(log.table(f"{head}|State", *(f"{row}|FAILED" for row in rows))[0])[1][3] == 5


def test_the_usual_output_of_sacct_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected the output of sacct --parsable2, with \| between fields"):
        reader("sacct", tmp_path).table("JobID    JobName  Partition", "-------- -------- ---------", "1 x y")


UNSTARTED = ["0", "", "None", "Unknown", "-1", "1970-01-01 00:00:00", "0001-01-01T00:00:00Z", "0000-00-00 00:00:00"]
UNSTARTED += ["9999-12-31T23:59:59Z", "2147483647", "9223372036854775807"]


@pytest.mark.parametrize("start", UNSTARTED)
def test_a_job_that_never_started_has_no_duration(start: str, tmp_path: Path) -> None:
    rows = ("a,1612000000,1612000100,1612003700,2", f"b,1612000600,{start},1612001800,1")
    data, report = reader("table", tmp_path).table("id,arrival,start,end,gpus", *rows)
    assert jobs(data) == [("a", 0, 2, 60)] and tally(report) == {"never_started": 1}


def test_a_submission_at_0_among_dates_is_missing(tmp_path: Path) -> None:
    data, report = reader("table", tmp_path).table(HEADER, "a,0,1,60", "b,1612000000,1,60", "c,1612000060,1,60")
    assert [name for name, *_ in jobs(data)] == ["b", "c"] and tally(report) == {"arrival_missing": 1}


def test_the_duration_follows_from_start_and_end_where_it_is_missing(tmp_path: Path) -> None:
    rows = (f"{HEADER},start,end", "a,0,1,60,5,10", "b,60,1,,100,220")
    assert [row[3] for row in jobs(reader("table", tmp_path).table(*rows)[0])] == [1, 2]


def test_gpus_of_a_worker_are_multiplied(tmp_path: Path) -> None:
    rows = ("id,arrival,gpus,duration,workers", "a,0,2,60,3")
    log = reader("table", tmp_path)
    assert jobs(log.table(*rows)[0])[0][2] == 2 and jobs(log.table(*rows, map="workers=workers")[0])[0][2] == 6


def test_jobs_of_helios(tmp_path: Path) -> None:
    head = "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue"
    when = "2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0"
    data, report = reader("helios", tmp_path).table(
        head, f"1,uX,vcJ,1,1,1,COMPLETED,{when}", f"2,uX,vcJ,0,16,1,FAILED,{when}", f"3,uX,vcJ,8,16,1,SUSPENDED,{when}"
    )
    assert jobs(data) == [("1", 0, 1, Decimal("614.133333333334"))]
    assert tally(report) == {"arrival_naive": 2, "gpus_zero": 1, "unfinished": 1}


def test_jobs_of_alibaba(tmp_path: Path) -> None:
    pods = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time",
        "a,1,1,1,460,,LS,Running,0,180,60", "b,1,1,2,1000,,LS,Failed,60,180,120", "c,1,1,1,1000,,LS,Pending,60,90,",
        "d,1,1,0,0,,LS,Succeeded,60,180,120",
    )  # fmt: skip
    log = reader("alibaba_jobs", tmp_path)
    data, report = log.table(*pods)
    assert jobs(data) == [("a", 0, 1, 2), ("b", 1, 2, 1)]
    assert tally(report) == {"gpus_shared": 1, "unfinished": 1, "gpus_zero": 1}
    spot = "job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type"
    data, _ = log.table(spot, "239255,13,A10,20,1,16,0,120,HP", "239256,13,A10,20,0.5,2,60,60,Spot")
    assert jobs(data) == [("239255", 0, 16, 2), ("239256", 1, 2, 1)]
    inference = "instance_sn,role,app_name,gpu_request,creation_time,scheduled_time,deletion_time"
    data, report = log.table(
        inference, "i1,HN,x,1,,,5", "i2,HN,x,1,60.0,60.0,120.0", "i3,HN,x,1,60,60,", "i4,CN,x,0,6,6,9"
    )
    assert jobs(data) == [("i2", 0, 1, 1)] and tally(report) == {
        "arrival_missing": 1, "unfinished": 1, "gpus_zero": 1,
    }  # fmt: skip


RATES = {"v100": {"LM (batch size 5)": {"null": 12.5}, "('LM (batch size 5)', 4)": {"null": 25.0}, "A3C": {"null": 0}}}
GAVEL = {
    6: "LM (batch size 5)\tpython3 main.py\t-n\t1500\t60\t2",
    7: "LM (batch size 5)\tpython3 main.py\t-n\t1\t1500\t60.000000\t2",
    9: "LM (batch size 5)\tpython3 main.py\t-n\t1\t1500\t2\t1\t-1\t60.0",
    10: "LM (batch size 5)\tpython3 main.py\t.\t-n\t1\t1500\t2\t1\t-1\t60.0",
}


@pytest.mark.parametrize("fields", GAVEL)
def test_a_trace_of_gavel_of_any_age(fields: int, tmp_path: Path) -> None:
    rows = (GAVEL[fields], GAVEL[7].removesuffix("2") + "4", GAVEL[7].replace("LM (batch size 5)", "A3C"), "x\ty")
    data, report = reader("gavel", tmp_path).load(table(*rows), json.dumps(RATES))
    assert jobs(data) == [("job-1", 0, 2, 2), ("job-2", 0, 4, 1)]
    assert tally(report) == {"not_measured": 1, "field_count": 1, "tie": 2}


def test_a_trace_of_gavel_needs_throughputs(tmp_path: Path) -> None:
    log, trace = reader("gavel", tmp_path), GAVEL[7] + "\n"
    for second, said in (
        ("{", "is not a JSON object"),
        ("[]", "is not a JSON object"),
        ('{"k80": {}}', "unknown gpu_type 'v100'"),
    ):
        with pytest.raises(SchedproofError, match=said):
            log.load(trace, second)
    with pytest.raises(InputError, match=r"expected two files: the \.trace, and Gavel's throughputs"):
        log.load(trace)


def profiles(folder: Path, **files: str) -> list[Path]:
    """Files of one application, ``net``."""
    (folder / "net").mkdir()
    names = [folder / "net" / f"{name.replace('_', '-')}.csv" for name in files]
    for name, text in zip(names, files.values(), strict=True):
        name.write_text(text)
    return names


def test_a_workload_of_pollux_takes_its_measured_iterations(tmp_path: Path) -> None:
    (workload := tmp_path / "w.csv").write_text(
        table("name,time,application,num_replicas,batch_size", *(f"j{n},{n}.5,net,{g},{b}" for n, g, b in (
            (0, 4, 40), (1, 4, 60), (2, 4, 160), (3, 2, 40), (4, 8, 40),
        )))
    )  # fmt: skip
    given = profiles(
        tmp_path,
        scalability=table(
            "num_nodes,num_replicas,local_bsz,step_time,sync_time", "1,4,10,1.0,0.5", "1,4,20,3.0,0.5", "2,4,10,9,9"
        ),
        placements=table("placement,local_bsz,step_time,sync_time", "11,20,2.0,1.0"),
        validation_40=table("progress,iteration", "1.5,30", "2.5,60"),
        validation_60=table("progress,iteration", "1.5,60"),
    )
    with pytest.raises(InputError, match=r"of net with batches of 160 are unknown: add the file net/validation-160"):
        sp.trace("pollux", [workload, *given])
    instance, report = sp.trace("pollux", [workload, *given], iterations="net-160:60")
    assert [(job.name, job.chunks, float(job.minibatch_time)) for job in instance.jobs] == [
        ("j0", 4, 1.0),  # 60 iterations of 10 samples on each GPU
        ("j1", 4, 2.0),  # 15 samples: between 1 and 3 seconds
        ("j2", 4, 5.5),  # 40 samples: 2 x 20, which synchronise once
        ("j3", 2, 2.0),  # on two nodes of one GPU
    ]
    assert tally(report)["not_measured"] == 1
    with pytest.raises(InputError, match="expected a name like cifar10-scalability"):
        sp.trace("pollux", [workload, workload])
    with pytest.raises(InputError, match="expected APPLICATION-BATCH:NUMBER"):
        sp.trace("pollux", [workload], iterations="net:5")


POLLUX = ("pollux-philly-workloads/profiles/*-scalability.csv",)
ITERATIONS = (
    "bert-384:480,cifar10-2048:3178,cifar10-4096:2011,deepspeech2-320:2264,deepspeech2-640:1423,imagenet-1600:78453,"
    "imagenet-3200:42123,imagenet-6400:23972"
)
PUBLISHED = {
    "alibaba-gpu-v2023/openb_pod_list_default.csv": ("alibaba_jobs", (), {}, 6203),
    "alibaba-gpu-v2025/disaggregated_DLRM_trace.every8th.csv": ("alibaba_jobs", (), {}, 399),
    "gavel-philly/seed0-0e4a51.trace": ("gavel", ("gavel-philly/oracle_throughputs.json",), {}, 1181),
    "gavel-philly/seed0-23dbec.trace": ("gavel", ("gavel-philly/oracle_throughputs.json",), {"gpu_type": "k80"}, 9),
    "pollux-philly-workloads/workload-1.csv": ("pollux", POLLUX, {"iterations": ITERATIONS}, 89),
    "sia-workloads/newtrace-workload-1.csv": ("pollux", POLLUX, {"iterations": ITERATIONS}, 879),
}


@shared
@pytest.mark.parametrize("name", PUBLISHED)
def test_published_traces(name: str) -> None:
    form, patterns, options, kept = PUBLISHED[name]
    more = sorted(file for pattern in patterns for file in SHARED.glob(pattern))
    instance, report = sp.trace(form, [SHARED / name, *more], slot_seconds=3600, **options)
    assert counts(report["jobs"]) and report["jobs"]["kept"] == kept == len(instance.jobs)


COMMANDS = [
    line.split()[2:]
    for line in (DOCS / "howto" / "job_logs.md").read_text().replace("\\\n", "").splitlines()
    if line.startswith("schedproof trace ")
]


@shared
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_documented_commands(words: list[str], tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the page reads its files, if they are next to this checkout."""
    monkeypatch.chdir(tmp_path)
    Path("traces").symlink_to(SHARED)
    files = [str(file) for word in words for file in (sorted(Path().glob(word)) if word[:7] == "traces/" else [word])]
    if len(files) < len(words):
        pytest.skip("a file of this trace is not beside this checkout")
    code, printed, errors = cli("trace", *files)
    assert code == 0 and ".json: " in printed and not errors
