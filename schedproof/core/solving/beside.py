"""Calls into solvers made beside the thread that waits for them, so that an interrupt is heard while they run."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import TypeVar

from schedproof.core.context import Context

FELT = 0.1  # seconds after which an interrupt is felt, or what another thread raises in this one
T = TypeVar("T")


def run_beside(call: Callable[[], T], context: Context, stop: Callable[[], object] = lambda: None) -> T:
    """What a call into a library returns, which must give up Python's lock while it runs.

    After an interrupt by the user ``stop`` is called, and the call's result so far is returned. Without a request for
    partial results the call is made directly.
    """
    if context.interrupted is None:
        return call()
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=work, daemon=True).start()
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
