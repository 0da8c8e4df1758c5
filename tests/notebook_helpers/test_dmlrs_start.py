from __future__ import annotations

import pytest
from dmlrs_start import lp_prices, proved_by_prices, rounds_of, slot

import schedproof as sp


def test_the_bounds_prices_prove_it_and_the_rounds_converge() -> None:
    cluster = sp.generate("dmlrs", "tiny", 1, machines=1)
    bound = sp.bound("dmlrs.rdmlrs_lp", cluster)
    assert proved_by_prices(cluster, lp_prices(bound)) == pytest.approx(bound.value, rel=1e-6)
    assert rounds_of(cluster, 1e-4)[-1].bound == pytest.approx(bound.value, rel=1e-3)


def test_an_integer_point_costs_at_least_the_fractional_optimum() -> None:
    program, vertex, least = slot(1)
    assert sum(float(x) * cost for x, cost in zip(vertex, program.costs, strict=True)) <= least + 1e-9
