"""HiGHS's module, without its banner on stdout (from version 1.15 on)."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from functools import cache
from threading import Lock

from schedproof.core.base.untyped import Loaded

_ALONE = Lock()  # of two threads at once the second would take the first one's nowhere for stdout, and restore that


@cache
def highspy() -> Loaded:
    """Return the module, imported on first use."""
    import highspy

    sys.stdout.flush()
    with _ALONE, suppress(OSError):  # where stdout is closed there is nothing to keep a banner from
        kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 1)
            highspy.Highs()
            with suppress(OSError, AttributeError):
                ctypes.CDLL(None).fflush(None)  # what C has not written yet
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            os.close(nowhere)
    return highspy
