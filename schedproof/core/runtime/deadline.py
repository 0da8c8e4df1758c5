"""Time limits that hold, and interrupts that lose nothing: work is stopped, and what it has kept is the answer."""

from __future__ import annotations

import ctypes
import signal
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock, current_thread, get_ident, main_thread
from types import FrameType
from typing import TypeVar

from schedproof.core.base.untyped import Value
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import Context

LAST = 1.5  # times the grace: by then Python must have felt the exception
FELT = 100  # rounds of a loop, in each of which an exception from another thread is felt
SOON = 0.001  # seconds
TO_END = 0.7  # seconds that interrupted work has to end by itself
NEVER = 0.0  # is the process of interrupted work ended from here: its parent does that
AGAIN = 0.25  # seconds after which an exception that was caught is raised again: once before the end of the process
IMPORTED = 0.01  # seconds after which it is raised in a thread that was just importing
S = TypeVar("S")
T = TypeVar("T")
raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class OutOfTime(BaseException):
    """Time is over. Like an interrupt it passes everything by, except who set the limit."""


class Interrupted(KeyboardInterrupt):
    """The user has interrupted some work (Ctrl-C) that had found something by then.

    Attributes
    ----------
    best
        The best valid result that it had: a `Solution`, a `Bound`, the results of the claims judged so far.
    """

    def __init__(self, best: Value) -> None:
        super().__init__(f"interrupted; the best so far: {best}")
        self.best = best


def begin(work: Callable[[], object]) -> None:
    """Do some work in another thread, and wait a little until it has begun; `threading.Thread.start` may wait for ever.

    In CPython 3.11 a new thread has the number of this one at first, and what is raised in this one may end it instead.
    """
    begun = Event()

    def run() -> None:
        begun.set()
        work()

    start_new_thread(run, ())
    begun.wait(AGAIN)


def end_process_after(seconds: float) -> float:
    """Do nothing here; the command line ends its process after so many seconds, or never with 0.

    Returns
    -------
    float
        In how many seconds it would have been ended before; 0 for not at all.
    """
    return 0.0


def interrupted() -> bool:
    """Say no here; in the command line's process, say whether an interrupt was raised.

    A library in C that calls Python back may swallow it, and what that returns is then wrong.
    """
    return False


def grace(seconds: float) -> float:
    """Seconds beyond a limit for work that checks its deadline to end in order."""
    return 0.6 * max(1.0, 0.2 * seconds)


def importing(frame: FrameType | None) -> bool:
    """Whether the work that has come to a frame is importing something: what is raised then leaves half a module."""
    while frame is not None and frame.f_code is not best_within.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def best_within(context: Context, work: Callable[[Context], T]) -> T | None:
    """What some work returns; or the last that it kept, None for nothing, where it did not end within its time limit.

    The work is Python, stopped between two of its instructions, in whatever thread it runs: a build, a search, a loop
    over solver calls. A call into a solver is not stopped; it needs the remaining time as its own limit, and goes
    through `schedproof.core.solvers.beside`, so that an interrupt is noticed. An interrupt ends the time limit early.

    Raises
    ------
    Interrupted
        When the user has interrupted it, with the last that it kept; a plain KeyboardInterrupt for nothing.
    """
    kept: list[T] = []
    interrupted = Event()

    class Over(OutOfTime):
        """Of this limit: there may be others around it and within it."""

    watches: list[Watch] = []
    heard = ended = False

    def watch(seconds: float, last: float) -> None:
        watches.append(Watch(seconds, last, Over))
        watches[-1].begin()

    def interrupt(*_: object) -> None:
        nonlocal heard
        if not heard:
            heard = True  # a second one may come while the event has its own lock, and would wait for that
            interrupted.set()
            if not ended:  # else nobody would end it, and it would interrupt whatever comes next
                watch(TO_END, NEVER)

    def keep(result: T) -> None:
        kept[:] = [result]

    beyond = grace(context.time_limit or 0.0)
    with _hearing(interrupt):
        try:
            try:
                if context.limited and context.remaining is not None:
                    watch(context.remaining + beyond, context.remaining + LAST * beyond)
                keep(work(replace(context, keep=keep, interrupted=interrupted)))
            finally:
                ended = True
                try:
                    _end(watches)
                except Over:  # at the very end of the work, and it is not raised again so soon
                    _end(watches)
                    raise
        except Over:
            pass
        except KeyboardInterrupt:
            interrupt()
        except Exception:
            if not any(watch.raised for watch in watches) and not interrupted.is_set():
                raise  # else it may be a library's that caught ours and told of it in its own words
    if interrupted.is_set():
        raise Interrupted(kept[0]) if kept else KeyboardInterrupt
    return kept[0] if kept else None


def answer_of(work: Callable[[], S], answer: Callable[[S], T]) -> T:
    """An answer made of what some work returns.

    Raises
    ------
    Interrupted
        When the user has interrupted the work, with an answer made of the best that it had.
    """
    try:
        result = work()
    except Interrupted as early:
        raise Interrupted(answer(early.best)) from None
    return answer(result)


@contextmanager
def _hearing(interrupt: Callable[..., None]) -> Iterator[None]:
    """Where an interrupt would be an exception in this thread, hear it instead."""
    usual = signal.getsignal(signal.SIGINT) if current_thread() is main_thread() else None
    if not callable(usual):
        yield
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _end(watches: list[Watch]) -> None:
    """The last one first."""
    for watch in reversed(watches):
        watch.end()


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
        self._begun, self._around = now(), end_process_after(self._last)
        begin(self._run)

    def _run(self) -> None:
        pause = self._seconds
        while not self._ended.wait(pause):
            pause = self._seconds - (now() - self._begun)
            if pause > 0 and self._last != NEVER:  # so long kernels were compiled
                end_process_after(pause + self._last - self._seconds)
                continue
            if importing(sys._current_frames().get(self._thread.value)):
                pause = IMPORTED
                continue
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
        end_process_after(self._around and max(SOON, self._around - (now() - self._begun)))
        for _ in range(FELT):
            pass
