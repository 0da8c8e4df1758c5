from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import linprog

from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp.shared.iterations import ROUNDS
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.proofs_checks.strategies.jrp_rounds import vertex_iteration
from schedproof.reference.jrp_vertices import is_vertex, unique
from schedproof.relaxations.jrp.matrix import rows
from tests.support import size
from tests.tiny.jrp import drawn_cases

ALONE = (0, 0)


def program(instance: Instance):
    """Return LP_I in x and y for an LP solver: rows <=, sides, equalities."""
    edges, share, nodes = instance.edges, float(instance.communication_share), len(instance.edges.size)
    matrix = rows(edges).toarray()
    return (
        matrix[nodes:],
        np.concatenate([edges.storage, (1 - share) * edges.compute, share * edges.bandwidth]),
        matrix[:nodes],
    )


def test_points_are_optimal_vertices_and_unique_as_stated():
    rng, told = np.random.default_rng(0), Counter()
    for case in drawn_cases(strategies.rounds(), size(20, 20, 1000)):
        room, sides, equal = program(case.pruned)
        gains = np.zeros(room.shape[1])
        gains[-len(case.y) :] = 1
        zero = np.zeros(len(equal))
        best = linprog(-gains, room, sides, equal, zero, (0, 1))
        assert -best.fun == pytest.approx(float(sum(case.y)), abs=1e-7)
        optima = np.vstack([room, -gains]), np.append(sides, best.fun + 1e-9)
        toward = rng.normal(size=len(gains))
        ends = [linprog(sign * toward, *optima, equal, zero, (0, 1)).fun * sign for sign in (1, -1)]
        wide = abs(ends[1] - ends[0]) > 1e-5
        alone = unique(case.pruned, case.prices)
        assert not (alone and wide)
        told[alone] += 1
        told["several"] += wide
    assert min(told.values()) > 0


def test_points_that_are_no_optimal_vertex_are_rejected():
    one = build([(*ALONE, [(1, (0, 1))]), (*ALONE, [(1, (0, 1))])], [(1, 0, 0)] * 2)
    case = vertex_iteration(one)
    assert not unique(case.pruned, case.prices)
    half = tuple((k, 0, j, F(1, 2)) for k in (0, 1) for j in (0, 1))
    assert sum(x for *_, x in half) == 2  # optimal as well, but between two vertices
    assert not is_vertex(one, half)
    wrong = {
        "a vertex x": {"x": half},
        "expected an optimal x": {"x": case.x[:1]},
        "an optimal x": {"prices": ((F(2), F(0), F(0)),) * 2},  # prices that prove too little
        "prices >= 0": {"prices": ((F(-1), F(0), F(0)),) * 2},
        "cannot serve": {"x": ((0, 0, 0, F(1)), (1, 0, 0, F(1)))},  # more than s0 can store
    }
    for message, change in wrong.items():
        with pytest.raises(ValueError, match=message):
            replace(case, **change)


def test_after_prune_nothing_remains():
    assert vertex_iteration(build([(*ALONE, [(2, (0,))])], [(1, 0, 0)])).present == []


def test_the_top_job_is_the_first_of_equals():
    case = vertex_iteration(build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))])], [(2, 4, 4)]))
    assert case.y == [F(2, 3)] * 2 and case.top == 0 and unique(case.pruned, case.prices)
    reached = [regime.name for regime in ROUNDS if regime.reached(case)]
    assert reached == [
        "no job has y = 1",
        "a y is a fraction",
        "two jobs with the same fraction",
        "the optimum is unique",
    ]


def test_surely_drawn():
    nodes = [(1, (0,)), (1, (1,))]
    case = vertex_iteration(build([(*ALONE, nodes), (*ALONE, nodes)], [(1, 0, 0)] * 2))
    half = replace(case, x=tuple((k, i, i, F(k == 0)) for k in (0, 1) for i in (0, 1) if k == 0))
    assert half.drawn_surely([0]) == half.x
