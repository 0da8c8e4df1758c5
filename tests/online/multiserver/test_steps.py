"""The step rules are their formulas, in the kernels' terms and slot by slot."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from schedproof.online.multiserver.steps import RULES, Decayed, Steady, StepRule, StepSizes

SQUARES = [0.0, 4.0, 0.0, 9.0, 3.0]


def etas(rule: StepRule) -> list[float]:
    sizes = StepSizes(rule)
    return [sizes.next(square) for square in SQUARES]


def test_constant() -> None:
    assert etas(RULES["constant"](6.0, 3.0, 16)) == [0.5] * 5
    assert etas(RULES["constant"](6.0, 0.0, 16)) == [0.0] * 5
    assert etas(Steady(2.5)) == [2.5] * 5


def test_decayed() -> None:
    assert etas(Decayed(25.0, 0.5)) == [25.0, 12.5, 6.25, 3.125, 1.5625]


def test_printed53() -> None:
    """D / (|g_t| sqrt T), no step without a gradient."""
    assert etas(RULES["printed53"](6.0, 3.0, 16)) == [0.0, 0.75, 0.0, 0.5, 1.5 / sqrt(3)]


def test_anytime() -> None:
    """D / sqrt(2 sum |g_s|^2), whatever the horizon."""
    wanted = [0.0, 6 / sqrt(8), 6 / sqrt(8), 6 / sqrt(26), 6 / sqrt(32)]
    assert etas(RULES["anytime"](6.0, 3.0, 16)) == pytest.approx(wanted, rel=1e-15)
    assert etas(RULES["anytime"](6.0, 3.0, 16)) == etas(RULES["anytime"](6.0, 1.0, 99))


@pytest.mark.parametrize("rule", [Decayed(25.0, 0.9), RULES["constant"](1.0, 2.0, 3)])
def test_pieces(rule: StepRule) -> None:
    """Sizes do not depend on where a run is cut."""
    whole = rule.sizes(0, 10)
    assert (np.concatenate([rule.sizes(0, 3), rule.sizes(3, 0), rule.sizes(3, 7)]) == whole).all()
