"""Utilities: exact if rational, otherwise enclosed, and never increasing."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf, isclose, log

import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from schedproof.instances.dmlrs.utility import BITS, Constant, Linear, Sigmoid, Table, Utility

THETAS = st.fractions(min_value=0, max_value=100, max_denominator=10**6)
TIMES = st.integers(1, 200)
ULP = Fraction(1, 2**BITS)


def precise(u: Sigmoid, time: int, digits: int = 120) -> Decimal:
    """u(x) by Python's decimals, independent of ball arithmetic."""
    with localcontext() as c:
        c.prec = digits
        c.Emax, c.Emin = 10**17, -(10**17)

        def decimal(value: Fraction) -> Decimal:
            return Decimal(value.numerator) / Decimal(value.denominator)

        exponent = decimal(u.theta2 * (time - u.theta3))
        return decimal(u.theta1) / (1 + exponent.exp())


@given(THETAS, THETAS, THETAS, TIMES)
def test_a_sigmoid_is_enclosed(priority: Fraction, criticality: Fraction, target: Fraction, time: int) -> None:
    u = Sigmoid(priority, criticality, target)
    low, high = u.lower(time), u.upper(time)
    with localcontext() as c:
        c.prec = 120
        value = Fraction(precise(u, time))
    error = abs(value) * Fraction(1, 10**110)
    assert low <= value + error and value - error <= high
    assert low >= 0 and high - low <= 2 * ULP
    assert all(2**BITS % end.denominator == 0 for end in (low, high)) or low == high


@pytest.mark.parametrize(
    ("thetas", "time"),
    [
        (("100", "6", "1"), 80),  # underflows a double's exp when turned around
        (("100", "1000", "1"), 2),
        (("1e-18", "3", "50"), 1),
        (("1e18", "1e18", "1"), 100_000),
        (("1e18", "1e18", "1e5"), 1),
        (("7", "1e-18", "3"), 1),
    ],
)
def test_extreme_sigmoids_are_enclosed(thetas: tuple[str, ...], time: int) -> None:
    u = Sigmoid(*(Fraction(theta) for theta in thetas))
    low, high = u.lower(time), u.upper(time)
    assert 0 <= low <= high <= u.theta1 + ULP and high - low <= 2 * ULP
    late = u.theta2 * (time - u.theta3)
    if abs(late) < 10**6:
        value = Fraction(precise(u, time, 400))
        assert low <= value <= high
    else:
        assert low == 0 if late > 0 else high >= u.theta1 >= low


def test_a_sigmoid_at_its_target_or_without_criticality_is_half_its_priority_exactly() -> None:
    steep, flat = (Sigmoid(Fraction(7), Fraction(theta2), Fraction(3)) for theta2 in (5, 0))
    assert steep.lower(3) == steep.upper(3) == flat.lower(9) == flat.upper(9) == Fraction(7, 2)
    nothing = Sigmoid(Fraction(0), Fraction(5), Fraction(3))
    assert nothing.lower(1) == nothing.upper(1) == 0 and nothing.log(1) == -inf


def test_a_sigmoid_equals_the_printed_formula() -> None:
    # theta1 / (1 + e^(theta2 (x - theta3))): 10 / (1 + e) at one slot past the target, with theta2 = 1.
    u = Sigmoid(Fraction(10), Fraction(1), Fraction(4))
    assert float(u.lower(5)) == pytest.approx(10 / (1 + 2.718281828459045), rel=1e-15)
    assert float(u.lower(3)) == pytest.approx(10 / (1 + 1 / 2.718281828459045), rel=1e-15)


def test_the_global_precision_is_unchanged() -> None:
    saved = ctx.prec
    Sigmoid(Fraction(11), Fraction(1, 7), Fraction(4)).lower(3)
    assert ctx.prec == saved


@given(THETAS, THETAS, THETAS, TIMES)
def test_the_logarithm_of_a_sigmoid(priority: Fraction, criticality: Fraction, target: Fraction, time: int) -> None:
    u = Sigmoid(priority, criticality, target)
    if not priority:
        assert u.log(time) == -inf
        return
    with localcontext() as c:
        c.prec, c.Emax, c.Emin = 50, 10**17, -(10**17)
        expected = float(precise(u, time, 60).ln())
    assert isclose(u.log(time), expected, rel_tol=1e-12, abs_tol=1e-12)


EXACT: list[tuple[Utility, dict[int, Fraction]]] = [
    (Constant(Fraction(5)), {1: Fraction(5), 99: Fraction(5)}),
    (Constant(Fraction(0)), {1: Fraction(0)}),
    (Linear(Fraction(7), Fraction(1, 4)), {1: Fraction(27, 4), 28: Fraction(0), 27: Fraction(1, 4), 99: Fraction(0)}),
    (Table((Fraction(3), Fraction(5, 2))), {1: Fraction(3), 2: Fraction(5, 2), 3: Fraction(5, 2), 99: Fraction(5, 2)}),
    (Table((Fraction(3), Fraction(0))), {2: Fraction(0), 50: Fraction(0)}),
]


@pytest.mark.parametrize(("utility", "values"), EXACT)
def test_rational_utilities_are_exact(utility: Utility, values: dict[int, Fraction]) -> None:
    for time, value in values.items():
        assert utility.lower(time) == utility.upper(time) == value
        assert utility.log(time) == (pytest.approx(log(value), rel=1e-15, abs=1e-15) if value else -inf)


UTILITIES = (
    st.builds(Constant, THETAS)
    | st.builds(Linear, THETAS, THETAS)
    | st.builds(Sigmoid, THETAS, THETAS, THETAS)
    | st.lists(THETAS, min_size=1, max_size=5).map(lambda values: Table(tuple(sorted(values, reverse=True))))
)


@given(UTILITIES, TIMES, TIMES)
def test_no_utility_increases(utility: Utility, one: int, other: int) -> None:
    early, late = sorted((one, other))
    assert utility.lower(late) <= utility.upper(early)
    assert utility.log(late) <= utility.log(early) + 1e-12


@given(UTILITIES, TIMES)
def test_a_utility_is_not_negative(utility: Utility, time: int) -> None:
    assert 0 <= utility.lower(time) <= utility.upper(time)
