"""Reader of JSON arrays, element by element."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from schedproof.core.base.untyped import Json
from schedproof.core.errors import InputError

BLOCK = 1 << 20  # characters read at a time
LONGEST_OBJECT = 1 << 26  # characters; a file with a larger element is not a job log
_DECODE = json.JSONDecoder().raw_decode
NEAR_THE_END = 16  # characters: a literal or an escape that the end of a block cuts fails this close to the end


def opens_with(text: TextIO) -> str:
    """Return the first character that is not white space, and rewind the stream."""
    first = text.read(4096).lstrip()[:1]
    text.seek(0)
    return first


def objects(text: TextIO, file: str) -> Iterator[tuple[int, str, Json]]:
    """Yield the elements of a JSON array: position from 1, text, value.

    Memory holds one element and one block at a time.

    Raises
    ------
    InputError
        For an array that ends too early, or is not JSON, with the position of the element.
    """
    array = _Array(text, file)
    array.step()  # "[", checked before
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
            raise array._error(f"expected a comma after element {array.count}")
    array.step()
    if array.next():
        raise array._error("expected nothing after the array")


class _Array:
    """A JSON array, read in blocks; ``place`` is the next character of ``buffer``."""

    def __init__(self, text: TextIO, file: str) -> None:
        self.text, self.file = text, file
        self.buffer, self.place, self.count = "", 0, 0
        self.ended = False
        self.next()

    def next(self) -> str:
        """Return the next character that is not white space; empty at the end of the file."""
        while True:
            while self.place < len(self.buffer) and self.buffer[self.place] in " \t\r\n":
                self.place += 1
            if self.place < len(self.buffer) or self.ended:
                return self.buffer[self.place : self.place + 1]
            self.read()

    def step(self) -> None:
        self.place += 1

    def read(self) -> None:
        """Drop the consumed text and read at least as much text as is left.

        Doubling limits how often a large element is parsed again.
        """
        rest = self.buffer[self.place :]
        more = self.text.read(max(BLOCK, len(rest)))
        self.buffer, self.place, self.ended = rest + more, 0, not more

    def element(self) -> tuple[int, str, Json]:
        """Return the next element."""
        if not self.next():
            raise self.cut()
        while True:
            try:
                value, end = _DECODE(self.buffer, self.place)
                if end < len(self.buffer) or self.ended:
                    break  # not at the end of a block, where a number may continue
            except json.JSONDecodeError as error:
                rest = self.buffer[error.pos :]
                unterminated = error.msg.startswith("Unterminated")
                if self.ended and (unterminated or "]" not in rest):
                    raise self.cut() from None
                if self.ended or not (unterminated or len(rest) <= NEAR_THE_END):
                    raise self._error(f"{error.msg} in element {self.count + 1}") from None
            except RecursionError:
                raise self._error(f"element {self.count + 1} is nested too deeply for a job") from None
            except ValueError as error:  # an integer of thousands of digits
                raise self._error(f"{str(error).split(';')[0]} in element {self.count + 1}") from None
            if len(self.buffer) - self.place > LONGEST_OBJECT:
                raise self._error(f"element {self.count + 1} is longer than {LONGEST_OBJECT} characters")
            self.read()
        text, self.place = self.buffer[self.place : end], end
        self.count += 1
        return self.count, text, value

    def cut(self) -> InputError:
        return InputError(
            f"the JSON array ends too early, after element {self.count}: the file is truncated", file=self.file
        )

    def _error(self, what: str) -> InputError:
        return InputError(f"is not a JSON array of jobs: {what}", file=self.file)
