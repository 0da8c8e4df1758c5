"""Calls beside the thread that waits for them: their answers, their errors, and an interrupt that they hear."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Timer, get_ident
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from schedproof.core import deadline
from schedproof.core.context import Context
from schedproof.core.deadline import Interrupted, best_within
from schedproof.core.solving.beside import run_beside
from schedproof.core.solving.linear_program import LinearProgram


def interrupted(work: Callable[[Context], object], seconds: float = 0.1) -> object:
    """The best that some work has after an interrupt, which comes so long after it has begun, and never after it."""

    def begin(context: Context) -> object:
        timer = Timer(seconds, signal.raise_signal, (signal.SIGINT,))
        timer.start()
        try:
            return work(context)
        finally:
            timer.join()

    with pytest.raises(KeyboardInterrupt) as told:  # a plain one, too: it would end the process that tests
        best_within(Context(), begin)
    assert isinstance(told.value, Interrupted), "nothing was kept"
    return told.value.best


def test_a_call_is_made_as_it_is_where_nobody_asks_for_the_best_so_far() -> None:
    assert run_beside(get_ident, Context()) == get_ident()
    assert run_beside(get_ident, Context(interrupted=Event())) != get_ident()


def test_what_a_call_raises_is_raised() -> None:
    def call() -> None:
        raise TimeoutError("the library's own")

    with pytest.raises(TimeoutError, match="the library's own"):
        run_beside(call, Context(interrupted=Event()))


def test_an_interrupt_stops_a_call_and_its_answer_counts() -> None:
    asked = Event()

    def call() -> str:
        assert asked.wait(20)
        return "what it has"

    assert interrupted(lambda context: run_beside(call, context, asked.set)) == "what it has"


def test_a_call_that_does_not_stop_is_left_behind_with_what_was_kept() -> None:
    ended = Event()

    def work(context: Context) -> object:
        context.keep("so far")
        return run_beside(lambda: ended.wait(20), context)

    assert interrupted(work) == "so far"
    ended.set()


def test_the_end_of_a_time_limit_stops_a_call() -> None:
    stopped = Event()
    context = Context(time_limit=0.0)
    assert best_within(context, lambda inner: run_beside(lambda: stopped.wait(20), inner, stopped.set)) is None
    assert stopped.is_set()


@pytest.mark.parametrize("method", ["simplex", "ipm"])
def test_highs_ends_at_an_interrupt(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    matrix = sparse.random_array((3000, 3000), density=0.05, rng=random)
    sides = np.full(3000, -np.inf), random.random(3000) * 10 + 1
    program = LinearProgram(-random.random(3000), matrix, *sides, method)
    monkeypatch.setattr(deadline, "TO_END", 60.0)  # it ends by itself, however busy the machine is
    best: Any = interrupted(program.solve, 0.5)
    assert best.status == "time_limit"


LEFT_BEHIND = """
from dataclasses import replace
import numpy as np
from scipy import sparse
from schedproof.core.context import Context
from schedproof.core.deadline import best_within
from schedproof.core.solving.linear_program import LinearProgram

rng, n = np.random.default_rng(1), 4000  # some 7 s of work
matrix = sparse.random_array((n, n), density=0.05, rng=rng, format="csr")
program = LinearProgram(-rng.random(n), matrix, np.full(n, -np.inf), np.ones(n), method="ipm")
print(best_within(Context(time_limit=0.5), lambda context: program.solve(replace(context, time_limit=None))))
"""


def test_python_ends_in_order_when_highs_is_left_at_work() -> None:
    ended = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "None\n", "")
