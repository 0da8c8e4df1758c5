"""Compiled kernels: numba's ``njit``, and one line in the log the first time that it has to compile.

What is compiled is kept beside the source file, so that a second run compiles nothing. The line goes to the logger
``schedproof``; the command line prints it on stderr, and a library's user hears of it only by asking for it.
"""

from __future__ import annotations

import logging
from functools import cache

from numba import njit
from numba.core import event

from schedproof.core.untyped import Compiled

__all__ = ["kernel", "njit"]

kernel: Compiled = njit(cache=True)
"""Compile a function on its first call, and keep the result beside its file."""


class _Announcer(event.Listener):  # type: ignore[misc]  # numba has no types
    """Hears of every compilation."""

    def on_start(self, event: Compiled) -> None:
        """Say so, the first time."""
        _announce()

    def on_end(self, event: Compiled) -> None:
        """Nothing more to say."""


@cache
def _announce() -> None:
    logging.getLogger("schedproof").info("compiling kernels, once")


event.register("numba:compile", _Announcer())
