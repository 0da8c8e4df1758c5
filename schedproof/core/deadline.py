"""Time limits that hold: what does not look at its clock is stopped, and what it has kept until then is the answer."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from threading import Event, Lock, Thread, get_ident
from time import perf_counter
from typing import TypeVar

from schedproof.core.context import Context

LAST = 1.5  # times the grace: by then Python must have felt the exception
FELT = 100  # rounds of a loop, in each of which an exception from another thread is felt
SOON = 0.001  # seconds
AGAIN = 0.5  # seconds after which an exception that was caught is raised again
T = TypeVar("T")
raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class OutOfTime(BaseException):
    """Time is over. Like an interrupt it passes everything by, except who set the limit."""


def end_process_after(seconds: float) -> float:
    """Nothing here; the command line's process is ended so many seconds from now, or with 0 no more.

    Returns
    -------
    float
        In how many seconds it would have been ended before; 0 for not at all.
    """
    return 0.0


def grace(seconds: float) -> float:
    """Seconds beyond a limit in which work that looks at its clock may end by itself."""
    return 0.6 * max(1.0, 0.2 * seconds)


def best_within(context: Context, work: Callable[[Context], T]) -> T | None:
    """What some work returns; or the last that it kept, None for nothing, where it did not end within its time limit.

    The work is Python, stopped between two of its instructions, in whatever thread it runs: a build, a search, a loop
    over solver calls. A call into a solver is not stopped; it has to be told what time is left.
    """
    if not context.limited or context.left is None:
        return work(context)
    kept: list[T] = []

    def keep(result: T) -> None:
        kept[:] = [result]

    class Over(OutOfTime):
        """Of this limit: there may be others around it and within it."""

    beyond = grace(context.time_limit or 0.0)
    watch = Watch(context.left + beyond, context.left + LAST * beyond, Over)
    try:
        try:
            watch.begin()
            keep(work(replace(context, keep=keep)))
        finally:
            try:
                watch.end()
            except Over:  # at the very end of the work, and it is not raised again so soon
                watch.end()
                raise
    except Over:
        pass
    except Exception:
        if not watch.raised:  # else it may be a library's that caught ours and told of it in its own words
            raise
    return kept[0] if kept else None


class Watch:
    """Raises an exception in the thread that made it, after so many seconds, and again; at last it ends the process.

    Attributes
    ----------
    raised
        Whether it has done so.
    """

    def __init__(self, seconds: float, last: float, exception: type[BaseException]) -> None:
        self._seconds, self._last, self._exception = seconds, last, exception
        self._thread, self._ended, self._lock = ctypes.c_ulong(get_ident()), Event(), Lock()
        self.raised = False
        self._begun, self._around = 0.0, 0.0

    def begin(self) -> None:
        """Start the clock."""
        self._begun, self._around = perf_counter(), end_process_after(self._last)
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        pause = self._seconds
        while not self._ended.wait(pause):
            with self._lock:
                if not self._ended.is_set():
                    self.raised = True
                    raise_in_thread(self._thread, ctypes.py_object(self._exception))
            pause = AGAIN

    def end(self) -> None:
        """Raise nothing any more; what was raised at the very end of the work is felt here.

        It is not taken back: CPython 3.11 would then look for it at every call for ever, and never end under a tracer.
        """
        with self._lock:
            self._ended.set()
        end_process_after(self._around and max(SOON, self._around - (perf_counter() - self._begun)))
        for _ in range(FELT):
            pass
