from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction as F
from itertools import chain, permutations, product

from schedproof.instances.jrp import Instance, server_feasibility
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.strategies.jrp import build
from schedproof.proofs_checks.strategies.jrp_rounds import vertex_iteration
from schedproof.reference import jrp as reference
from schedproof.reference.jrp import PruneInterpretation, keep_prefixes, outcomes, present, prune, rates, with_sets
from tests.support import size
from tests.tiny.jrp import drawn_cases, tiny_cells

ALONE = (0, 0)
INTERPRETATIONS = [PruneInterpretation(d, free) for d in ("given", "left", "standing") for free in (False, True)]


# --- PRUNE -----------------------------------------------------------------------------------------------------------


def test_a_chain_of_degrees_by_hand():
    # d2 comes last on each server unless degrees are counted anew
    instance = build([(*ALONE, [(1, (0,)), (1, (1, 2)), (1, (0, 1, 2))])], [(1, 0, 0)] * 3)
    assert list(outcomes(instance, 0)) == [((0,), (1, 2), ())]
    assert list(outcomes(instance, 0, PruneInterpretation("standing"))) == [((0,), (1,), (2,))]
    assert present(prune(instance)) == [] and present(prune(instance, PruneInterpretation("standing"))) == [0]
    assert [node.servers for node in prune(instance).jobs[0].nodes] == [()] * 3


def test_line_27_and_the_changed_degrees():
    # without s1, which is too small for it, d0 has degree 1, and comes before d1 on s0
    instance = build([(*ALONE, [(2, (0, 1)), (1, (0,))])], [(2, 0, 0), (1, 0, 0)])
    assert set(outcomes(instance, 0, PruneInterpretation("given"))) == {((), (0,))}
    assert set(outcomes(instance, 0, PruneInterpretation("left", free=True))) == {((0,), ()), ((), (0,))}
    assert list(outcomes(instance, 0, PruneInterpretation("left"))) == [((0,), ())]


def test_time_cuts_a_group_too():
    # 3 GB of a = 1, b = 2 against 3 and 4: two data nodes of 1 GB fit the bandwidth, three the compute
    instance = build([(1, 2, [(1, (0,))] * 3)], [(9, 6, 8)])
    assert list(outcomes(instance, 0)) == [((0,), (0,), ())]
    assert list(outcomes(instance, 0, x=reference.x_all_zero)) == [((0,), (0,), (0,))]
    halves = outcomes(instance, 0, x=lambda k, i, j: F(2, 3))
    assert list(halves) == [((0,), (0,), (0,))]


def plain_outcomes(instance: Instance, k: int, interpretation: PruneInterpretation) -> set:
    job, servers, share = instance.jobs[k], instance.servers, instance.communication_share
    a, b = rates(job)
    given = [set(node.servers) for node in job.nodes]
    left = [{j for j in own if job.nodes[i].size <= servers[j].storage} for i, own in enumerate(given)]
    turns = list(permutations(range(len(servers)))) if interpretation.free else [tuple(range(len(servers)))]
    found = set()
    for turn in turns:
        states = [left]
        for j in turn:
            after = []
            for sets in states:
                counted = {"given": given, "left": left, "standing": sets}[interpretation.degrees]
                group = [i for i, own in enumerate(sets) if j in own]
                for order in permutations(group):
                    keys = [(len(counted[i]), 0 if interpretation.free else i) for i in order]
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
    for instance in drawn_cases(strategies.prune_instances(), size(20, 24, 1500)):
        for k, interpretation in product(range(len(instance.jobs)), INTERPRETATIONS):
            found = {tuple(tuple(sorted(own)) for own in sets) for sets in outcomes(instance, k, interpretation)}
            assert found == plain_outcomes(instance, k, interpretation)


def test_prune_is_idempotent():
    for instance in drawn_cases(strategies.prune_instances(), size(40, 40, 2000)):
        once = prune(instance)
        assert with_sets(once, [tuple(n.servers for n in j.nodes) for j in prune(once).jobs]).sha256 == once.sha256


# --- one iteration ---------------------------------------------------------------------------------------------------


def test_draws_have_the_probabilities_of_x():
    several = 0
    pairs = drawn_cases(strategies.mirror_images().map(vertex_iteration), 20)
    for case in chain(drawn_cases(strategies.rounds(), size(20, 24, 2000)), pairs):
        outcomes_ = list(reference.draws(case.x))
        assert sum(p for p, _ in outcomes_) == 1 and all(p > 0 for p, _ in outcomes_)
        table: Counter = Counter()
        for p, drawn in outcomes_:
            for node, j in drawn.items():
                table[*node, j] += p
        assert table == {(k, i, j): x for k, i, j, x in case.x if x}
        several += len(outcomes_) > 4
    assert several


def test_servers_keep_the_longest_prefix():
    instance = build([(*ALONE, [(1, (0,))]), (*ALONE, [(2, (0,))]), (*ALONE, [(1, (0,)), (0, (0,))])], [(3, 0, 0)])
    drawn = {(0, 0): 0, (1, 0): 0, (2, 0): 0, (2, 1): 0}
    y = [F(1, 2), F(1, 3), F(1, 2)]
    assert keep_prefixes(instance, drawn, y) == {(0, 0): 0, (2, 0): 0, (2, 1): 0}
    assert keep_prefixes(instance, drawn, [F(1)] * 3, reference.first(1)) == {(1, 0): 0, (0, 0): 0}
    assert keep_prefixes(instance, drawn, [F(1)] * 3) == {
        (0, 0): 0,
        (1, 0): 0,
    }  # the prefix ends at the first node that does not fit
    assert keep_prefixes(instance, drawn, [F(1)] * 3, reference.node_by_node) == {(0, 0): 0, (1, 0): 0}
    assert reference.accepted_jobs(instance, {(2, 0): 0, (0, 0): 0}) == [0]


def test_the_repaired_test_looks_at_time():
    instance = build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))])], [(2, 4, 4)])
    drawn = {(0, 0): 0, (1, 0): 0}
    assert keep_prefixes(instance, drawn, [F(1), F(1)]) == drawn
    assert keep_prefixes(instance, drawn, [F(1), F(1)], fits=reference.all_three) == {(0, 0): 0}
    assert keep_prefixes(instance, drawn, [F(0), F(1)], fits=reference.all_three) == {(1, 0): 0}


def test_the_remaining_capacity_after_accepted_jobs():
    instance = build([(2, 1, [(1, (0,))]), (1, 1, [(1, (0,)), (1, (1,))])], [(2, 8, 8), (3, 1, 1)])
    left = reference.residual_instance(instance, {(0, 0): 0, (1, 1): 1})
    assert [job.name for job in left.jobs] == ["k1"]
    assert [(s.storage, s.compute, s.bandwidth) for s in left.servers] == [(1, 4, 6), (3, 1, 1)]
    late = reference.residual_instance(instance, {(1, 0): 0, (1, 1): 1})
    assert [(s.storage, s.compute, s.bandwidth) for s in late.servers] == [(1, 6, 6), (2, 0, 0)]


# --- servers, and the greedy baseline --------------------------------------------------------------------------------


def test_a_server_agrees_with_the_test_of_the_instances():
    rng, both = random.Random(1), set()
    for _ in range(size(400, 400, 5000)):
        wanted = [(F(rng.randrange(9), 2), F(rng.randrange(9), 2)) for _ in range(rng.randrange(4))]
        compute, bandwidth = F(rng.randrange(40), 2), F(rng.randrange(40), 2)
        fits = reference.in_time(compute, bandwidth, wanted)
        both.add(fits)
        assert fits == server_feasibility.fits(compute, bandwidth, wanted)
    assert both == {True, False}


def test_a_server_by_hand():
    one, other = [(F(4), F(1)), (F(1), F(4))], [(F(1), F(2))]
    in_time = reference.in_time
    assert in_time(F(9), F(9), one)  # (6, 3) and (3, 6)
    assert not in_time(F(9), F(9) - F(1, 10**12), one)
    assert in_time(F(2), F(4), other) and not in_time(F(2), F(3), other)
    assert not in_time(F(1), F(10**9), other)  # no time is left for sending
    assert in_time(F(0), F(0), [(F(0), F(0))]) and in_time(F(0), F(1), [(F(0), F(1))])


def test_rates_are_those_of_the_instance():
    for seed in range(30):
        for job in tiny_cells(seed).jobs:
            assert rates(job) == (job.compute_rate, job.bandwidth_rate)


def test_greedy_by_hand():
    # k1 has less data; its node goes where less of the storage is in use, and then k0 fits nowhere whole
    jobs = [(*ALONE, [(2, (0,)), (2, (1,))]), (*ALONE, [(1, (0, 1))])]
    instance = build(jobs, [(4, 0, 0), (2, 0, 0)])
    assert reference.greedy(instance, reference.split) == {(1, 0): 0, (0, 0): 0, (0, 1): 1}
    assert reference.greedy(build(jobs, [(2, 0, 0)] * 2), reference.cone) == {(1, 0): 0}
    assert reference.qualified_servers(instance, {(0, 1): 1}, (1, 0), reference.cone) == [0]
