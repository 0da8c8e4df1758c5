"""The ascent reaches the maximum of concave functions and never exceeds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.programs.generation.ascent import Ascent
from schedproof.core.programs.generation.loop import generate
from schedproof.core.runtime.context import USUAL

numbers = st.lists(st.integers(-5, 5), min_size=1, max_size=4).map(lambda row: np.array(row, float))


def distance(top: np.ndarray) -> tuple[float, object]:
    """The negative l1 distance from a point."""

    def function(prices: np.ndarray) -> tuple[float, np.ndarray]:
        return -float(np.abs(prices - top).sum()), np.sign(top - prices)

    return -float(np.maximum(-top, 0).sum()), function


@given(numbers)
def test_it_approaches_the_maximum_over_nonnegative_prices(top: np.ndarray) -> None:
    best, function = distance(top)
    ascent = Ascent(function, np.ones(top.size), 400)
    reached, ended = generate(ascent, lambda: ascent.best_bound)
    assert ended == "steps" and ascent.step == 400 and ascent.done == 1
    assert best - 0.05 * max(1, abs(best)) <= reached <= best + 1e-9
    assert function(ascent.prices)[0] == ascent.best_bound and (ascent.prices >= 0).all()


def test_the_best_value_is_kept_and_prices_stay_below_the_limit() -> None:
    _, function = distance(np.array([50.0, 3.0]))
    ascent, seen = Ascent(function, np.zeros(2), 60, highest=7.0), [-53.0]
    while not ascent.round(USUAL):
        assert ascent.best_bound >= seen[-1] and (ascent.prices <= 7.0).all()
        seen.append(ascent.best_bound)
    assert ascent.best_bound == pytest.approx(-43.0, abs=0.5)


def test_it_resumes_from_given_prices_and_returns_them_without_steps() -> None:
    _, function = distance(np.array([4.0, 9.0, 2.0]))
    first = Ascent(function, np.zeros(3), 5)
    generate(first, lambda: None)
    again = Ascent(function, first.prices, 0)
    assert again.best_bound == first.best_bound > -15 and again.round(USUAL) == "steps" and again.step == 0
    further = Ascent(function, first.prices, 100)
    generate(further, lambda: None)
    assert further.best_bound > first.best_bound
    assert str(again) == f"step 0 of 0: bound {first.best_bound:.6g}" and again.done == 0


def test_it_stays_at_the_maximum() -> None:
    ascent = Ascent(lambda prices: (1.0, np.zeros_like(prices)), np.ones(2), 20)
    assert generate(ascent, lambda: ascent.best_bound) == (1.0, "steps") and (ascent.prices == 1).all()
