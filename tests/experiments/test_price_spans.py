"""Spans of prices: the LP's own, what policies earn with others, and the picture."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.experiments.price_spans import BY_14, draw_swept, lp_prices, shares, span_of_lp
from schedproof.instances.dmlrs.drive import system
from schedproof.online.dmlrs.picture import log_price, mean_bundle

CLUSTER = sp.embedded("cluster")
BOUND = sp.bound("dmlrs.rdmlrs_lp", CLUSTER)


def test_the_prices_prove_the_bound() -> None:
    room = (lp_prices(BOUND) * CLUSTER.grid.capacity).sum()
    payoffs = sum(map(Fraction, BOUND.witness.to_json()["payoffs"]))
    assert room + float(payoffs) == pytest.approx(BOUND.value, rel=1e-6) and room > 0
    with pytest.raises(InputError, match="has no prices"):
        lp_prices(sp.bound("placement.lp", sp.embedded("clusters")))


def test_with_the_span_of_the_lp_an_empty_machine_costs_what_it_costs_the_lp() -> None:
    known = system(CLUSTER).extremes("printed").spanning(span_of_lp(CLUSTER, BOUND))
    per_unit = dict(zip(CLUSTER.resources, np.array(CLUSTER.grid.per_unit, dtype=float), strict=True))
    amounts = dict(zip(CLUSTER.resources, mean_bundle(CLUSTER), strict=True))
    empty = log_price(known, {r: amount / per_unit[r] for r, amount in amounts.items()})[0]
    assert np.exp(empty) == pytest.approx((lp_prices(BOUND) @ mean_bundle(CLUSTER)).mean())


def test_shares_are_of_the_bound_and_the_picture_shows_their_means() -> None:
    runs = [sp.policy("pd_ors", span=span).run(CLUSTER) for span in (5, None)]
    found = {span: shares([(CLUSTER, BOUND)] * 2, "pd_ors", span=span) for span in (5, None)}
    expected = [float(run.objective) / BOUND.value for run in runs]
    assert [values.tolist() for values in found.values()] == [[value] * 2 for value in expected]
    ax = draw_swept({"printed": found}, 0.25, [7.0, 9.0])
    *_, mean, fifo, first, second = ax.lines
    assert mean.get_xdata().tolist() == [5, BY_14] and mean.get_ydata() == pytest.approx(100 * np.array(expected))
    assert (fifo.get_ydata()[0], first.get_xdata()[0], second.get_xdata()[0]) == (25, 7, 9)
