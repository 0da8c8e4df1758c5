"""Standard streams: output is flushed, and failures are reported in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schedproof.core.errors import SchedproofError


class ReaderLeft(SystemExit):
    """The reader of standard output has closed the pipe, so the command ends with 0."""

    def __init__(self) -> None:
        super().__init__(0)


@contextmanager
def printing() -> Iterator[None]:
    """Flush standard output at the end; a reader may close early, as `head` does.

    Raises
    ------
    SchedproofError
        If standard output is closed or cannot be written.
    """
    for handle in range(3):  # otherwise the next opened file would get this handle, and with it a solver's log
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115  # closed with the process
    if sys.stdout is None or sys.stdout.closed:
        sys.stdout = sys.stderr
        raise SchedproofError("standard output is closed")
    try:
        try:
            yield
        finally:
            if not sys.stdout.closed:
                sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # discard the rest of the buffer
        if isinstance(error, BrokenPipeError):
            raise ReaderLeft from None
        raise SchedproofError(f"standard output cannot be written: {error.strerror or error}") from None
