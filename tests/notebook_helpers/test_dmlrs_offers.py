from __future__ import annotations

from dataclasses import replace
from math import isinf

import numpy as np
import pytest
from dmlrs_offers import (
    draw_doors,
    draw_prices,
    draw_spans,
    fates,
    in_use,
    log_price,
    mean_bundle,
    watch,
    worth_admitting,
)

import schedproof as sp
from schedproof.instances.dmlrs.drive import system


@pytest.mark.parametrize("span", [3, None])
def test_the_offers_equal_the_policys(span: int | None) -> None:
    cluster = sp.embedded("cluster")
    policy = sp.policy("pd_ors", span=span)
    run = policy.run(cluster)
    _, offers = watch(cluster, policy)
    given = sorted((row.job, row.slot, row.machine, row.workers, row.ps) for offer in offers for row in offer.rows)
    assert given == sorted((row.job, row.slot, row.machine, row.workers, row.ps) for row in run.schedule.placements)
    assert all(offer.utility > offer.cost for offer in offers if offer.rows)
    assert all(offer.utility <= offer.cost for offer in offers if not offer.rows)


def test_jobs_are_dots_dashes_or_crosses_and_bars_show_allocations() -> None:
    cluster = sp.embedded("cluster")
    _, offers = watch(cluster, sp.policy("pd_ors", span=3))
    no_room = [replace_cost(offer) for offer in offers[:1]] + list(offers[1:])
    left, right, below, _ = draw_doors(cluster, {"as it was": offers, "no room": no_room}).axes
    dots = {line.get_label(): len(line.get_xdata()) for line in left.lines if not line.get_label().startswith("_")}
    admitted = sum(bool(offer.rows) for offer in offers)
    assert dots == {"admitted": admitted, "too dear": len(offers) - admitted, "no room": 0}
    assert len(next(line for line in right.lines if line.get_label() == "no room").get_xdata()) == 1
    share = in_use(cluster, offers)
    assert below.patches[0].get_data().values == pytest.approx(100 * share[:, share.sum(axis=0).argmax()])


def replace_cost(offer):  # type: ignore[no-untyped-def]
    return offer._replace(cost=float("inf"), rows=[])


def test_a_price_runs_from_the_lowest_to_the_highest() -> None:
    cluster = sp.embedded("cluster")
    known = system(cluster).extremes("printed")
    resource = max(known.log_highest, key=lambda name: known.log_highest[name])
    price = log_price(known, {resource: 1.0})
    assert price[0] == pytest.approx(known.log_lowest) and price[-1] == pytest.approx(known.log_highest[resource])
    dearer = replace(known, log_lowest=known.log_highest[resource])
    assert (worth_admitting(cluster, known) >= worth_admitting(cluster, dearer)).all()
    left, right = draw_spans(cluster, {"known": known, "dearer": dearer}).axes
    assert [line.get_label() for line in left.lines] == ["known", "dearer"]
    assert right.lines[0].get_ydata() == pytest.approx(100 * worth_admitting(cluster, known))


def test_prices_are_those_of_an_average_worker() -> None:
    cluster = sp.embedded("cluster")
    prices = np.full((cluster.horizon, len(cluster.machines), len(cluster.resources)), 2.0)
    first, hidden = draw_prices(cluster, {"two": prices}).axes[:2]
    (mesh,) = first.collections
    assert not isinf(mesh.get_array().max())
    assert np.asarray(mesh.get_array()) == pytest.approx(2 * mean_bundle(cluster).sum())
    assert not hidden.axison


def test_outcomes_of_offers_are_counted() -> None:
    cluster = sp.embedded("cluster")
    _, offers = watch(cluster, sp.policy("pd_ors", span=15))
    found = fates(cluster, offers)
    assert found["admitted"] == sum(bool(offer.rows) for offer in offers)
    assert found["admitted"] + found["too dear"] + found["no room"] == len(offers)
    poor = [offer._replace(utility=0.5) if n % 2 else offer._replace(utility=2.0) for n, offer in enumerate(offers)]
    used = in_use(cluster, [offer for offer in poor if offer.rows]).sum(axis=0)
    little = in_use(cluster, [offer for offer in poor if offer.rows and offer.utility < 1]).sum(axis=0)
    assert fates(cluster, poor)["wasted"] == (little / used)[used.argmax()]
    assert fates(cluster, [offer._replace(utility=0.5) for offer in offers])["wasted"] == 1
    assert fates(cluster, [offer._replace(rows=[], cost=float("inf")) for offer in offers])["no room"] == len(offers)
