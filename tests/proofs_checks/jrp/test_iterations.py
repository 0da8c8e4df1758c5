from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations, combinations_with_replacement

import pytest

from schedproof.instances.jrp import Assignment, Instance, Placement
from schedproof.proofs_checks.jrp import (
    kept_nodes_released,
    line19_proportional,
    proposition1,
    prune_copes,
    prune_safe,
    storage_test_feasible,
    top_job_kept,
    trivial_definition,
)
from schedproof.proofs_checks.jrp.proposition1 import longest, nobody
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.strategies.jrp import OfInstance, build
from schedproof.proofs_checks.strategies.jrp_rounds import Iteration, vertex_iteration
from schedproof.reference.jrp import accepted_jobs, keep_prefixes, outcomes, split, storage_only
from schedproof.reference.jrp_vertices import unique
from tests.support import size
from tests.tiny.jrp import drawn_cases, schedule_of
from tests.witnesses import FILES, claim_of, witness

ITERATIONS = [name for name in FILES if name.startswith("jrp.") and issubclass(claim_of(name).domain.case, Iteration)]


def stored(name):
    return witness(f"jrp.{name}").case


@pytest.mark.parametrize("name", ITERATIONS)
def test_witnesses_have_one_optimum(name):
    case = witness(name).case
    assert unique(case.pruned, case.prices)


# --- PRUNE -----------------------------------------------------------------------------------------------------------


def serves(instance: Instance, servers: list[int]) -> bool:
    rows = [Placement(0, i, j) for i, j in enumerate(servers)]
    schedule = schedule_of(Assignment(rows, []), instance)
    return not schedule.violations(instance) and schedule.objective(instance) == 1


def test_the_removed_job_is_served_by_a_schedule():
    assert serves(stored("prune_safe").instance, [3, 3, 3, 0, 1, 2])
    assert serves(stored("prune_safe-degrees").instance, [0, 1, 2])


def single(reaches, storages) -> OfInstance:
    """One job of data nodes of 1 GB."""
    return OfInstance(build([(0, 0, [(1, own) for own in reaches])], [(storage, 0, 0) for storage in storages]))


def test_no_smaller_job_is_removed_in_every_order():
    sizes = [(nodes, servers) for nodes in range(1, size(3, 3, 5)) for servers in range(1, size(3, 3, 4))]
    for nodes, servers in sizes:
        reaches = [r for many in range(1, servers + 1) for r in combinations(range(servers), many)]
        for storages in combinations_with_replacement((1, 2), servers):
            for chosen in combinations_with_replacement(reaches, nodes):
                assert not prune_safe.safe(single(chosen, storages), "standing").violated


def test_the_smallest_for_degrees_at_the_start_has_three_data_nodes():
    found = set()
    for nodes in (1, 2, 3):
        for servers in (1, 2, 3):
            reaches = [r for many in range(1, servers + 1) for r in combinations(range(servers), many)]
            for chosen in combinations_with_replacement(reaches, nodes):
                if prune_safe.safe(single(chosen, [1] * servers)).violated:
                    found.add((nodes, servers))
    assert found == {(3, 3)}


def test_the_servers_that_can_hold_a_single_data_node():
    instance = build([(1, 0, [(3, (0, 1, 2))])], [(2, 9, 9), (3, 4, 9), (3, 6, 9)])
    assert prune_safe.alone(instance, 0, storage_only) == ((1, 2),)
    assert prune_safe.alone(instance, 0, split) == ((2,),)


def test_a_job_that_no_line_rejects_is_never_accepted():
    case = stored("trivial_definition")
    (left,) = outcomes(case.instance, 0)
    assert left == ((0,), ())  # sum of x over no server is y: 0 in each LP_I
    assert trivial_definition.as_given(case).violated and not trivial_definition.as_left(case).violated


# --- Proposition 1 ---------------------------------------------------------------------------------------------------


def test_proposition_1_by_hand():
    one, storage = (stored(f"proposition1_accepts{what}") for what in ("", "-storage"))
    assert one.y == storage.y == [F(2, 3)] * 2
    assert nobody(one) == nobody(one, best=True) == F(1, 9)
    # k0 all drawn, or k1 all drawn and nothing of k0: 4/9 + 4/9 * 1/9
    assert nobody(storage) == 1 - F(4, 9) - F(4, 81)
    assert nobody(storage, best=True) == (1 - F(4, 9)) ** 2
    average = stored("proposition1_iterations-average")
    assert average.y == [F(7, 13)] * 2
    assert proposition1.expectation(average).measured == 1 / (1 - F(120, 169) ** 2) > 2
    assert proposition1.more_than_p(stored("proposition1_iterations")).measured == F(1, 81)


def test_acceptance_is_rarer_than_the_draws_suggest():
    rng, rounds, tried = random.Random(5), size(2000, 2000, 100_000), 0
    for one in drawn_cases(strategies.rounds(), 40, 7):
        chance = float(nobody(one))
        if not 0.02 < chance < 0.98:
            continue
        law: dict = {}
        for k, i, j, x in one.x:
            law.setdefault((k, i), []).append((j, float(x)))
        empty = 0
        for _ in range(rounds):
            drawn = {}
            for node, row in law.items():
                u = rng.random()
                for j, x in row:
                    if 0 <= u < x:
                        drawn[node] = j
                    u -= x
            empty += not accepted_jobs(one.pruned, keep_prefixes(one.pruned, drawn, one.y))
        assert empty / rounds == pytest.approx(chance, abs=5 * (chance * (1 - chance) / rounds) ** 0.5)
        tried += 1
        if tried == size(2, 2, 10):
            break
    assert tried


def test_a_single_job_is_always_accepted():
    found = []
    for instance in drawn_cases(strategies.prune_instances(jobs=2), size(30, 36, 2000), 3):
        amounts = [(s.storage, s.compute, s.bandwidth) for s in instance.servers]
        found += [one for one in [vertex_iteration(instance.part([0], amounts))] if one.present]
    assert len(found) > 10 and all(one.y == [1] and nobody(one) == 0 for one in found)


def test_surely_drawn():
    found = stored("proposition1_accepts-storage")
    assert {row[0]: row[3] for row in found.drawn_surely([1])} == {0: F(2, 3), 1: F(1)}


def test_the_repaired_algorithm_by_hand():
    # the top job takes the one server, the other no longer fits
    assert longest(stored("proposition1_accepts").instance) == 1
    # k2 has y = 1; where neither k0 nor k1 is drawn, one of them is accepted in the next iteration
    room = build([(2, 1, [(1, (0,))]), (1, 2, [(1, (0,))]), (0, 0, [(1, (0,))])], [(3, 4, 4)])
    assert longest(room) == 2
    assert longest(build([(0, 0, [(2, (0,))]), (0, 0, [(2, (1,))])], [(1, 0, 0)] * 2)) == 0
    assert longest(build([(0, 0, [(1, (0,))]), (0, 0, [(1, (0,)), (1, (1,))])], [(2, 0, 0), (1, 0, 0)])) == 1


def test_an_iteration_without_an_accepted_job_is_one_too_many():
    assert longest(stored("proposition1_accepts").instance, fits=lambda *_: False) == 3


def test_on_average_counts_the_order_that_helps():
    case = stored("proposition1_accepts-storage")
    assert proposition1.expectation(case).measured == F(81, 56) < 1 / (1 - nobody(case))


def test_x_that_the_last_lp_did_not_use_is_0():
    some = vertex_iteration(build([(1, 0, [(1, (0,))]), (1, 0, [(2, (0, 1))])], [(9, 4, 0), (9, 4, 0)]))
    found = replace(some, x=((0, 0, 0, F(1)), (1, 0, 1, F(1))))
    # (20) lets k1 stay at s0, which has half of what it needs
    assert prune_copes.exceeded_next(found, {(0, 0): 0})
    assert not prune_copes.exceeded_next(found, {(1, 0): 1})


def test_node_by_node_loses_all():
    case = stored("top_job_kept")
    assert top_job_kept.if_drawn(case, ties=top_job_kept.node_by_node).measured == 1


# --- the storage test and line 19 ------------------------------------------------------------------------------------


def test_both_jobs_are_kept_and_both_are_late():
    case = stored("storage_test_feasible")
    assert all(reading.check(case).measured == F(4, 9) for reading in storage_test_feasible.STORAGE_TEST.readings)
    before = [{0: F(2, 3), 1: F(2, 3)}]
    solved_ = line19_proportional.required_grants(case.instance, before)
    assert solved_ == {(0, 0): (F(8, 3), F(4, 3)), (1, 0): (F(4, 3), F(8, 3))}
    now = [{0: F(1), 1: F(1)}]
    assert line19_proportional.with_data(case.instance, solved_, before, now) == {(0, 0): (4, 2), (1, 0): (2, 4)}
    assert line19_proportional.of_everything(case.instance, solved_, before, now) == solved_


def test_a_server_is_divided_completely():
    instance = build([(1, 0, [(1, (0,))]), (1, 0, [(3, (0,))])], [(4, 8, 0)])
    solved_ = {(0, 0): (F(2), F(0)), (1, 0): (F(2), F(0))}
    shares = line19_proportional.of_everything(instance, solved_, [], [{0: F(1), 1: F(3)}])
    assert shares == {(0, 0): (4, 0), (1, 0): (4, 0)}


def test_remaining_data_nodes():
    found = stored("kept_nodes_released")
    assert found.y == [1, F(1, 2)]
    assert kept_nodes_released.left_over(found, {(0, 0): 0, (1, 0): 0, (1, 1): 0}) == {1}
    assert kept_nodes_released.left_over(found, {(0, 0): 0}) == set()
