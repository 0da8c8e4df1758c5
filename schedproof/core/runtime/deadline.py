"""Time limits and interrupts: work is stopped, and its last kept result returned."""

from __future__ import annotations

import ctypes
import signal
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Lock, RLock, current_thread, get_ident, main_thread
from types import FrameType
from typing import TypeVar

from schedproof.core.base.untyped import Value
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import Context

LAST = 1.5  # in units of the grace: the latest time at which Python receives the exception
FELT = 100  # rounds of a loop, each of which can receive an exception from another thread
SOON = 0.001  # seconds
TO_END = 0.7  # seconds for interrupted work to end by itself
NEVER = 0.0  # interrupted work: the parent process ends this process
AGAIN = 0.25  # seconds until a caught exception is raised again
IMPORTED = 0.01  # seconds until the exception is raised again in a thread that was importing
STARTING = RLock()  # held while a thread starts
S = TypeVar("S")
T = TypeVar("T")
raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class OutOfTime(BaseException):
    """The time limit has passed; only the code that set the limit catches it."""


class Interrupted(KeyboardInterrupt):
    """The user has interrupted work (Ctrl-C) that has an intermediate result.

    Attributes
    ----------
    best
        The best valid result: a `Solution`, a `Bound`, or the results of the claims judged so far.
    """

    def __init__(self, best: Value) -> None:
        super().__init__(f"interrupted; the best so far: {best}")
        self.best = best


def begin(work: Callable[[], object]) -> None:
    """Start work in another thread, and wait briefly until it has started.

    `threading.Thread.start` is not used, since it may wait for ever. In CPython 3.11 a new thread first has the number
    of this thread, so an exception for this thread may end the new thread; the time limit waits until then.
    """
    begun = Event()

    def run() -> None:
        begun.set()
        work()

    with STARTING:
        start_new_thread(run, ())
        begun.wait(AGAIN)


def end_process_after(seconds: float) -> float:
    """Do nothing; commands and their workers use `end_process_by_alarm` instead.

    Parameters
    ----------
    seconds
        Time until the process is ended; 0 for never.

    Returns
    -------
    float
        The time left on the previous timer; 0 for none.
    """
    return 0.0


def end_process_by_alarm(seconds: float) -> float:
    """Set the timer whose signal ends the process; see `end_process_after`."""
    return signal.setitimer(signal.ITIMER_REAL, seconds)[0]


def interrupted() -> bool:
    """Return whether an interrupt was raised; False outside the command line.

    A C library that calls Python may swallow the interrupt and return a wrong result.
    """
    return False


def grace(seconds: float) -> float:
    """Return the extra seconds after a limit for work that checks its own deadline."""
    return 0.6 * max(1.0, 0.2 * seconds)


def importing(frame: FrameType | None) -> bool:
    """Whether a frame's work is importing; an exception then leaves a broken module."""
    while frame is not None and frame.f_code is not best_within.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def best_within(context: Context, work: Callable[[Context], T]) -> T | None:
    """Return the result of work, or its last kept result at the time limit, else None.

    The work is Python code, stopped between two instructions, in any thread: a build, a search, a loop over solver
    calls. A call into a solver is not stopped: it needs the remaining time as its own limit, and
    `schedproof.core.solvers.beside` to notice interrupts. An interrupt acts like the time limit.

    Raises
    ------
    Interrupted
        If the user interrupts, with the last kept result; a KeyboardInterrupt without one.
    """
    kept: list[T] = []
    interrupted = Event()

    class Over(OutOfTime):
        """Raised at the end of this limit; limits can be nested."""

    watches: list[Watch] = []
    heard = ended = False

    def watch(seconds: float, last: float) -> None:
        watches.append(Watch(seconds, last, Over))
        watches[-1].begin()

    def interrupt(*_: object) -> None:
        nonlocal heard
        if not heard:
            heard = True  # first, because a second signal could deadlock on the event's lock
            interrupted.set()
            if not ended:  # otherwise the watch would never end, and interrupt later work
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
                except Over:  # raised at the very end of the work; it is not raised again so soon
                    _end(watches)
                    raise
        except Over:
            pass
        except KeyboardInterrupt:
            interrupt()
        except Exception:
            if not any(watch.raised for watch in watches) and not interrupted.is_set():
                raise  # otherwise a library may have caught our exception and raised its own
    if interrupted.is_set():
        raise Interrupted(kept[0]) if kept else KeyboardInterrupt
    return kept[0] if kept else None


def answer_of(work: Callable[[], S], answer: Callable[[S], T]) -> T:
    """Return a function of the result of work.

    Raises
    ------
    Interrupted
        If the user interrupts the work, with the function of its best result.
    """
    try:
        result = work()
    except Interrupted as early:
        raise Interrupted(answer(early.best)) from None
    return answer(result)


@contextmanager
def _hearing(interrupt: Callable[..., None]) -> Iterator[None]:
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
    for watch in reversed(watches):
        watch.end()


class Watch:
    """Raises an exception in its thread after a delay, and at last ends the process.

    Attributes
    ----------
    raised
        Whether the watch has raised the exception.
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
            if pause > 0 and self._last != NEVER:  # kernels were compiled for this long
                end_process_after(pause + self._last - self._seconds)
                continue
            if importing(sys._current_frames().get(self._thread.value)):
                pause = IMPORTED
                continue
            with self._lock, STARTING:
                if not self._ended.is_set():
                    self.raised = True
                    raise_in_thread(self._thread, ctypes.py_object(self._exception))
            pause = AGAIN

    def end(self) -> None:
        """Stop raising; an exception raised at the very end of the work is received here.

        The exception is not withdrawn, because CPython 3.11 would then check for it at every call, and never end under
        a tracer.
        """
        with self._lock:
            self._ended.set()
        end_process_after(self._around and max(SOON, self._around - (now() - self._begun)))
        for _ in range(FELT):
            pass
