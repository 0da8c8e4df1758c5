from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from dmlrs_offers import log_price, mean_bundle
from dmlrs_shares import (
    BY_14,
    FORESIGHT,
    draw_hindsight,
    draw_swept,
    hindsight,
    lp_prices,
    plans,
    ratios,
    shares,
    shares_of_bound,
    span_of_lp,
)

import schedproof as sp
from schedproof.core.certificates.bound import Bound
from schedproof.core.errors import InputError
from schedproof.experiments.compare import draws
from schedproof.instances.dmlrs.drive import system

CHOICES = {"first come": sp.policy("fifo"), "PD-ORS": sp.policy("pd_ors", span=10)}
CLUSTER = sp.embedded("cluster")


@pytest.fixture(scope="module")
def bound() -> Bound:
    return sp.bound("dmlrs.rdmlrs_lp", CLUSTER)


def test_the_prices_prove_the_bound(bound: Bound) -> None:
    room = (lp_prices(bound) * CLUSTER.grid.capacity).sum()
    payoffs = sum(map(Fraction, bound.witness.to_json()["payoffs"]))
    assert room + float(payoffs) == pytest.approx(bound.value, rel=1e-6) and room > 0
    with pytest.raises(InputError, match="has no prices"):
        lp_prices(sp.bound("placement.lp", sp.embedded("clusters")))


def test_with_the_lps_span_an_empty_machine_has_the_lps_price(bound: Bound) -> None:
    known = system(CLUSTER).extremes("printed").spanning(span_of_lp(CLUSTER, bound))
    per_unit = dict(zip(CLUSTER.resources, np.array(CLUSTER.grid.per_unit, dtype=float), strict=True))
    amounts = dict(zip(CLUSTER.resources, mean_bundle(CLUSTER), strict=True))
    empty = log_price(known, {r: amount / per_unit[r] for r, amount in amounts.items()})[0]
    assert np.exp(empty) == pytest.approx((lp_prices(bound) @ mean_bundle(CLUSTER)).mean())


def test_shares_are_of_the_bound_and_the_picture_shows_their_means(bound: Bound) -> None:
    runs = [sp.policy("pd_ors", span=span).run(CLUSTER) for span in (5, None)]
    found = {span: shares([(CLUSTER, bound)] * 2, "pd_ors", span=span) for span in (5, None)}
    expected = [float(run.objective) / bound.value for run in runs]
    assert [values.tolist() for values in found.values()] == [[value] * 2 for value in expected]
    ax = draw_swept({"printed": found}, 0.25, [7.0, 9.0])
    *_, mean, fifo, first, second = ax.lines
    assert mean.get_xdata().tolist() == [5, BY_14] and mean.get_ydata() == pytest.approx(100 * np.array(expected))
    assert (fifo.get_ydata()[0], first.get_xdata()[0], second.get_xdata()[0]) == (25, 7, 9)


def test_foresight_is_between_the_policies_and_the_optimum() -> None:
    (case,) = draws("tiny", family="dmlrs", seeds=[1])
    cluster = case.instance()
    found, top = shares_of_bound(cluster, CHOICES), sp.bound("dmlrs.rdmlrs_lp", cluster).value
    optimum = sp.program("dmlrs.exact").solve(cluster, solver="cpsat").objective
    assert optimum is not None
    assert max(found["first come"], found["PD-ORS"]) <= found[FORESIGHT] + 1e-9
    assert found[FORESIGHT] * top <= optimum * 1.01 and optimum <= top * 1.01  # both bounds are within a promille
    for name, choice in CHOICES.items():
        assert found[name] * top == pytest.approx(float(choice.run(cluster).objective), rel=0.01)


def test_the_schedules_of_a_run_earn_its_utility() -> None:
    run = CHOICES["PD-ORS"].run(sp.embedded("cluster"))
    assert float(sum(plan.utility for plan in plans(run))) == pytest.approx(float(run.objective)) != 0


def test_every_draw_has_a_row_and_an_enclosed_ratio() -> None:
    table = hindsight(draws("tiny", family="dmlrs", seeds=2, vary={"machines": [1, 2]}), CHOICES)
    assert list(table["machines"]) == ["1", "1", "2", "2"]
    low, high = ratios(table.assign(served=[0.5, 0.25, 0, 1]), "served")
    assert high == pytest.approx([2, 4, 1e9, 1]) and low == pytest.approx(high * table[FORESIGHT].to_numpy())


def test_the_picture_groups_draws_by_setting_and_shades_guarantees() -> None:
    table = pd.DataFrame({"machines": ["4", "4", "12"], FORESIGHT: [0.9, 0.8, 1], "a": [0.5, 0.4, 0.3]})
    ax = draw_hindsight(table, "machines", promised=2)
    best, found = (line.get_xydata() for line in ax.lines)
    assert best[:, 1] == pytest.approx([90, 80, 100]) and found[:, 1] == pytest.approx([50, 40, 30])
    assert np.diff(found[:, 0])[0] < np.diff(found[:, 0])[1]
    assert ax.patches[0].get_extents().transformed(ax.transData.inverted()).intervaly == pytest.approx([50, 100])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["4 machines", "12 machines"]
