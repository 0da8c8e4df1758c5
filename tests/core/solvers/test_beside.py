from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from threading import Event, get_ident
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from schedproof.core.runtime import deadline
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted, best_within
from schedproof.core.solvers.beside import run_beside
from schedproof.core.solvers.linear_program import LinearProgram


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def interrupted(work: Callable[[Context], object]) -> object:
    with pytest.raises(KeyboardInterrupt) as told:  # a plain one, too: it would end the process that tests
        best_within(Context(), work)
    assert isinstance(told.value, Interrupted), "nothing was kept"
    return told.value.best


def test_a_call_is_direct_if_the_best_result_is_not_requested() -> None:
    assert run_beside(get_ident, Context()) == get_ident()
    assert run_beside(get_ident, Context(interrupted=Event())) != get_ident()


def test_an_exception_of_a_call_is_raised() -> None:
    def call() -> None:
        raise TimeoutError("the library's own")

    with pytest.raises(TimeoutError, match="the library's own"):
        run_beside(call, Context(interrupted=Event()))


def test_an_interrupt_stops_a_call_and_its_answer_is_used() -> None:
    asked = Event()

    def call() -> str:
        press()
        assert asked.wait(20)
        return "what it has"

    assert interrupted(lambda context: run_beside(call, context, asked.set)) == "what it has"


def test_a_hanging_call_is_abandoned_with_the_kept_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "TO_END", 0.1)
    ended = Event()

    def call() -> None:
        press()
        ended.wait()

    def work(context: Context) -> object:
        context.keep("so far")
        return run_beside(call, context)

    assert interrupted(work) == "so far"
    ended.set()


def test_the_end_of_a_time_limit_stops_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", lambda _: 0.6)
    stopped = Event()
    context = Context(time_limit=0.0)
    assert best_within(context, lambda inner: run_beside(lambda: stopped.wait(20), inner, stopped.set)) is None
    assert stopped.is_set()


CALLS = {"simplex": "cbSimplexInterrupt", "ipm": "cbIpmInterrupt"}


@pytest.mark.parametrize("method", CALLS)
def test_highs_ends_at_an_interrupt(method: str) -> None:
    random = np.random.default_rng(0)
    matrix = sparse.random_array((300, 300), density=0.05, rng=random)
    sides = np.full(300, -np.inf), random.random(300) * 10 + 1
    program = LinearProgram(-random.random(300), matrix, *sides, method)

    def work(context: Context) -> object:
        def pressed(_: object) -> None:
            press()
            assert context.interrupted and context.interrupted.wait(20)

        called = getattr(program._highs, CALLS[method])
        called += pressed
        return program.solve(context)

    best: Any = interrupted(work)
    assert best.status == "time_limit"


LEFT_BEHIND = """
import atexit
from dataclasses import replace
from threading import Event
import numpy as np
from scipy import sparse
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import best_within
from schedproof.core.solvers.linear_program import LinearProgram

rng, n = np.random.default_rng(1), 300
matrix = sparse.random_array((n, n), density=0.05, rng=rng, format="csr")
program = LinearProgram(-rng.random(n), matrix, np.full(n, -np.inf), np.ones(n), method="ipm")
at_end = Event()
atexit.register(at_end.set)  # until Python ends, HiGHS is kept at work
program._highs.cbIpmInterrupt += lambda _: at_end.wait()
print(best_within(Context(time_limit=0.0), lambda context: program.solve(replace(context, time_limit=None))))
"""


def test_python_exits_cleanly_while_highs_still_works() -> None:
    ended = subprocess.run([sys.executable, "-c", LEFT_BEHIND], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "None\n", "")
