"""Import HiGHS without the banner that versions from 1.15 on print to stdout."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from functools import cache
from threading import Lock

from schedproof.core.base.untyped import Loaded

_ALONE = Lock()  # otherwise a second thread could save and restore the first thread's redirection


@cache
def highspy() -> Loaded:
    """Return the module, imported on first use."""
    import highspy

    sys.stdout.flush()
    with _ALONE, suppress(OSError):  # a closed stdout shows no banner
        kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nowhere, 1)
            highspy.Highs()
            with suppress(OSError, AttributeError):
                ctypes.CDLL(None).fflush(None)  # C's buffer
        finally:
            os.dup2(kept, 1)
            os.close(kept)
            os.close(nowhere)
    return highspy
