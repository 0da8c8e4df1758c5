from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from schedproof.core.runtime.context import Context
from schedproof.instances.jrp import Schedule
from schedproof.online.jrp.baselines import Greedy, Random
from schedproof.reference import jrp as reference
from tests.support import size
from tests.tiny.jrp import crowded, driven, tiny_cells, written

RULES = {"split": reference.split, "cone": reference.cone}


def placements(schedule: Schedule) -> dict[reference.Node, int]:
    return {(p.job, p.node): p.server for p in schedule.placements}


@pytest.mark.parametrize("resources", ["split", "cone"])
def test_greedy_equals_the_reference(resources: str) -> None:
    passed_over = 0
    for seed in range(size(40, 54, 3000)):
        instance = crowded(15, seed, nodes=4, epochs=5) if seed % 25 == 0 else tiny_cells(seed, jobs=6, most_nodes=4)
        schedule = driven(Greedy(resources=resources), instance)
        expected = reference.greedy(instance, RULES[resources])
        assert placements(schedule) == expected, seed
        assert schedule.violations(instance) == []
        passed_over += len(schedule.accepted_jobs(instance)) < len(instance.jobs)
    assert passed_over > size(20, 30, 1500)


@pytest.mark.parametrize("resources", ["split", "cone"])
def test_random_uses_qualified_servers_and_skips_no_placeable_job(resources: str) -> None:
    for seed in range(size(40, 72, 3000)):
        instance = tiny_cells(seed, jobs=6, most_nodes=1 + seed % 3)
        schedule = driven(Random(resources=resources, context=Context(seed)), instance)
        assert schedule.violations(instance) == []
        made, placed = placements(schedule), {}
        for k in reference.smallest_first(instance):
            nodes = range(len(instance.jobs[k].nodes))
            if k in schedule.accepted_jobs(instance):
                for i in nodes:
                    assert made[k, i] in reference.qualified_servers(instance, placed, (k, i), RULES[resources]), seed
                    placed[k, i] = made[k, i]
            elif len(nodes) == 1:
                assert not reference.qualified_servers(instance, placed, (k, 0), RULES[resources]), seed


def test_random_is_uniform_over_the_qualified() -> None:
    instance = written([(1, 9, 9), (9, 9, 9), (9, 1, 9), (9, 9, 9)], [(2, 0, [(2, (0, 1, 2, 3))])])
    runs = size(200, 240, 4000)
    seen = np.bincount(
        [placements(driven(Random(context=Context(seed)), instance))[0, 0] for seed in range(runs)], minlength=4
    )
    assert seen[0] == seen[2] == 0 and abs(seen[1] - runs / 2) <= 2.5 * runs**0.5


def test_greedy_balances_shares_not_gigabytes() -> None:
    instance = written([(100, 9, 9), (10, 9, 9)], [(0, 0, [(10, (0,)), (2, (1,)), (1, (0, 1))])])
    assert placements(driven(Greedy(), instance))[0, 2] == 0  # 10 of 100 is less than 2 of 10


def test_a_job_that_finds_no_place_is_released_and_the_next_one_tried() -> None:
    jobs = [(0, 0, [(4, (0,))]), (0, 0, [(2, (0,)), (1, (1,))])]
    instance = written([(4, 9, 9), ("0.5", 9, 9)], jobs)
    for policy in (Greedy(), Random()):
        assert placements(driven(policy, instance)) == {(0, 0): 0}


def test_the_cone_accepts_more_than_the_split() -> None:
    # a = 9/10 of the compute and almost no bandwidth. A half-half split is infeasible.
    instance = written([(9, 10, 10)], [(9, "0.001", [(1, (0,))])])
    assert driven(Greedy(), instance).accepted_jobs(instance) == []
    schedule = driven(Greedy(resources="cone"), instance)
    assert schedule.accepted_jobs(instance) == [0] and schedule.violations(instance) == []


@pytest.mark.parametrize("factory", [Random, Greedy])
@pytest.mark.parametrize("resources", ["split", "cone"])
def test_batches_are_feasible_and_leave_capacity(factory: Any, resources: str) -> None:
    later = 0
    for seed in range(size(20, 36, 1000)):
        instance = tiny_cells(seed, jobs=6)
        schedule = driven(factory(resources=resources, batches=2 + seed % 4), instance)
        assert schedule.violations(instance) == [], seed
        later += any(g.job >= 3 and g.compute for g in schedule.grants)
    assert later > size(5, 9, 300)


def test_by_the_cone_no_more_is_granted_than_needed() -> None:
    # One GB that needs 1 and 1. Nine tenths of a server of 40 and 40 are left to the next batch.
    instance = written([(9, 40, 40)], [(1, 1, [(1, (0,))])])
    (grant,) = driven(Greedy(resources="cone"), instance).grants
    assert 2 <= grant.compute <= 2 + Fraction(40, 1024) and grant.compute == grant.bandwidth


@pytest.mark.parametrize("factory", [Random, Greedy])
def test_extreme_instances(factory: Any) -> None:
    nobody = written(
        [(9, 9, 0)], [(1, 1, []), (1, 1, [(1, ())]), (1, 1, [(1, (0,))]), (1, 0, [(0, (0,))]), (0, 0, [(9, (0,))])]
    )
    schedule = driven(factory(), nobody)
    assert schedule.accepted_jobs(nobody) == [0, 3, 4] and schedule.violations(nobody) == []
    nothing = written([(0, 0, 0)], [(5, 5, [(0, (0,))])])
    assert driven(factory(), nothing).accepted_jobs(nothing) == [0]
    assert driven(factory(), written([(1, 1, 1)], [])).placements == ()


def test_a_policy_is_repeatable_and_depends_on_the_seed() -> None:
    instance = crowded(20, 1)
    policy = Random(batches=2, context=Context(1))
    assert driven(policy, instance) == driven(policy, instance)
    assert driven(Random(context=Context(2)), instance) != driven(Random(context=Context(1)), instance)
