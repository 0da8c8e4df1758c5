"""Readers of CSV tables, recognised by content; unusable rows are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from schedproof.core.errors import InputError
from schedproof.workloads.draws import Row
from schedproof.workloads.settings import decimal_of
from schedproof.workloads.tally import ACCEPTED, DROPPED, FIXED, Tally
from schedproof.workloads.text_files import open_text, rows

Fields = dict[str, str]
Rows = Iterator[tuple[int, Fields]]
Taker = Callable[[Rows, Tally], int]  # consumes valid rows, returns how many it kept, and counts the others
Reasons = Mapping[str, tuple[str, str]]
HEAD = 100  # number of lines; the first that fits a table identifies the table
MISSING = {"", "na", "nan", "none", "null"}
LARGEST_TIME = 10**9  # seconds
LONGEST_NAME = 1000

REASONS = {
    "no_header": (ACCEPTED, "no header line: the columns are taken in the published order"),
    "header": (ACCEPTED, "a header line, where the published file has none"),
    "header_again": (DROPPED, "a repeated header line"),
    "no_final_newline": (ACCEPTED, "the file does not end with a line end: its last row may be cut short"),
    "blank_line": (DROPPED, "a blank line"),
    "trailing_comma": (FIXED, "a trailing comma: removed"),
    "field_count": (DROPPED, "a row with more or fewer fields than the table"),
    "name_missing": (DROPPED, f"no name, or a name of more than {LONGEST_NAME} characters"),
    "duplicate": (DROPPED, "an exact repeat of an earlier row"),
    "duplicate_name": (DROPPED, "the name of an earlier row: the first row is used"),
    "number_as_decimal": (ACCEPTED, "an integer written with decimals"),
    "time_missing": (DROPPED, "no time"),
    "time_unreadable": (DROPPED, f"a time that is not an integer number of seconds from 0 to {LARGEST_TIME}"),
}


class Form(NamedTuple):
    """A table.

    Attributes
    ----------
    name
        Its name.
    columns, headed
        The published columns, in lower case, and whether there is a header.
    needed
        The required columns.
    key
        The columns whose values together identify a row.
    is_row
        Whether fields without a header belong to this table.
    """

    name: str
    columns: tuple[str, ...]
    headed: bool
    needed: tuple[str, ...]
    key: tuple[str, ...]
    is_row: Callable[[Mapping[str, str]], bool]

    def is_header(self, fields: Sequence[str]) -> bool:
        """Return whether these fields name the columns."""
        return set(self.needed) <= {name.lower() for name in fields}

    def fits(self, fields: Sequence[str]) -> bool:
        """Return whether these fields are a row of the published columns."""
        return len(fields) == len(self.columns) and self.is_row(dict(zip(self.columns, fields, strict=True)))


def form_of(file: str, forms: Sequence[Form]) -> Form:
    """Return the table of a file.

    Raises
    ------
    InputError
        If the file is none of the tables, or not text.
    """
    counts = []
    with open_text(file) as text:
        for _, _, fields in islice(rows(text, file), HEAD):
            short = fields[:-1] if len(fields) > 1 and not fields[-1] else fields
            counts += [len(short)] if any(fields) else []
            for form in forms:
                if form.is_header(fields) or form.fits(fields) or form.fits(short):
                    return form
    expected = " or ".join(f"{form.name} ({len(form.columns)} columns)" for form in forms)
    actual = f"{counts[0]} fields in the first" if counts else "nothing"
    raise InputError(f"expected {expected} among the first {HEAD} lines, found {actual}", file=file)


def read(
    files: Sequence[str | Path], forms: Sequence[Form], takers: Mapping[Form, Taker], reasons: Reasons
) -> dict[str, Row]:
    """Read all files; return each file's outcome by its number and name.

    Raises
    ------
    InputError
        For a file that cannot be read, is truncated, or has no usable row.
    """
    tables = {}
    for number, (file, form) in enumerate(zip(map(str, files), forms, strict=True), start=1):
        tally = Tally({**REASONS, **reasons})
        with open_text(file) as text:
            kept = takers[form](sound(text, file, form, tally), tally)
        if not kept:
            raise InputError(f"the {form.name} has no usable row; dropped: {tally.sentence()}", file=file)
        row = {"table": form.name, "rows": kept + tally.drops()}
        tables[f"{number}: {Path(file).name}"] = row | tally.account(kept)
    return tables


def sound(text: TextIO, file: str, form: Form, tally: Tally) -> Rows:
    """Yield line number and fields by column of every valid row; count the others.

    Raises
    ------
    InputError
        For a line that fits no table.
    """
    columns: Sequence[str] = ()
    seen: dict[str, bytes] = {}
    line, row = "\n", 0
    for row, line, fields in rows(text, file):
        header = (not fields or not fields[0] or fields[0].lower() in form.columns) and form.is_header(fields)
        if header and not columns:
            columns = [name.lower() for name in fields]
            tally.add("header", row, count=not form.headed)
            continue
        if not columns and any(fields):
            columns = form.columns
            tally.add("no_header", row, count=form.headed)
        if len(fields) == len(columns) + 1 and not fields[-1]:
            fields.pop()
            tally.add("trailing_comma", row)
        if header or len(fields) != len(columns) or not any(fields):
            tally.add("header_again" if header else "field_count" if any(fields) else "blank_line", row)
            continue
        values = dict(zip(columns, fields, strict=True))
        if wrong := _name_flaw([values[name] for name in form.key], line, seen):
            tally.add(wrong, row)
        else:
            yield row, values
    if not line.endswith("\n"):
        tally.add("no_final_newline", row)


def _name_flaw(key: list[str], line: str, seen: dict[str, bytes]) -> str:
    """Return the fault of a row's name or None, and remember the name."""
    if not all(key) or max(map(len, key)) > LONGEST_NAME:
        return "name_missing"
    digest = blake2b(line.strip().encode(errors="replace"), digest_size=8).digest()
    known = seen.setdefault(",".join(key), digest)
    if known is digest:
        return ""
    return "duplicate" if known == digest else "duplicate_name"


def seconds(text: str, row: int, tally: Tally) -> int | None:
    """Return a time in whole seconds; else None, counted with the reason."""
    if text.isdecimal() and text.isascii() and len(text) < 10:
        return int(text)
    number = decimal_of(text)
    if number is None or number % 1 or not 0 <= number <= LARGEST_TIME:
        tally.add("time_missing" if text.lower() in MISSING else "time_unreadable", row)
        return None
    tally.add("number_as_decimal", row, count=not text.isdecimal())
    return int(number)
