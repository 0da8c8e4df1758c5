"""Rows of a log as jobs; each other row is counted with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from math import ceil

from schedproof.core.base.untyped import Value
from schedproof.core.errors import InputError, short
from schedproof.workloads.job_logs.cells import (
    EARLIEST_DATE,
    Moment,
    duration,
    gpu_types,
    gpus,
    is_no_time,
    moment,
    time_formats,
    without_comma,
)
from schedproof.workloads.job_logs.columns import Column, Columns, columns_of
from schedproof.workloads.job_logs.content import Source
from schedproof.workloads.job_logs.forms import RERUN, Form
from schedproof.workloads.jobs import Job, gpu_count
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tables import LONGEST_NAME
from schedproof.workloads.tally import Tally

_COMPONENT = re.compile(r"(\d+)\+\d+(?:#.*)?")
OPTION = "(--option of `trace`, --trace-option of `compare`)"
_TWO_PARTS = re.compile(r"\d+:\d\d(\.\d+)?")


def read_jobs(source: Source, form: Form) -> tuple[list[Job], Columns]:
    """Return the jobs of a log in file order, and the columns in use.

    Raises
    ------
    InputError, UnknownName
        For an unknown key, column, unit or status, a missing key or end time, or two columns with the same name.
    """
    lines = form.lines(source)
    _, header = next(lines, (0, []))
    if form.slurm and len(header) == 1:
        raise InputError("expected the output of sacct --parsable2, with | between fields", file=source.file)
    if not header:
        raise InputError(
            "expected a table with a separator between fields, or a JSON object in each line", file=source.file
        )
    if len(header) == 1:
        raise InputError(
            f"expected several columns, found one, {short(header[0])}: commas, semicolons, tabs or bars separate "
            "fields; JSON is an array of objects, or an object in each line",
            file=source.file,
        )
    reading = _Reading(source, form, columns_of(source, form, header))
    jobs = [job for row, fields in lines if (job := reading.job(row, fields)) is not None]
    reading.refuse_unknown()
    jobs = _dated(sorted(jobs, key=lambda job: job.row), source.tally)
    return (_joined(jobs, source.tally) if form.slurm else jobs), reading.columns


def _dated(jobs: list[Job], tally: Tally) -> list[Job]:
    """Remove the jobs submitted at time 0 if the log's other times are dates."""
    if min((job.submitted for job in jobs if job.submitted), default=0) < EARLIEST_DATE:
        return jobs
    for job in jobs:
        tally.add("arrival_missing", job.row, count=not job.submitted)
    return [job for job in jobs if job.submitted]


def _joined(jobs: Sequence[Job], tally: Tally) -> list[Job]:
    """Merge the components of each heterogeneous job into one job."""
    result: dict[tuple[str, int], Job] = {}
    for n, job in enumerate(jobs):
        found = _COMPONENT.fullmatch(job.name)
        key = (found[1], job.submitted) if found else (job.name, -n - 1)
        if first := result.get(key):
            tally.add("component", job.row)
            if first.types != job.types:
                raise InputError(
                    f"line {job.row}: expected the GPU type of the job's first component, line {first.row}"
                )
            longest = max(first.duration or Decimal(0), job.duration or Decimal(0))
            result[key] = first._replace(gpus=first.gpus + job.gpus, duration=longest)
        else:
            result[key] = job
    return list(result.values())


@dataclass
class _Reading:
    """A log while its rows are read: columns, job names and unknown statuses so far.

    Attributes
    ----------
    row
        The line of the row that is read.
    """

    source: Source
    form: Form
    columns: Columns
    names: set[str] = field(default_factory=set)
    unknown: dict[str, int] = field(default_factory=dict)
    row: int = 0

    def __post_init__(self) -> None:
        self.tally = self.source.tally
        words = self.source.options.get("status", "").split(",")
        self.statuses = frozenset(word.strip().lower() for word in words if word.strip())
        self.time_format = time_format_of(self.source.options)

    def job(self, row: int, fields: Sequence[str]) -> Job | None:
        """Return the job of a row, or None after counting the reason."""
        self.row = row
        id, status = self._text("id", fields), self._text("status", fields).lower()
        if reason := self._no_job(row, id, status):
            self.tally.add(reason, row)
        elif (submitted := self._arrival(row, fields)) is not None:
            if self._never_started(submitted, fields):
                self.tally.add("never_started", row)
            elif (count := self._gpus(row, fields)) is not None and (
                seconds := self._duration(row, fields, submitted)
            ) is not None:
                self.tally.add("rerun", row, count=status.split(" ")[0] in RERUN)
                types = gpu_types(self._text("type", fields))
                if types is None:
                    self.tally.add("type_mixed", row)
                    return None
                name, start = self._name(id, row), self._start(row, fields, submitted, seconds)
                return Job(row, name, int(submitted), count, seconds, self._text("user", fields), types, start)
        return None

    def _no_job(self, row: int, id: str, status: str) -> str:
        """Return why a row is not an ended job, or None; note unknown statuses."""
        word = status.split(" ")[0].rstrip("+")
        if self.form.slurm and "." in id:
            return "step"
        if self.statuses:
            return "" if status in self.statuses or word in self.statuses else "other_status"
        if word in self.form.unfinished:
            return "unfinished"
        if word and word not in self.form.ended and not (word in RERUN and self.form.slurm):
            self.unknown.setdefault(status, row)
        return ""

    def refuse_unknown(self) -> None:
        """Ask for the statuses to keep if some are unknown."""
        if self.unknown:
            words = ", ".join(list(self.unknown)[:10])
            row = min(self.unknown.values())
            raise InputError(
                f"unknown statuses, the first in line {row}: {words}; list the statuses of the jobs to keep, as in "
                f"status=completed,failed {OPTION}",
                file=self.source.file,
            )

    def _cell(self, key: str, fields: Sequence[str]) -> tuple[str, str]:
        """Return the first non-empty cell of a key's columns, and its unit."""
        cells = ((fields[column.place], column.unit) for column in self.columns.get(key, ()))
        return next((cell for cell in cells if cell[0].lower() not in self.form.absent), ("", ""))

    def _text(self, key: str, fields: Sequence[str]) -> str:
        return self._cell(key, fields)[0]

    def _name(self, id: str, row: int) -> str:
        if not id or len(id) > LONGEST_NAME - 20:
            self.tally.add("id_missing", row, count="id" in self.columns)
            id = f"row-{row}"
        if id in self.names:
            self.tally.add("id_again", row)
            id = next(name for name in _others(id, row) if name not in self.names)
        self.names.add(id)
        return id

    def _arrival(self, row: int, fields: Sequence[str]) -> Decimal | None:
        text, unit = self._cell("arrival", fields)
        try:
            seconds, odd = self._moment(text, unit)
        except ValueError:
            absent = not text or is_no_time(text)
            self.tally.add("arrival_missing" if absent else "arrival_unreadable", row, cell=text)
            return None
        self.tally.add(odd or "arrival_naive", row, count=bool(odd))
        return seconds

    def _moment(self, text: str, unit: str) -> Moment:
        """Return the time in a cell; ask for the format of a date without the year first.

        Raises
        ------
        ValueError
            For another text that is not a time.
        """
        try:
            return moment(text, unit, self.time_format)
        except ValueError:
            if not (forms := time_formats(text)):
                raise
            first = "the day first" if forms[0].startswith("%d") else "the month first"
            other = f", or with the month first time_format='{forms[1]}'" if forms[1:] else ""
            raise InputError(
                f"the time '{text}' in line {self.row} needs a format: with {first} time_format='{forms[0]}'{other} "
                f"{OPTION}",
                file=self.source.file,
            ) from None

    def _time(self, key: str, fields: Sequence[str], submitted: Decimal) -> Decimal | None:
        """Return a start or end time; None if empty, or if 0 and the submission is later.

        Raises
        ------
        ValueError
            For a text that is not a time.
        """
        text, unit = self._cell(key, fields)
        if text in ("", "-1") or is_no_time(text):
            return None
        seconds, _ = self._moment(text, unit)
        return None if seconds == 0 < submitted else seconds

    def _start(self, row: int, fields: Sequence[str], submitted: Decimal, seconds: Decimal) -> Decimal | None:
        """Return the recorded start; None if it is missing or contradicts other fields."""
        try:
            start, end = (self._time(key, fields, submitted) for key in ("start", "end"))
        except ValueError:
            return None
        wait = self._seconds(*self._cell("wait", fields))
        clear = start is None or end is None or abs(end - start - seconds) <= max(Decimal(1), seconds / 100)
        if start is None and end is not None:
            start = end - seconds
        elif start is None and wait is not None:
            start = submitted + wait
        clear = clear and (start is None or start >= submitted)
        self.tally.add("start_unclear", row, count=not clear)
        return start if clear else None

    def _never_started(self, submitted: Decimal, fields: Sequence[str]) -> bool:
        """Return whether the start is 0, or both the start and the duration are missing."""
        if "start" not in self.columns:
            return False
        try:
            if self._time("start", fields, submitted) is not None:
                return False
        except ValueError:
            return False
        text, unit = self._cell("duration", fields)
        return bool(self._text("start", fields)) or not self._seconds(text, unit)

    def _gpus(self, row: int, fields: Sequence[str]) -> int | None:
        """Return the GPUs in the first nonempty column."""
        found = Column(0, "")
        text, numbered = "", False
        for column in self.columns["gpus"]:
            if fields[column.place].lower() not in self.form.absent:
                other, by_number = gpus(fields[column.place])
                if not text or (text == "0" and other != "0"):
                    found, text, numbered = column, other, by_number
        self.tally.add("gpus_numbered", row, count=numbered)
        each = decimal_of(text)
        if self.form.shares and each is not None and each % 1:
            self.tally.add("gpus_shared", row)
            text = str(ceil(each))
        count = gpu_count(text, row, self.tally)
        per_node = found.name.lower() in self.form.per_node if self.form.per_node else "workers" in self.columns
        if count is None or not per_node:
            return count
        if "workers" not in self.columns:
            raise InputError(
                f"{found.name} has the GPUs of one node: name the number of nodes, as in --map workers=NNodes",
                file=self.source.file,
            )
        workers = gpu_count(self._text("workers", fields), row, self.tally)
        return None if workers is None else gpu_count(str(count * workers), row, self.tally)

    def _duration(self, row: int, fields: Sequence[str], submitted: Decimal) -> Decimal | None:
        """Return the recorded duration or end minus start; else count the reason.

        If a row has neither an end nor a status, its job may still have been running when the log was written.
        """
        text, unit = self._cell("duration", fields)
        spans = "start" in self.columns and "end" in self.columns
        try:
            ended = not spans or self._text("status", fields) or self._time("end", fields, submitted) is not None
            if text and ended:
                seconds = self._seconds(text, unit)
                self.tally.add("duration_clock", row, count=_TWO_PARTS.fullmatch(text) is not None)
            elif spans:
                start, end = self._time("start", fields, submitted), self._time("end", fields, submitted)
                end = self._assumed_end(row) if end is None else end
                if end is None:
                    return None
                seconds = self._seconds(text, unit) if start is None else end - start
            else:
                self.tally.add("duration_missing", row)
                return None
        except ValueError:
            seconds = None
        if seconds is None or seconds <= 0:
            self.tally.add("duration_unreadable" if seconds is None else "duration_not_positive", row, cell=text)
            return None
        return seconds

    def _seconds(self, text: str, unit: str) -> Decimal | None:
        """Return the seconds of a duration; ask for the meaning of a comma in its number."""
        try:
            return duration(without_comma(text, self.source.options.get("comma")), unit)
        except ValueError:
            raise InputError(
                f"the number '{text}' in line {self.row} has a comma: state its meaning with comma=thousands or "
                f"comma=decimal {OPTION}",
                file=self.source.file,
            ) from None

    def _assumed_end(self, row: int) -> Decimal | None:
        """Return an end for a job whose row has no end, or count the reason.

        Raises
        ------
        InputError
            If the option ``no_end`` is missing.
        """
        given = self.source.options.get("no_end")
        if self.form.running_at_end or given == "skip":
            self.tally.add("unfinished" if self.form.running_at_end else "end_missing", row)
            return None
        if given is None:
            raise InputError(
                f"no end time in line {row}: skip such jobs with no_end=skip, or give the end of the log with "
                f"no_end=TIME {OPTION}",
                file=self.source.file,
            )
        self.tally.add("end_assumed", row)
        return moment_of(given, "no_end", self.time_format)


def time_format_of(options: Mapping[str, Value]) -> str:
    """Return the option ``time_format``.

    Raises
    ------
    InputError
        If the format cannot read a date and time that it has written.
    """
    form: str = options.get("time_format", "")
    date = datetime(2024, 12, 31)
    with suppress(ValueError):
        if not form or datetime.strptime(date.strftime(form), form).replace(tzinfo=None) == date:
            return form
    raise InputError(
        "expected a format with day, month and year, like %d.%m.%Y %H:%M:%S", path="time_format", value=form
    )


def moment_of(text: str, option: str, form: str) -> Decimal:
    """Return the time of an option.

    Parameters
    ----------
    form
        The option ``time_format`` of the log.

    Raises
    ------
    InputError
        If the text is not a time.
    """
    try:
        return moment(text, "", form).seconds
    except ValueError:
        raise InputError(
            "expected a time as YYYY-MM-DD HH:MM:SS, or a number of seconds", path=option, value=text
        ) from None


def _others(id: str, row: int) -> Iterator[str]:
    yield f"{id}#{row}"
    yield from (f"{id}#{row}#{n}" for n in range(2, row + 3))
