"""Job logs of any cluster, read as rows that a family maps to its jobs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from schedproof.core.base.untyped import Value
from schedproof.core.cards import registry
from schedproof.core.data.options import parse_options
from schedproof.core.errors import InputError
from schedproof.core.runtime.context import Context
from schedproof.families.logs import LogEntry
from schedproof.workloads.draws import Row
from schedproof.workloads.job_logs.content import Source
from schedproof.workloads.job_logs.forms import FORMS
from schedproof.workloads.job_logs.machines import cluster
from schedproof.workloads.job_logs.reasons import REASONS
from schedproof.workloads.job_logs.rows import moment_of, read_jobs, time_format_of
from schedproof.workloads.jobs import MOST_ROWS, Job, Window, cut
from schedproof.workloads.tally import Tally

Files = Sequence[str | Path]
DATED = 10**8  # seconds: larger numbers are dates
PROFILED = ("gavel", "pollux")  # read further files, with throughputs


def table(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A table of jobs, one job in a row: CSV, JSON or Parquet.

    The separator is a comma, semicolon, tab or bar: the most frequent in the first line. JSON is an array of
    objects, or an object in each line; a nested name is ``spec.gpus``. Without a header, columns have numbers.

    A time is ISO 8601, or a number since 1970 or since the log's origin. A duration is a number, or a text like
    ``1-02:03:04``, ``05:30``, ``2 days 03:04:05``, ``1h30m`` or ``P1DT2H``. A column name may be followed by its unit,
    as in ``run:h``. If ``workers`` is mapped, the GPUs are counted for each worker.
    """
    return _load("table", files, seed, options, entry)


def swf(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A log in the Standard Workload Format of the Parallel Workloads Archive.

    A job's processors, allocated or else requested, count as its GPUs. The header's MaxNodes and MaxProcs define the
    machines. If a job has partial executions, only its line for the whole job is read.
    """
    return _load("swf", files, seed, options, entry)


def sacct(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """The output of Slurm's `sacct --parsable2`.

    The fields ``JobID,Submit,Elapsed,State,AllocTRES`` are required; ``ReqTRES,Start,End,User,NNodes`` are optional.
    Steps and unfinished jobs are skipped. A heterogeneous job with its components is one job. Each task of an array is
    a job, and so is each run of a requeued job (``--duplicates``). GPUs are counted by AllocTRES; ``map=gpus=NCPUS``
    counts processors instead.
    """
    return _load("sacct", files, seed, options, entry)


def helios(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A cluster's log of SenseTime's Helios traces (2020).

    The file is ``cluster_log.csv``. Jobs without GPUs are skipped.
    """
    return _load("helios", files, seed, options, entry)


def alibaba_jobs(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """Jobs of Alibaba's traces gpu-v2023 (openb), gpu-v2025 and v2026-spot-gpu.

    The files are a pod list, ``disaggregated_DLRM_trace.csv``, and ``job_info_df.csv``. A share of a GPU counts as a
    whole GPU. Jobs without GPUs, and jobs that outlive the trace, are skipped.
    """
    return _load("alibaba_jobs", files, seed, options, entry)


def gavel(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A `.trace` of Gavel, with its measured throughputs.

    The first file is the trace; the second is ``oracle_throughputs.json`` or a file of that form. A job's duration is
    its number of steps over its measured steps per second when it runs alone on GPUs of one type.
    """
    return _load("gavel", files, seed, options, entry)


def pollux(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A workload of Pollux or Sia, with its measured iterations.

    The first file is the workload, the others are its applications' ``scalability``, ``placements`` and ``validation``
    files. A job's duration is its number of iterations times the seconds of an iteration with its GPUs and batch size.
    """
    return _load("pollux", files, seed, options, entry)


def _load(form: str, files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """Read a log in a format, map its jobs, and report on both."""
    given = parse_options(entry.name, entry.options, options)
    if len(files) != 1 and form not in PROFILED:
        raise InputError(f"expected one file, not {len(files)}")
    file, *more = map(str, files)
    source = Source(file, Tally(REASONS), more, given)
    jobs, columns = read_jobs(source, FORMS[form])
    read = len(jobs) + source.tally.drops()
    origin = _origin(source.comments)
    jobs = cut(jobs, _window(given, origin), source.tally)
    if not jobs:
        raise InputError(f"no job is left of {read} rows; dropped: {source.tally.sentence()}", file=file)
    names = {option.name for option in entry.jobs.options}
    mine = {name: value for name, value in given.items() if name in names}
    machines = cluster(given, source.comments)
    value, more_report = entry.jobs.call(entry.name, mine, Context(seed), jobs, source.tally, machines)
    rows, _ = registry.card_of_json(value).own.size
    report: Row = {
        "trace": form,
        "options": {name: str(text) for name, text in options.items()},
        "seed": seed,
        "columns": {key: " or ".join(c.name for c in places) for key, places in columns.items()} | source.derived,
        "jobs": {"file": Path(file).name, "rows": read} | source.tally.account(len(value[rows])),
        "window": {"first": _time(jobs[0], origin), "last": _time(jobs[-1], origin)},
    }
    return value, report | more_report


def _origin(comments: Mapping[str, str]) -> int:
    """Return the origin of an SWF log's times, in seconds since 1970; 0 if unknown."""
    found = re.match(r"\d{1,10}\b", comments.get("UnixStartTime", ""))
    return int(found[0]) if found else 0


def _window(given: Mapping[str, Value], origin: int) -> Window:
    hours, start = given.get("hours"), given.get("start")
    first = None if start is None else int(moment_of(start, "start", time_format_of(given)))
    return Window(
        start=first - origin if first is not None and first >= DATED else first,
        hours=hours if hours is None else Decimal(hours.numerator) / hours.denominator,
        min_gpus=given.get("min_gpus", 1),
        skip=given.get("skip", 0),
        jobs=given.get("jobs") or MOST_ROWS,
    )


def _time(job: Job, origin: int) -> str | int:
    """Return the submission time, as a date if it counts from 1970."""
    seconds = job.submitted + origin
    return seconds if seconds < DATED else datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ")
