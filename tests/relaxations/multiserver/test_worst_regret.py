from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError, SchedproofError
from schedproof.core.runtime.context import Context
from schedproof.relaxations.multiserver.regret_enclosure import WorstRegret
from schedproof.relaxations.multiserver.worst_regret import worst_regret
from tests.support import size

STEPS = ("constant", "decayed", "anytime", "printed53")
LONGEST = size(4, 5, 10)


def enclosed(step: str, slots: int, **options: Fraction) -> WorstRegret:
    found = worst_regret(step=step, slots=slots, **options)
    assert 0 < found.width <= Fraction(1, 10**6), found
    return found


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("slots", range(1, LONGEST + 1))
def test_it_equals_the_formulas(step: str, slots: int) -> None:
    found = enclosed(step, slots)
    assert found.sharper.sense == "at least" or found.lower <= found.sharper.value + 1e-6
    assert found.sharper.sense == "at most" or found.upper >= found.sharper.value - 1e-6
    assert step != "printed53" or found.lower <= found.sharper.value + 1e-6  # more is not known, and not seen
    assert f"proven: {found.sharper.sense} " in found.lines()[-1]
    refuted = step == "printed53" and slots > 2
    assert (found.lower > found.promise.value) == refuted == any("refuted" in line for line in found.lines())


@pytest.mark.parametrize("eta", ["1/20", "1/4", "1/3", "1/2", "9/10", "1", "3/2", "10"])
def test_a_constant_step_of_any_length_has_the_regret_of_the_formula(eta: str) -> None:
    for slots in size((2, 4), (2, 3, 4), tuple(range(2, 9))):
        found = enclosed("constant", slots, initial=Fraction(eta))
        assert abs(float(found.lower) - found.sharper.value) < 2e-6, found
        assert found.lower <= found.promise.value + 1e-6 or Fraction(eta) < Fraction(1, slots)


@pytest.mark.parametrize(("first", "decay"), [("3", "1/2"), ("2", "9/10"), ("1", "1/2")])
def test_steps_that_fall_have_no_more_regret_than_the_formula(first: str, decay: str) -> None:
    for slots in size((3,), (2, 3, 4), tuple(range(2, 9))):
        found = enclosed("decayed", slots, initial=Fraction(first), decay=Fraction(decay))
        last = Fraction(first) * Fraction(decay) ** (slots - 1)
        assert found.sharper.sense == ("exactly" if last >= 1 else "at most")
        assert found.lower <= found.sharper.value + 2e-6
        assert last < 1 or found.upper >= found.sharper.value - 2e-6


@pytest.mark.parametrize("eta", [Fraction(1), Fraction(7, 2), Fraction(13, 2)])
def test_long_steps_gain_the_stated_amount_per_slot(eta: Fraction) -> None:
    # With the proof's multiplier a slot gains at most s + B (d_t^2 - d_(t+1)^2), B <= 1/2; a triangle attains s.
    root = sqrt(3 * (4 * eta**2 - 1))
    gain = (root - 1) / (4 * eta)
    share = next(x for x in np.linspace(0.5, 1, 500_001) if 2 * x - 1 >= sqrt(1 - x + x * x) / eta - 1e-9)
    rho = sqrt(1 - share + share**2)
    assert rho - share / (2 * eta) == pytest.approx(gain, abs=1e-5) and share**2 / (2 * rho) <= 0.5 + 1e-5
    corners = np.array([[0, 0], [1, 0], [0.5, sqrt(0.75)]])
    here, there, best = corners
    u, n = best - there, np.array([sqrt(0.75), 0.5])  # n at right angles to u
    g = -u / (2 * eta) + n * sqrt(1 - 1 / (4 * eta**2))
    assert all(
        (here + float(eta) * g - there) @ (corner - there) <= 1e-9 for corner in corners
    )  # it is projected there
    assert g @ (best - here) == pytest.approx(gain)


@pytest.mark.parametrize("step", STEPS)
def test_no_play_on_a_segment_or_in_a_square_has_more_regret(step: str) -> None:
    # Every trajectory of gradients along one axis each; with (53) also tiny gradients.
    slots = size(3, 3, 4)
    most = float(enclosed(step, slots).upper)
    norms = (1.0, 1e-9) if step == "printed53" else (1.0,)
    choices = [sign * norm * axis for sign, norm, axis in product((1, -1), norms, np.eye(2))]
    found = 0.0
    for gradients in product(choices, repeat=slots):
        for start in ((0.0, 0.0), (0.5, 0.0)):
            found = max(found, regret(step, np.array(start), np.array(gradients), np.full(2, sqrt(0.5))))
            found = max(found, regret(step, np.array(start), np.array(gradients), np.array([1.0, 0.0])))
    assert found <= most + 1e-6
    assert found >= 0.6 * most  # the adversaries are worth trying


def regret(step: str, y: np.ndarray, gradients: np.ndarray, sides: np.ndarray) -> float:
    """The regret of projected ascent in a box of diameter 1, computed independently."""
    squares, spent = 0.0, 0.0
    for t, g in enumerate(gradients):
        y, norm = np.minimum(y, sides), np.linalg.norm(g)
        squares += norm**2
        spent += g @ y
        eta = {
            "constant": 1 / sqrt(len(gradients)),
            "decayed": 25 * 0.9999**t,
            "anytime": 1 / sqrt(2 * squares),
            "printed53": 1 / (norm * sqrt(len(gradients))),
        }[step]
        y = np.clip(y + eta * g, 0, sides)
    return float(np.maximum(gradients.sum(axis=0), 0) @ sides - spent)


def test_out_of_time_the_ends_are_wider_and_still_true() -> None:
    early = worst_regret(step="printed53", slots=4, context=Context(time_limit=0))
    assert early.proofs[0].paid == "????" and early.width > Fraction(1, 10)
    assert early.upper >= Fraction(5, 2) - Fraction(1, 10**6) and float(early.upper) < (4 + sqrt(4)) / 2 + 1e-6


def test_wrong_options_are_reported() -> None:
    with pytest.raises(InputError, match="step=anytime has no option initial"):
        sp.worst_regret("multiserver", step="anytime", initial=2)
    with pytest.raises(InputError, match="step=constant has no option decay"):
        sp.worst_regret("multiserver", decay="1/2")
    with pytest.raises(InputError, match="slots=41"):
        sp.worst_regret("multiserver", slots=41)
    with pytest.raises(SchedproofError, match="has no worst regret"):
        sp.worst_regret("jrp")
