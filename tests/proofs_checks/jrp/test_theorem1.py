from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from math import pi, sqrt

import numpy as np
import pytest

from schedproof.proofs_checks.jrp.inside_at_vertex import at_most, inside
from schedproof.proofs_checks.jrp.shared.enclosures import printed_factor
from schedproof.proofs_checks.jrp.shared.vertex_counts import split_nodes, three_each, tight
from schedproof.proofs_checks.jrp.theorem1 import (
    MOST_DRAWS,
    at_first,
    at_the_end,
    data_kept,
    draw_count,
    first_iteration,
    largest_count,
    server_loads,
    smallest_eta,
    storage_alone,
    surely,
    unpruned,
    vertex_count,
)
from schedproof.proofs_checks.jrp.theorem1_equal_sizes import WHOLE, first_accepts, rate, whole_vertex
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.proofs_checks.strategies.jrp_points import EqualNodes, knapsack, loads, pairs, points, spread, spreads
from schedproof.proofs_checks.strategies.jrp_rounds import vertex_iteration
from schedproof.reference.jrp import storage_only
from schedproof.reference.jrp_linear import lp_i
from schedproof.reference.jrp_load import kept_prefix
from schedproof.reference.jrp_model import optimum
from tests.support import size
from tests.tiny.jrp import drawn_cases

HALF = F(1, 2)


def test_the_first_iteration_is_at_most_the_optimum_and_agrees_with_server_loads():
    alone = 0
    for case in drawn_cases(points(), size(30, 30, 1000)):
        if not unpruned(case) or draw_count(case.instance, case.rows) > MOST_DRAWS:
            continue
        mean = first_iteration(case.instance, case.rows)
        assert 0 <= mean <= optimum(case.instance, storage_only) <= case.optimum
        alone += len(case.instance.jobs)
    assert alone > 20


def test_single_nodes_by_enumeration_and_by_distribution():
    compared = 0
    for case in drawn_cases(spreads(), size(40, 40, 1000)):
        if draw_count(case.instance, case.rows) > MOST_DRAWS:
            continue
        mean = first_iteration(case.instance, case.rows)
        assert mean == sum(kept_prefix(load).mean / load.largest for load in case.loads) == first_accepts(case).measured
        compared += any(kept_prefix(load).overfull for load in case.loads)
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
    assert not WHOLE[0].met(spread([3], 2, [[0]] * 3))


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
    servers = server_loads(case)
    assert lp_i(case.instance).value == F(17, 9)
    assert smallest_eta(servers) == largest_count(servers) == 3
    for finding in (at_the_end(case, smallest_eta), at_the_end(case, largest_count), at_first(case)):
        assert (finding.measured, finding.claimed) == (1, printed_factor(3) * F(17, 9))
    assert data_kept(case).measured == 1 + 3 * (3 * F(8, 9) - F(8, 9) ** 3)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 6])
def test_the_triangle_by_hand(nodes):
    case = pairs(3, nodes)
    assert lp_i(case.instance).value == F(3, 2)
    assert {x for *_, x in case.rows} == {HALF}
    assert (
        optimum(case.instance, storage_only) == 1
        and smallest_eta(server_loads(case)) == largest_count(server_loads(case)) == nodes
    )
    claimed = 1.5 * (1 - 1 / (2 * nodes) - 1 / sqrt(2 * pi * nodes))
    finding = at_the_end(case, smallest_eta)
    assert float(finding.claimed) == pytest.approx(claimed, abs=1e-8)
    assert finding.violated == (nodes >= 4)


def test_more_jobs_in_pairs_widen_the_gap():
    for jobs in (3, 4, 5):
        case = pairs(jobs, 1)
        assert (lp_i(case.instance).value, optimum(case.instance, storage_only)) == (F(jobs, 2), 1)


def test_points_that_are_not_optimal_or_not_pruned_do_not_count():
    case = knapsack(9, [1], [3, 3, 3])
    assert not unpruned(knapsack(4, [1], [3, 3]))  # (18): the second job has 6 GB
    wrong = {
        "expected an optimal point": tuple((k, i, j, x / 2) for k, i, j, x in case.rows),
        "cannot serve": tuple((k, i, j, F(1)) for k, i, j, _ in case.rows),
        "expected equal totals": case.rows[:-1],
    }
    for message, rows in wrong.items():
        with pytest.raises(ValueError, match=message):
            replace(case, rows=rows)


def test_eta_over_several_servers():
    case = spread([1, 3], 1, [[0], [1], [1], [1], [1]])
    servers = loads(case.instance, case.rows)
    assert (smallest_eta(servers), largest_count(servers)) == (1, 3)


def of_storage(storages, *jobs):
    """Jobs of (size, servers) without deadlines."""
    return vertex_iteration(build([(0, 0, list(own)) for own in jobs], [(storage, 0, 0) for storage in storages]))


def test_an_almost_complete_job_by_hand():
    # 1 and 20 GB on 20 GB: y = 19/20, one row is tight; only the small job is sure
    case = of_storage([20], [(1, (0,))], [(20, (0,))])
    assert (vertex_count(case).measured, vertex_count(case).claimed) == (1, 1)
    finding = surely(case, tight)
    assert (finding.measured, finding.claimed) == (1, F(19, 20)) and storage_alone(case) == replace(
        finding, where=storage_alone(case).where
    )
    assert (inside(case), at_most(case).claimed) == (1, 1)


def test_a_split_data_node_must_come_last():
    # 10 GB go half to each of two servers, which five jobs of 1 GB fill to the other half: all of OPT_I = 11 is whole
    small = [[(1, (j,))] for j in (0, 1) for _ in range(5)]
    case = of_storage([10, 10], [(10, (0, 1))], *small)
    assert (split_nodes(case), tight(case), sum(case.y)) == ({(0, 0)}, 2, 11)
    assert surely(case, tight).measured == 10 and surely(case, three_each).claimed == 5
    wrong = surely(case, tight, by_file=True)
    assert (wrong.measured, wrong.claimed) == (6, 9)


def test_one_row_may_have_several_interior_data_nodes():
    case = of_storage([9], [(1, (0,))], [(3, (0,))] * 3)
    assert (inside(case), tight(case), at_most(case).claimed) == (3, 1, 3)


def test_only_equal_nodes_have_integer_vertices():
    assert not whole_vertex(spread([3], 1, [[0]] * 60)).violated
    assert not WHOLE[0].met(spread([3], 2, [[0]] * 3))
