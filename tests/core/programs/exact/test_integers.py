"""Proofs with arrays of integers agree with those in rationals."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from schedproof.core.errors import NoSolution
from schedproof.core.programs.exact.entries import Column, Row
from schedproof.core.programs.exact.integers import IntegerForm, Rationals, rationals_near
from schedproof.core.programs.exact.listing import Listing
from schedproof.core.programs.exact.point import Point
from schedproof.core.programs.exact.repair import Limits
from schedproof.core.programs.exact.scaling import neglected
from schedproof.core.programs.exact.solving import Doubles, multipliers
from schedproof.core.programs.exact.status import settle


def drawn(seed: int, scale: int) -> Listing:
    rng = random.Random(seed)

    def number(low: int = -5) -> Fraction:
        return Fraction(rng.randint(low, 9) * scale, rng.choice((1, 2, 3)))

    columns = tuple(Column(f"x{j}", Fraction(0), number(1), number()) for j in range(5))
    rows = tuple(
        Row(f"r{i}", None if i else number(-9) - 9, number(0) + 3, {j: number() for j in rng.sample(range(5), 3)})
        for i in range(4)
    )
    return Listing(rng.choice(("minimize", "maximize")), number(), columns, rows)


@pytest.mark.parametrize("scale", [1, 10**9, 10**25])
@pytest.mark.parametrize("seed", range(8))
def test_bounds_objectives_and_feasibility(seed: int, scale: int) -> None:
    listing, rng = drawn(seed, scale), np.random.default_rng(seed)
    form = IntegerForm(listing)
    for _ in range(20):
        x, y = (Rationals.of([Fraction(int(v), 6) for v in rng.integers(-9, 9, n)]) for n in (5, 4))
        point, proof = Point(listing, tuple(x.fractions())), dict(enumerate(y.fractions()))
        assert form.objective(x) == point.value
        try:
            expected = listing.bound(proof)
        except ValueError:
            assert form.bound(y) is None
        else:
            assert form.bound(y) == expected
        feasible = all(entry.allows(amount) for entry, amount in point.entries())
        assert form.allows(x) == feasible


def test_only_an_optimum_is_proven() -> None:
    listing = drawn(3, 1)
    settled = settle(listing)
    assert settled is not None and settled.status == "optimal"
    point = np.array([float(x) for x in settled.point])
    duals = np.array([float(settled.multipliers.get(i, 0)) for i in range(4)])
    proven = IntegerForm(listing).optimum(point, duals)
    assert proven is not None and proven.value == settled.value
    for j in range(5):
        worse = point.copy()
        worse[j] += 0.25
        assert IntegerForm(listing).optimum(worse, duals) is None
    assert IntegerForm(listing).optimum(point, duals + 1) is None


def test_doubles_near_rationals() -> None:
    values = [Fraction(1, 3), Fraction(-22, 7), Fraction(5), Fraction(0), Fraction(123457, 10**6)]
    assert rationals_near(np.array([float(v) for v in values]), 1e-14).fractions() == values
    with pytest.raises(OverflowError):
        rationals_near(np.array([np.pi]), 1e-16)
    with pytest.raises(OverflowError):
        rationals_near(np.array([np.inf]), 1e-8)


def test_changed_numbers_get_a_common_denominator() -> None:
    numbers = Rationals.of([Fraction(1), Fraction(2)])
    assert numbers.put([1], [Fraction(1, 3)]).fractions() == [1, Fraction(1, 3)]
    assert numbers.put([0], [Fraction(10**30)]).fractions() == [10**30, 2]
    with pytest.raises(OverflowError):
        numbers.put([0], [Fraction(1, 3**400)])


def bound_or_why(listing: Listing, multipliers: dict[int, Fraction]) -> Fraction | str:
    try:
        return listing.bound(multipliers)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("scale", [1, 10**9, 10**25])
@pytest.mark.parametrize("seed", [*range(20), 2735])  # the last has a numerator of -2^63
def test_a_large_listing_answers_as_a_small_one(seed: int, scale: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, answers = random.Random(seed), []
    open_ends = {j for j in range(5) if rng.random() < 0.3}
    some = [{i: Fraction(rng.randint(-9, 9), 7) for i in range(4)} for _ in range(10)]
    for small in (1000, -1):
        monkeypatch.setattr("schedproof.core.programs.exact.listing.SMALL", small)
        listing = drawn(seed, scale)
        columns = tuple(replace(c, upper=None) if j in open_ends else c for j, c in enumerate(listing.columns))
        listing = replace(listing, columns=columns)
        assert (listing.integers is None) == (small > 0)
        found = [(bound_or_why(listing, y), listing.remaining_costs(y)) for y in some]
        try:
            best = multipliers(listing)[1]
        except NoSolution as error:
            best = str(error)
        answers.append((found, best, neglected(listing)))
    assert answers[0] == answers[1]


def test_doubles_decide_a_row_only_beyond_their_rounding_errors() -> None:
    columns = tuple(Column(f"x{j}", Fraction(0), None, Fraction(0)) for j in range(2))
    rows = (Row("r", None, Fraction(0), {0: Fraction(1), 1: Fraction(-1)}),)
    doubles = Doubles(Listing("minimize", Fraction(0), columns, rows))
    assert doubles.meets(np.array([1.0, 1.0]), 1e-6)
    assert not doubles.meets(np.array([1.0 + 2e-6, 1.0]), 1e-6)
    assert not doubles.meets(np.array([1e12, 1e12]), 1e-6)  # feasible, but the error may exceed the tolerance
    assert not doubles.meets(np.array([np.nan, 1.0]), 1e-6)


def test_a_coefficient_of_0_implies_no_end() -> None:
    columns = (Column("x", None, None, Fraction(1)), Column("y", Fraction(0), Fraction(1), Fraction(1)))
    rows = (Row("r", Fraction(0), None, {0: Fraction(0), 1: Fraction(1)}),)
    assert Limits(Listing("minimize", Fraction(0), columns, rows)).of == {}
