"""The Standard Workload Format, version 2.2, of the Parallel Workloads Archive."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from schedproof.workloads.job_logs.content import Lines, Source, below
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.text_files import open_text, rows

COLUMNS = (
    "job", "submit", "wait", "run", "allocated", "cpu_time", "memory", "requested", "requested_time",
    "requested_memory", "status", "user", "group", "executable", "queue", "partition", "preceding", "think",
)  # fmt: skip
WAIT, RUN, STATUS = COLUMNS.index("wait"), COLUMNS.index("run"), COLUMNS.index("status")
CANCELLED, PARTIAL, LAST = "5", ("2", "3", "4"), ("3", "4")  # the last partial execution of a job has a status in LAST
_COMMENT = re.compile(r"\s*;+\s*(\w+)\s*:\s*(.*?)\s*")


def swf(source: Source) -> Lines:
    """Yield the columns and a row for each job; note the header's comments.

    A job with partial executions has one line for each of them, with status 2, 3 or 4, and one line for the whole job.
    If the line for the whole job is missing, the run times are added up.
    """
    partial: dict[str, list[tuple[int, list[str]]]] = {}
    whole = set[str]()
    with open_text(source.file) as text:
        for row, fields in below(_data(source, rows(text, source.file, None)), source, COLUMNS):
            if row and fields[STATUS] in PARTIAL:
                partial.setdefault(fields[0], []).append((row, fields))
                continue
            whole.add(fields[0])
            if fields[STATUS] == CANCELLED and (decimal_of(fields[RUN]) or 0) <= 0:
                source.tally.add("never_started", row)
            else:
                yield row, fields
    for job, parts in partial.items():
        first, fields = parts[0]
        times = [decimal_of(part[RUN]) for _, part in parts]
        if job in whole:
            source.tally.add("partial", first, count=len(parts))
        elif parts[-1][1][STATUS] not in LAST or None in times:
            source.tally.add("unfinished", first, count=len(parts))
        else:
            source.tally.add("partial_added", parts[1][0] if parts[1:] else first, count=len(parts) - 1)
            run = str(sum((time for time in times if time), Decimal(0)))
            yield first, [*fields[:WAIT], "-1", run, *fields[RUN + 1 : STATUS], "1", *fields[STATUS + 1 :]]


def _data(source: Source, lines: Iterator[tuple[int, str, list[str]]]) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the lines that are not comments."""
    for number, line, fields in lines:
        if not line.lstrip().startswith(";"):
            yield number, line, fields
        elif comment := _COMMENT.fullmatch(line):
            source.comments.setdefault(comment[1], comment[2])
