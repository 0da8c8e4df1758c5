"""Reader of Google's event tables without headers; it keeps one entry per job."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, TextIO

from schedproof.core.errors import InputError
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import rows

BEFORE, AFTER = 0, 2**63 - 1  # microseconds: the codes for "before the trace" and "after the trace"
FIRST_MOMENT = 600_000_000
LARGEST_ID = 2**64
SUBMIT = "0"
CLASSES = frozenset("0123")
HEAD = 100  # number of lines; the first with a table's number of fields identifies the table


class Form(NamedTuple):
    """A table: its name, number of columns, id and event columns, and event types."""

    name: str
    columns: int
    id: int
    event: int
    events: frozenset[str]


TASK_EVENTS = Form("task_events", 13, 2, 5, frozenset("012345678"))
MACHINE_EVENTS = Form("machine_events", 6, 1, 2, frozenset("012"))


@dataclass
class Job:
    """One job's rows after time 0; times are in microseconds.

    Attributes
    ----------
    first
        The time of the job's earliest event.
    row
        The line of the job's earliest SUBMIT, or, without a SUBMIT, of the first event read.
    submitted, kind
        The time of the job's earliest SUBMIT, and the scheduling class in that row.
    any_kind, changed
        The first scheduling class read, and whether another class occurs.
    """

    first: int
    row: int
    submitted: int | None = None
    kind: str | None = None
    any_kind: str | None = None
    changed: bool = False


@dataclass
class Events:
    """All events read: jobs at time 0 (with the line), later jobs, machine changes."""

    alive: dict[str, int] = field(default_factory=dict)
    jobs: dict[str, Job] = field(default_factory=dict)
    machines: list[tuple[int, str, bool]] = field(default_factory=list)  # time, id, present from then on


class Event(NamedTuple):
    """A valid row: line, time (microseconds), job or machine id, event type, fields."""

    row: int
    time: int
    id: str
    event: str
    fields: list[str]


def form_of(text: TextIO, file: str) -> Form:
    """Return the table of a file by its number of fields, and rewind the stream.

    Raises
    ------
    InputError
        If the file is neither of the two tables.
    """
    counts = []
    for _, _, fields in islice(rows(text, file), HEAD):
        count = len(fields) - (len(fields) in (TASK_EVENTS.columns + 1, MACHINE_EVENTS.columns + 1) and not fields[-1])
        counts += [count] if any(fields) else []
        for form in (TASK_EVENTS, MACHINE_EVENTS):
            if count == form.columns:
                text.seek(0)
                return form
    expected = f"expected task events of {TASK_EVENTS.columns} fields or machine events of {MACHINE_EVENTS.columns}"
    actual = f"{counts[0]} in the first" if counts else "nothing"
    raise InputError(f"{expected} among the first {HEAD} lines, found {actual}", file=file)


def read(text: TextIO, file: str, form: Form, tally: Tally, events: Events) -> int:
    """Read a table into ``events`` and return the number of valid rows."""
    kept, take = 0, _take_task if form is TASK_EVENTS else _take_machine
    for event in _sound(text, file, form, tally):
        take(event, tally, events)
        kept += 1
    return kept


def _take_task(event: Event, tally: Tally, events: Events) -> None:
    row, time, name, what, fields = event
    if fields[1]:
        tally.add("missing_info", row)
    if not (fields[9] and fields[10] and fields[11]):
        tally.add("blank_request", row)
    kind = _one_of(CLASSES, fields[7], row, tally)
    if kind is None:
        tally.add("class_unknown" if fields[7] else "class_missing", row)
    if time == BEFORE:
        tally.add("snapshot", row)
        events.alive.setdefault(name, row)
        return
    job = events.jobs.get(name)
    if job is None:
        job = events.jobs[name] = Job(time, row)
    job.first = min(job.first, time)
    if what == SUBMIT and (job.submitted is None or time < job.submitted):
        job.submitted, job.row, job.kind = time, row, kind
    if kind != job.any_kind and kind is not None:
        job.any_kind, job.changed = job.any_kind or kind, job.any_kind is not None


def _take_machine(event: Event, tally: Tally, events: Events) -> None:
    if not (event.fields[4] and event.fields[5]):
        tally.add("blank_capacity", event.row)
    events.machines.append((event.time, event.id, event.event != "1"))


def _sound(text: TextIO, file: str, form: Form, tally: Tally) -> Iterator[Event]:
    """Yield the valid rows of a table and count the dropped ones."""
    last, line = BEFORE, "\n"
    moment: set[str] = set()  # rows with the current time: a table is sorted, so repeated rows are neighbours
    for row, line, fields in rows(text, file):
        event = _parse(row, fields, form, tally)
        if event is None:
            continue
        yield event
        if event.time == BEFORE:
            continue
        if event.time != last:
            if event.time < last:
                tally.add("unordered", row)
            last = event.time
            moment.clear()
        elif line in moment:
            tally.add("duplicate", row)
        moment.add(line)
    if not line.endswith("\n"):
        tally.add("no_final_newline", row)


def _parse(row: int, fields: list[str], form: Form, tally: Tally) -> Event | None:
    if len(fields) == form.columns + 1 and not fields[-1]:
        fields.pop()
        tally.add("trailing_comma", row)
    if len(fields) != form.columns:
        tally.add("field_count" if any(fields) else "blank_line", row)
        return None
    if fields[0].lower() in ("time", "timestamp"):
        tally.add("header", row)
        return None
    time = _whole_number(fields[0], row, tally)
    if time is None or time >= AFTER:
        tally.add("after_trace" if time == AFTER else "time_unreadable" if fields[0] else "time_missing", row)
        return None
    id = _whole_number(fields[form.id], row, tally)
    if id is None or id >= LARGEST_ID:
        tally.add("id_unreadable" if fields[form.id] else "id_missing", row)
        return None
    event = _one_of(form.events, fields[form.event], row, tally)
    if event is None:
        tally.add("event_unknown" if fields[form.event] else "event_missing", row)
        return None
    if BEFORE < time < FIRST_MOMENT:
        tally.add("before_window", row)
    return Event(row, time, str(id), event, fields)


def _one_of(codes: frozenset[str], text: str, row: int, tally: Tally) -> str | None:
    if text in codes:
        return text
    number = _whole_number(text, row, tally)
    return str(number) if str(number) in codes else None


def _whole_number(text: str, row: int, tally: Tally) -> int | None:
    """Return an integer >= 0; count integers that have decimals."""
    if text.isdecimal() and text.isascii() and len(text) < 40:
        return int(text)
    number = decimal_of(text)
    if number is None or number < 0 or number % 1:
        return None
    tally.add("number_as_decimal", row)
    return int(number)
