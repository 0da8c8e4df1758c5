"""Formats of logs: their fields, and the usual column names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from schedproof.core.errors import InputError, MissingExtra, describe
from schedproof.workloads.tables import MISSING
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import LONGEST_LINE, open_text, rows

Lines = Iterator[tuple[int, list[str]]]
BETWEEN = ",;\t|"
KEYS = ("id", "arrival", "gpus", "duration", "start", "end", "user", "status")
SWF = (
    "job", "submit", "wait", "run", "allocated", "cpu_time", "memory", "requested", "requested_time",
    "requested_memory", "status", "user", "group", "executable", "queue", "partition", "preceding", "think",
)  # fmt: skip


class Form(NamedTuple):
    """A format of logs.

    Attributes
    ----------
    lines
        Yields the names of the columns, then every row with its line number; counts bad rows.
    usual
        Key -> its usual columns; the first with a value in a row counts.
    missing
        Texts, in lower case, that mean "no value".
    unfinished
        First words of a status, in lower case, of an unfinished job.
    steps
        Whether an id with a point is a step's.
    """

    lines: Callable[[str, Tally], Lines]
    usual: Mapping[str, tuple[str, ...]]
    missing: frozenset[str] = frozenset(MISSING)
    unfinished: frozenset[str] = frozenset()
    steps: bool = False


def _delimited(file: str, tally: Tally, between: str = BETWEEN) -> Lines:
    """Yield a header, then rows with as many fields."""
    with open_text(file) as text:
        header = next((line for line in iter(lambda: text.readline(LONGEST_LINE), "") if line.strip()), "")
        text.seek(0)
        sign = max(between, key=header.count)
        yield from _below(rows(text, file, sign), tally)


def _below(lines: Iterator[tuple[int, str, list[str]]], tally: Tally) -> Lines:
    columns: list[str] = []
    row, line = 0, "\n"
    for row, line, fields in lines:  # noqa: B007  # the last line is read below
        if not any(fields):
            tally.add("blank_line", row)
        elif not columns:
            columns = fields
            yield row, columns
        elif fields == columns:
            tally.add("header_again", row)
        elif len(fields) != len(columns):
            tally.add("field_count", row)
        else:
            yield row, fields
    tally.add("no_final_newline", row, count=not line.endswith("\n"))


def _table(file: str, tally: Tally) -> Lines:
    """Read Parquet or CSV, by the first bytes."""
    return _parquet(file) if _begins(file, b"PAR1") else _delimited(file, tally)


def _begins(file: str, head: bytes) -> bool:
    try:
        with Path(file).open("rb") as content:
            return content.read(len(head)) == head
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from None


def _parquet(file: str) -> Lines:
    if find_spec("pyarrow") is None:
        raise MissingExtra("reading Parquet (the package pyarrow)", "parquet")
    from pyarrow import ArrowException, parquet

    try:
        table = parquet.read_table(file)
    except (ArrowException, OSError) as error:
        raise InputError(f"is not a valid Parquet file: {describe(error)}", file=file) from None
    yield 0, list(table.column_names)
    columns = [column.to_pylist() for column in table.columns]
    for row, cells in enumerate(zip(*columns, strict=True), start=1):
        yield row, ["" if cell is None else str(cell).strip() for cell in cells]


def _swf(file: str, tally: Tally) -> Lines:
    """Yield lines of 18 numbers; lines that begin with a semicolon are comments."""
    with open_text(file) as text:
        data = (line for line in rows(text, file, None) if not line[1].lstrip().startswith(";"))
        yield from _below(chain([(0, "\n", list(SWF))], data), tally)


def _sacct(file: str, tally: Tally) -> Lines:
    return _delimited(file, tally, "|")


FORMS = {
    "table": Form(_table, {key: (key,) for key in KEYS}),
    "swf": Form(
        _swf,
        {
            "id": ("job",),
            "arrival": ("submit",),
            "gpus": ("allocated", "requested"),
            "duration": ("run",),
            "user": ("user",),
            "status": ("status",),
        },
        missing=frozenset({*MISSING, "-1"}),
    ),
    "sacct": Form(
        _sacct,
        {
            "id": ("JobID",),
            "arrival": ("Submit",),
            "gpus": ("AllocTRES", "ReqTRES"),
            "duration": ("ElapsedRaw", "Elapsed"),
            "start": ("Start",),
            "end": ("End",),
            "user": ("User",),
            "status": ("State",),
        },
        missing=frozenset({*MISSING, "unknown"}),
        unfinished=frozenset({"running", "pending", "suspended", "requeued", "resizing", "completing"}),
        steps=True,
    ),
}
