from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedproof.core.results.run import Policy
from schedproof.instances.multiserver import from_json, to_json
from schedproof.proofs_checks.strategies import multiserver as strategies
from schedproof.proofs_checks.strategies import multiserver_runs as runs
from schedproof.reference import multiserver_oga as oga
from schedproof.reference.multiserver import excess, network, nothing, pairs, supergradient
from schedproof.reference.multiserver_constants import (
    bound39,
    bounds,
    diameter,
    diameter51,
    largest_norm,
    norm48,
    proof_step,
    sharp_diameter,
    sharp_norm,
    vertices,
)
from tests.support import size

FEW = settings(max_examples=size(20, 36, 2000), deadline=None, database=None)


def test_a_single_port_by_hand():
    case = runs.single_port(4)
    run = oga.play(case.instance, case.start, oga.constant(F(1, 3)))
    assert [y[0][0] for y in run.decided] == [0, F(1, 3), F(2, 3), 1]
    assert run.after == ((1,),) and run.norms == [1] * 4
    assert run.total_reward == 2 and run.regret([[F(1)]]) == run.least_regret == run.linear_regret == 2
    assert run.regret([[F(1, 2)]]) == 0


def test_two_port_contention_by_hand():
    case = runs.two_port_contention(4)
    run = oga.play(case.instance, case.start, oga.constant(F(1, 2)))
    assert [tuple(row[0] for row in y) for y in run.decided] == [
        (0, 1),
        (F(1, 4), F(3, 4)),
        (F(1, 2),) * 2,
        (F(3, 4), F(1, 4)),
    ]
    assert run.least_regret == F(5, 2) and oga.exact_root(bound39(case.instance)) == 4


def test_one_port_followed_by_another_starts_at_zero():
    case = runs.one_then_the_other(2, 1)
    run = oga.play(case.instance, case.start, oga.decaying_step(F(4), F(1, 8)))
    # the first job takes the gpu; the third slot's step is 4/64, and half of it goes to either side
    assert [tuple(row[0] for row in y) for y in (*run.decided, run.after)] == [
        (0, 0),
        (1, 0),
        (1, 0),
        (F(31, 32), F(1, 32)),
    ]
    assert run.total_reward == 1 and run.least_regret == 1


def test_the_steps():
    norms = [F(4), F(0), F(1)]
    assert oga.constant(F(3))(norms) == 3
    assert oga.decaying_step(F(3), F(1, 2))(norms) == F(3, 4)
    assert oga.step53(F(8), 2)(norms) == 2
    assert oga.largest_so_far(F(8), 2)(norms) == 1
    assert oga.anytime(F(10))(norms) == 1
    with pytest.raises(oga.NoExactRun):
        oga.step53(F(8), 3)(norms)


def test_gradients_that_are_not_rational_have_no_run():
    value = to_json(runs.single_port(2).instance) | {"utilities": {"gpu": {"kind": "poly", "alpha": 1}}}
    with pytest.raises(oga.NoExactRun):
        oga.play(from_json(value), [[F(1, 2)]], oga.constant(F(1)))


@given(st.fractions(min_value=F(1, 10**9), max_value=10**9), st.fractions(min_value=1, max_value=2))
@FEW
def test_roots_are_on_the_right_side(value, factor):
    low, high = oga.root_below(value), oga.root_above(value)
    assert oga.SHORT**2 * value <= low**2 <= value <= high**2
    assert oga.root_below(value * factor) >= low
    assert oga.exact_root(value**2) == oga.root_above(value**2) == value
    assert oga.root_above(F(2)) == F(1415, 1000)


@given(runs.compared_cases())
@FEW
def test_a_run_stays_in_y_and_loses_no_more_than_the_linear_regret(case):
    run = oga.play(case.instance, case.start, oga.constant(case.step))
    assert not any(excess(case.instance, y) for y in (*run.decided, run.after))
    assert run.linear_regret >= max(run.least_regret, run.regret(case.fixed))
    assert all(n <= min(norm48(case.instance), sharp_norm(case.instance)) for n in run.norms)


@given(strategies.instances(), st.randoms(use_true_random=False))
@FEW
def test_the_best_point_for_a_weight_is_the_best_vertex(instance, random):
    net = network(instance)
    weight = [[F(random.randint(-2, 3)) for _ in net.resources] for _ in net.edges]
    best = sum(
        max(
            sum((weight[e][k] * y for e, y in zip(edges, corner, strict=True)), F(0))
            for corner in vertices(tuple(net.edge_demand(e, k) for e in edges), capacity)
        )
        for edges, k, capacity in pairs(net)
    )
    point = oga.best_linear(instance, weight)
    assert oga.dot(weight, point) == best and excess(instance, point) == 0


@pytest.mark.parametrize(
    ("demand", "capacity", "squared"), [((2,), 1, 1), ((1, 1), 1, 2), ((1, 1, 1), 2, 3), ((1,), 3, 1)]
)
def test_the_diameter_of_a_row(demand, capacity, squared):
    corners = vertices(tuple(map(F, demand)), F(capacity))
    assert max(sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for p, q in product(corners, repeat=2)) == squared


@given(strategies.instances())
@FEW
def test_the_diameter_is_within_its_bounds(instance):
    assert diameter(instance) <= sharp_diameter(instance) <= diameter51(instance)


@given(strategies.placed_cases(kinds=("linear",)))
@FEW
def test_the_largest_norm_is_a_bound_that_some_point_attains(case):
    instance, net = case.instance, network(case.instance)
    there = [1] * len(net.demand)

    def norm(y):
        return oga.square([[low for low, _ in row] for row in supergradient(instance, there, y)])

    # with little of one resource, a port's k* is that resource; all choices of one for each port
    def little(edge, k, chosen):
        return (
            min(net.edge_demand(edge, k), net.capacity[net.edges[edge][1]][k]) / 9
            if chosen[net.edges[edge][0]] == k
            else F(0)
        )

    points = (
        [[little(e, k, chosen) for k in net.resources] for e in range(len(net.edges))]
        for chosen in product(net.resources, repeat=len(net.demand))
    )
    assert norm(case.y) <= largest_norm(instance) == max(map(norm, points))


@given(runs.started_cases(slots=runs.fitting(bounds), resources=1))
@FEW
def test_it_agrees_with_the_production_policy(case):
    instance, start = case.instance, nothing(case.instance)
    try:
        run = oga.play(instance, start, oga.constant(proof_step(instance)))
    except oga.NoExactRun:
        return
    blocks = Policy("oga_sched", {"constants": "printed"}).run(instance).schedule.blocks()
    decided = [y.tolist() for block in blocks for y in block]
    for mine, theirs in zip(run.decided, decided, strict=True):
        for p, q in zip(mine, theirs, strict=True):
            assert [float(a) for a in p] == pytest.approx(q, abs=1e-9)


@pytest.mark.parametrize("constants", ["printed", "sharper"])
def test_the_production_policy_loses_as_much_on_the_witness(constants):
    run = Policy("oga_sched", {"step": "printed53", "constants": constants}).run(runs.drift(8).instance)
    found = run.regret(points=2, gap=F(1, 10**9))
    assert [float(end[-1]) for end in (found.lower, found.upper)] == pytest.approx([151 / 4] * 2, abs=1e-6)


def test_more_ports_at_a_node_than_are_enumerated():
    with pytest.raises(oga.NoExactRun, match="a node has 4 ports"):
        diameter(runs.build_instance([1], [[0]] * 4, [[1] * 4]))
    value = to_json(runs.single_port(1).instance) | {"utilities": {"gpu": {"kind": "log", "alpha": 1}}}
    with pytest.raises(oga.NoExactRun, match="slope"):
        largest_norm(from_json(value))


def test_steps_that_are_rounded_down_do_not_grow():
    norms = [F(n % 5) for n in range(1, 40)]
    for rule in (oga.largest_so_far(F(7), 40), oga.anytime(F(7))):
        steps = [rule(norms[:n]) for n in range(1, len(norms) + 1)]
        assert all(a >= b for a, b in pairwise(steps))
