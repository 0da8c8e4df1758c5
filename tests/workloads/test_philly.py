from __future__ import annotations

import json
import time
import zoneinfo
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from schedproof.instances import from_json
from schedproof.workloads.philly import load
from schedproof.workloads.philly.times import AMBIGUOUS, NONEXISTENT, pacific, seconds_of
from tests.workloads.trace_files import Row, Trace, counts, table

HEADER = "timestamp,duration,num_gpus,gpu_time,cluster"
GOOD = "2017-10-09 07:01:55,66.0,1,66.0,11cb48"
LATER = "2017-10-09 08:01:55,90.0,2,180.0,11cb48"
MACHINES = ",machineId,number of GPUs\n0,m0,8\n1,m1,4\n2,m2,0\n3,m3,2\n"


class Philly(Trace):
    """Load a job file with the usual machine list."""

    def load(
        self, jobs: str | bytes, machines: str | bytes = MACHINES, /, *, seed: int = 0, **options: str
    ) -> tuple[Row, Row]:
        return super().load(jobs, machines, seed=seed, **options)

    def table(self, *rows: str, **options: Any) -> tuple[Row, Row]:
        return self.load(table(HEADER, *rows), **options)


@pytest.fixture
def trace(tmp_path: Path) -> Philly:
    return Philly(load, tmp_path)


# --- the mapping ---------------------------------------------------------------------------------------------------


def test_a_job_is_its_gpu_count_in_chunks_of_the_recorded_duration(trace: Philly) -> None:
    data, report = trace.table(LATER, GOOD)
    instance = from_json(data)
    first, second = instance.jobs
    assert (first.name, first.arrival, first.chunks, first.chunk_time) == ("row-3", 0, 1, Fraction(66, 60))
    assert (second.name, second.arrival, second.chunks, second.chunk_time) == ("row-2", 60, 2, Fraction(3, 2))
    assert first.chunk_time_in_cloud == first.chunk_time
    assert [(s.name, dict(s.workers), dict(s.parameter_servers)) for s in instance.servers] == [
        (name, {"gpu": n}, {"*": n}) for name, n in (("m0", 8), ("m1", 4), ("m3", 2))
    ]
    assert instance.cloud is None
    assert all(1 <= job.upload_delay["*"] <= 4 and len(job.upload_delay) == 1 for job in instance.jobs)
    assert report["load"] == {
        "work": 2 + 2 * 2,
        "workers": 14,
        "slots": 61,
        "work_over_capacity": round(6 / 14 / 61, 4),
    }
    landed = max(job.arrival + job.upload_delay["*"] for job in instance.jobs)
    assert instance.horizon == landed + 6


def test_durations_round_up_and_multiples_of_a_slot_stay_exact(trace: Philly) -> None:
    rows = [f"2017-10-09 07:00:00,{d},1,0,x" for d in ("60", "120.0", "1", "1e-15", "2951.0", "4628226")]
    times = [row["minibatch_time"] for row in trace.table(*rows)[0]["jobs"]]
    assert times[:2] == [1, 2] and all(isinstance(t, int) for t in times[:2])
    assert times[2] == Decimal("0.016666666667")
    assert times[3] == Decimal("1e-12"), "some work, however short"
    for text, length in zip(("60", "120", "1", "1e-15", "2951", "4628226"), times, strict=True):
        assert 0 <= Fraction(length) - Fraction(text) / 60 < Fraction(1, 10**12)


def test_arrivals_are_rounded_down_in_true_time(trace: Philly) -> None:
    # 01:59:59 daylight time and 02:00:00 standard time are an hour and a second apart.
    rows = ["2017-11-05 00:59:30,60,1,0,x", "2017-11-05 02:00:29,60,1,0,x", "2017-11-05 02:00:30,60,1,0,x"]
    assert [row["arrival"] for row in trace.table(*rows)[0]["jobs"]] == [0, 120, 121]
    assert [row["arrival"] for row in trace.table(*rows, load="2")[0]["jobs"]] == [0, 60, 60]
    assert [row["arrival"] for row in trace.table(*rows, slot_seconds="1")[0]["jobs"]] == [0, 7259, 7260]


def test_a_cloud_on_request(trace: Philly) -> None:
    data, report = trace.table(GOOD, LATER, cloud="yes", delay_low="7", delay_high="7")
    assert data["servers"][-1] == {"name": "cloud", "cloud": True}
    assert all(row["upload_delay"]["*"] == 7 and 10 <= row["upload_delay"]["cloud"] <= 15 for row in data["jobs"])
    assert "[10, 15]" in report["drawn"]["upload_delay"]
    from_json(data)


def test_delays_per_machine_on_request(trace: Philly) -> None:
    data, _ = trace.table(GOOD, LATER, delays="server")
    assert all(row["upload_delay"].keys() == {"m0", "m1", "m3"} for row in data["jobs"])


def test_mapping_paper_takes_arrivals_and_gpu_counts_only(trace: Philly) -> None:
    data, report = trace.table(GOOD, LATER, "2017-10-09 09:30:00,nan,4,0,x", mapping="paper")
    instance = from_json(data)
    assert [(job.arrival, job.chunks, job.minibatches) for job in instance.jobs] == [(0, 1, 58), (1, 2, 58), (2, 4, 58)]
    assert all(20 <= job.epochs <= 60 and 45000 <= job.bandwidth <= 2304000 for job in instance.jobs)
    assert instance.cloud is not None
    assert [sum(server.workers.values()) for server in instance.edges] == [8, 4, 2]
    assert counts(report["jobs"]) == {"duration_missing": ("accepted", 1)}, "durations are not used"
    assert report["drawn"]["minibatch_time"].startswith("recorded duration not used")
    other, _ = trace.table(GOOD, LATER, mapping="paper", chunks="table", types="2", epochs_low="60", delays="job")
    assert {row["chunks"] for row in other["jobs"]} <= {27, 60, 115}
    assert {row["epochs"] for row in other["jobs"]} == {60}


def test_the_report_is_json_and_lists_drawn_fields(trace: Philly) -> None:
    for mapping in ("trace", "paper"):
        _, report = trace.table(GOOD, mapping=mapping)
        assert json.loads(json.dumps(report)) == report
        assert {"upload_delay", "parameter_servers", "worker_types", "cloud"} <= report["drawn"].keys()
        assert report["mapping"] == mapping
        assert report["window"]["first"] == "2017-10-09 07:01:55-07:00"


# --- windows -------------------------------------------------------------------------------------------------------


def test_windows_of_the_trace(trace: Philly) -> None:
    rows = [f"2017-10-09 {h:02}:00:00,600,{1 + h % 2},0,x" for h in range(10)]

    def kept(**options: str) -> tuple[list[str], dict[str, tuple[str, int]]]:
        data, report = trace.table(*rows, **options)
        return [row["name"] for row in data["jobs"]], counts(report["jobs"])

    assert kept(jobs="2") == (["row-2", "row-3"], {"beyond_jobs": ("dropped", 8)})
    assert kept(skip="8") == (["row-10", "row-11"], {"skipped": ("dropped", 8)})
    assert kept(hours="2") == (["row-2", "row-3"], {"after_hours": ("dropped", 8)})
    assert kept(start="2017-10-09 08:00:00") == (["row-10", "row-11"], {"before_start": ("dropped", 8)})
    assert kept(start="2017-10-09", hours="1")[0] == ["row-2"]
    names, found = kept(start="2017-10-09 02:00", hours="6", min_gpus="2", skip="1", jobs="1")
    assert names == ["row-7"]
    assert found == {
        "before_start": ("dropped", 2),
        "after_hours": ("dropped", 2),
        "min_gpus": ("dropped", 3),
        "skipped": ("dropped", 1),
        "beyond_jobs": ("dropped", 1),
    }


def test_fewer_machines(trace: Philly) -> None:
    data, report = trace.table(GOOD, machines="1")
    assert [server["name"] for server in data["servers"]] == ["m0"]
    assert counts(report["machines"]) == {"gpus_zero": ("dropped", 1), "beyond_machines": ("dropped", 2)}


# --- odd rows of the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "reason", "outcome"),
    [
        ("", "blank_line", "dropped"),
        ("   ", "blank_line", "dropped"),
        (HEADER, "header_again", "dropped"),
        (LATER + ",", "trailing_comma", "fixed"),
        (GOOD + ",more", "field_count", "dropped"),
        ("2017-10-09 07:01:55,66.0", "field_count", "dropped"),
        ('"2017-10-09 07:01:55,66.0,1,66.0,11cb48', "field_count", "dropped"),
        (GOOD, "duplicate", "accepted"),
        ("2017-10-09 07:01:54,66.0,1,66.0,x", "unordered", "fixed"),
        ("NaT,66.0,1,66.0,x", "submission_unreadable", "dropped"),
        ("None,66.0,1,66.0,x", "submission_missing", "dropped"),
        (",,,,", "submission_missing", "dropped"),
        ("2017-13-09 07:01:55,66.0,1,66.0,x", "submission_unreadable", "dropped"),
        ("0217-10-09 07:01:55,66.0,1,66.0,x", "submission_unreadable", "dropped"),
        ("2017-11-05 01:30:00,66.0,1,66.0,x", "submission_ambiguous", "accepted"),
        ("2018-03-11 02:30:00,66.0,1,66.0,x", "submission_nonexistent", "fixed"),
        ("2017-10-10 07:01:55,66.0,NA,66.0,x", "gpus_missing", "dropped"),
        ("2017-10-10 07:01:55,66.0,,66.0,x", "gpus_missing", "dropped"),
        ("2017-10-10 07:01:55,66.0,eight,66.0,x", "gpus_unreadable", "dropped"),
        ("2017-10-10 07:01:55,66.0,9223372036854775807,66.0,x", "gpus_unreadable", "dropped"),
        ("2017-10-10 07:01:55,66.0,0.5,66.0,x", "gpus_fractional", "dropped"),
        ("2017-10-10 07:01:55,66.0,2.0,66.0,x", "gpus_as_decimal", "accepted"),
        ("2017-10-10 07:01:55,66.0,0,66.0,x", "gpus_zero", "dropped"),
        ("2017-10-10 07:01:55,66.0,-1,66.0,x", "gpus_negative", "dropped"),
        ("2017-10-10 07:01:55,66.0,9,66.0,x", "wider_than_machines", "accepted"),
        ("2017-10-10 07:01:55,nan,1,66.0,x", "duration_missing", "dropped"),
        ("2017-10-10 07:01:55,inf,1,66.0,x", "duration_unreadable", "dropped"),
        ("2017-10-10 07:01:55,$(rm -rf /),1,66.0,x", "duration_unreadable", "dropped"),
        ("2017-10-10 07:01:55,0.0,1,66.0,x", "duration_not_positive", "dropped"),
        ("2017-10-10 07:01:55,-504190,1,66.0,x", "duration_not_positive", "dropped"),
        ("2017-10-10 07:01:55,1e17,1,66.0,x", "duration_too_long", "dropped"),
    ],
)
def test_each_odd_row_is_counted(trace: Philly, row: str, reason: str, outcome: str) -> None:
    data, report = trace.table(GOOD, row)
    found = counts(report["jobs"])
    assert found.pop(reason) == (outcome, 1)
    assert found == ({"tie": ("accepted", 2)} if reason == "duplicate" else {})
    assert report["jobs"]["kept"] == len(data["jobs"]) == (1 if outcome == "dropped" else 2)
    assert next(r for r in report["jobs"]["reasons"] if r["reason"] == reason)["first_row"] == 3
    from_json(data)


def test_a_job_wider_than_the_cluster_is_kept(trace: Philly) -> None:
    data, report = trace.table("2017-10-10 07:01:55,66.0,128,66.0,x")
    assert counts(report["jobs"]) == {"wider_than_machines": ("accepted", 1), "wider_than_cluster": ("accepted", 1)}
    assert from_json(data).jobs[0].chunks == 128


# --- forms of the files --------------------------------------------------------------------------------------------


def test_headers_may_be_missing_or_have_an_index_column(trace: Philly) -> None:
    data, _ = trace.table(GOOD, LATER)
    for number in data["jobs"]:
        del number["name"]
    for text, reasons in (
        (f"{GOOD}\n{LATER}\n", {"no_header": ("accepted", 1)}),
        (f",{HEADER}\n0,{GOOD}\n1,{LATER}\n", {}),
    ):
        other, report = trace.load(text)
        assert [row | {"name": ""} for row in other["jobs"]] == [row | {"name": ""} for row in data["jobs"]]
        assert counts(report["jobs"]) == reasons


def test_the_original_machine_list(trace: Philly) -> None:
    published = "machineId, number of GPUs, single GPU mem\nm31,8, 24GB\nm32,2, 12GB\n"
    data, _ = trace.load(f"{HEADER}\n{GOOD}\n", published)
    assert [(s["name"], s["workers"]["gpu"]) for s in data["servers"]] == [("m31", 8), ("m32", 2)]
    headless, report = trace.load(f"{HEADER}\n{GOOD}\n", published.partition("\n")[2])
    assert headless == data
    assert counts(report["machines"]) == {"no_header": ("accepted", 1)}


def test_odd_machines(trace: Philly) -> None:
    rows = ["0,m0,8", "1,m0,4", "2,,4", "3,cloud,4", "4,m4,0", "5,m5,NA", "6,m6,2.0", "7,m7", "8,m8,-2", "9,m9,1.5"]
    data, report = trace.load(f"{HEADER}\n{GOOD}\n", ",machineId,number of GPUs\n" + "\n".join(rows) + "\n")
    assert [(s["name"], s["workers"]["gpu"]) for s in data["servers"]] == [("m0", 8), ("m6", 2)]
    assert counts(report["machines"]) == {
        "machine_repeated": ("dropped", 1),
        "machine_nameless": ("dropped", 2),
        "gpus_zero": ("dropped", 1),
        "gpus_missing": ("dropped", 1),
        "gpus_as_decimal": ("accepted", 1),
        "field_count": ("dropped", 1),
        "gpus_negative": ("dropped", 1),
        "gpus_fractional": ("dropped", 1),
    }


# --- times ---------------------------------------------------------------------------------------------------------


def test_times_agree_with_the_zone_rules() -> None:
    assert seconds_of("2017-10-09 07:01:55") == (1507557715, None)
    assert seconds_of("2017-12-22 08:02:11") == (1513958531, None)
    assert seconds_of("2017-11-05 01:30:00") == (1509870600, AMBIGUOUS)
    assert seconds_of("2017-11-05 01:30:00", second=True) == (1509870600 + 3600, AMBIGUOUS)
    assert seconds_of("2017-03-12 02:30:00") == (seconds_of("2017-03-12 03:30:00")[0], NONEXISTENT)
    assert seconds_of("2017-03-12 02:30:00", second=True) == seconds_of("2017-03-12 02:30:00")


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def test_the_machines_zone_does_not_matter(trace: Philly, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = trace.table("2017-11-05 00:30:00,60,1,0,x", "2017-11-05 03:30:00,60,1,0,x")
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert trace.table("2017-11-05 00:30:00,60,1,0,x", "2017-11-05 03:30:00,60,1,0,x") == data
    finally:
        monkeypatch.undo()
        time.tzset()
    assert data[0]["jobs"][1]["arrival"] == 240


def test_the_zone_comes_from_the_package(tmp_path: Path) -> None:
    wrong = tmp_path / "America" / "Los_Angeles"
    wrong.parent.mkdir()
    wrong.write_bytes(resources.files("tzdata.zoneinfo").joinpath("UTC").read_bytes())
    zoneinfo.reset_tzpath(to=[str(tmp_path)])
    pacific.cache_clear()
    try:
        noon = datetime(2017, 7, 1, 12)
        assert zoneinfo.ZoneInfo.no_cache("America/Los_Angeles").utcoffset(noon) == timedelta(0)
        assert pacific().utcoffset(noon) == timedelta(hours=-7)
    finally:
        zoneinfo.reset_tzpath()
        pacific.cache_clear()
