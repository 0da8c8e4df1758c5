"""Solver calls in a separate thread, so that interrupts are noticed meanwhile.

An abandoned call receives a stop request, and Python waits briefly for it before exit. Otherwise a solver's callback
into Python would end its thread within C++, which aborts the process.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import begin

FELT = 0.1  # seconds until an interrupt, or an exception from another thread, is noticed
AT_END = 10.0  # seconds that Python waits for calls at exit
T = TypeVar("T")
_running = set[Future[Any]]()


def run_beside(call: Callable[[], T], context: Context, stop: Callable[[], object] = lambda: None) -> T:
    """Return the result of a library call that releases Python's lock.

    After an interrupt ``stop`` is called, and the call's result so far is returned. Any other exception in this thread
    also calls ``stop``. If no partial results are wanted, the call is made directly.
    """
    if context.interrupted is None:
        return call()
    answer: Future[T] = Future()
    _running.add(answer)
    answer.add_done_callback(_running.discard)

    def work() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    begin(work)
    try:
        while not (answer.done() or context.interrupted.is_set()):
            wait([answer], FELT)
        if not answer.done():
            stop()
            while not answer.done():
                wait([answer], FELT)
    except BaseException:
        stop()
        raise
    return answer.result()


@atexit.register
def _wait_for_calls() -> None:
    wait(list(_running), AT_END)
