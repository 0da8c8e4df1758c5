from __future__ import annotations

import pytest
from dmlrs_optimum import enclosure, in_order, table

import schedproof as sp
from schedproof.experiments.compare import Draw, draws
from schedproof.instances.arriving import arrivals
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def test_the_exact_optimum_is_in_the_enclosure() -> None:
    reached = 0
    for seed in range(size(4, 6, 60)):
        instance = tiny_cluster(seed)
        found = enclosure(instance, tries=8)
        exact = sp.program("dmlrs.exact").solve(instance, solver="cpsat").exact
        low = found.best.objective(instance)
        assert low <= exact <= found.above.exact and found.above.verify(instance)
        assert found.best.violations(instance) == [] and found.best == enclosure(instance, tries=8).best
        reached += low == exact
    assert reached


def test_the_online_policy_is_the_search_in_order_of_arrival() -> None:
    differ = 0
    for seed in range(size(5, 12, 60)):
        instance = tiny_cluster(seed, jobs=5)
        choice = sp.policy("pd_ors", span=12)
        online = choice.run(instance).schedule
        told = [job for _, jobs in arrivals(instance.jobs) for job in jobs]
        assert in_order(instance, choice, told).placements == online.placements
        differ += in_order(instance, choice, told[::-1]).placements != online.placements
    assert differ


def test_a_ratio_is_between_two_bounds() -> None:
    [row] = table(draws("tiny", family="dmlrs", seeds=[1]), tries=5).to_dict("records")
    assert row["seed"] == 1 and row["at_least"] <= row["at_most"]
    low, high = map(float, row["pd_ors, ratio"].split(" to "))
    assert low == pytest.approx(row["at_least"] / row["pd_ors"], rel=5e-4)  # it is told with four digits
    assert low <= high
    infeasible_alone = table([Draw("dmlrs", "tiny", 0, {"epochs_low": "50", "epochs_high": "50"})], tries=1)
    assert infeasible_alone["pd_ors, ratio"].tolist() == ["undefined"]
