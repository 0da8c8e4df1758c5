"""Repair of a constant: what is found is nowhere below the curve, also where it was not fitted, and is simple."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import pytest

from schedproof.adversary.envelope import USUAL, Candidate, above, worst_curve
from schedproof.core.claims.claim import Answer, Finding, Outside, Premise
from schedproof.core.errors import InputError


def root(x: int) -> Fraction:
    """Next to nothing below the square root."""
    return Fraction(isqrt(x << 80), 1 << 40)


def test_the_expression_that_made_a_curve_is_found() -> None:
    for name, curve in {
        "sqrt(T)": [root(t) for t in range(1, 13)],
        "1/2 T + 1/2 sqrt(T)": [(t + root(t)) / 2 for t in range(1, 13)],
        "3 - 2 1/T": [3 - Fraction(2, t) for t in range(1, 13)],
        "5/4": [Fraction(5, 4)] * 12,
    }.items():
        found = above([(Fraction(t), value) for t, value in enumerate(curve, 1)])
        assert str(found[-1]) == name and found[-1].excess < 1e-9, (name, [*map(str, found)])


def test_candidates_are_above_exactly_and_each_is_nearer_than_simpler_ones() -> None:
    curve = [(Fraction(t), Fraction(t + 1 + t % 2, 2)) for t in range(1, 15)]
    found = above(curve)
    assert len(found) > 1 and all(one.above(x, value) for one in found for x, value in curve)
    assert [one.complexity for one in found] == sorted(one.complexity for one in found)
    assert [one.excess for one in found] == sorted((one.excess for one in found), reverse=True)


def test_exactly_means_also_at_equality() -> None:
    one = Candidate((USUAL[2],), (Fraction(1),), 0.0)
    assert one.above(Fraction(4), Fraction(2)) and not one.above(Fraction(4), 2 + Fraction(1, 10**30))
    assert one.above(Fraction(2), root(2)) and not one.above(Fraction(2), root(2) + Fraction(1, 1 << 39))


def test_the_last_values_refute_what_fits_the_first() -> None:
    """A curve that looks constant for its first three quarters and grows in the end."""
    curve = [(Fraction(t), Fraction(1 if t <= 9 else 2 * t)) for t in range(1, 13)]
    assert all(str(one) != "1" for one in above(curve))
    assert str(above(curve[:9])[0]) == "1"


@dataclass(frozen=True)
class Pile:
    size: int
    extra: int


def test_a_curve_has_the_worst_case_at_each_value() -> None:
    def check(case: Pile) -> Answer:
        return (
            Finding(Fraction(case.size + case.extra), Fraction(case.size))
            if case.size
            else Outside(Premise("there is a pile", lambda case: case.size > 0))
        )

    cases = [Pile(size, extra) for size in (2, 0, 1) for extra in (0, 3, 1)]
    assert worst_curve(check, cases, lambda case: Fraction(case.size)) == [(1, 4), (2, Fraction(5, 2))]


def test_a_curve_that_is_too_short_is_told() -> None:
    for curve in ([], [(Fraction(1), Fraction(1))] * 3, [(Fraction(t), Fraction(0)) for t in range(5)]):
        with pytest.raises(InputError, match="four values"):
            above(curve)
