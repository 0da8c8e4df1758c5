"""The standard streams: what is printed gets out, or one sentence says why it does not."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schedproof.core.errors import SchedproofError


@contextmanager
def printing() -> Iterator[None]:
    """Make sure that what is printed inside gets out; a reader that goes away early (`head`) is no error.

    Raises
    ------
    SchedproofError
        When standard output is closed, or what it leads to is full.
    """
    for handle in range(3):  # else a closed one becomes that of the next file, into which a solver's log is printed
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115  # closed with the process
    if sys.stdout is None:
        sys.stdout = sys.stderr
        raise SchedproofError("standard output is closed")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # where what is left in the buffer goes
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None
        raise SchedproofError(f"standard output cannot be written: {error.strerror or error}") from None
