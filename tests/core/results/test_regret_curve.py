from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from schedproof.core.results.regret_curve import Point, RegretCurve, follow, marks
from schedproof.core.runtime.context import Context

AT = marks(100, 9)
EARNED = [(Fraction(int(t)), Fraction(int(t))) for t in AT]  # one in each slot


def curve(positions: Sequence[int], points: Sequence[Point]) -> RegretCurve:
    """The curve of a policy with reward 1 per slot."""
    return RegretCurve(
        instance=None,
        policy="mine",
        options={},
        slots=AT[[*positions]],
        reward=tuple(EARNED[i] for i in positions),
        optimum=tuple((point.value, point.bound) for point in points),
        steps=np.array([point.steps for point in points]),
        left=len(AT) - len(positions),
    )


def twice(i: int) -> Point:
    """The best fixed decision has reward 2 per slot."""
    return Point(2 * EARNED[i][0], 2 * EARNED[i][1], 1)


def followed(context: Context) -> RegretCurve:
    whole = iter([Point(Fraction(0), Fraction(900), 0), twice(len(AT) - 1)])
    prefixes: Iterator[Point] = (twice(i) for i in range(len(AT) - 1))
    return follow(len(AT), whole, prefixes, curve, context)


def test_the_marks_are_increasing_and_end_at_the_horizon() -> None:
    assert AT[0] == 1 and AT[-1] == 100 and (np.diff(AT) > 0).all() and len(AT) <= 9


def test_every_point_is_stored_and_the_horizon_is_first() -> None:
    kept: list[RegretCurve] = []
    found = followed(Context(keep=kept.append))
    assert found.lower == found.upper == tuple(Fraction(int(t)) for t in AT) and found.left == 0
    assert [part.slots.tolist() for part in kept[:3]] == [[100], [100], [1, 100]]
    assert kept[0].upper == (800,) and kept[1].upper == (100,) and len(kept) == len(AT) + 1
    assert abs(found.slope().value - 1) < 1e-9 and "best fixed decision earns 200, this run 100" in found.lines()[1]
    assert found.to_json()["regret"][-1] == [100.0, 100.0] and len(found.to_frame()) == len(AT)
    assert [line.get_label() for line in found.plot().lines] == ["mine"]


def test_at_the_time_limit_only_the_horizon_is_known() -> None:
    found = followed(Context(time_limit=0.0))
    assert found.slots.tolist() == [100] and found.left == len(AT) - 1 and "time limit reached" in found.lines()[-1]
    assert replace(found, reward=((Fraction(0), Fraction(500)),)).lower == (-300,)
