"""Logs of any cluster, read as neutral jobs (`schedproof.workloads.jobs`) that a family maps."""

from __future__ import annotations

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
from schedproof.workloads.job_logs.cells import moment
from schedproof.workloads.job_logs.forms import FORMS
from schedproof.workloads.job_logs.reasons import REASONS
from schedproof.workloads.job_logs.rows import read_jobs
from schedproof.workloads.jobs import MOST_ROWS, Job, Window, cut
from schedproof.workloads.tally import Tally

Files = Sequence[str | Path]
DATED = 10**8  # seconds: larger numbers are dates


def table(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A table of jobs with a header, one job in a row: CSV, or Parquet.

    The separator is a comma, semicolon, tab or bar: the most frequent one in the header. A time is a number or a date,
    a duration a number or days-hours:minutes:seconds. A column name may be followed by its unit, as in ``run:h``.
    """
    return _load("table", files, seed, options, entry)


def swf(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """A log in the Standard Workload Format of the Parallel Workloads Archive.

    A job's processors, allocated or else requested, count as its GPUs.
    """
    return _load("swf", files, seed, options, entry)


def sacct(files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    """The output of Slurm's `sacct --parsable2`.

    It needs the fields ``JobID,Submit,Elapsed,State,AllocTRES``. Steps and unfinished jobs are skipped. GPUs are
    counted by AllocTRES; ``map=gpus=NCPUS`` counts processors instead.
    """
    return _load("sacct", files, seed, options, entry)


def _load(form: str, files: Files, seed: int, options: Mapping[str, str], entry: LogEntry) -> tuple[Row, Row]:
    given = parse_options(entry.name, entry.options, options)
    if len(files) != 1:
        raise InputError(f"expected one file, not {len(files)}")
    file, tally = str(files[0]), Tally(REASONS)
    statuses = frozenset(word.strip().lower() for word in given.pop("status", "").split(",") if word.strip())
    jobs, columns = read_jobs(file, FORMS[form], given.pop("map", ""), statuses, tally)
    read = len(jobs) + tally.drops()
    jobs = cut(jobs, _window(given), tally)
    if not jobs:
        raise InputError(f"no job is left of {read} rows; dropped: {tally.sentence()}", file=file)
    names = {option.name for option in entry.jobs.options}
    mine = {name: value for name, value in given.items() if name in names}
    value, more = entry.jobs.call(entry.name, mine, Context(seed), jobs, tally)
    rows, _ = registry.card_of_json(value).own.size
    report: Row = {
        "trace": form,
        "options": {name: str(text) for name, text in options.items()},
        "seed": seed,
        "columns": {key: " or ".join(c.name for c in places) for key, places in columns.items()},
        "jobs": {"file": Path(file).name, "rows": read} | tally.account(len(value[rows])),
        "window": {"first": _time(jobs[0]), "last": _time(jobs[-1])},
    }
    return value, report | more


def _window(given: Mapping[str, Value]) -> Window:
    hours, start = given.get("hours"), given.get("start")
    try:
        first = None if start is None else int(moment(start, "s")[0])
    except ValueError:
        raise InputError("expected YYYY-MM-DD HH:MM:SS, or a number of seconds", path="start", value=start) from None
    return Window(
        start=first,
        hours=hours if hours is None else Decimal(hours.numerator) / hours.denominator,
        min_gpus=given.get("min_gpus", 1),
        skip=given.get("skip", 0),
        jobs=given.get("jobs") or MOST_ROWS,
    )


def _time(job: Job) -> str | int:
    """Return the submission time, as a date if the log counts from 1970."""
    if job.submitted < DATED:
        return job.submitted
    return datetime.fromtimestamp(job.submitted, UTC).isoformat(sep=" ")
