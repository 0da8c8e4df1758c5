from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from multiserver_arrivals import DUEL, SHAPES, RegretGoal, interval, phases, with_arrivals, worst_arrivals

import schedproof as sp
from schedproof.adversary.space import Documents
from schedproof.instances import from_json
from schedproof.reference.multiserver import nothing
from schedproof.reference.multiserver_oga import constant, play
from tests.support import size

CLUSTER = from_json(DUEL)
CHOICE = sp.policy("oga_sched")
MIXED = from_json(
    DUEL
    | {
        "resources": ["cpu", "gpu"],
        "nodes": [{"name": "n", "capacity": {"cpu": 2, "gpu": 1}}, {"name": "m", "capacity": {"cpu": 1}}],
        "ports": [
            {"name": "p", "demand": {"cpu": 2, "gpu": 3}, "nodes": ["n", "m"]},
            {"name": "q", "demand": {"cpu": 1}, "nodes": ["m"]},
        ],
        "utilities": {"cpu": {"kind": "log", "alpha": 1}, "gpu": {"kind": "poly", "alpha": 2}},
        "overhead": {"cpu": Decimal("0.3"), "gpu": Decimal("0.4")},
    }
)


def test_all_trajectories_of_four_slots_in_rationals() -> None:
    # D = G = sqrt(2), T = 4: the step is 1/2, and linear utilities make the best point exact
    exact = max(
        play(instance, nothing(instance), constant(Fraction(1, 2))).least_regret
        for bits in product((0, 1), repeat=8)
        for instance in [with_arrivals(CLUSTER, np.array(bits).reshape(4, 2))]
    )
    found = worst_arrivals(CHOICE, CLUSTER, 4)
    assert found.regret.lower[-1] <= exact == Fraction(7, 4) <= found.at_most < exact + Fraction(1, 10**6)
    assert found.looked_at == 256 and found.complete
    assert found.regret.bound("printed")[-1] == found.regret.bound()[-1] == pytest.approx(4)


@pytest.mark.parametrize("step", ["constant", "printed53", "anytime", "decayed"])
def test_the_search_equals_enumeration(step: str) -> None:
    choice = sp.policy("oga_sched", step=step)
    for cluster in (CLUSTER, MIXED)[: size(1, 1, 2)]:
        best, found = (worst_arrivals(choice, cluster, 3, steps=steps) for steps in (64, 63))
        assert best.complete and not found.complete
        assert best.at_most - Fraction(1, 10**6) <= found.regret.upper[-1] <= best.at_most + Fraction(1, 10**6)
        assert found.regret.lower[-1] <= best.at_most
        if step == "constant":
            assert float(best.at_most) <= best.regret.bound()[-1] <= best.regret.bound("printed")[-1]


def test_one_seed_gives_one_result_and_more_steps_are_no_worse() -> None:
    first, second, start = (worst_arrivals(CHOICE, CLUSTER, 64, steps=steps, seed=3) for steps in (60, 60, 1))
    assert np.array_equal(first.regret.instance.arrivals, second.regret.instance.arrivals)
    assert first.at_most == second.at_most > start.at_most


def test_no_regret_exceeds_its_stated_bound() -> None:
    rng = np.random.default_rng(0)
    for cluster in (CLUSTER, MIXED):
        goal = RegretGoal(CHOICE, cluster)
        for arrivals in rng.integers(0, 2, (3, 8, 2)):
            regret = CHOICE.run(with_arrivals(cluster, arrivals)).regret(points=2)
            assert (
                regret.lower[-1] - Fraction(1, 10**6) <= goal.regret(arrivals) <= regret.upper[-1] + Fraction(1, 10**6)
            )


def test_shapes() -> None:
    for shape in SHAPES.values():
        first, second = (shape(50, 3, np.random.default_rng(2)) for _ in range(2))
        assert (first == second).all() and first.shape == (50, 3) and set(np.unique(first)) == {0, 1}
    assert phases(9, 2, np.random.default_rng(0)).argmax(axis=1).tolist() == [0] * 3 + [1] * 6
    assert phases(8, 3, np.random.default_rng(0)).argmax(axis=1).tolist() == [0] * 2 + [1] * 2 + [2] * 4


def test_a_move_changes_one_interval() -> None:
    rng, space = np.random.default_rng(0), Documents("arrivals", [], {})
    base = SHAPES["random"](40, 3, rng)
    document, lengths = {"arrivals": base.tolist()}, set()
    for _ in range(size(100, 180, 3000)):
        changed = np.flatnonzero((np.array(interval(space, document, rng)["arrivals"]) != base).any(axis=1))
        if changed.size:
            lengths.add(int(np.ptp(changed)) + 1)
    assert 1 in lengths and max(lengths) > 20 and document == {"arrivals": base.tolist()}


def test_the_first_arrivals_cost_immediately() -> None:
    # steps so long that the node belongs to the last that came: the other one comes, and nothing is ever earned
    goal = RegretGoal(sp.policy("oga_sched", step="decayed", initial=25), CLUSTER)
    rows = goal.greedy(9)
    assert rows.sum(axis=1).tolist()[1:] == [1] * 8 and (rows[2:] != rows[1:-1]).all()
    assert float(goal.regret(rows)) == pytest.approx(5, abs=1e-6)


def test_the_same_ports_in_every_slot_hurt_at_most_as_much_as_the_worst() -> None:
    goal = RegretGoal(CHOICE, CLUSTER)
    every = [goal.regret(np.tile(np.array(row), (4, 1))) for row in product((0, 1), repeat=2)]
    assert 0 < max(every) < worst_arrivals(CHOICE, CLUSTER, 4).at_most
