from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from schedproof.instances.multiserver.utility import BITS, KINDS, Utility
from tests.tiny.multiserver import tiny_ports

ALPHAS = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=10**6)
AMOUNTS = st.fractions(min_value=0, max_value=10**6, max_denominator=10**9) | st.floats(0, 1e18).map(Fraction)
UTILITIES = st.builds(Utility, st.sampled_from(KINDS), ALPHAS)
ULP = Fraction(1, 2**BITS)


def as_decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def precise(f: Utility, amount: Fraction) -> tuple[Fraction, Fraction]:
    """f(y) and f'(y) as printed, by Python's decimals, independent of ball arithmetic."""
    with localcontext() as c:
        c.prec = 120
        a, y = as_decimal(f.alpha), as_decimal(amount)
        value = {
            "linear": a * y,
            "log": a * (y + 1).ln(),
            "reciprocal": 1 / a - 1 / (y + a),
            "poly": a * (y + 1).sqrt() - a,
        }[f.kind]
        slope = {
            "linear": a,
            "log": a / (y + 1),
            "reciprocal": 1 / (y + a) ** 2,
            "poly": a / (2 * (y + 1).sqrt()),
        }[f.kind]
        return Fraction(value), Fraction(slope)


@given(UTILITIES, AMOUNTS)
def test_values_and_slopes_are_enclosed(f: Utility, amount: Fraction) -> None:
    for (low, high), value in zip((f.value(amount), f.slope(amount)), precise(f, amount), strict=True):
        error = (abs(value) + 1) * Fraction(1, 10**90)
        assert low <= value + error and value - error <= high
        assert high - low <= 2 * ULP


@given(ALPHAS, AMOUNTS)
def test_rational_utilities_are_exact(alpha: Fraction, amount: Fraction) -> None:
    linear, reciprocal, log = (Utility(kind, alpha) for kind in ("linear", "reciprocal", "log"))
    assert linear.value(amount) == (alpha * amount,) * 2 and linear.slope(amount) == (alpha,) * 2
    assert reciprocal.value(amount) == (1 / alpha - 1 / (amount + alpha),) * 2
    assert reciprocal.slope(amount) == (1 / (amount + alpha) ** 2,) * 2
    assert log.slope(amount) == (alpha / (amount + 1),) * 2


@given(UTILITIES)
def test_zero_start_up_and_the_steepest_slope_at_zero(f: Utility) -> None:
    assert f.value(Fraction(0)) == (0, 0)
    assert f.slope(Fraction(0)) == (f.steepest, f.steepest)
    assert (
        f.steepest
        == {
            "linear": f.alpha,
            "log": f.alpha,
            "reciprocal": 1 / f.alpha**2,
            "poly": f.alpha / 2,
        }[f.kind]
    )


@given(UTILITIES, AMOUNTS, AMOUNTS)
def test_increasing_and_concave(f: Utility, one: Fraction, other: Fraction) -> None:
    less, more = sorted((one, other))
    assert f.value(less)[0] <= f.value(more)[1]
    assert f.slope(more)[0] <= f.slope(less)[1] <= f.steepest + 2 * ULP
    chord = f.value(more)[0] - f.value(less)[1]
    assert chord <= (more - less) * f.slope(less)[1] + 2 * ULP


@given(UTILITIES)
def test_the_global_precision_is_unchanged(f: Utility) -> None:
    before = ctx.prec
    f.value(Fraction(2, 3))
    assert ctx.prec == before


def test_codes_are_positions() -> None:
    assert [Utility(kind, Fraction(1)).code for kind in KINDS] == [0, 1, 2, 3]
    instance = tiny_ports(7)
    for r in range(len(instance.nodes)):
        for k, name in enumerate(instance.resources):
            assert KINDS[instance.graph.kind[r, k]] == instance.utility(r, name).kind


@pytest.mark.parametrize("kind", KINDS)
def test_extreme_amounts_and_alphas_of_a_file(kind: str) -> None:
    for alpha in (Fraction(1, 10**18), Fraction(10**18)):
        for amount in (Fraction(1, 10**18), Fraction(10**18), Fraction(5e-324)):
            f = Utility(kind, alpha)
            low, high = f.value(amount)
            assert 0 <= low <= high <= f.steepest * amount + ULP
