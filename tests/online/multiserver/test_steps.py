from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.instances.multiserver import from_json
from schedproof.instances.multiserver.drive import system
from schedproof.online.multiserver.steps import StepRule, Steps, StepSizes
from tests.tiny.multiserver import by_hand

SQUARES = [0.0, 4.0, 0.0, 9.0, 3.0]


def etas(rule: StepRule) -> list[float]:
    sizes = StepSizes(rule)
    return [sizes.next(square) for square in SQUARES]


def rule(horizon: int = 16, alpha: int = 3, **choice: Any) -> StepRule:
    """Return the rule on one node of 6, linear utility: D = sqrt(2) 6, G = alpha - 1."""
    value = by_hand([[6]], [([6], [0])] * 2, [[1, 1]] * horizon, alpha=alpha, beta=1)
    return Steps(**choice).rule(system(from_json(value)))


def test_constant() -> None:
    # D / (G sqrt T) with G^2 = 2 (alpha - beta)^2, or the given number.
    assert etas(rule()) == pytest.approx([6 / 2 / 4] * 5, rel=1e-15)
    assert etas(rule(initial=Fraction(5, 2))) == [2.5] * 5
    assert etas(StepRule(0.0)) == [0.0] * 5


def test_decayed() -> None:
    assert etas(rule(step="decayed", decay=Fraction(1, 2))) == [25.0, 12.5, 6.25, 3.125, 1.5625]
    assert rule(step="decayed") == StepRule(25.0, decay=0.9999)


def test_printed53() -> None:
    d = sqrt(2) * 6
    assert etas(rule(step="printed53")) == pytest.approx([0.0, d / 8, 0.0, d / 12, d / 4 / sqrt(3)], rel=1e-15)


def test_anytime() -> None:
    # D / sqrt(2 sum |g_s|^2), for any horizon.
    assert etas(rule(step="anytime")) == pytest.approx([0.0, *(6 / sqrt(s) for s in (4, 4, 13, 16))], rel=1e-15)
    assert rule(step="anytime") == rule(step="anytime", horizon=99, alpha=2)


@pytest.mark.parametrize("choice", [{"decay": "0.5"}, {"step": "anytime", "initial": 1}])
def test_parameters_unknown_to_a_rule_give_a_message(choice: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{[*choice][-1]}=.*: expected only with step="):
        Steps(**choice)


@pytest.mark.parametrize("rule", [StepRule(25.0, decay=0.9), StepRule(0.5)])
def test_pieces(rule: StepRule) -> None:
    whole = rule.sizes(0, 10)
    assert (np.concatenate([rule.sizes(0, 3), rule.sizes(3, 0), rule.sizes(3, 7)]) == whole).all()
