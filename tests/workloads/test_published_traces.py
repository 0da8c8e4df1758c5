"""Loaders on the published traces, if they are stored next to this checkout."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from schedproof.core.errors import InputError
from schedproof.instances import from_json
from schedproof.workloads import alibaba, google, openb, philly, tapfinger
from tests.workloads.trace_files import accounted, check, counts, of_file

TRACES = Path(__file__).parents[3] / "shared" / "traces"
PHILLY, GOOGLE = TRACES / "philly", TRACES / "google-2011"
PART = GOOGLE / "task_events" / "part-00000-of-00500.csv.gz"
CUT = GOOGLE / "task_events" / "cut-600s-1200s.csv.gz"
MACHINES = GOOGLE / "machine_events" / "part-00000-of-00001.csv.gz"
META = TRACES / "alibaba-v2018" / "machine_meta.csv"
PREFIX = TRACES / "alibaba-v2018" / "batch_task.selected_DAGs.prefix.csv"
NEGATIVE = TRACES / "alibaba-v2018" / "batch_task.selected_DAGs.negative-duration-jobs.csv"
SPEC = TRACES / "alibaba-gpu-v2020" / "pai_machine_spec.csv"
OPENB = TRACES / "alibaba-gpu-v2023"
ALL_NODES, GPU_NODES = OPENB / "openb_node_list_all_node.csv", OPENB / "openb_node_list_gpu_node.csv"
PODS, SPEC_PODS = OPENB / "openb_pod_list_default.csv", OPENB / "openb_pod_list_gpuspec33.csv"

pytestmark = pytest.mark.skipif(not TRACES.is_dir(), reason="the traces are not beside this checkout")


# --- Philly ---------------------------------------------------------------------------------------------------------


def test_the_whole_trace() -> None:
    data, report = philly.load([PHILLY / "philly.csv", PHILLY / "revised_machine_list.csv"], 1, {})
    assert counts(report["jobs"]) == {
        "blank_line": ("dropped", 1),
        "duplicate": ("accepted", 65),
        "unordered": ("fixed", 44_878),
        "tie": ("accepted", 12_049),
        "submission_ambiguous": ("accepted", 7),
        "wider_than_machines": ("accepted", 289),
    }
    assert counts(report["machines"]) == {"gpus_zero": ("dropped", 13)}
    assert len(data["jobs"]) == 82_247
    assert len(data["servers"]) == 539
    assert report["window"]["first"] == "2017-09-04 10:30:41-07:00"
    assert report["window"]["last"] == "2017-12-22 08:02:11-08:00"
    arrivals = [row["arrival"] for row in data["jobs"]]
    assert arrivals == sorted(arrivals)
    assert report["load"]["workers"] == 3205
    # Seconds times GPUs, from the file's own product column; rounding up to slots adds less than a slot per GPU.
    recorded = Fraction(3_521_082_502, 60)
    gpus = sum(row["chunks"] for row in data["jobs"])
    assert recorded <= report["load"]["work"] < recorded + gpus
    assert sum(row["chunks"] * Fraction(row["minibatch_time"]) for row in data["jobs"]) - recorded < Fraction(
        gpus, 10**12
    )


@pytest.mark.parametrize(
    "options",
    [
        {"jobs": "200", "machines": "49"},
        {"start": "2017-10-09", "hours": "6"},
        {"jobs": "100", "min_gpus": "4", "cloud": "yes", "slot_seconds": "3600"},
        {"mapping": "paper", "jobs": "60", "machines": "20"},
        {"mapping": "paper", "start": "2017-11-05", "hours": "24", "delays": "job", "load": "4"},
    ],
)
def test_windows_of_the_real_trace_are_valid_instances(options: dict[str, str]) -> None:
    data, report = philly.load([PHILLY / "philly.csv", PHILLY / "revised_machine_list.csv"], 1, options)
    counts(report["jobs"])
    instance = from_json(data)
    assert len(instance.jobs) == report["jobs"]["kept"] >= 60


def test_the_published_example_job() -> None:
    data, report = philly.load(
        [PHILLY / "cluster_job_log.readme-example.json", PHILLY / "revised_machine_list.csv"], 0, {"slot_seconds": "1"}
    )
    (only,) = from_json(data).jobs
    assert (only.name, only.chunks) == ("application_1506638472019_14199", 8)
    assert only.chunk_time == 74 + 193_182, "1:14 minutes, and 2 days 5:39:42"
    assert counts(report["jobs"]) == {"attempts_joined": ("accepted", 1)}


# --- Google 2011 ----------------------------------------------------------------------------------------------------


def test_the_first_part_of_the_trace() -> None:
    data, report = google.load([PART, MACHINES], 1, {"jobs": "5000", "horizon": "100"})
    assert of_file(report) == {
        "snapshot": ("accepted", 277_321),
        "missing_info": ("accepted", 291),
        "blank_request": ("accepted", 291),
    }
    assert next(iter(report["files"].values()))["rows"] == 450_146
    assert counts(report["jobs"]) == {"alive_before": ("dropped", 3_981)}
    assert report["jobs"]["kept"] == len(data["jobs"]) == 914
    assert report["jobs"]["classes"] == {"0": 339, "1": 371, "2": 193, "3": 11}
    assert counts(list(report["files"].values())[1]) == {"blank_capacity": ("accepted", 32)}
    assert report["window"]["machines_there"] == 12_477
    assert report["window"]["first"] == 604.04628
    slots = [row["arrival"] for row in data["jobs"]]
    assert slots == sorted(slots) and (slots[0], slots[-1]) == (0, 99)
    from_json(data)


def test_a_cut_and_the_whole_part_give_the_same_window() -> None:
    # The cut lacks time 0; 55 of its 180 submitted jobs are told apart by an event before their first SUBMIT.
    options = {"start": "600", "seconds": "600", "jobs": "1000"}
    cut, of_cut = google.load([CUT], 3, options)
    whole, of_whole = google.load([PART], 3, options)
    assert cut == whole
    assert counts(of_cut["jobs"]) == {"event_before_submit": ("dropped", 55), "no_submit": ("dropped", 42)}
    assert counts(of_whole["jobs"]) == {"alive_before": ("dropped", 3_981), "after_window": ("dropped", 789)}
    assert len(cut["jobs"]) == 125


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"jobs": "20", "machines": "10"},
        {"skip": "50", "jobs": "30", "horizon": "40", "infeasible_alone": "redraw"},
        {"start": "900", "scale": "2", "machines": "50"},
    ],
)
def test_snippets_of_the_real_trace_are_valid_instances(options: dict[str, str]) -> None:
    data, report = google.load([CUT], 1, options)
    counts(report["jobs"])
    instance = from_json(data)
    assert len(instance.jobs) == report["jobs"]["kept"] >= 20, "a snippet"
    assert instance.horizon == int(options.get("horizon", 80))


def test_the_snapshot_by_itself_has_no_arrivals() -> None:
    with pytest.raises(InputError, match=r"no job is left of 128 jobs; dropped: 128 \(an event at time 0"):
        google.load([GOOGLE / "task_events" / "cut-first-1000-rows.csv"], 0, {})


def test_arrivals_equal_a_literal_reading_of_the_file() -> None:
    alive: set[str] = set()
    submitted: dict[str, int] = {}
    events: Counter[str] = Counter()
    with gzip.open(PART, "rt") as text:
        for line in text:
            fields = line.split(",")
            events[fields[5]] += 1
            if fields[0] == "0":
                alive.add(fields[2])
            elif fields[5] == "0":
                submitted.setdefault(fields[2], int(fields[0]))
    assert (events["0"], events["4"]) == (201_491, 43_237), "the part that its README describes"
    expected = {job: time // (60_000_000) for job, time in submitted.items() if job not in alive}
    data, _ = google.load([PART], 0, {"start": "0", "scale": "60", "jobs": "5000", "horizon": "1000"})
    assert {row["name"]: row["arrival"] for row in data["jobs"]} == expected


# --- Alibaba --------------------------------------------------------------------------------------------------------


def test_the_papers_hybrid_from_the_real_files() -> None:
    data, report = alibaba.load([PREFIX, SPEC], 0, {"memory_scale": "5.12"})
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


def test_the_real_log_of_machines_and_the_jobs_that_still_run() -> None:
    data, report = alibaba.load([META, NEGATIVE], 0, {"nodes": "4000", "slot_seconds": "300", "counts": "keep"})
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


def test_arrivals_of_tasks_equal_a_literal_reading_of_the_file() -> None:
    with PREFIX.open() as text:
        rows = [row for row in csv.DictReader(text) if row["plan_cpu"]]
    kinds = Counter((float(row["plan_cpu"]) / 100, float(row["plan_mem"])) for row in rows)
    first = min(int(row["start_time"]) for row in rows)
    data, report = alibaba.load(
        [PREFIX, META], 0, {"slot_seconds": "600", "counts": "keep", "digits": "9", "ports": "5"}
    )
    for n, (kind, count) in enumerate(kinds.most_common(5)):
        own = [row for row in rows if (float(row["plan_cpu"]) / 100, float(row["plan_mem"])) == kind]
        slots = Counter((int(row["start_time"]) - first) // 600 for row in own)
        assert {t: x for t, x in enumerate(data["arrivals"][:, n].tolist()) if x} == slots
        assert report["ports"][n]["arrivals"] == count
        assert from_json(data).ports[n].demand == {"cpu": Fraction(kind[0]) * 10, "memory": Fraction(str(kind[1])) * 10}


# --- openb ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nodes", "count"), [(ALL_NODES, 1523), (GPU_NODES, 1213)])
@pytest.mark.parametrize("pods", [PODS, SPEC_PODS])
def test_the_real_lists(nodes: Path, count: int, pods: Path) -> None:
    data, report = openb.load([nodes, pods], 0, {})
    check(data, report)
    assert of_file(report) == of_file(report, 2) == {}, "whole original files, without an odd row"
    assert (report["nodes"]["seen"], report["jobs"]["seen"]) == (count, 8152)
    assert data["arrivals"].shape == (2000, 10) and len(data["nodes"]) == 128
    assert any("gpu_models" in port for port in report["ports"]) == (pods == SPEC_PODS)


def test_arrivals_and_channels_equal_a_literal_reading_of_the_files() -> None:
    with SPEC_PODS.open() as text:
        rows = list(csv.DictReader(text))
    with ALL_NODES.open() as text:
        machines = list(csv.DictReader(text))

    def kind(row: dict[str, str]) -> tuple[Decimal, Decimal, Decimal, frozenset[str]]:
        cpu, memory, share = (Decimal(row[name]) for name in ("cpu_milli", "memory_mib", "gpu_milli"))
        models = frozenset(row["gpu_spec"].split("|")) - {""}
        return cpu / 1000, memory / 1024, int(row["num_gpu"]) * share / 1000, models

    kinds = Counter(kind(row) for row in rows)
    options = {"digits": "9", "nodes": "1523", "slot_seconds": "86400", "counts": "keep", "memory_unit": "1"}
    data, report = openb.load([SPEC_PODS, ALL_NODES], 0, options | {"ports": "30", "horizon": "200"})
    for n, port in enumerate(report["ports"]):
        asked = [Decimal(port[name]) for name in ("cpu", "memory", "gpu")]
        models = set(port.get("gpu_models", "").split("|")) - {""}
        (own,) = (
            k for k in kinds if models == k[3] and max(abs(a - b) for a, b in zip(asked, k[:3], strict=True)) < 1e-5
        )
        assert kinds[own] == port["arrivals"] >= kinds.most_common(30)[-1][1]
        days = Counter(int(row["creation_time"]) // 86400 for row in rows if kind(row) == own)
        assert {t: x for t, x in enumerate(data["arrivals"][:, n].tolist()) if x} == days
        fits = [
            m["sn"]
            for m in machines
            if int(m["cpu_milli"]) >= 1000 * own[0]
            and int(m["memory_mib"]) >= 1024 * own[1]
            and int(m["gpu"]) >= own[2]
            and (not models or m["model"] in models)
        ]
        assert data["ports"][n]["nodes"] == fits


# --- TapFinger ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows", "kinds"),
    [("trace", 768, 3), ("trace_container", 768, 3), ("trace_old", 512, 2)],
)
def test_the_real_profiles(name: str, rows: int, kinds: int) -> None:
    data, report = tapfinger.load([TRACES / "tapfinger" / f"{name}.csv"], 1, {"tasks": "30"})
    instance = accounted(data, report)
    part = report["files"][f"1: {name}.csv"]
    assert (part["rows"], part["dropped"], len(report["tasks"])) == (rows, rows // 16, kinds)
    assert {len(task.modes) for task in instance.tasks} == {15 * 8}
    assert of_file(report)["repeat"] == ("fixed", kinds * 120)
    if name == "trace":
        low, high = zip(*(row["seconds"] for row in report["tasks"].values()), strict=True)
        assert [round(t) for t in low] == [34, 74, 18], "Table I: 34, 75, 17"
        assert report["tasks"]["mnist"]["repeats_differ_by"] == 1.7265 and max(high) < 266
