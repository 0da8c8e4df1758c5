"""Theorem 1: the first iteration by two routes, witnesses worked by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from math import pi, sqrt

import numpy as np
import pytest

from schedproof.proofs_checks.jrp.shared.enclosures import printed_factor
from schedproof.proofs_checks.jrp.theorem1 import (
    at_first,
    at_the_end,
    data_kept,
    first_accepts,
    first_iteration,
    least,
    most,
    rate,
    unpruned,
)
from schedproof.proofs_checks.strategies.jrp_points import EqualNodes, knapsack, loads, pairs, points, spread, spreads
from schedproof.reference.jrp import storage_only
from schedproof.reference.jrp_linear import lp_i
from schedproof.reference.jrp_load import kept
from schedproof.reference.jrp_model import optimum
from tests.support import size
from tests.tiny.jrp import drawn_cases

HALF = F(1, 2)


def test_the_first_iteration_never_beats_the_optimum_and_agrees_with_what_servers_keep():
    alone = 0
    for case in drawn_cases(points(), size(30, 60, 1000)):
        mean = first_iteration(case.instance, case.rows) if unpruned(case) else None
        if mean is None:
            continue
        assert 0 <= mean <= optimum(case.instance, storage_only) <= case.optimum
        alone += len(case.instance.jobs)
    assert alone > 20


def test_single_nodes_by_enumeration_and_by_distribution():
    compared = 0
    for case in drawn_cases(spreads(), size(40, 80, 1000)):
        mean = first_iteration(case.instance, case.rows)
        if mean is None:
            continue
        assert mean == sum(kept(load).mean / load.largest for load in case.loads) == first_accepts(case).measured
        compared += any(kept(load).overfull for load in case.loads)
    assert compared > 10


def test_single_nodes_by_hand():
    # three jobs of 1 GB on a server of 1 GB, x = 1/3: one is accepted unless none is drawn
    case = spread([1], 1, [[0]] * 3)
    finding = first_accepts(case)
    assert finding.measured == 1 - F(2, 3) ** 3
    assert float(finding.claimed) == pytest.approx(1 - np.exp(-1), abs=1e-8)
    # half of the second data node's room is lost: r = 3, d = 2
    (load,) = spread([3], 2, [[0]] * 3).loads
    assert float(rate(load)) == pytest.approx((1 - np.exp(-1)) * 2 / 3, abs=1e-8)
    assert first_accepts(spread([3], 2, [[0]] * 3), whole_only=True) is None


def test_the_bound_is_nearly_attained_by_many_jobs():
    finding = first_accepts(spread([3], 1, [[0]] * 60))
    assert finding.claimed < finding.measured < finding.claimed * F(101, 100)


def test_other_instances_are_not_single_nodes():
    for point in (knapsack(3, [1], [2]), knapsack(3, [1], [1, 1])):
        with pytest.raises(ValueError, match="one data node each"):
            EqualNodes(point.instance, point.rows)


def test_a_knapsack_by_hand():
    # y = 1 for the job of 1 GB, 8/9 for the other: 17/9; together they have 10 GB
    case = knapsack(9, [1], [3, 3, 3])
    servers = unpruned(case)
    assert lp_i(case.instance).value == F(17, 9)
    assert least(servers) == most(servers) == 3
    for finding in (at_the_end(case, least), at_the_end(case, most), at_first(case)):
        assert (finding.measured, finding.claimed) == (1, printed_factor(3) * F(17, 9))
    assert data_kept(case).measured == 1 + 3 * (3 * F(8, 9) - F(8, 9) ** 3)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 6])
def test_the_triangle_by_hand(nodes):
    case = pairs(3, nodes)
    assert lp_i(case.instance).value == F(3, 2)
    assert {x for *_, x in case.rows} == {HALF}
    assert optimum(case.instance, storage_only) == 1 and least(unpruned(case)) == most(unpruned(case)) == nodes
    claimed = 1.5 * (1 - 1 / (2 * nodes) - 1 / sqrt(2 * pi * nodes))
    finding = at_the_end(case, least)
    assert float(finding.claimed) == pytest.approx(claimed, abs=1e-8)
    assert finding.violated == (nodes >= 4)


def test_more_jobs_in_pairs_widen_the_gap():
    for jobs in (3, 4, 5):
        case = pairs(jobs, 1)
        assert (lp_i(case.instance).value, optimum(case.instance, storage_only)) == (F(jobs, 2), 1)


def test_points_that_are_not_optimal_or_not_pruned_do_not_count():
    case = knapsack(9, [1], [3, 3, 3])
    assert unpruned(knapsack(4, [1], [3, 3])) is None  # (18): the second job has 6 GB
    wrong = {
        "not optimal": tuple((k, i, j, x / 2) for k, i, j, x in case.rows),
        "cannot serve": tuple((k, i, j, F(1)) for k, i, j, _ in case.rows),
        "add up to": case.rows[:-1],
    }
    for message, rows in wrong.items():
        with pytest.raises(ValueError, match=message):
            replace(case, rows=rows)


def test_eta_over_several_servers():
    case = spread([1, 3], 1, [[0], [1], [1], [1], [1]])
    servers = loads(case.instance, case.rows)
    assert (least(servers), most(servers)) == (1, 3)
