from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from schedproof.instances.multiserver import from_json
from schedproof.proofs_checks.strategies import multiserver as strategies
from schedproof.proofs_checks.trials import draw
from schedproof.reference import multiserver as model
from schedproof.reference.multiserver_constants import diameter51, norm48, sharp_diameter, sharp_norm
from schedproof.reference.multiserver_projection import (
    Interpretation,
    algorithm1,
    gap,
    outside,
    project_row,
    shift,
    three_sets,
)
from tests.instances.multiserver.allocations import cumulative
from tests.support import size

ZERO, ONE = Fraction(0), Fraction(1)


def cases(strategy, count: int = 60):
    found = []
    draw(strategy, size(count, count, 20 * count), 0, found.append)
    return found


def exact(*numbers) -> list[Fraction]:
    return [Fraction(n) for n in numbers]


def two_by_two():
    utility = {"cpu": {"kind": "linear", "alpha": 2}, "gpu": {"kind": "reciprocal", "alpha": 1}}
    return from_json(
        {
            "version": 1,
            "family": "multiserver",
            "resources": ["cpu", "gpu"],
            "nodes": [{"name": "a", "capacity": {"cpu": 3, "gpu": 1}}, {"name": "b", "capacity": {"cpu": 1}}],
            "ports": [
                {"name": "p", "demand": {"cpu": 2, "gpu": 1}, "nodes": ["b", "a"]},
                {"name": "q", "demand": {"cpu": 1}, "nodes": ["b"]},
            ],
            "utilities": utility,
            "node_utilities": {"b": {"cpu": {"kind": "linear", "alpha": 1}}},
            "overhead": {"cpu": 1, "gpu": 1},
            "arrivals": [[1, 0], [1, 2]],
        }
    )


def test_copies_and_edges_are_those_of_the_instance():
    for instance in cases(strategies.instances(count=2)):
        graph = instance.graph
        net = model.network(instance)
        assert list(net.edges) == list(zip(graph.edge_copy.tolist(), graph.edge_node.tolist(), strict=True))
        assert [[float(a) for a in row] for row in net.demand] == graph.demand.tolist()
        for t, row in enumerate(instance.present(0, instance.horizon).tolist()):
            assert list(model.present(instance, t)) == row


@pytest.mark.parametrize("gain", ["node", "total"])
def test_rewards_agree_with_the_enclosure_of_the_schedule_checker(gain):
    for case in cases(strategies.placed_cases(count=2)):
        instance = case.instance
        doubles = np.array([[float(v) for v in row] for row in case.y]).reshape(instance.graph.shape)
        y = [[Fraction(v) for v in row] for row in doubles.tolist()]
        slots = range(instance.horizon)
        low, high = model.plus(model.reward(instance, model.present(instance, t), y, gain) for t in slots)
        theirs = cumulative(instance, [np.array([doubles for _ in slots])], gain)
        assert theirs[0] <= low <= high <= theirs[1]
        assert high - low < Fraction(1, 10**20)


def test_a_slot_by_hand():
    instance, y = two_by_two(), [exact("1/2", 0), exact(1, 1), exact(1, 0), exact(0, 0)]
    assert model.network(instance).edges == ((0, 1), (0, 0), (1, 1), (2, 1))
    assert model.totals(instance, y, 0) == (Fraction(3, 2), ONE)
    assert model.penalty(instance, y, 0) == Fraction(3, 2)
    assert model.computation_gain(instance, y, 0) == (3, 3)  # 1/2 + 2 + 1/2
    assert model.computation_gain(instance, y, 0, "total") == (Fraction(7, 2),) * 2  # 2 * 3/2 + 1/2
    assert model.reward(instance, (1, 1, 0), y) == (Fraction(3, 2),) * 2  # 3 - 3/2 and 1 - 1
    assert model.excess(instance, y) == Fraction(1, 2)  # 3/2 of 1 cpu at node b
    one = model.supergradient(instance, (1, 0, 0), y)
    assert [[low for low, high in row if low == high] for row in one] == [
        exact(0, 1),
        exact(1, "1/4"),
        exact(0, 0),
        exact(0, 0),
    ]
    total = model.supergradient(instance, (1, 0, 0), y, gain="total")
    assert total[0] == total[1] == ((ONE, ONE), (Fraction(1, 4),) * 2)


def test_ties_follow_the_rule():
    instance = two_by_two()
    y = model.nothing(instance)
    assert model.maximisers(instance, y, 0) == (0, 1)
    slopes = {}
    for tie in (model.smallest, lambda tied: tied[-1:], model.every, lambda tied: ()):
        slopes[tie] = [low for low, _ in model.supergradient(instance, (1, 1, 1), y, tie)[1]]
    assert list(slopes.values()) == [exact(1, 1), exact(2, 0), exact(1, 0), exact(2, 1)]


def test_projections_are_certified_and_wrong_answers_are_not():
    for case in cases(strategies.pointed_cases(count=2)):
        instance, z = case.instance, case.z
        net, answer = model.network(instance), model.project(case.instance, case.z)
        assert model.excess(instance, answer) == 0
        for (point, demand, capacity), (got, _, _) in zip(
            model.as_rows(net, z), model.as_rows(net, answer), strict=True
        ):
            assert gap(point, got, demand, capacity) == 0
            assert three_sets(point, demand, capacity) == project_row(point, demand, capacity) == tuple(got)
            for n in range(len(got)):
                for move in (Fraction(1, 7), Fraction(-1, 7)):
                    wrong = [*got[:n], got[n] + move, *got[n + 1 :]]
                    assert outside(wrong, demand, capacity) > 0 or gap(point, wrong, demand, capacity) > 0


def test_a_negative_capacity_is_refused():
    with pytest.raises(ValueError, match="capacity >= 0"):
        shift(exact(1), exact(1), Fraction(-1))


@pytest.mark.parametrize(
    ("z", "a", "c", "printed", "floored", "projection"),
    [
        ((2, 2), (1, 1), 10, (1, 9), (1, 2), (1, 1)),
        ((0,), (1,), 1, (1,), (0,), (0,)),
        ((4, 3), (4, 1), 4, ("5/2", "3/2"), ("5/2", "3/2"), (3, 1)),
        ((3, 4), (1, 4), 4, ("3/2", "5/2"), ("3/2", "5/2"), (1, 3)),
        ((1, -1), (1, 1), 1, (1, 0), (1, 0), (1, 0)),
        ((), (), 1, (), (), ()),
        ((1, 1), (0, 2), 0, (0, 0), (0, 0), (0, 0)),
    ],
)
def test_algorithm_1_by_hand(z, a, c, printed, floored, projection):
    row = exact(*z), exact(*a), Fraction(c)
    assert algorithm1(*row) == tuple(exact(*printed))
    assert algorithm1(*row, Interpretation(floored=True)) == tuple(exact(*floored))
    assert project_row(*row) == tuple(exact(*projection))


def test_open_points_of_the_printed_text():
    row = exact(1, -1), exact(1, 1), ONE
    assert algorithm1(*row, Interpretation(zeroed=False)) == (1, Fraction(-1, 2))
    assert algorithm1(*row, Interpretation(emptied=False)) is None
    assert algorithm1(exact(2, 2), exact(1, 1), Fraction(10), Interpretation(rounds=1)) == (5, 5)


def test_the_constants_by_hand():
    instance = two_by_two()  # slopes 2, 1 at node a and 1, 1 at node b
    assert norm48(instance) == (1 + 2 * 4) + 3 * (1 + 2 * 1)
    assert sharp_norm(instance) == (1 + 1 + 1 + 4) + 2 * (1 + 1)  # gpu dominates p: 2^2 + max(1, 0); 1 + max(1, 0)
    assert diameter51(instance) == 2 * (2 * (3 + 1) + 1 * 1)
    assert sharp_diameter(instance) == (4 + 1) + min(3, 2 * 1 * 1)


def test_sharp_constants_are_not_above_the_printed_ones():
    for instance in cases(strategies.instances(count=2)):
        assert sharp_diameter(instance) <= diameter51(instance)
        for gain in ("node", "total"):
            assert sharp_norm(instance, gain) <= norm48(instance, gain)
