"""Algorithm 1 by the letter: PRUNE, draws, the storage test by hand and by plain definitions; vertices of LP_I."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from schedproof.core.claim import Case
from schedproof.instances.jrp import Instance
from schedproof.proofs_checks.jrp import literal, rounds
from schedproof.proofs_checks.jrp.literal import Letter, kept, outcomes, present, prune, with_sets
from schedproof.proofs_checks.jrp.model import rates, split, storage_only
from schedproof.proofs_checks.jrp.prune import alone
from schedproof.proofs_checks.jrp.rounds import corner, read, unique
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.strategies.jrp_rounds import build, solved
from schedproof.proofs_checks.trials import draw
from tests.support import size

ALONE = (0, 0)
LETTERS = [Letter(d, free) for d in ("given", "left", "standing") for free in (False, True)]


def cases(strategy, count: int, seed: int = 0) -> list[Case]:
    found: list[Case] = []
    draw(strategy, count, seed, found.append)
    return found


# --- PRUNE -----------------------------------------------------------------------------------------------------------


def test_a_chain_of_degrees_by_hand():
    # d2 comes last on each server unless degrees are counted anew
    instance = build([(*ALONE, [(1, (0,)), (1, (1, 2)), (1, (0, 1, 2))])], [(1, 0, 0)] * 3)
    assert list(outcomes(instance, 0)) == [((0,), (1, 2), ())]
    assert list(outcomes(instance, 0, Letter("standing"))) == [((0,), (1,), (2,))]
    assert present(prune(instance)) == [] and present(prune(instance, Letter("standing"))) == [0]
    assert [node.servers for node in prune(instance).jobs[0].nodes] == [()] * 3


def test_line_27_and_the_degrees_that_it_changes():
    # without s1, which is too small for it, d0 has degree 1, and comes before d1 on s0
    instance = build([(*ALONE, [(2, (0, 1)), (1, (0,))])], [(2, 0, 0), (1, 0, 0)])
    assert set(outcomes(instance, 0, Letter("given"))) == {((), (0,))}
    assert set(outcomes(instance, 0, Letter("left", free=True))) == {((0,), ()), ((), (0,))}
    assert list(outcomes(instance, 0, Letter("left"))) == [((0,), ())]


def test_time_cuts_a_group_too():
    # 3 GB of a = 1, b = 2 against 3 and 4: two data nodes of 1 GB fit the bandwidth, three the compute
    instance = build([(1, 2, [(1, (0,))] * 3)], [(9, 6, 8)])
    assert list(outcomes(instance, 0)) == [((0,), (0,), ())]
    assert list(outcomes(instance, 0, x=literal.unknown)) == [((0,), (0,), (0,))]
    halves = outcomes(instance, 0, x=lambda k, i, j: F(2, 3))
    assert list(halves) == [((0,), (0,), (0,))]


def plain_outcomes(instance: Instance, k: int, letter: Letter) -> set:
    """Every order of every group of nodes, kept where its degrees do not fall; ties by position unless free."""
    job, servers, share = instance.jobs[k], instance.servers, instance.communication_share
    a, b = rates(job)
    given = [set(node.servers) for node in job.nodes]
    left = [{j for j in own if job.nodes[i].size <= servers[j].storage} for i, own in enumerate(given)]
    turns = list(permutations(range(len(servers)))) if letter.free else [tuple(range(len(servers)))]
    found = set()
    for turn in turns:
        states = [left]
        for j in turn:
            after = []
            for sets in states:
                counted = {"given": given, "left": left, "standing": sets}[letter.degrees]
                group = [i for i, own in enumerate(sets) if j in own]
                for order in permutations(group):
                    keys = [(len(counted[i]), 0 if letter.free else i) for i in order]
                    if keys != sorted(keys):
                        continue
                    stay, total = [], F(0)
                    for i in order:
                        total += job.nodes[i].size
                        server = servers[j]
                        if total > server.storage or a * total > (1 - share) * server.compute:
                            break
                        if b * total > share * server.bandwidth:
                            break
                        stay.append(i)
                    after.append([own - {j} if j not in own or i not in stay else own for i, own in enumerate(sets)])
            states = after
        found |= {tuple(tuple(sorted(own)) for own in sets) for sets in states}
    return found


def test_prune_against_every_order():
    for case in cases(strategies.grouped(), size(20, 40, 1500)):
        for k, letter in product(range(len(case.instance.jobs)), LETTERS):
            found = {tuple(tuple(sorted(own)) for own in sets) for sets in outcomes(case.instance, k, letter)}
            assert found == plain_outcomes(case.instance, k, letter)


def test_what_prune_leaves_it_leaves_again():
    for case in cases(strategies.grouped(), size(40, 60, 2000)):
        once = prune(case.instance)
        assert with_sets(once, [tuple(n.servers for n in j.nodes) for j in prune(once).jobs]).sha256 == once.sha256


def test_alone():
    instance = build([(1, 0, [(3, (0, 1, 2))])], [(2, 9, 9), (3, 4, 9), (3, 6, 9)])
    assert alone(instance, 0, storage_only) == ((1, 2),)
    assert alone(instance, 0, split) == ((2,),)


# --- one iteration ---------------------------------------------------------------------------------------------------


def test_draws_have_the_probabilities_of_x():
    several = 0
    drawn_cases = cases(strategies.rounds(), size(20, 40, 2000)) + cases(strategies.mirrored().map(solved), 20)
    for case in drawn_cases:
        outcomes_ = list(literal.draws(case.data["x"]))
        assert sum(p for p, _ in outcomes_) == 1 and all(p > 0 for p, _ in outcomes_)
        table: Counter = Counter()
        for p, drawn in outcomes_:
            for node, j in drawn.items():
                table[*node, j] += p
        assert table == {(k, i, j): x for k, i, j, x in case.data["x"] if x}
        several += len(outcomes_) > 4
    assert several


def test_servers_keep_the_longest_prefix():
    instance = build([(*ALONE, [(1, (0,))]), (*ALONE, [(2, (0,))]), (*ALONE, [(1, (0,)), (0, (0,))])], [(3, 0, 0)])
    drawn = {(0, 0): 0, (1, 0): 0, (2, 0): 0, (2, 1): 0}
    y = [F(1, 2), F(1, 3), F(1, 2)]
    assert kept(instance, drawn, y) == {(0, 0): 0, (2, 0): 0, (2, 1): 0}
    assert kept(instance, drawn, [F(1)] * 3, literal.first(1)) == {(1, 0): 0, (0, 0): 0}
    assert kept(instance, drawn, [F(1)] * 3) == {(0, 0): 0, (1, 0): 0}  # nothing behind what does not fit
    assert kept(instance, drawn, [F(1)] * 3, literal.node_by_node) == {(0, 0): 0, (1, 0): 0}
    assert literal.accepted(instance, {(2, 0): 0, (0, 0): 0}) == [0]


def test_the_repaired_test_looks_at_time():
    instance = build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))])], [(2, 4, 4)])
    drawn = {(0, 0): 0, (1, 0): 0}
    assert kept(instance, drawn, [F(1), F(1)]) == drawn
    assert kept(instance, drawn, [F(1), F(1)], fits=literal.all_three) == {(0, 0): 0}
    assert kept(instance, drawn, [F(0), F(1)], fits=literal.all_three) == {(1, 0): 0}


def test_what_accepted_jobs_leave():
    instance = build([(2, 1, [(1, (0,))]), (1, 1, [(1, (0,)), (1, (1,))])], [(2, 8, 8), (3, 1, 1)])
    left = literal.after(instance, {(0, 0): 0, (1, 1): 1})
    assert [job.name for job in left.jobs] == ["k1"]
    assert [(s.storage, s.compute, s.bandwidth) for s in left.servers] == [(1, 4, 6), (3, 1, 1)]
    late = literal.after(instance, {(1, 0): 0, (1, 1): 1})
    assert [(s.storage, s.compute, s.bandwidth) for s in late.servers] == [(1, 6, 6), (2, 0, 0)]


# --- vertices --------------------------------------------------------------------------------------------------------


def program(instance: Instance):
    """LP_I in x and y for an LP solver: gains, rows <=, sides, equalities."""
    edges = [(k, i, j) for k, job in enumerate(instance.jobs) for i, node in enumerate(job.nodes) for j in node.servers]
    p, share = len(instance.jobs), float(instance.communication_share)
    nodes = [(k, i) for k, job in enumerate(instance.jobs) for i in range(len(job.nodes))]
    equal, room, sides = np.zeros((len(nodes), len(edges) + p)), [], []
    for n, (k, i) in enumerate(nodes):
        equal[n, [e for e, edge in enumerate(edges) if edge[:2] == (k, i)]] = 1
        equal[n, len(edges) + k] = -1
    for j, server in enumerate(instance.servers):
        amounts = server.storage, (1 - share) * float(server.compute), share * float(server.bandwidth)
        for kind, amount in enumerate(amounts):
            row = np.zeros(len(edges) + p)
            for e, (k, i, other) in enumerate(edges):
                if other == j:
                    row[e] = instance.jobs[k].nodes[i].size * (1, *rates(instance.jobs[k]))[kind]
            room.append(row)
            sides.append(float(amount))
    return edges, np.array(room), np.array(sides), equal


def test_points_are_optimal_vertices_and_unique_where_it_says_so():
    """By HiGHS: the optimum, and the largest and smallest value of random sums over all optima."""
    rng, told = np.random.default_rng(0), Counter()
    for case in cases(strategies.rounds(), size(20, 40, 1000)):
        found = read(case)
        edges, room, sides, equal = program(found.instance)
        p = len(found.y)
        gains = np.array([0.0] * len(edges) + [1.0] * p)
        zero = np.zeros(len(equal))
        best = linprog(-gains, room, sides, equal, zero, (0, 1))
        assert -best.fun == pytest.approx(float(sum(found.y)), abs=1e-7)
        optima = np.vstack([room, -gains]), np.append(sides, best.fun + 1e-9)
        toward = rng.normal(size=len(gains))
        ends = [linprog(sign * toward, *optima, equal, zero, (0, 1)).fun * sign for sign in (1, -1)]
        wide = abs(ends[1] - ends[0]) > 1e-5
        assert not (unique(case) and wide)
        told[unique(case)] += 1
        told["several"] += wide
    assert min(told.values()) > 0


def test_what_is_no_optimal_vertex_is_no_case():
    one = build([(*ALONE, [(1, (0, 1))]), (*ALONE, [(1, (0, 1))])], [(1, 0, 0)] * 2)
    case = solved(one)
    assert read(case) is not None and not unique(case)
    half = [[k, 0, j, F(1, 2)] for k in (0, 1) for j in (0, 1)]
    assert sum(x for *_, x in half) == 2  # optimal as well, but between two vertices
    assert not corner(one, half) and read(Case(one, case.data | {"x": half})) is None
    assert read(Case(one, case.data | {"x": case.data["x"][:1]})) is None  # feasible, not optimal
    assert read(Case(one, case.data | {"prices": [[F(2), F(0), F(0)]] * 2})) is None  # prices that prove too little
    assert read(Case(one, case.data | {"prices": [[F(-1), F(0), F(0)]] * 2})) is None
    both = [[0, 0, 0, F(1)], [1, 0, 0, F(1)]]
    assert read(Case(one, case.data | {"x": both})) is None  # more than s0 can store


def test_nothing_is_left_after_prune():
    assert read(solved(build([(*ALONE, [(2, (0,))])], [(1, 0, 0)]))) is None


def test_the_top_job_is_the_first_of_equals():
    case = solved(build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))])], [(2, 4, 4)]))
    found = read(case)
    assert found.y == [F(2, 3)] * 2 and found.top == 0 and unique(case)
    assert rounds.TIE.reached(case) and rounds.TOP_BELOW_1.reached(case) and not rounds.TOP_AT_1.reached(case)
