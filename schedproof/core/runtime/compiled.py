"""Kernels that numba compiles: its ``njit``, one line in the log when it first has to compile, and how long that takes.

What is compiled is kept beside the source file, or in the user's cache, so that a second run compiles nothing. An
unreadable cache is compiled again, and an unwritable one is not used. The line goes to the logger ``schedproof``; the
command line prints it on stderr, and a user of the library sees it by enabling that logger.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import perf_counter

import numba
from numba.core import event
from numba.core.caching import FunctionCache

from schedproof.core.base.untyped import Compiled
from schedproof.core.runtime.files import turn


class _Kept(FunctionCache):  # type: ignore[misc]  # numba has no types
    """What is kept of one function: an index of its signatures and CPUs, and a file of machine code for each."""

    def load_overload(self, sig: Compiled, target_context: Compiled) -> Compiled:
        """The machine code, or None where there is none, or a file was cut short or is something else."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling makes of it
            return None

    def save_overload(self, sig: Compiled, data: Compiled) -> None:
        """Keep machine code, one process at a time; an index without entries begins without machine code."""
        with suppress(Exception), turn(Path(self.cache_path)):
            if not self._entries():
                self.flush()
                for old in Path(self.cache_path).glob(f"{self._impl.filename_base}.*.nbc"):
                    old.unlink()
            super().save_overload(sig, data)

    def _entries(self) -> Compiled:
        try:
            return self._cache_file._load_index()
        except Exception:  # whatever unpickling makes of a torn index
            return {}


def njit(**options: Compiled) -> Compiled:
    """numba's, whose ``cache=True`` ends in no error when two processes, other programs or a full disk are at it."""

    cache = options.pop("cache", False)

    def compile_(function: Compiled) -> Compiled:
        dispatcher = numba.njit(**options)(function)
        if cache:
            with suppress(RuntimeError, OSError):  # there is no place to keep it
                dispatcher._cache = _Kept(function)
        return dispatcher

    return compile_


class _Announcer(event.Listener):  # type: ignore[misc]  # numba has no types
    """Called by numba for every compilation."""

    def on_start(self, event: Compiled) -> None:
        """Say so, the first time."""
        _announce()

    def on_end(self, event: Compiled) -> None:
        """Nothing more to say."""


@cache
def _announce() -> None:
    logging.getLogger("schedproof").info("compiling kernels, once")


class _Compiling(event.Listener):  # type: ignore[misc]  # numba has no types
    """Adds up how long kernels are compiled; a kernel that needs another one is compiled around it."""

    def __init__(self) -> None:
        self._depth, self._begun, self._before = 0, 0.0, 0.0

    def on_start(self, event: Compiled) -> None:
        """Begin to count, of nested ones the first."""
        if self._depth == 0:
            self._begun = perf_counter()
        self._depth += 1

    def on_end(self, event: Compiled) -> None:
        """End it."""
        self._depth -= 1
        if self._depth == 0:
            self._before += perf_counter() - self._begun

    def seconds(self) -> float:
        """So far, up to now where one is being compiled."""
        return self._before + (perf_counter() - self._begun if self._depth else 0.0)


COMPILING = _Compiling()
event.register("numba:compile", _Announcer())
event.register("numba:compiler_lock", COMPILING)  # held to compile, and to read and write what is kept
