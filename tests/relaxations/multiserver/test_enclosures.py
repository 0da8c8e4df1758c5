from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedproof.core.base.balls import enclose
from schedproof.instances.multiserver import Utility
from schedproof.instances.multiserver.utility import BITS, KINDS, slopes
from schedproof.relaxations.multiserver.enclosures import LESS, MORE, conjugates, excess, least_values
from tests.relaxations.multiserver.literal import conjugate

FINE = Fraction(1, 2**44)
NEAR_SEAMS = (0.0, 0.5, np.nextafter(0.5, 0), 0.4, 0.42, 1.0, 3.0)
AMOUNTS = st.one_of(st.floats(1e-18, 1e18), st.floats(2.0**-900, 1), st.sampled_from(NEAR_SEAMS))
ALPHAS = st.one_of(st.floats(0.05, 20), st.floats(1e-18, 1e18))


def exactly(t: Fraction) -> tuple[Fraction, Fraction]:
    return enclose(lambda ball: (1 + ball(t)).log() - ball(t) / (1 + ball(t)), BITS)


@given(AMOUNTS)
def test_the_logarithm_has_the_documented_accuracy(t: float) -> None:
    found = Fraction(float(excess(np.array([t]))[0]))
    low, high = exactly(Fraction(t))
    absolute = Fraction(1, 2**90)  # of the enclosure itself: it has 96 bits behind the point
    assert low * (1 - FINE) - absolute <= found <= high * (1 + FINE) + absolute


def test_the_logarithm_has_no_gap_between_its_two_formulas() -> None:
    t = np.sort(np.concatenate([np.linspace(0.4, 0.6, 999), np.geomspace(1e-12, 1e12, 999)]))
    assert (np.diff(excess(t)) > 0).all()


@pytest.mark.parametrize("kind", KINDS)
@given(alpha=ALPHAS, amount=AMOUNTS)
def test_gains_are_enclosed_from_below(kind: str, alpha: float, amount: float) -> None:
    utility = Utility(kind, Fraction(alpha))
    found = Fraction(float(least_values(*_arrays(utility), np.array([amount]))[0]))
    low, high = utility.value(Fraction(amount))
    assert found <= high
    assert found >= low * (1 - 4 * FINE) - Fraction(1, 2**90) * utility.alpha - Fraction(1, 2**90)


@pytest.mark.parametrize("kind", KINDS)
@given(alpha=ALPHAS, share=st.one_of(st.floats(1e-9, 2), st.floats(0.999999, 1.000001), st.just(1.0)))
def test_conjugates_are_enclosed_from_above(kind: str, alpha: float, share: float) -> None:
    utility = Utility(kind, Fraction(alpha))
    slope = float(utility.steepest) * (1.0 if kind == "linear" else share)
    found = Fraction(float(conjugates(*_arrays(utility), np.array([slope]))[0]))
    low, high = conjugate(utility, max(Fraction(slope), utility.steepest if kind == "linear" else Fraction(0)))
    assert found >= low
    scale = utility.steepest * (utility.alpha if kind == "reciprocal" else 1)  # f(1) or f(alpha), roughly
    assert found <= high * (1 + 8 * FINE) + scale * Fraction(1, 2**48)


@pytest.mark.parametrize("kind", KINDS)
@given(alpha=st.floats(0.05, 20), amount=st.floats(0, 1e6))
def test_slopes_are_close(kind: str, alpha: float, amount: float) -> None:
    utility = Utility(kind, Fraction(alpha))
    found = Fraction(float(slopes(*_arrays(utility), np.array([amount]))[0]))
    low, high = utility.slope(Fraction(amount))
    assert low * (1 - FINE) - Fraction(1, 2**90) <= found <= high * (1 + FINE) + Fraction(1, 2**90)


def test_the_sides_differ() -> None:
    assert LESS < 1 < MORE


def _arrays(utility: Utility) -> tuple[np.ndarray, np.ndarray]:
    return np.array([utility.code]), np.array([float(utility.alpha)])
