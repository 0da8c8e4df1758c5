"""Reader of Philly's original ``cluster_job_log``, a JSON array of jobs."""

from __future__ import annotations

from decimal import Decimal
from hashlib import blake2b
from typing import NamedTuple, TextIO

from schedproof.core.base.untyped import Json
from schedproof.workloads.jobs import Job
from schedproof.workloads.json_files import objects
from schedproof.workloads.philly.options import Options
from schedproof.workloads.philly.tables import submission
from schedproof.workloads.philly.times import seconds_of
from schedproof.workloads.tables import MISSING
from schedproof.workloads.tally import ACCEPTED, Tally


def read_log(text: TextIO, file: str, tally: Tally, chosen: Options) -> tuple[int, list[Job]]:
    """Return the number of elements of the original log, and the usable jobs."""
    read, jobs = 0, []
    names: set[str] = set()
    seen: set[bytes] = set()
    for row, content, job in objects(text, file):
        read += 1
        if not isinstance(job, dict):
            tally.add("not_an_object", row)
            continue
        submitted = submission(job.get("submitted_time"), row, tally)
        if submitted is None:
            continue
        if chosen.statuses and str(job.get("status")) not in chosen.statuses:
            tally.add("other_status", row)
            continue
        attempts = _attempts(job.get("attempts"), row, tally)
        gpus = _gpus(attempts, row, tally, chosen.gpus)
        if gpus is None:
            continue
        seconds, start, wrong = _duration(attempts, submitted, row, tally, chosen.duration)
        if wrong:
            tally.add(wrong, row, None if chosen.timed else ACCEPTED)
            if chosen.timed:
                continue
        name = str(job.get("jobid") or f"element-{row}")[:900].encode(errors="replace").decode()
        digest = blake2b(content.encode(errors="surrogatepass"), digest_size=16).digest()
        if digest in seen:
            tally.add("duplicate", row)
        elif name in names:
            tally.add("duplicate_id", row)
        seen.add(digest)
        name = f"{name}#{row}" if name in names else name
        names.add(name)
        jobs.append(Job(row, name, submitted, gpus, seconds, start=start))
    return read, jobs


class _Attempt(NamedTuple):
    start: Json
    end: Json
    gpus: int


def _attempts(value: Json, row: int, tally: Tally) -> list[_Attempt]:
    attempts = []
    for attempt in value if isinstance(value, list) else ():
        detail = attempt.get("detail") if isinstance(attempt, dict) else None
        places: list[Json] = [
            place.get("gpus") if isinstance(place, dict) else None
            for place in (detail if isinstance(detail, list) else ())
        ]
        if not isinstance(detail, list) or not all(isinstance(gpus, list) for gpus in places):
            tally.add("attempt_malformed", row)
            continue
        attempts.append(_Attempt(attempt.get("start_time"), attempt.get("end_time"), sum(map(len, places))))
    return attempts


def _gpus(attempts: list[_Attempt], row: int, tally: Tally, which: str) -> int | None:
    """Return an attempt's total GPUs; otherwise count the reason, return None."""
    counts = [attempt.gpus for attempt in attempts if attempt.gpus]
    if not counts:
        tally.add("no_gpus_listed" if attempts else "no_attempts", row)
        return None
    if len(set(counts)) > 1:
        tally.add("attempts_differ", row)
    return counts[0 if which == "first" else -1]


def _duration(
    attempts: list[_Attempt], submitted: int, row: int, tally: Tally, which: str
) -> tuple[Decimal | None, Decimal | None, str]:
    """Return the total seconds of complete attempts, and the start; or the fault.

    The run has these seconds and ends with the last attempt. It has no start if that is before the submission.
    """
    spans = []
    for place, attempt in enumerate(attempts):
        start, end = (_time(value) for value in (attempt.start, attempt.end))
        if start is None or end is None:
            if end is None and place == len(attempts) - 1 and start is not None:
                return None, None, "still_running"
            tally.add("attempt_without_start" if start is None else "attempt_without_end", row)
            continue
        try:
            (begin, odd), (finish, odd_end) = seconds_of(start), seconds_of(end)
            if finish < begin:  # in the hour that the clock repeats, the end can be before the start
                finish, _ = seconds_of(end, second=True)
        except ValueError:
            tally.add("attempt_unreadable", row)
            continue
        if odd or odd_end:
            tally.add("attempt_daylight", row)
        if begin < submitted:
            tally.add("attempt_before_submission", row)
        if finish < begin:
            tally.add("attempt_backwards", row)
            continue
        spans.append((begin, finish))
    if not spans:
        return None, None, "no_complete_attempt"
    tally.add("attempts_joined", row, count=len(spans) > 1)
    last = max(end for _, end in spans)
    seconds = last - min(start for start, _ in spans) if which == "span" else sum(end - start for start, end in spans)
    if not seconds:
        return None, None, "duration_not_positive"
    return Decimal(seconds), Decimal(last - seconds) if last - seconds >= submitted else None, ""


def _time(value: Json) -> str | None:
    text = "" if value is None else str(value).strip()
    return None if text.lower() in MISSING else text
