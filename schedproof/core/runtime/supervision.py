"""Work in a child process, which can be ended during a call into a library.

Interrupts (Ctrl-C) and time limits reach Python as exceptions between two instructions, but a solver or compiled loop
may run for minutes. So the parent only waits for the child, and ends it if it does not end by itself. The parent
imports nothing slow, so it handles interrupts from the start. The child leaves its last message in advance, because it
may be killed.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False  # instead of `typing`, which is slow to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT  # exit code by the shells' convention
PATIENCE = 1.6  # seconds for the child to clean up after an interrupt
AWAKE = 0.1  # seconds until the child is woken, in case it started to wait before it saw the interrupt
AGAIN = 0.01  # seconds until an interrupt swallowed by a library is raised again
LONGEST = 8192  # bytes of the message on an early end
_last_words = mmap.mmap(-1, LONGEST)  # shared by parent and child
_ended = mmap.mmap(-1, 1)  # shared; not zero when the work has ended
HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGINT,)
ENDS = {  # signal that ended the child -> message and exit code
    "SIGALRM": ("the time limit passed during a library call that ignores it", 3),
    "SIGKILL": ("the system killed the process, probably because memory ran out", 2),
}


def say_at_an_early_end(sentence: str) -> None:
    """Set the message for an interrupted or killed process; empty for none."""
    _last_words[:] = sentence.encode()[:LONGEST].ljust(LONGEST, b"\0")


def supervise(work: Callable[[], object]) -> NoReturn:
    """Run work in a child process and exit with its code, or 130 after an interrupt.

    After an interrupt it exits within two seconds. A signal that the caller ignores stays ignored, for example SIGHUP
    under nohup. If the child ends before its work does, a message gives the reason and the code is not 0.
    """
    if not hasattr(os, "fork"):
        raise SystemExit(work())
    heard = tuple(number for number in HEARD if signal.getsignal(number) is not signal.SIG_IGN)
    if signal.SIGINT in heard:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    parent, child = os.getpid(), os.fork()
    if child:
        _watch(child, heard)
    try:
        _be_child(parent, heard)
        raise SystemExit(work())
    except BaseException as end:
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)  # the process ends anyway
        except KeyboardInterrupt:  # one that the work swallowed was raised again at this moment
            signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
        _ended[0] = 1
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            if _threads_left():
                _exit_at_once(end.code if isinstance(end.code, int) else 0)
            raise
        from schedproof.core.runtime import deadline

        if isinstance(end, Exception) and not deadline.interrupted():  # an import turns an interrupt into other errors
            raise
        _exit_at_once(INTERRUPTED)


def _asks(heard: tuple[int, ...]) -> int:
    return signal.SIGINT if signal.SIGINT in heard else signal.SIGTERM


def _threads_left() -> bool:
    """Return whether a thread, perhaps a plug-in's, would keep the process alive."""
    import threading

    return any(not each.daemon for each in threading.enumerate() if each is not threading.main_thread())


def _exit_at_once(code: int) -> NoReturn:
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _be_child(parent: int, heard: tuple[int, ...]) -> None:
    import ctypes
    from threading import Timer, get_ident

    from schedproof.core.runtime import deadline

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)

    asks, thread = _asks(heard), get_ident()
    interrupts: list[bool] = []  # for each interrupt, whether its exception was released

    class Interrupt(KeyboardInterrupt):
        """An interrupt; when released, it is raised again if a C library swallowed it."""

        def __del__(self) -> None:
            interrupts[-1] = True
            with suppress(RuntimeError):  # Python is shutting down
                Timer(AGAIN, signal.pthread_kill, (thread, asks)).start()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if all(interrupts):  # the terminal and the parent both send the signal
            interrupts.append(False)
            raise Interrupt

    def tell_of_others(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, (Interrupt, deadline.OutOfTime)):  # both are raised again
            sys.__unraisablehook__(lost)

    sys.unraisablehook = tell_of_others
    deadline.interrupted = lambda: bool(interrupts)
    deadline.end_process_after = deadline.end_process_by_alarm
    # the resource tracker's process warns about semaphores left by an interrupt
    filters = (os.environ.get("PYTHONWARNINGS"), "ignore:resource_tracker:UserWarning")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, filters))
    signal.signal(signal.SIGURG, lambda *_: None)  # wakes a waiting call, so that Python handles signals
    signal.signal(asks, interrupt)
    for number in {*heard} - {asks}:  # `timeout` and a closed terminal signal the whole group
        signal.signal(number, lambda *_: signal.raise_signal(asks))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)


def _watch(child: int, signals: tuple[int, ...]) -> NoReturn:
    """Wait for the child; forward an interrupt, and kill the child if it does not end."""
    heard: list[int] = []
    left_behind: list[str] = []
    until = 0.0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal until
        heard.append(number)
        with suppress(ProcessLookupError):  # the child has just ended
            if len(heard) > 1:
                os.kill(child, signal.SIGSTOP)  # so that it opens no file before it is killed
            left_behind.extend(_parts_of(child))
            os.kill(child, _asks(signals) if len(heard) == 1 else signal.SIGKILL)
        until = monotonic() + PATIENCE
        signal.setitimer(signal.ITIMER_REAL, AWAKE, AWAKE)

    def wake(number: int, frame: FrameType | None) -> None:
        if monotonic() >= until:
            return interrupt(number, frame)
        with suppress(ProcessLookupError):  # the child has just ended
            os.kill(child, signal.SIGURG)

    for number in signals:
        signal.signal(number, interrupt)
    signal.signal(signal.SIGALRM, wake)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
    _, status = os.waitpid(child, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, (*HEARD, signal.SIGALRM))
    code = os.waitstatus_to_exitcode(status)
    for part in left_behind:
        with suppress(OSError):
            os.unlink(part)  # noqa: PTH108  # `pathlib` is not imported here
    if heard:
        words, code = "interrupted", 128 + heard[0]
    elif code < 0:
        name = signal.Signals(-code).name
        words, code = ENDS.get(name, (f"a library crashed ({name})", 2))
    elif not _ended[0]:
        words, code = f"the process ended itself with exit code {code} before the command was done", 2
    elif code == INTERRUPTED:
        words = "interrupted"
    else:
        os._exit(code)
    last = _last_words[:].rstrip(b"\0").decode(errors="replace")
    with suppress(OSError):
        for sentence in filter(None, (last, words)):
            print(f"schedproof: {sentence}", file=sys.stderr, flush=True)
    os._exit(code)


def _parts_of(process: int) -> list[str]:
    """Return the parts (see `core.runtime.files`) that a process is writing, if known.

    It imports nothing, because a second signal may arrive during the first one's handler.
    """
    folder, parts = f"/proc/{process}/fd", []
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            with suppress(OSError):  # closed meanwhile
                file = os.readlink(f"{folder}/{name}")  # noqa: PTH115
                if file.rpartition("/")[2].startswith(".schedproof-"):
                    parts.append(file)
    return parts
