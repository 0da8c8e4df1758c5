"""Trace files as text: gzip or plain by content, refused with a sentence when they are not what they should be."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from schedproof.core.errors import InputError
from schedproof.core.reading import GIT_LFS

BLOCK = 1 << 20  # characters read at a time
LONGEST_LINE = 1 << 20
LONGEST_OBJECT = 1 << 26  # characters; a larger one means that the file is not what it should be
_DECODE = json.JSONDecoder().raw_decode
NEAR_THE_END = 16  # characters: a literal or an escape that the end of a block cuts fails this close to it


@contextmanager
def open_text(path: str | Path) -> Iterator[TextIO]:
    """The file as UTF-8 text with plain line ends, unpacked when its content is gzip, a byte-order mark taken off.

    Raises
    ------
    InputError
        Naming the file: it cannot be read, is empty, is a Git LFS pointer or a tar archive, is cut short, is not text.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            head = stream.read(512)
            if head.startswith(GIT_LFS):
                raise InputError("expected data, found a Git LFS pointer: fetch the file itself", file=name)
            if head[257:262] == b"ustar":
                raise InputError("expected one file, found a tar archive: unpack it", file=name)
            if not head.strip(b"\xef\xbb\xbf \t\r\n"):
                raise InputError("expected data, found an empty file", file=name)
            stream.seek(0)
            with io.TextIOWrapper(stream, encoding="utf-8-sig") as text:
                yield text
    except UnicodeDecodeError as error:
        raise InputError(f"expected UTF-8 text: {error.reason}", file=name) from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError("the gzip data is damaged or ends too early: the file is cut short", file=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", file=name) from None


def opens_with(text: TextIO) -> str:
    """The first character that is not white space; the stream is left at its start."""
    first = text.read(4096).lstrip()[:1]
    text.seek(0)
    return first


def rows(text: TextIO, file: str) -> Iterator[tuple[int, str, list[str]]]:
    """The lines of a CSV file: line number from 1, the line, its fields without the spaces around them.

    One line is one row, so that a stray quotation mark cannot swallow the lines that follow it.

    Raises
    ------
    InputError
        For a line that no table has.
    """
    for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE), ""), start=1):
        if len(line) == LONGEST_LINE:
            raise InputError(f"expected lines of less than {LONGEST_LINE} characters, not line {number}", file=file)
        try:
            fields = next(csv.reader((line,)), [])
        except csv.Error as error:
            raise InputError(f"expected a CSV row in line {number}: {error}", file=file) from None
        yield number, line, [field.strip() for field in fields]


def objects(text: TextIO, file: str) -> Iterator[tuple[int, str, Any]]:
    """The elements of a JSON array, one at a time: position from 1, its text, its value.

    The file is never held whole: its largest element and one block are.

    Raises
    ------
    InputError
        For an array that ends too early, or is not JSON, with the position of the element.
    """
    array = _Array(text, file)
    array.step()  # "[", or there would be no array
    more = array.next() != "]"
    while more:
        yield array.element()
        following = array.next()
        more = following == ","
        if not following:
            raise array.cut()
        if more:
            array.step()
        elif following != "]":
            raise array.wrong(f"expected a comma after element {array.count}")
    array.step()
    if array.next():
        raise array.wrong("expected nothing after it")


class _Array:
    """A JSON array read block by block; ``place`` is the first character of ``buffer`` that is not yet taken."""

    def __init__(self, text: TextIO, file: str) -> None:
        self.text, self.file = text, file
        self.buffer, self.place, self.count = "", 0, 0
        self.ended = False
        self.next()

    def next(self) -> str:
        """The next character that is not white space; empty at the end of the file."""
        while True:
            while self.place < len(self.buffer) and self.buffer[self.place] in " \t\r\n":
                self.place += 1
            if self.place < len(self.buffer) or self.ended:
                return self.buffer[self.place : self.place + 1]
            self.read()

    def step(self) -> None:
        """Take the next character."""
        self.place += 1

    def read(self) -> None:
        """Drop what was taken, read at least as much as is left: a large element is parsed a few times only."""
        left = self.buffer[self.place :]
        more = self.text.read(max(BLOCK, len(left)))
        self.buffer, self.place, self.ended = left + more, 0, not more

    def element(self) -> tuple[int, str, Any]:
        """Take the next element."""
        if not self.next():
            raise self.cut()
        while True:
            try:
                value, end = _DECODE(self.buffer, self.place)
                if end < len(self.buffer) or self.ended:
                    break  # and not at the end of a block, where a number may go on
            except json.JSONDecodeError as error:
                left = self.buffer[error.pos :]
                unterminated = error.msg.startswith("Unterminated")
                if self.ended and (unterminated or "]" not in left):
                    raise self.cut() from None
                if self.ended or not (unterminated or len(left) <= NEAR_THE_END):
                    raise self.wrong(f"{error.msg} in element {self.count + 1}") from None
            except RecursionError:
                raise self.wrong(f"element {self.count + 1} nests deeper than any job does") from None
            except ValueError as error:  # an integer of thousands of digits
                raise self.wrong(f"{str(error).split(';')[0]} in element {self.count + 1}") from None
            if len(self.buffer) - self.place > LONGEST_OBJECT:
                raise self.wrong(f"element {self.count + 1} is longer than {LONGEST_OBJECT} characters")
            self.read()
        text, self.place = self.buffer[self.place : end], end
        self.count += 1
        return self.count, text, value

    def cut(self) -> InputError:
        return InputError(
            f"the JSON array ends too early, after element {self.count}: the file is truncated", file=self.file
        )

    def wrong(self, what: str) -> InputError:
        return InputError(f"is not a JSON array of jobs: {what}", file=self.file)
