"""Trace files as text, gzip or plain by content."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from schedproof.core.data.reading import GIT_LFS
from schedproof.core.errors import InputError
from schedproof.core.runtime.files import regular

LONGEST_LINE = 1 << 20


@contextmanager
def open_text(path: str | Path) -> Iterator[TextIO]:
    """Open a plain or gzip file as text, with plain line ends.

    The text is UTF-8, or UTF-16 if it has a byte-order mark; the mark is skipped.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, a Git LFS pointer or a tar archive, truncated, or not text.
    """
    name = str(path)
    try:
        with regular(path).open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            head = stream.read(512)
            if head.startswith(GIT_LFS):
                raise InputError("expected data, found a Git LFS pointer: fetch the file itself", file=name)
            if head[257:262] == b"ustar":
                raise InputError("expected one file, found a tar archive: unpack the archive", file=name)
            if not head.strip(b"\xef\xbb\xbf \t\r\n"):
                raise InputError("expected data, found an empty file", file=name)
            stream.seek(0)
            wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
            with io.TextIOWrapper(stream, encoding="utf-16" if wide else "utf-8-sig") as text:
                yield text
    except UnicodeDecodeError as error:
        how = "convert the file, for example with iconv -f latin1 -t utf-8"
        raise InputError(f"expected UTF-8 text: {error.reason}; {how}", file=name) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError("the gzip data is damaged or ends too early: the file is cut short", file=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from None


def rows(
    text: TextIO, file: str, between: str | None = ",", *, quotes: bool = True
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the lines of a table: line number from 1, the line, its stripped fields.

    One line is one row, so a stray quotation mark affects only its own line.

    Parameters
    ----------
    between
        The separator; None for white space.
    quotes
        Whether quotation marks may enclose a field.

    Raises
    ------
    InputError
        For a line that is not a row of a table.
    """
    for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE), ""), start=1):
        yield number, line, split(line, number, file, between, quotes=quotes)


def split(line: str, number: int, file: str, between: str | None, *, quotes: bool = True) -> list[str]:
    """Return the stripped fields of a line, with its number for the message."""
    if len(line) == LONGEST_LINE:
        raise InputError(f"line {number} is too long: expected fewer than {LONGEST_LINE} characters", file=file)
    if between and quotes and ('"' in line or len(line) > csv.field_size_limit()):
        try:
            fields = next(csv.reader((line,), delimiter=between), [])
        except csv.Error as error:
            raise InputError(f"expected a CSV row in line {number}: {error}", file=file) from None
    else:  # equivalent to csv.reader, three times as fast
        fields = line.split(between) if line != "\n" else []
    return list(map(str.strip, fields))
