"""Rows of a log as neutral jobs; other rows are counted with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from schedproof.core.errors import InputError, UnknownName
from schedproof.workloads.job_logs.cells import UNITS, duration, gpus, moment
from schedproof.workloads.job_logs.forms import KEYS, Form
from schedproof.workloads.jobs import Job, gpu_count
from schedproof.workloads.tables import LONGEST_NAME
from schedproof.workloads.tally import Tally


class Column(NamedTuple):
    """The position of a field, and the unit of its numbers."""

    place: int
    name: str
    unit: str = "s"


Columns = Mapping[str, Sequence[Column]]


def read_jobs(file: str, form: Form, wanted: str, statuses: frozenset[str], tally: Tally) -> tuple[list[Job], Columns]:
    """Return the jobs of a file in order, and the columns in use.

    Parameters
    ----------
    wanted
        ``KEY=COLUMN[:UNIT]`` with commas.
    statuses
        In lower case; an empty set keeps all.

    Raises
    ------
    InputError, UnknownName
        For an unknown key, column or unit, a missing key, or a file without a header.
    """
    lines = form.lines(file, tally)
    _, header = next(lines, (0, []))
    if not header:
        raise InputError("expected a header line with the names of the columns", file=file)
    columns = _columns(form, wanted, header, file)
    reading = _Reading(form, columns, statuses, tally, set())
    return [job for row, fields in lines if (job := reading.job(row, fields)) is not None], columns


def _columns(form: Form, wanted: str, header: Sequence[str], file: str) -> Columns:
    """Return the column of each key."""
    places = {name.lower(): place for place, name in reversed(list(enumerate(header)))}
    result = {
        key: tuple(Column(places[name.lower()], name) for name in names if name.lower() in places)
        for key, names in form.usual.items()
    }
    for word in filter(None, wanted.split(",")):
        key, sign, name = (part.strip() for part in word.partition("="))
        if not sign or not name:
            raise InputError(f"--map {word}: expected KEY=COLUMN, like arrival=submit")
        if key not in KEYS:
            raise UnknownName("key of --map", key, KEYS)
        result[key] = (_column(name, places, header, file),)
    for key in ("arrival", "gpus", "duration"):
        if not result.get(key) and not (key == "duration" and result.get("start") and result.get("end")):
            more = ", or start and end" if key == "duration" else ""
            names = ", ".join(header[:50])
            raise InputError(f"expected --map {key}=COLUMN{more}; the columns are {names}", file=file)
    return {key: columns for key, columns in result.items() if columns}


def _column(name: str, places: Mapping[str, int], header: Sequence[str], file: str) -> Column:
    """Return the column of that name, with the unit after a colon."""
    if name.lower() in places:
        return Column(places[name.lower()], name)
    column, colon, unit = name.rpartition(":")
    if colon and column.lower() in places:
        if unit not in UNITS:
            raise UnknownName("unit", unit, UNITS)
        return Column(places[column.lower()], column, unit)
    try:
        raise UnknownName("column", column or name, header)
    except UnknownName as error:
        raise InputError(str(error), file=file) from None


class _Reading(NamedTuple):
    """Columns and rules for reading rows."""

    form: Form
    columns: Columns
    statuses: frozenset[str]
    tally: Tally
    names: set[str]

    def job(self, row: int, fields: Sequence[str]) -> Job | None:
        """Return the job of a row, or None after counting the reason."""
        id, status = self._text("id", fields), self._text("status", fields).lower()
        if self.form.steps and "." in id:
            self.tally.add("step", row)
        elif status.split(" ")[0].rstrip("+") in self.form.unfinished:
            self.tally.add("unfinished", row)
        elif self.statuses and status not in self.statuses and status.split(" ")[0] not in self.statuses:
            self.tally.add("other_status", row)
        elif (
            (submitted := self._moment("arrival", row, fields)) is not None
            and (count := gpu_count(gpus(self._text("gpus", fields)), row, self.tally)) is not None
            and (seconds := self._duration(row, fields)) is not None
        ):
            return Job(row, self._name(id, row), int(submitted), count, seconds, self._text("user", fields))
        return None

    def _cell(self, key: str, fields: Sequence[str]) -> tuple[str, str]:
        """Return the first non-empty cell of a key's columns, and its unit."""
        cells = ((fields[column.place], column.unit) for column in self.columns.get(key, ()))
        return next((cell for cell in cells if cell[0].lower() not in self.form.missing), ("", "s"))

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

    def _moment(self, key: str, row: int, fields: Sequence[str]) -> Decimal | None:
        text, unit = self._cell(key, fields)
        try:
            seconds, naive = moment(text, unit)
        except ValueError:
            self.tally.add(f"{key}_unreadable" if text else f"{key}_missing", row, count=key == "arrival")
            return None
        self.tally.add("arrival_naive", row, count=naive and key == "arrival")
        return seconds

    def _duration(self, row: int, fields: Sequence[str]) -> Decimal | None:
        """Return the recorded seconds, or the time from start to end."""
        text, unit = self._cell("duration", fields)
        if "duration" in self.columns:
            seconds, told = duration(text, unit), bool(text)
        else:
            start, end = (self._moment(key, row, fields) for key in ("start", "end"))
            told = all(self._text(key, fields) for key in ("start", "end"))
            seconds = None if start is None or end is None else end - start
        if seconds is None:
            self.tally.add("duration_unreadable" if told else "duration_missing", row)
        elif seconds <= 0:
            self.tally.add("duration_not_positive", row)
        else:
            return seconds
        return None


def _others(id: str, row: int) -> Iterator[str]:
    yield f"{id}#{row}"
    yield from (f"{id}#{row}#{n}" for n in range(2, row + 3))
