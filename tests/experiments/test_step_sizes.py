"""Steps of OGASched: what they earn and what is promised, by other routes."""

from __future__ import annotations

import numpy as np
import pytest

import schedproof as sp
from schedproof.experiments.arrival_trends import DUEL
from schedproof.experiments.compare import draws
from schedproof.experiments.step_sizes import (
    constant_steps,
    diameter_and_steepest,
    draw_constant_steps,
    draw_decay,
    earned,
)
from schedproof.experiments.worst_arrivals import with_arrivals
from schedproof.instances import from_json
from schedproof.instances.multiserver import Instance

IN_TURN = with_arrivals(from_json(DUEL), np.eye(2, dtype=np.uint8)[np.arange(16) % 2])


def drawn(**settings: object) -> Instance:
    (case,) = draws("default", family="multiserver", seeds=[1], nodes=3, ports=3, resources=2, **settings)
    instance: Instance = case.instance()
    return instance


def test_the_regret_of_a_step_is_that_of_an_exact_run() -> None:
    table = constant_steps(IN_TURN, [0.5, 1, 4])
    for times, step, regret in table[["times", "step", "regret"]].itertuples(index=False):
        exact = sp.policy("oga_sched", initial=float(step)).run(IN_TURN).regret(points=2)
        assert float(exact.lower[-1]) - 1e-6 <= regret <= float(exact.upper[-1]) + 1e-6
        assert step == pytest.approx(times / 4)  # D = G = sqrt(2) on the duel, T = 16
    assert table["promised"][1] == pytest.approx(exact.bound()[-1]) == np.prod(diameter_and_steepest(IN_TURN)) * 4


def test_what_is_earned_by_slot_adds_up_to_the_run() -> None:
    instance = drawn(horizon=20)
    run = sp.policy("oga_sched", step="anytime").run(instance)
    assert earned(instance, step="anytime").sum() == pytest.approx(float(run.objective), rel=1e-6)


def test_the_pictures_have_both_curves_and_the_places_where_steps_fall_below_one() -> None:
    ax = draw_constant_steps(constant_steps(IN_TURN, [0.5, 1, 2]))
    promised, measured, proofs = ax.lines
    assert (promised.get_ydata() >= measured.get_ydata()).all() and set(proofs.get_xdata()) == {0.25}
    slots = np.array([1, 500, 1000])
    curve, frozen, still = draw_decay(slots, {"a": (np.array([2.0, -1, 500]), "red")}, (4, 0.99), 600).lines
    assert np.array_equal(curve.get_ydata(), [2, np.nan, 0.5], equal_nan=True)
    at, last = frozen.get_xdata()[0], still.get_xdata()[0]
    assert 4 * 0.99**at == pytest.approx(1)
    assert sum(4 * 0.99**n for n in range(int(last), 5000)) > 1 > sum(4 * 0.99**n for n in range(int(last) + 1, 5000))
