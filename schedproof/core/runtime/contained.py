"""Foreign code, run so that it cannot fork, change folder or outlive its process."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache

from schedproof.core.errors import PolicyError

REFUSED = {"os.fork": "fork the process", "os.forkpty": "fork the process", "os.chdir": "change the working folder"}
_running: list[str] = []  # descriptions of the running code, the innermost last


@contextmanager
def contained(what: str) -> Iterator[None]:
    """Run foreign code in this process; its output goes to standard error.

    Raises
    ------
    PolicyError
        If the code forks, changes the working folder, or leaves a thread that would keep the process alive.
    """
    _listen()
    before = set(threading.enumerate())
    _running.append(what)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _running.pop()
    left = [each for each in threading.enumerate() if not each.daemon and each not in before]
    if left:
        raise PolicyError(f"{what} left the thread {left[0].name} running; make it a daemon, or join it")


@cache
def _listen() -> None:
    """Hear of Python's audit events from now on; a listener cannot be removed."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if _running and event in REFUSED:
        raise PolicyError(f"{_running[-1]} tried to {REFUSED[event]}, which is forbidden in a policy")
