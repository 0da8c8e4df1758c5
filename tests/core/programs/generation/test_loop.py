from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.programs.generation import loop
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime import clock
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import Interrupted, best_within


@dataclass
class Rounds:
    """A search with given values of its rounds."""

    numbers: list[float]
    upper: float = inf
    best_bound: float = -inf
    made: int = 0
    saved: list[float] = field(default_factory=list)
    done = None

    @property
    def gap(self) -> float:
        return self.upper - self.best_bound

    def round(self, context: Context) -> str:
        self.best_bound = max(self.best_bound, self.numbers[self.made])
        self.made += 1
        return "last" if self.made == len(self.numbers) else ""

    def prove(self) -> float:
        return self.best_bound


@given(st.lists(st.integers(-9, 9), min_size=1))
def test_kept_bounds_improve_and_the_best_is_returned(numbers: list[float]) -> None:
    kept: list[float] = []
    search = Rounds(numbers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "PAUSE", 0)
        bound, ended = generate(search, search.prove, Context(keep=kept.append, interrupted=Event()))
    assert (bound, ended) == (max(numbers), "last")
    assert kept == sorted(set(kept)) and search.made == len(numbers)


def test_it_stops_at_the_gap() -> None:
    search = Rounds([1, 4, 5, 6], upper=6)
    assert generate(search, search.prove, gap=2) == (4, "gap") and search.made == 2


def test_it_makes_at_least_one_round_and_stops_at_the_time_limit() -> None:
    search = Rounds([1, 2, 3])
    assert generate(search, search.prove, Context(time_limit=0.0)) == (1, "time")


def test_the_last_proof_has_time_before_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    passed, proofs = 0.0, list[float]()
    for module in (clock, loop):
        monkeypatch.setattr(module, "perf_counter", lambda: passed)

    class Slow(Rounds):
        def round(self, context: Context) -> str:
            nonlocal passed
            passed += 0.02
            return super().round(context)

    search = Slow([float(n) for n in range(1000)], best_bound=-1.0)

    def prove() -> float:
        nonlocal passed
        proofs.append(search.best_bound)
        passed += 0.3
        return search.best_bound

    bound, ended = generate(search, prove, Context(time_limit=1.0, interrupted=Event()))
    assert ended == "time" and bound == search.best_bound and 0.8 < passed <= 1.0
    assert proofs[0] == -1.0 and len(proofs) == 2  # for one between them there was no time


def test_no_bound_is_proven_twice_or_before_the_end_without_interrupts() -> None:
    search, proofs = Rounds([3, 2, 1], best_bound=0.0), list[float]()

    def prove() -> float:
        proofs.append(search.best_bound)
        return search.best_bound

    assert generate(search, prove) == (3, "last") and proofs == [3]
    assert generate(Rounds([0, 0], best_bound=5), lambda: proofs.append(5.0), Context(interrupted=Event()))[1] == "last"
    assert proofs == [3, 5]


@pytest.mark.parametrize("when", range(3))
def test_an_interrupt_at_any_round_leaves_the_best_and_writes_the_state(when: int) -> None:
    saved: list[float] = []

    class Stopped(Rounds):
        def round(self, context: Context) -> str:
            if self.made == when:
                raise KeyboardInterrupt
            return super().round(context)

    search = Stopped([1, 2, 3, 4], best_bound=0.0)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Interrupted) as info:
        patch.setattr(loop, "PAUSE", 0)
        best_within(Context(), lambda context: generate(search, search.prove, context, save=saved.append))
    assert info.value.best == when and saved[-1] == 0.0 and len(saved) == when + 1
