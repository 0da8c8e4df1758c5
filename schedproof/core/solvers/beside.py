"""Calls into solvers made beside the thread that waits for them, so that an interrupt is heard while they run.

A call that nobody waits for any more is told to stop. Python waits for it a little before it ends: a solver that then
calls back into Python would have its thread ended within C++, which aborts the process ("terminate called without an
active exception").
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import begin

FELT = 0.1  # seconds after which an interrupt is felt, or what another thread raises in this one
AT_END = 10.0  # seconds that Python waits for calls when it ends
T = TypeVar("T")
_running = set[Future[Any]]()


def run_beside(call: Callable[[], T], context: Context, stop: Callable[[], object] = lambda: None) -> T:
    """What a call into a library returns, which must give up Python's lock while it runs.

    After an interrupt by the user ``stop`` is called, and the call's result so far is returned; after any other
    exception in this thread ``stop`` is called, too. Without a request for partial results the call is made directly.
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
