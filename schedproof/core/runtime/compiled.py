"""Kernels compiled by numba: its ``njit``, a log message, and the compile time.

Compiled kernels are cached next to the source file or in the user's cache. An unreadable cache is rebuilt; an
unwritable cache is not used. The first compilation is logged by the logger ``schedproof``; the command line prints the
message on stderr.

Compiling a policy's kernels takes several seconds, and a tiny instance needs them for a fraction of a second. So
small calls without cached machine code run as Python, until they have taken `PATIENCE` seconds in total.
"""

from __future__ import annotations

import gc
import logging
from contextlib import suppress
from functools import cache, cached_property
from itertools import compress
from pathlib import Path
from time import perf_counter, thread_time
from types import FunctionType

import numba
import numpy as np
from numba.core import event
from numba.core.caching import FunctionCache

from schedproof.core.base.untyped import Compiled
from schedproof.core.runtime.files import turn

SMALL = 2000  # elements of all arrays of a call that may run as Python, without scratch space
PATIENCE = 2.0  # processor seconds in total for such calls
EXACT = {"_nrt", "inline", "error_model"}  # options with which Python computes the same bits


class _Kept(FunctionCache):  # type: ignore[misc]  # numba has no types
    """The cache of a function: an index of signatures and CPUs, and machine code."""

    def load_overload(self, sig: Compiled, target_context: Compiled) -> Compiled:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling a damaged file may raise any error
            return None

    @cached_property
    def is_new(self) -> bool:
        """Whether no machine code was cached at the first question."""
        return not self._entries()

    def knows(self, sig: Compiled, target_context: Compiled) -> bool:
        """Whether machine code for a signature is cached."""
        return self._index_key(sig, target_context.codegen()) in self._entries()

    def save_overload(self, sig: Compiled, data: Compiled) -> None:
        """Store machine code, one process at a time; an empty index removes old code."""
        with suppress(Exception), turn(Path(self.cache_path)):
            if not self._entries():
                self.flush()
                for old in Path(self.cache_path).glob(f"{self._impl.filename_base}.*.nbc"):
                    old.unlink()
            super().save_overload(sig, data)

    def _entries(self) -> Compiled:
        try:
            return self._cache_file._load_index()
        except Exception:  # unpickling a damaged index may raise any error
            return {}


def njit(**options: Compiled) -> Compiled:
    """As numba's ``njit``, with three differences.

    Parameters
    ----------
    cache
        Whether to cache machine code, tolerating other processes and a full disk.
    inner
        Whether to compile for calls by other kernels only, which is faster. Python's calls run as Python.
    scratch
        Names of the arguments for intermediate results. Their size does not decide whether a call is small.
    """

    cache, inner, scratch = options.pop("cache", False), options.pop("inner", False), options.pop("scratch", ())

    def compile_(function: Compiled) -> Compiled:
        if numba.config.DISABLE_JIT:
            return function
        dispatcher = numba.njit(no_cfunc_wrapper=True, no_cpython_wrapper=inner, **options)(function)
        if cache:
            with suppress(RuntimeError, OSError):  # no folder for the cache
                dispatcher._cache = _Kept(function)
        if inner:
            dispatcher._insert = lambda *overload: None  # so Python's calls reach `_Interpreting`
        if inner or (cache and options.keys() <= EXACT):
            dispatcher._compile_for_args = _Interpreting(dispatcher, inner, scratch)
        return dispatcher

    return compile_


class _Interpreting:
    """Replacement of a kernel's compilation: small calls run as Python first.

    numba calls it for arguments without loaded machine code, and then calls the function that it returns.
    """

    spent, depth = 0.0, 0  # of all kernels; a kernel that calls another one counts once

    def __init__(self, dispatcher: Compiled, always: bool, scratch: tuple[str, ...]) -> None:
        self._dispatcher, self._compile, self._always = dispatcher, dispatcher._compile_for_args, always
        self._counts = [name not in scratch for name in dispatcher.py_func.__code__.co_varnames]
        self._known: dict[Compiled, bool] = {}
        self._twin: Compiled = None

    def __call__(self, *args: Compiled, **kws: Compiled) -> Compiled:
        if self._always:
            return self._python
        if (
            kws
            or _Interpreting.spent > PATIENCE
            or _size(tuple(compress(args, self._counts))) > SMALL
            or self._cached(args)
        ):
            return self._compile(*args, **kws)
        return self._python

    def _cached(self, args: Compiled) -> bool:
        kept = self._dispatcher._cache
        if not isinstance(kept, _Kept) or kept.is_new:
            return False
        sig = tuple(self._dispatcher.typeof_pyval(a) for a in args)
        if sig not in self._known:
            self._known[sig] = kept.knows(sig, self._dispatcher.targetctx)
        return self._known[sig]

    def _python(self, *args: Compiled, **kws: Compiled) -> Compiled:
        if _Interpreting.depth:
            return self.twin()(*args, **kws)
        _Interpreting.depth, began = 1, thread_time()
        try:
            with np.errstate(all="ignore"):  # as compiled code, which for example draws random numbers by overflow
                return self.twin()(*args, **kws)
        finally:
            _Interpreting.depth = 0
            _Interpreting.spent += thread_time() - began

    def twin(self) -> Compiled:
        """Return the kernel as Python, which calls other kernels as Python too."""
        if self._twin is None:
            function, names = self._dispatcher.py_func, dict[str, Compiled]()
            options = function.__name__, function.__defaults__, function.__closure__
            self._twin = FunctionType(function.__code__, names, *options)
            names.update({name: _twin(value) for name, value in function.__globals__.items()})
        return self._twin


def _twin(value: Compiled) -> Compiled:
    """Return a kernel's twin, an intrinsic's `as_python`, or another value itself."""
    compile_ = getattr(value, "_compile_for_args", None)
    return compile_.twin() if isinstance(compile_, _Interpreting) else getattr(value, "as_python", value)


def _size(value: Compiled) -> int:
    """Return the number of elements of the arrays in a value."""
    return sum(map(_size, value)) if isinstance(value, tuple) else int(getattr(value, "size", 1))


class _Announcer(event.Listener):  # type: ignore[misc]  # numba has no types
    """Listener for the start of compilations."""

    def on_start(self, event: Compiled) -> None:
        _announce()

    def on_end(self, event: Compiled) -> None:
        """Do nothing."""


@cache
def _announce() -> None:
    logging.getLogger("schedproof").info("compiling kernels, once")


class _Compiling(event.Listener):  # type: ignore[misc]  # numba has no types
    """Listener that adds up compile times; nested compilations count once.

    Garbage collection is off meanwhile: it would take a tenth of the time.
    """

    def __init__(self) -> None:
        self._depth, self._begun, self._before, self._collecting = 0, 0.0, 0.0, False

    def on_start(self, event: Compiled) -> None:
        if self._depth == 0:
            self._begun, self._collecting = perf_counter(), gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: Compiled) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._before += perf_counter() - self._begun
            if self._collecting:
                gc.enable()

    def seconds(self) -> float:
        return self._before + (perf_counter() - self._begun if self._depth else 0.0)


COMPILING = _Compiling()
event.register("numba:compile", _Announcer())
event.register("numba:compiler_lock", COMPILING)  # held to compile, and to read and write the cache
