"""Policies beside foresight: against all schedules that there are, and what the picture shows of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import schedproof as sp
from schedproof.experiments.compare import draws
from schedproof.experiments.hindsight import FORESIGHT, draw_hindsight, hindsight, plans, ratios, shares_of_bound

CHOICES = {"first come": sp.policy("fifo"), "PD-ORS": sp.policy("pd_ors", span=10)}


def test_foresight_lies_between_the_policies_and_the_optimum() -> None:
    (case,) = draws("tiny", family="dmlrs", seeds=[1])
    cluster = case.instance()
    shares, top = shares_of_bound(cluster, CHOICES), sp.bound("dmlrs.rdmlrs_lp", cluster).value
    optimum = sp.program("dmlrs.exact").solve(cluster, solver="cpsat").objective
    assert optimum is not None
    assert max(shares["first come"], shares["PD-ORS"]) <= shares[FORESIGHT] + 1e-9
    assert shares[FORESIGHT] * top <= optimum * 1.01 and optimum <= top * 1.01  # both bounds are within a promille
    for name, choice in CHOICES.items():
        assert shares[name] * top == pytest.approx(float(choice.run(cluster).objective), rel=0.01)


def test_the_schedules_of_a_run_earn_what_it_earns() -> None:
    run = CHOICES["PD-ORS"].run(sp.embedded("cluster"))
    assert float(sum(plan.utility for plan in plans(run))) == pytest.approx(float(run.objective)) != 0


def test_a_row_for_each_draw_and_its_ratio_between_two_numbers() -> None:
    table = hindsight(draws("tiny", family="dmlrs", seeds=2, vary={"machines": [1, 2]}), CHOICES)
    assert list(table["machines"]) == ["1", "1", "2", "2"]
    low, high = ratios(table.assign(served=[0.5, 0.25, 0, 1]), "served")
    assert high == pytest.approx([2, 4, 1e9, 1]) and low == pytest.approx(high * table[FORESIGHT].to_numpy())


def test_the_picture_puts_draws_of_a_setting_together_and_greys_what_is_promised() -> None:
    table = pd.DataFrame({"machines": ["4", "4", "12"], FORESIGHT: [0.9, 0.8, 1], "a": [0.5, 0.4, 0.3]})
    ax = draw_hindsight(table, "machines", promised=2)
    best, found = (line.get_xydata() for line in ax.lines)
    assert best[:, 1] == pytest.approx([90, 80, 100]) and found[:, 1] == pytest.approx([50, 40, 30])
    assert np.diff(found[:, 0])[0] < np.diff(found[:, 0])[1]
    assert ax.patches[0].get_extents().transformed(ax.transData.inverted()).intervaly == pytest.approx([50, 100])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["4 machines", "12 machines"]
