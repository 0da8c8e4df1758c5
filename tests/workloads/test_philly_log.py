from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from schedproof.core.errors import InputError
from schedproof.instances import from_json
from schedproof.workloads import json_files
from schedproof.workloads.philly import load
from tests.workloads.good_traces import MACHINES
from tests.workloads.trace_files import Row, Trace, counts


class Log(Trace):
    """Load a job file with the usual machine list."""

    def log(self, *jobs: Any, **options: str) -> tuple[Row, Row]:
        return self.load(json.dumps(jobs, indent=1), MACHINES, **options)


@pytest.fixture
def trace(tmp_path: Path) -> Log:
    return Log(load, tmp_path)


def job(*attempts: Any, submitted: Any = "2017-10-07 01:00:00", **more: Any) -> Row:
    return {"status": "Pass", "vc": "v", "jobid": "a1", "submitted_time": submitted, "attempts": list(attempts)} | more


def attempt(start: Any, end: Any, *gpus: int) -> Row:
    """An attempt on this many GPUs per machine; times as HH:MM of 7 October."""
    full = [f"2017-10-07 {t}:00" if isinstance(t, str) and len(t) == 5 else t for t in (start, end)]
    detail = [{"ip": f"m{i}", "gpus": [f"gpu{g}" for g in range(n)]} for i, n in enumerate(gpus)]
    return {"start_time": full[0], "end_time": full[1], "detail": detail}


def test_a_job_of_several_attempts(trace: Log) -> None:
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


@pytest.mark.parametrize(("duration", "second"), [("attempts", 1200), ("span", 0)])
def test_recorded_starts(trace: Log, duration: str, second: int) -> None:
    """Several attempts are one run, which ends with the last of them."""
    several = [attempt("01:00", "01:10", 4), attempt("01:30", "01:35", 4)]
    data, report = trace.log(job(attempt("01:20", "01:30", 1)), job(*several, jobid="b"), duration=duration)
    assert report["recorded"]["starts"] == [1200, second] and len(data["jobs"]) == 2
    assert counts(report["jobs"])["attempts_joined"] == ("accepted", 1)
    _, early = trace.log(job(attempt("00:50", "01:30", 1)))
    assert early["recorded"]["summary"].startswith("no schedule: the log has no starts"), "before its submission"
    _, paper = trace.log(job(attempt("01:20", "01:30", 1)), mapping="paper")
    assert "durations are drawn" in paper["recorded"]["summary"]


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
def test_each_odd_element_is_counted(trace: Log, element: Any, reason: str, outcome: str) -> None:
    if isinstance(element, dict):
        element = element | {"jobid": "a2"}
    data, report = trace.log(job(attempt("01:00", "02:00", 1), submitted="2017-10-06 01:00:00"), element)
    assert counts(report["jobs"]) == {reason: (outcome, 1)}
    assert len(data["jobs"]) == (1 if outcome == "dropped" else 2)
    from_json(data)


def test_an_attempt_that_never_completes_leaves_no_duration(trace: Log) -> None:
    whole = job(attempt("01:00", "02:00", 1), submitted="2017-10-06 01:00:00")
    _, report = trace.log(whole, job(attempt("04:00", "03:00", 1), jobid="a2"))
    assert counts(report["jobs"]) == {"attempt_backwards": ("fixed", 1), "no_complete_attempt": ("dropped", 1)}


def test_four_attempts_that_do_not_pair_up(trace: Log) -> None:
    odd = job(
        attempt("01:00", None, 1), attempt("01:10", None, 1), attempt(None, "01:20", 1), attempt("02:00", "02:30", 1)
    )
    data, report = trace.log(odd)
    assert counts(report["jobs"]) == {"attempt_without_end": ("fixed", 2), "attempt_without_start": ("fixed", 1)}
    assert data["jobs"][0]["minibatch_time"] == 30


def test_mapping_paper_keeps_a_running_job(trace: Log) -> None:
    data, report = trace.log(job(attempt("01:00", None, 4)), mapping="paper")
    assert counts(report["jobs"]) == {"still_running": ("accepted", 1)}
    assert data["jobs"][0]["chunks"] == 4


def test_an_attempt_across_the_repeated_hour(trace: Log) -> None:
    # From 01:50 daylight time to 01:10 standard time it is 20 minutes, though the clock goes back 40.
    across = attempt("2017-11-05 01:50:00", "2017-11-05 01:10:00", 1)
    data, report = trace.log(job(across, submitted="2017-11-04 12:00:00"))
    assert data["jobs"][0]["minibatch_time"] == 20
    assert counts(report["jobs"]) == {"attempt_daylight": ("accepted", 1)}


def test_repeated_jobs_keep_names_of_their_own(trace: Log) -> None:
    one, other = job(attempt("01:00", "02:00", 1)), job(attempt("01:00", "02:00", 2))
    data, report = trace.log(one, one, other, job(attempt("01:00", "02:00", 1), jobid="\ud800"))
    assert [row["name"] for row in data["jobs"]] == ["a1", "a1#2", "a1#3", "?"]
    found = counts(report["jobs"])
    assert (found["duplicate"], found["duplicate_id"]) == (("accepted", 1), ("fixed", 1))
    msgspec.json.encode(report)


def test_a_filter_by_status(trace: Log) -> None:
    jobs = [job(attempt("01:00", "02:00", 1), jobid=s, status=s) for s in ("Pass", "Killed", "Failed")]
    data, report = trace.log(*jobs, status="Pass, Failed")
    assert [row["name"] for row in data["jobs"]] == ["Pass", "Failed"]
    assert counts(report["jobs"])["other_status"] == ("dropped", 1)


@pytest.mark.parametrize("block", [1, 2, 7, 64])
def test_a_log_is_read_alike_in_blocks_of_any_size(trace: Log, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [
        job(attempt("01:00", "02:00", 1, 2), jobid=f'a{i} é \\ " [,] ]', more=[1.5, True, None, -12]) for i in range(5)
    ]
    whole = trace.log(*jobs)
    monkeypatch.setattr(json_files, "BLOCK", block)
    assert trace.log(*jobs) == whole
    text = json.dumps(jobs)
    for length in range(1, len(text), 97):
        with pytest.raises(InputError, match="the JSON array ends too early, after element"):
            trace.load(text[:length], MACHINES)
