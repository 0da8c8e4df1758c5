"""The Philly loader: what each odd row becomes, that the counts add up, and the real files where they are at hand."""

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

import msgspec
import pytest

from schedproof.core.errors import InputError, SchedproofError
from schedproof.instances import from_json
from schedproof.workloads.philly import files, load
from schedproof.workloads.philly.times import AMBIGUOUS, NONEXISTENT, pacific, seconds_of
from tests.workloads.trace_files import Row, Trace, counts, table

REAL = Path(__file__).parents[3] / "shared" / "traces" / "philly"
real = pytest.mark.skipif(not (REAL / "philly.csv").is_file(), reason="the Philly files are not beside this checkout")

HEADER = "timestamp,duration,num_gpus,gpu_time,cluster"
GOOD = "2017-10-09 07:01:55,66.0,1,66.0,11cb48"
LATER = "2017-10-09 08:01:55,90.0,2,180.0,11cb48"
MACHINES = ",machineId,number of GPUs\n0,m0,8\n1,m1,4\n2,m2,0\n3,m3,2\n"


class Philly(Trace):
    """With the usual machine list, and the two forms of the jobs."""

    def load(
        self, jobs: str | bytes, machines: str | bytes = MACHINES, /, *, seed: int = 0, **options: str
    ) -> tuple[Row, Row]:
        return super().load(jobs, machines, seed=seed, **options)

    def table(self, *rows: str, **options: Any) -> tuple[Row, Row]:
        return self.load(table(HEADER, *rows), **options)

    def log(self, *jobs: Any, **options: str) -> tuple[Row, Row]:
        return self.load(json.dumps(jobs, indent=1), **options)


@pytest.fixture
def trace(tmp_path: Path) -> Philly:
    return Philly(load, tmp_path)


def job(*attempts: Any, submitted: Any = "2017-10-07 01:00:00", **more: Any) -> Row:
    return {"status": "Pass", "vc": "v", "jobid": "a1", "submitted_time": submitted, "attempts": list(attempts)} | more


def attempt(start: Any, end: Any, *gpus: int) -> Row:
    """An attempt on so many GPUs per machine; times as HH:MM of 7 October."""
    full = [f"2017-10-07 {t}:00" if isinstance(t, str) and len(t) == 5 else t for t in (start, end)]
    detail = [{"ip": f"m{i}", "gpus": [f"gpu{g}" for g in range(n)]} for i, n in enumerate(gpus)]
    return {"start_time": full[0], "end_time": full[1], "detail": detail}


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
    """01:59:59 daylight time and 02:00:00 standard time are an hour and a second apart."""
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


def test_the_report_is_json_and_says_what_was_drawn(trace: Philly) -> None:
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
    with pytest.raises(InputError, match="machines = 4: expected at most 3, the machines that have GPUs"):
        trace.table(GOOD, machines="4")


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


def test_a_stray_quotation_mark_costs_one_row(trace: Philly) -> None:
    _, report = trace.table('2017-10-09 07:01:55,"66.0,1,66.0,x', *[LATER] * 50)
    assert report["jobs"]["kept"] == 50


def test_no_row_left_is_a_sentence(trace: Philly) -> None:
    with pytest.raises(
        InputError, match=r"no job is left of 2 rows; dropped: 2 with a duration that is zero or negative"
    ):
        trace.table(*["2017-10-10 07:01:55,0,1,0,x"] * 2)


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


LOG = json.dumps([job(attempt("01:00", "02:00", 1)), job(attempt("01:00", "03:00", 2), jobid="a2")])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (HEADER + "\n", "expected rows below the header, found none"),
        (HEADER, "expected rows below the header, found none"),
        ("a,b,c\n1,2,3\n", "expected a header with timestamp, duration, num_gpus in line 1"),
        (MACHINES, "expected a header with timestamp, duration, num_gpus in line 1"),
        (LOG[:-1], "the JSON array ends too early, after element 2: the file is truncated"),
        (LOG[:-9], "the JSON array ends too early, after element 1: the file is truncated"),
        (LOG[: len(LOG) // 2 - 20], "the JSON array ends too early, after element 0: the file is truncated"),
        ("[", "the JSON array ends too early, after element 0: the file is truncated"),
        (LOG + "]", "is not a JSON array of jobs: expected nothing after it"),
        (LOG.replace("}, {", "} {"), "expected a comma after element 1"),
        ("[{'a': 1}]", "is not a JSON array of jobs: Expecting property name enclosed in double quotes in element 1"),
        ("[" * 100_000 + "]" * 100_000, "element 1 nests deeper than any job does"),
        ("[" + "1" * 5000 + "]", "Exceeds the limit (4300 digits) for integer string conversion"),
        ("[]", "no job is left of 0 rows"),
        (HEADER + "\n" + "x" * (1 << 21), "expected lines of less than 1048576 characters"),
        (HEADER + "\n" + "x" * 200_000, "expected a CSV row in line 2: field larger than field limit"),
    ],
)
def test_a_file_that_is_none_is_one_sentence_with_its_name(trace: Philly, content: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        trace.load(content)
    assert str(caught.value).startswith(str(trace.folder / "part-0") + ": ")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_else_is_one_sentence(trace: Philly) -> None:
    good = f"{HEADER}\n{GOOD}\n"
    with pytest.raises(InputError, match="part-1: cannot be read: No such file"):
        load([trace.folder / "part-0", trace.folder / "part-1"], 0, {})
    with pytest.raises(InputError, match=r"part-1: expected a header with machineid, number of gpus in line 1"):
        trace.load(good, good)
    with pytest.raises(InputError, match=r"part-1: no machine has GPUs in 1 rows; dropped: 1 with no GPU"):
        trace.load(good, ",machineId,number of GPUs\n0,m0,0\n")
    with pytest.raises(InputError, match="expected two files, the jobs and the machine list, not 1"):
        load([trace.folder / "part-0"], 0, {})
    for options, sentence in (
        ({"mapping": "mine"}, "unknown value of mapping 'mine'; available: paper, trace"),
        ({"epochs_low": "3"}, "unknown option of philly with mapping=trace 'epochs_low'; available: "),
        ({"mapping": "paper", "servers": "3"}, "unknown option of philly with mapping=paper 'servers'"),
        ({"start": "monday"}, "start = 'monday': expected YYYY-MM-DD"),
        ({"hours": "0"}, "hours = '0': expected a number"),
        ({"jobs": "0"}, "jobs = '0': expected an integer above 0"),
        ({"slot_seconds": "-60"}, "slot_seconds = '-60': expected a number"),
        ({"gpus": "first"}, "gpus = 'first': has no effect on the derived table, which has no attempts"),
        ({"mapping": "paper", "duration": "span"}, "duration = 'span': has no effect while mapping is paper"),
        ({"start": "2018-01-01"}, "no job is left of 1 rows; dropped: 1 with submitted before the window"),
    ):
        with pytest.raises(SchedproofError) as caught:
            trace.load(good, **options)
        assert sentence in str(caught.value)
    with pytest.raises(InputError, match=r"slot_seconds = 0\.000001: expected longer slots or a shorter span"):
        trace.table("2017-01-01 00:00:00,0.000001,1,0,x", LATER.replace("90.0", "0.000001"), slot_seconds="0.000001")


# --- the original log ----------------------------------------------------------------------------------------------


def test_a_job_of_several_attempts(trace: Philly) -> None:
    attempts = [attempt("01:00", "01:10", 8, 8), attempt("01:30", "01:35", 4)]

    def read(**options: str) -> tuple[int, Fraction]:
        data, report = trace.log(job(*attempts), **options)
        assert report["jobs"]["form"] == "cluster_job_log"
        assert counts(report["jobs"]).pop("attempts_differ") == ("accepted", 1)
        (only,) = from_json(data).jobs
        return only.chunks, only.chunk_time

    assert read() == read(gpus="last", duration="attempts") == (4, 15)
    assert read(gpus="first") == (16, 15)
    assert read(duration="span") == (4, 35)


@pytest.mark.parametrize(
    ("element", "reason", "outcome"),
    [
        ("text", "not_an_object", "dropped"),
        (None, "not_an_object", "dropped"),
        (job(attempt("01:00", "02:00", 1), submitted=None), "submission_missing", "dropped"),
        (job(attempt("01:00", "02:00", 1), submitted="None"), "submission_missing", "dropped"),
        (job(attempt("01:00", "02:00", 1), submitted=1507363200), "submission_unreadable", "dropped"),
        (job(attempt("01:00", "02:00", 1), submitted={"a": 1}), "submission_unreadable", "dropped"),
        (job(), "no_attempts", "dropped"),
        (job(attempts=None), "no_attempts", "dropped"),
        (job(attempts=7), "no_attempts", "dropped"),
        (job(attempt("01:00", "02:00")), "no_gpus_listed", "dropped"),
        (job(attempt("01:00", "02:00", 0)), "no_gpus_listed", "dropped"),
        (job(attempt("01:00", None, 1)), "still_running", "dropped"),
        (job(attempt("01:00", "01:30", 1), attempt("01:30", "", 1)), "still_running", "dropped"),
        (job(attempt("01:00", "01:00", 1)), "duration_not_positive", "dropped"),
        (job(attempt("01:00", "02:00", 1), attempt(None, "03:00", 1)), "attempt_without_start", "fixed"),
        (job(attempt("01:00", None, 1), attempt("01:30", "03:00", 1)), "attempt_without_end", "fixed"),
        (job(attempt("01:00", "02:00", 1), attempt("soon", "03:00", 1)), "attempt_unreadable", "fixed"),
        (job(attempt("01:00", "02:00", 1), attempt("04:00", "03:00", 1)), "attempt_backwards", "fixed"),
        (job("x", attempt("01:00", "02:00", 1)), "attempt_malformed", "fixed"),
        (job({"detail": 5}, attempt("01:00", "02:00", 1)), "attempt_malformed", "fixed"),
        (job({"detail": [{"gpus": 5}]}, attempt("01:00", "02:00", 1)), "attempt_malformed", "fixed"),
        (job(attempt("00:30", "02:00", 1)), "attempt_before_submission", "accepted"),
        (job(attempt("2018-03-11 02:30:00", "2018-03-11 04:00:00", 1)), "attempt_daylight", "accepted"),
    ],
)
def test_each_odd_element_is_counted(trace: Philly, element: Any, reason: str, outcome: str) -> None:
    if isinstance(element, dict):
        element = element | {"jobid": "a2"}
    data, report = trace.log(job(attempt("01:00", "02:00", 1), submitted="2017-10-06 01:00:00"), element)
    assert counts(report["jobs"]) == {reason: (outcome, 1)}
    assert len(data["jobs"]) == (1 if outcome == "dropped" else 2)
    from_json(data)


def test_an_attempt_that_never_completes_leaves_no_duration(trace: Philly) -> None:
    whole = job(attempt("01:00", "02:00", 1), submitted="2017-10-06 01:00:00")
    _, report = trace.log(whole, job(attempt("04:00", "03:00", 1), jobid="a2"))
    assert counts(report["jobs"]) == {"attempt_backwards": ("fixed", 1), "no_complete_attempt": ("dropped", 1)}


def test_four_attempts_that_do_not_pair_up(trace: Philly) -> None:
    """Two ends None and one start None, as one real job has them."""
    odd = job(
        attempt("01:00", None, 1), attempt("01:10", None, 1), attempt(None, "01:20", 1), attempt("02:00", "02:30", 1)
    )
    data, report = trace.log(odd)
    assert counts(report["jobs"]) == {"attempt_without_end": ("fixed", 2), "attempt_without_start": ("fixed", 1)}
    assert data["jobs"][0]["minibatch_time"] == 30


def test_mapping_paper_keeps_a_running_job(trace: Philly) -> None:
    data, report = trace.log(job(attempt("01:00", None, 4)), mapping="paper")
    assert counts(report["jobs"]) == {"still_running": ("accepted", 1)}
    assert data["jobs"][0]["chunks"] == 4


def test_an_attempt_across_the_repeated_hour(trace: Philly) -> None:
    """From 01:50 daylight time to 01:10 standard time it is 20 minutes, though the clock goes back 40."""
    across = attempt("2017-11-05 01:50:00", "2017-11-05 01:10:00", 1)
    data, report = trace.log(job(across, submitted="2017-11-04 12:00:00"))
    assert data["jobs"][0]["minibatch_time"] == 20
    assert counts(report["jobs"]) == {"attempt_daylight": ("accepted", 1)}


def test_repeated_jobs_keep_names_of_their_own(trace: Philly) -> None:
    one, other = job(attempt("01:00", "02:00", 1)), job(attempt("01:00", "02:00", 2))
    data, report = trace.log(one, one, other, job(attempt("01:00", "02:00", 1), jobid="\ud800"))
    assert [row["name"] for row in data["jobs"]] == ["a1", "a1#2", "a1#3", "?"]
    found = counts(report["jobs"])
    assert (found["duplicate"], found["duplicate_id"]) == (("accepted", 1), ("fixed", 1))
    msgspec.json.encode(report)


def test_a_filter_by_status(trace: Philly) -> None:
    jobs = [job(attempt("01:00", "02:00", 1), jobid=s, status=s) for s in ("Pass", "Killed", "Failed")]
    data, report = trace.log(*jobs, status="Pass, Failed")
    assert [row["name"] for row in data["jobs"]] == ["Pass", "Failed"]
    assert counts(report["jobs"])["other_status"] == ("dropped", 1)


@pytest.mark.parametrize("block", [1, 2, 7, 64])
def test_a_log_is_read_alike_in_blocks_of_any_size(trace: Philly, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [
        job(attempt("01:00", "02:00", 1, 2), jobid=f'a{i} é \\ " [,] ]', more=[1.5, True, None, -12]) for i in range(5)
    ]
    whole = trace.log(*jobs)
    monkeypatch.setattr(files, "BLOCK", block)
    assert trace.log(*jobs) == whole
    text = json.dumps(jobs)
    for length in range(1, len(text), 97):
        with pytest.raises(InputError, match="the JSON array ends too early, after element"):
            trace.load(text[:length])


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
    """A machine whose own America/Los_Angeles is UTC."""
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


# --- anything else -------------------------------------------------------------------------------------------------


# --- the real files ------------------------------------------------------------------------------------------------


@real
def test_the_whole_trace() -> None:
    data, report = load([REAL / "philly.csv", REAL / "revised_machine_list.csv"], 1, {})
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


@real
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
    data, report = load([REAL / "philly.csv", REAL / "revised_machine_list.csv"], 1, options)
    counts(report["jobs"])
    instance = from_json(data)
    assert len(instance.jobs) == report["jobs"]["kept"] >= 60


@real
def test_the_published_example_job() -> None:
    data, report = load(
        [REAL / "cluster_job_log.readme-example.json", REAL / "revised_machine_list.csv"], 0, {"slot_seconds": "1"}
    )
    (only,) = from_json(data).jobs
    assert (only.name, only.chunks) == ("application_1506638472019_14199", 8)
    assert only.chunk_time == 74 + 193_182, "1:14 minutes, and 2 days 5:39:42"
    assert counts(report["jobs"]) == {}
