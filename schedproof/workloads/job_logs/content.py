"""Readers of CSV, JSON and Parquet logs: first the column names, then the rows."""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.util import find_spec
from typing import TextIO

from schedproof.core.base.untyped import AnyFamily, Json, Value
from schedproof.core.errors import InputError, MissingExtra, describe
from schedproof.core.runtime.files import regular
from schedproof.workloads.job_logs.cells import is_value
from schedproof.workloads.json_files import objects, opens_with
from schedproof.workloads.tally import Tally
from schedproof.workloads.text_files import LONGEST_LINE, open_text, rows, split

Lines = Iterator[tuple[int, list[str]]]
BETWEEN = ",;\t|"
MOST_LINES, MOST_TEXT = 1000, 1 << 16  # of one quoted field
_COMMENT = re.compile(r"\s*#(\s|[^,;\t|]*$)")  # but not #id,submit, which names columns
_DECLARED = re.compile(r"sep=(.)\s*", re.IGNORECASE)  # a first line for Excel
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


@dataclass
class Source:
    """A log's files, and the notes that a format makes during reading.

    Attributes
    ----------
    more
        Further files, for example with throughputs.
    options
        The reader's options.
    comments
        The header of a log in the Standard Workload Format.
    derived
        Field of a job -> its derivation, for fields that the log lacks.
    """

    file: str
    tally: Tally
    more: Sequence[str] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    derived: dict[str, str] = field(default_factory=dict)


def table(source: Source) -> Lines:
    """Yield the column names, then the rows; the first bytes tell the table's format."""
    if _begins(source.file, b"PAR1"):
        yield from _parquet(source.file)
        return
    with open_text(source.file) as text:
        kind = opens_with(text)
    yield from _json(source, array=kind == "[") if kind in ("{", "[") else delimited(source)


def delimited(source: Source, between: str = BETWEEN, *, quotes: bool = True) -> Lines:
    """Yield the header (or column numbers), then each row with as many fields.

    Parameters
    ----------
    between
        Possible separators; the file's separator is the most frequent of them in the first line.
    quotes
        Whether quotation marks may enclose a field.
    """
    with open_text(source.file) as text:
        sign = _separator(text, between)
        text.seek(0)
        lines = _records(text, source.file, sign) if quotes else rows(text, source.file, sign, quotes=False)
        yield from below(_without_comments(lines, source.tally), source)


def _separator(text: TextIO, between: str) -> str:
    """Return the separator in a line ``sep=;``, or that of the first line."""
    for line in iter(lambda: text.readline(LONGEST_LINE), ""):
        if declared := _DECLARED.fullmatch(line):
            return declared[1]
        if line.strip() and not _COMMENT.match(line):
            return max(between, key=line.count)
    return between[0]


def _without_comments(
    lines: Iterable[tuple[int, str, list[str]]], tally: Tally
) -> Iterator[tuple[int, str, list[str]]]:
    for row, line, fields in lines:
        if _is_comment(line):
            tally.add("comment", row)
        else:
            yield row, line, fields


def _is_comment(line: str) -> bool:
    return bool(_COMMENT.match(line) or _DECLARED.fullmatch(line))


def below(lines: Iterable[tuple[int, str, list[str]]], source: Source, columns: Sequence[str] = ()) -> Lines:
    """Yield the column names, then each row with as many fields; count other rows.

    Parameters
    ----------
    columns
        The names, if the format defines them; otherwise the first line has them, unless it has a number or a time.
    """
    tally, header = source.tally, source.options.get("header", "auto")
    names = list(columns)
    if names:
        yield 0, names
    row, line = 0, "\n"
    for row, line, fields in lines:  # noqa: B007  # the last line is read below
        if not names and any(fields):
            headed = header == "yes" or (header == "auto" and not any(map(is_value, fields)))
            names = fields if headed else [str(n) for n in range(1, len(fields) + 1)]
            tally.add("no_header", row, count=not headed)
            yield row, names
            if headed:
                continue
        if not any(fields):
            tally.add("blank_line", row)
        elif fields == names:
            tally.add("header_again", row)
        elif len(fields) != len(names):
            tally.add("field_count", row)
        else:
            yield row, fields
    tally.add("no_final_newline", row, count=not line.endswith("\n"))


def _records(text: TextIO, file: str, between: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yield each row's line number, text and fields; quoted fields may span lines.

    Several lines are one row only if it has as many fields as the first row. Otherwise the quotation mark is stray, and
    its line is a row by itself.
    """
    ahead = deque[str]()
    width = number = 0

    def take() -> str:
        return ahead.popleft() if ahead else text.readline(LONGEST_LINE)

    while line := take():
        number += 1
        taken = [line]
        fields = _quoted(taken, take, between) if '"' in line else None
        if fields is None or (len(taken) > 1 and width and len(fields) != width):
            ahead.extendleft(reversed(taken[1:]))
            del taken[1:]
            fields = split(line, number, file, between)
        width = width or len(fields) * (any(fields) and not _is_comment(line))
        yield number, "".join(taken), fields
        number += len(taken) - 1


def _quoted(taken: list[str], take: Callable[[], str], between: str) -> list[str] | None:
    """Read the other lines of a row; return its fields, or None for a stray mark."""

    def lines() -> Iterator[str]:
        yield taken[0]
        while len(taken) < MOST_LINES and sum(map(len, taken)) < MOST_TEXT and (line := take()):
            taken.append(line)
            yield line

    try:
        return [field.strip() for field in next(csv.reader(lines(), delimiter=between, strict=True), [])]
    except csv.Error:
        return None


def _json(source: Source, *, array: bool) -> Lines:
    """Yield the names in any object, then a row per object; nested names are ``a.b``."""
    columns = dict.fromkeys(name for _, value in _objects(source.file, None, array=array) for name in value)
    yield 0, list(columns)
    for row, value in _objects(source.file, source.tally, array=array):
        yield row, [value.get(name, "") for name in columns]


def _objects(file: str, tally: Tally | None, *, array: bool) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield each object with its number; a given tally counts the other values."""
    with open_text(file) as text:
        values = ((row, value) for row, _, value in objects(text, file)) if array else _json_lines(text)
        for row, value in values:
            if isinstance(value, dict):
                yield row, dict(_flat(value))
            elif tally is not None:
                tally.add("not_an_object" if value is not None else "not_json", row)


def _json_lines(text: TextIO) -> Iterator[tuple[int, Json]]:
    """Yield the value of each line; None for a line that is not JSON."""
    for row, line in enumerate(iter(lambda: text.readline(LONGEST_LINE), ""), start=1):
        if line.strip():
            try:
                yield row, json.loads(line, parse_float=str)
            except (ValueError, RecursionError):
                yield row, None


def _flat(value: Mapping[str, Json], before: str = "") -> Iterator[tuple[str, str]]:
    for name, item in value.items():
        if isinstance(item, dict):
            yield from _flat(item, f"{before}{name}.")
        else:
            yield before + name, "" if item is None else str(item).strip()


def _begins(file: str, head: bytes) -> bool:
    try:
        with regular(file).open("rb") as content:
            return content.read(len(head)) == head
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=file) from None


def _parquet(file: str) -> Lines:
    if find_spec("pyarrow") is None:
        raise MissingExtra("reading Parquet (the package pyarrow)", "parquet")
    from pyarrow import ArrowException, parquet

    row = 0
    try:
        with parquet.ParquetFile(file) as log:
            yield 0, list(log.schema_arrow.names)
            for batch in log.iter_batches():
                for cells in zip(*map(_texts, batch.columns), strict=True):
                    row += 1
                    yield row, list(cells)
    except (ArrowException, OSError) as error:
        raise InputError(f"is not a valid Parquet file: {describe(error)}", file=file) from None


def _texts(column: AnyFamily) -> list[str]:
    """Return a Parquet column's cells; times are ISO 8601, durations have their unit."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        return _texts(column.dictionary_decode())
    if pa.types.is_duration(kind):
        per = PER_SECOND[kind.unit]
        return ["" if n is None else f"{Decimal(n) / per:f}s" for n in column.cast(pa.int64()).to_pylist()]
    if pa.types.is_timestamp(kind):
        zoned = kind.tz is not None
        column = column.cast(pa.timestamp(kind.unit)).cast(pa.string())
        return ["" if text is None else text + "Z" * zoned for text in column.to_pylist()]
    return ["" if cell is None else str(cell).strip() for cell in column.to_pylist()]
