"""Work in a child process, so that it can be ended during a call into a library.

An interrupt (Ctrl-C) and the end of a time limit reach Python code as exceptions between two of its instructions, and
a solver or a compiled loop may be at one of them for minutes. So the parent does nothing but wait for the child, and
ends it when it has not ended by itself. It imports nothing that takes time, and hears an interrupt from the start.
What the child has to say of its end it says beforehand, since it may not be there any more.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False  # as in `typing`, which takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT  # as shells have it
PATIENCE = 1.6  # seconds that the child has to tidy up after an interrupt
AWAKE = 0.1  # seconds after which it is woken, in case it has begun to wait and not seen that there is an interrupt
AGAIN = 0.01  # seconds after which an interrupt that a library swallowed is raised again
LONGEST = 8192  # bytes of what is said of an early end
_last_words = mmap.mmap(-1, LONGEST)  # of parent and child
HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else (signal.SIGINT,)
ENDS = {  # of a child that was ended by a signal -> the sentence, and the exit code
    "SIGALRM": ("the time limit is over, and a library that does not look at it was still at work", 3),
    "SIGKILL": ("the system ended it, most likely for want of memory", 2),
}


def say_at_an_early_end(sentence: str) -> None:
    """What is said should an interrupt, or the system, end this process from now on; nothing if empty."""
    _last_words[:] = sentence.encode()[:LONGEST].ljust(LONGEST, b"\0")


def supervise(work: Callable[[], object]) -> NoReturn:
    """Do some work in a child process and exit as it does; within two seconds of an interrupt with 130.

    A signal that the caller ignores, as nohup does with SIGHUP, stays ignored. If a signal ends the child, the
    reason is printed in one sentence.
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
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)  # it ends in any case
        if isinstance(end, SystemExit) and end.code != INTERRUPTED:
            raise
        from schedproof.core.runtime import deadline

        if isinstance(end, Exception) and not deadline.interrupted():  # imports tell of it in errors of their own
            raise
        _exit_at_once()


def _asks(heard: tuple[int, ...]) -> int:
    """The signal by which the parent asks the child to end: an interrupt, unless the caller ignores those."""
    return signal.SIGINT if signal.SIGINT in heard else signal.SIGTERM


def _exit_at_once() -> NoReturn:
    """End as interrupted, without the second that Python may take to collect what large models leave behind."""
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED)


def _be_child(parent: int, heard: tuple[int, ...]) -> None:
    """End with the parent, handle one interrupt, and let the system end this process at the end of a time limit."""
    import ctypes
    from threading import Timer, get_ident

    from schedproof.core.runtime import deadline

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)

    asks, thread = _asks(heard), get_ident()
    interrupts: list[bool] = []  # of each, whether it was let go of

    class Interrupt(KeyboardInterrupt):
        """One that is let go of before the end was swallowed, by a destructor or a library in C, and comes again."""

        def __del__(self) -> None:
            interrupts[-1] = True
            with suppress(RuntimeError):  # Python is at its end
                Timer(AGAIN, signal.pthread_kill, (thread, asks)).start()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if all(interrupts):  # a terminal and the parent both send it
            interrupts.append(False)
            raise Interrupt

    def tell_of_others(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, (Interrupt, deadline.OutOfTime)):  # which are raised again
            sys.__unraisablehook__(lost)

    sys.unraisablehook = tell_of_others
    deadline.interrupted = lambda: bool(interrupts)
    deadline.end_process_after = lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    # a process that removes semaphores for this one warns of those that an interrupt leaves to it
    filters = (os.environ.get("PYTHONWARNINGS"), "ignore:resource_tracker:UserWarning")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, filters))
    signal.signal(signal.SIGURG, lambda *_: None)  # wakes a call that waits, so that Python looks for signals
    signal.signal(asks, interrupt)
    for number in {*heard} - {asks}:  # sent to the whole group, as `timeout` and a closed terminal do
        signal.signal(number, lambda *_: signal.raise_signal(asks))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)


def _watch(child: int, signals: tuple[int, ...]) -> NoReturn:
    """Wait for the child's end; pass an interrupt on, and end the child when it is deaf to it."""
    heard: list[int] = []
    left_behind: list[str] = []
    until = 0.0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal until
        heard.append(number)
        with suppress(ProcessLookupError):  # it has just ended
            if len(heard) > 1:
                os.kill(child, signal.SIGSTOP)  # so that it opens no file between the look and the end
            left_behind.extend(_parts_of(child))
            os.kill(child, _asks(signals) if len(heard) == 1 else signal.SIGKILL)
        until = monotonic() + PATIENCE
        signal.setitimer(signal.ITIMER_REAL, AWAKE, AWAKE)

    def wake(number: int, frame: FrameType | None) -> None:
        if monotonic() >= until:
            return interrupt(number, frame)
        with suppress(ProcessLookupError):  # as above
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
    else:
        os._exit(code)
    last = _last_words[:].rstrip(b"\0").decode(errors="replace")
    with suppress(OSError):
        for sentence in filter(None, (last, words)):
            print(f"schedproof: {sentence}", file=sys.stderr, flush=True)
    os._exit(code)


def _parts_of(process: int) -> list[str]:
    """Files that a process is writing, as `core.files` names them, where the system lists them.

    Nothing is imported: a second signal may come before the first one's handler has ended.
    """
    folder, parts = f"/proc/{process}/fd", []
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            with suppress(OSError):  # closed meanwhile
                file = os.readlink(f"{folder}/{name}")  # noqa: PTH115
                if file.rpartition("/")[2].startswith(".schedproof-"):
                    parts.append(file)
    return parts
