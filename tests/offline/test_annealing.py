from __future__ import annotations

from math import exp

import numpy as np
import pytest

from schedproof.core.runtime import context as contexts
from schedproof.core.runtime.context import Context
from schedproof.offline.annealing import PIECES, Annealing
from schedproof.offline.kernels import accepts, below, draw, seeded


class Walk(Annealing):
    """A random walk; its schedule is its position."""

    PIECE = 7

    def __init__(self, steps: int) -> None:
        self.parts, self.counts, self.rng = list[float](), list[int](), np.random.default_rng(3)
        super().__init__(steps, 100)

    def present(self) -> np.ndarray:
        return np.array([getattr(self, "total", 100)])

    def anneal(self, count: int, part: float) -> int:
        self.parts.append(part)
        self.counts.append(count)
        return int(self.rng.integers(-5, 6))


@pytest.mark.parametrize("steps", [0, 1, 99, 500, 5000])
def test_all_steps_run_and_the_best_is_kept(steps: int) -> None:
    walk, said, totals = Walk(steps), list[float](), [100]
    while walk.done < 1:
        walk.step(Context(progress=lambda message, done=None: said.append(done or 0.0)))
        totals.append(walk.total)
        assert walk.best.tolist() == [min(totals)] and str(walk) == f"total JCT {min(totals)}"
    assert sum(walk.counts) == steps and max(walk.counts, default=0) <= min(Walk.PIECE, 1 + steps // PIECES)
    assert walk.parts == sorted(walk.parts) and all(0 <= part < 1 for part in walk.parts)
    assert said == sorted(said) and said[-1:] == [1.0] * bool(steps)
    assert Walk(steps).best_within(Context()).tolist() == [min(totals)]


def test_the_temperature_follows_the_elapsed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    walk, limited = Walk(10**9), Context(time_limit=10.0, started=0.0)
    for seconds in (2.5, 5.0, 10.0):
        monkeypatch.setattr(contexts, "now", lambda seconds=seconds: seconds)
        walk.step(limited)
    assert walk.parts == [0.25, 0.5, 1.0]


def test_draws_are_uniform_and_worse_steps_have_the_stated_probability() -> None:
    random, count = seeded(5), 20_000
    with np.errstate(over="ignore"):
        numbers = [draw(random) for _ in range(count)]
        wholes = np.bincount([below(random, 7) for _ in range(count)])
        kept = sum(accepts(3, 2.0, random) for _ in range(count))
        assert all(accepts(change, 1e-9, random) for change in (0, -1))
    assert min(numbers) >= 0 and max(numbers) < 1 and abs(np.mean(numbers) - 0.5) < 0.01
    assert wholes.size == 7 and abs(wholes * 7 / count - 1).max() < 0.06
    assert abs(kept / count - exp(-3 / 2)) < 0.01
