"""Reader of Philly's CSV files: the derived job table and the machine list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NamedTuple, TextIO

from schedproof.core.errors import InputError
from schedproof.workloads.jobs import Job, gpu_count
from schedproof.workloads.philly.times import AMBIGUOUS, is_time, seconds_of
from schedproof.workloads.preemptive.draws import CLOUD
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import LONGEST_NAME, MISSING
from schedproof.workloads.tally import ACCEPTED, Tally
from schedproof.workloads.text_files import rows


class Form(NamedTuple):
    """Columns of a CSV file: all, the required ones, and whether a header is optional."""

    published: tuple[str, ...]
    needed: tuple[str, ...]
    is_row: Callable[[list[str]], bool]


JOBS = Form(
    ("timestamp", "duration", "num_gpus", "gpu_time", "cluster"),
    ("timestamp", "duration", "num_gpus"),
    lambda fields: len(fields) == 5 and is_time(fields[0]),
)
MACHINES = Form(
    ("machineid", "number of gpus", "single gpu mem"),
    ("machineid", "number of gpus"),
    lambda fields: len(fields) in (2, 3) and decimal_of(fields[1]) is not None,
)


class Machine(NamedTuple):
    """A machine with GPUs, and its line in the list."""

    name: str
    gpus: int
    row: int


def read_jobs(text: TextIO, file: str, tally: Tally, *, timed: bool) -> tuple[int, list[Job]]:
    """Return the number of rows of the derived job table, and its jobs in file order.

    Parameters
    ----------
    timed
        Whether durations are used; if not, unreadable durations are accepted.
    """
    read, jobs = 0, []
    seen: set[tuple[str, ...]] = set()
    for row, fields in _table(text, file, tally, JOBS):
        read += 1
        if fields is None:
            continue
        submitted = submission(fields["timestamp"], row, tally)
        if submitted is None or (gpus := gpu_count(fields["num_gpus"], row, tally)) is None:
            continue
        seconds, wrong = _duration(fields["duration"])
        if wrong:
            tally.add(wrong, row, None if timed else ACCEPTED)
            if timed:
                continue
        content = tuple(fields.values())
        if content in seen:
            tally.add("duplicate", row)
        seen.add(content)
        jobs.append(Job(row, f"row-{row}", submitted, gpus, seconds))
    return read, jobs


def read_machines(text: TextIO, file: str, tally: Tally) -> tuple[int, list[Machine]]:
    """Return the number of rows read, and the machines that have GPUs, in file order."""
    read, machines = 0, dict[str, Machine]()
    for row, fields in _table(text, file, tally, MACHINES):
        read += 1
        if fields is None:
            continue
        name = fields["machineid"]
        if name in ("", "*", CLOUD) or len(name) > LONGEST_NAME:
            tally.add("machine_nameless", row)
        elif name in machines:
            tally.add("machine_repeated", row)
        elif gpus := gpu_count(fields["number of gpus"], row, tally):
            machines[name] = Machine(name, gpus, row)
    return read, list(machines.values())


def submission(value: object, row: int, tally: Tally) -> int | None:
    """Return the submission in seconds since 1970 UTC; otherwise count the reason."""
    text = "" if value is None else str(value).strip()
    if text.lower() in MISSING:
        tally.add("submission_missing", row)
        return None
    try:
        seconds, odd = seconds_of(text)
    except ValueError:
        tally.add("submission_unreadable", row)
        return None
    if odd:
        tally.add("submission_ambiguous" if odd == AMBIGUOUS else "submission_nonexistent", row)
    return seconds


def _duration(text: str) -> tuple[Decimal | None, str]:
    """Return the seconds of a duration, or the fault."""
    number = decimal_of(text)
    if number is None:
        return None, "duration_missing" if text.lower() in MISSING else "duration_unreadable"
    return (number, "") if number > 0 else (None, "duration_not_positive")


def _table(text: TextIO, file: str, tally: Tally, form: Form) -> Iterator[tuple[int, dict[str, str] | None]]:
    """Yield line number and fields by column of every row; None for a dropped row."""
    columns: list[str] = []
    row, read, whole = 0, 0, True
    for row, line, fields in rows(text, file):
        whole = line.endswith("\n")
        lower = [name.lower() for name in fields]
        if not columns and set(form.needed) <= set(lower):
            columns = lower
            continue
        if not columns and any(fields):
            if not form.is_row(fields):
                raise InputError(f"expected a header with {', '.join(form.needed)} in line {row}", file=file)
            columns = list(form.published[: len(fields)])
            tally.add("no_header", row)
        read += 1
        if columns and len(fields) == len(columns) + 1 and not fields[-1]:
            fields.pop()
            tally.add("trailing_comma", row)
        if len(fields) == len(columns) and lower != columns:
            yield row, dict(zip(columns, fields, strict=True))
            continue
        tally.add("blank_line" if not any(fields) else "header_again" if lower == columns else "field_count", row)
        yield row, None
    if not read:
        raise InputError("expected rows below the header", file=file)
    if not whole:
        tally.add("no_final_newline", row)
