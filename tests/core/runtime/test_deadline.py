from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import suppress
from ctypes import c_ulong, py_object
from importlib import import_module
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from time import perf_counter, sleep, thread_time
from typing import Any

import pytest

from schedproof.core.runtime import clock, deadline
from schedproof.core.runtime.clock import now
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted, OutOfTime, begin, best_within, grace, raise_in_thread
from tests.support import size


@pytest.fixture(autouse=True)
def patient() -> None:
    """An exception that stops the work."""


def forever(_: Context) -> Any:
    while True:
        sleep(0.001)


def busy(_: Context) -> Any:
    while True:
        pass


def test_within_the_limit_the_works_result_is_returned() -> None:
    for limit in (None, float("inf"), 1e300, 1e10, 1e8, 60.0):
        assert best_within(Context(time_limit=limit), lambda context: context.time_limit) == limit
    assert Context(time_limit=float("inf")).shorter(float("inf")).time_limit == float("inf")


def test_endless_work_is_stopped_within_the_grace_period() -> None:
    started, worked = perf_counter(), thread_time()
    assert best_within(Context(time_limit=0.1), busy) is None
    assert perf_counter() - started >= 0.1
    assert thread_time() - worked <= 0.1 + grace(0.1) + 1  # of this thread: other work on the machine is not its fault


def test_the_clock_is_paused_during_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 0.0

    def work(context: Context) -> str:
        nonlocal seconds
        seconds = 100.0
        sleep(2 * grace(0.0))
        assert context.started == clock.now()
        return "compiled"

    with monkeypatch.context() as patch:
        patch.setattr(clock, "perf_counter", lambda: seconds)
        patch.setattr(clock, "compile_seconds", lambda: seconds)
        assert best_within(Context(time_limit=0.0), work) == "compiled"
    monkeypatch.setattr(clock, "compile_seconds", lambda: seconds)
    assert best_within(Context(time_limit=0.0), forever) is None  # as if nothing had been compiled


def test_an_import_is_not_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("from time import sleep\nsleep(0.3)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(deadline, "grace", lambda _: 0.1)

    def work(context: Context) -> Any:
        context.keep(import_module("slow_to_import").whole)
        return forever(context)

    assert best_within(Context(time_limit=0.0), work) is True


def test_the_last_kept_result_is_returned() -> None:
    def work(context: Context) -> str:
        context.keep("first")
        context.keep("second")
        return forever(context)

    assert best_within(Context(time_limit=0.0), work) == "second"


def test_work_that_swallows_the_exception_is_stopped_again() -> None:
    swallowed = 0

    def work(context: Context) -> None:
        nonlocal swallowed
        while swallowed < 3:
            try:
                forever(context)
            except OutOfTime:
                swallowed += 1
        forever(context)

    assert best_within(Context(time_limit=0.0), work) is None and swallowed == 3


def test_an_inner_limit_does_not_disable_the_outer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, at = [0.0], [0.0]

    def end_process_after(seconds: float) -> float:
        before = asked[-1] and asked[-1] - (perf_counter() - at[-1])
        asked.append(seconds)
        at.append(perf_counter())
        return before

    monkeypatch.setattr(deadline, "end_process_after", end_process_after)
    best_within(Context(time_limit=50.0), lambda _: best_within(Context(time_limit=5.0), lambda _: sleep(0.1)))
    _, outer, inner, again, nothing = asked
    assert inner < 10 < again < outer - 0.1 and nothing == 0


def test_a_library_that_wraps_the_exception_counts_as_timed_out() -> None:
    def work(context: Context) -> str:
        context.keep("so far")
        try:
            forever(context)
        except OutOfTime as stopped:
            raise RuntimeError(f"a stream was not closed: {stopped}") from None
        return "done"

    assert best_within(Context(time_limit=0.0), work) == "so far"


def test_an_error_before_the_limit_is_raised() -> None:
    with pytest.raises(RuntimeError, match="wrong"):
        best_within(Context(time_limit=60.0), lambda _: (_ for _ in ()).throw(RuntimeError("wrong")))


def test_nested_limits_are_independent() -> None:
    def outer(context: Context) -> str:
        inner = best_within(Context(time_limit=0.0), forever)
        return f"after {inner}"

    assert best_within(Context(time_limit=60.0), outer) == "after None"
    assert best_within(Context(time_limit=0.0), lambda _: best_within(Context(time_limit=60.0), forever)) is None


def test_it_stops_the_calling_thread() -> None:
    answers: list[Any] = []
    thread = Thread(target=lambda: answers.append(best_within(Context(time_limit=0.0), forever)))
    thread.start()
    thread.join(30)
    assert answers == [None]


def test_no_exception_is_raised_after_the_work_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "grace", lambda _: 0.001)
    for n in range(200):
        answer = best_within(Context(time_limit=0.0), lambda _, n=n: sleep(0.0009 + n * 1e-6) or n)
        assert answer in (n, None)
    sleep(0.05)
    for _ in range(1000):
        pass


def test_an_error_of_the_work_is_passed_on() -> None:
    with pytest.raises(ZeroDivisionError):
        best_within(Context(time_limit=60.0), lambda _: 1 // 0)


def test_the_clock_runs_from_the_start() -> None:
    late = Context(time_limit=5.0, started=now() - 9)
    assert late.over and late.remaining == 0 and best_within(late, lambda context: context.over)
    usual = Context(started=0.0).with_default_limit(60)
    assert not usual.over and usual.remaining is not None and 0 < usual.remaining <= 60
    assert late.with_default_limit(60) is late and Context().remaining is None and not Context().over


def test_a_tracer_still_works_afterwards() -> None:
    code = (
        "import sys; from tests.core.runtime.test_deadline import *; "
        "best_within(Context(time_limit=60.0), lambda _: None); "
        "best_within(Context(time_limit=0.0), forever); sys.setprofile(lambda *_: None); grace(1.0); print('traced')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "traced\n", done.stderr


def test_an_interrupt_returns_the_last_kept_result() -> None:
    def work(context: Context) -> str:
        context.keep("so far")
        signal.raise_signal(signal.SIGINT)
        return forever(context)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Interrupted) as told:
        best_within(Context(), work)
    assert told.value.best == "so far" and signal.getsignal(signal.SIGINT) is before


def test_work_that_polls_its_clock_handles_an_interrupt_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "TO_END", 60.0)  # however busy the machine is

    def work(context: Context) -> str:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)  # a terminal sends it to every process of a command, and they pass it on
        assert context.over
        return "what was found by then"

    with pytest.raises(Interrupted) as told:
        best_within(Context(time_limit=60.0), work)
    assert told.value.best == "what was found by then"


def test_a_second_interrupt_during_the_first_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    class Noted(Event):
        free = True

        def set(self) -> None:
            assert self.free, "an event has its own lock while it is set: this would never end"
            self.free = False
            if current_thread() is main_thread():
                signal.raise_signal(signal.SIGINT)
            self.free = True
            super().set()

    def work(context: Context) -> str:
        signal.raise_signal(signal.SIGINT)
        return "what was found by then"

    monkeypatch.setattr(deadline, "Event", Noted)
    with pytest.raises(Interrupted) as told:
        best_within(Context(), work)
    assert told.value.best == "what was found by then"


def test_an_interrupt_without_a_result_is_a_keyboard_interrupt() -> None:
    def work(context: Context) -> None:
        signal.raise_signal(signal.SIGINT)
        forever(context)

    with pytest.raises(KeyboardInterrupt) as told:
        best_within(Context(), work)
    assert not isinstance(told.value, Interrupted)


def test_an_interrupt_at_the_end_of_the_work_has_no_other_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "TO_END", 0.05)
    end = deadline._end

    def end_late(watches: list[deadline.Watch]) -> None:
        end(watches)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(deadline, "_end", end_late)
    with pytest.raises(Interrupted) as told:
        best_within(Context(), lambda _: "what was found")
    assert told.value.best == "what was found"
    sleep(0.3)  # a watch that nobody ended would be felt here


def test_an_outer_work_is_interrupted_with_its_own_result() -> None:
    def inner(context: Context) -> str:
        context.keep("of the inner")
        signal.raise_signal(signal.SIGINT)
        return forever(context)

    def outer(context: Context) -> object:
        context.keep("of the outer")
        return best_within(Context(), inner)

    with pytest.raises(Interrupted) as told:
        best_within(Context(), outer)
    assert told.value.best == "of the outer"


def test_other_threads_ignore_interrupts() -> None:
    found: list[Any] = []
    thread = Thread(target=lambda: found.append(best_within(Context(), lambda context: context.over)))
    thread.start()
    thread.join()
    assert found == [False]


def test_exceptions_do_not_block_starting_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # a thread that is ended before it begins
    done, rounds = Event(), 0

    def work() -> None:
        nonlocal rounds
        while not done.is_set():
            with suppress(OutOfTime), suppress(OutOfTime):  # the second may come while the first is let go of
                while not done.is_set():
                    begin(int)
                    rounds += 1

    monkeypatch.setattr(threading, "excepthook", lambda _: None)  # raised between two rounds
    thread = Thread(target=work, daemon=True)
    thread.start()
    while not rounds:
        sleep(0.001)
    for _ in range(300):
        if not thread.is_alive():
            thread = Thread(target=work, daemon=True)
            thread.start()
        raise_in_thread(c_ulong(thread.ident or 0), py_object(OutOfTime))
        sleep(0.001)
    done.set()
    thread.join(30)
    assert not thread.is_alive()


def test_no_time_limit_ends_a_starting_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", ended.append)
    monkeypatch.setattr(deadline, "grace", lambda _: 0.0)

    def work(_: Context) -> None:
        while True:
            begin(int)

    for _ in range(size(200, 200, 2000)):
        best_within(Context(time_limit=0.01), work)
    assert not ended
