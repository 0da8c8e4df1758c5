"""Shares of a server: its data, the cone, and the split of time by (16) and (17)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from schedproof.instances.jrp import Assignment, Placement
from schedproof.instances.jrp.shares import RULES, Cone, Split, data, grants, servable
from tests.instances.jrp.greedy import greedy
from tests.support import size
from tests.tiny.jrp import schedule_of, tiny_cells

F = Fraction
TENTHS = st.integers(0, 60).map(lambda n: F(n, 10))
NEEDS = st.lists(st.tuples(TENTHS, TENTHS), max_size=4)


def test_data_is_added_up_per_server_and_job_in_file_order() -> None:
    instance = tiny_cells(9, jobs=4, servers=3, most_nodes=4)
    rows = [
        Placement(job.index, node.index, (job.index + node.index) % 3) for job in instance.jobs for node in job.nodes
    ]
    held = data(reversed(rows), instance)
    assert list(held) == sorted(held) and all(list(here) == sorted(here) for here in held.values())
    for j in range(3):
        for k, job in enumerate(instance.jobs):
            mine = [node.size for node in job.nodes if (k + node.index) % 3 == j]
            assert held.get(j, {}).get(k, None) == (sum(mine) if mine else None)
    assert data([], instance) == {} and grants({}, instance, Cone()) == []


@given(st.fractions(F(1, 50), F(49, 50), max_denominator=50), TENTHS, TENTHS, NEEDS)
def test_the_split_grants_what_sixteen_and_seventeen_require(
    share: F, compute: F, bandwidth: F, some: list[tuple[F, F]]
) -> None:
    rule = Split(share)
    got = rule.resources(compute, bandwidth, some)
    for (c, b), (r, s) in zip(some, got, strict=True):
        assert (c == r == 0 or c / r == 1 - share) and (b == s == 0 or b / s == share)
    within = sum(r for r, _ in got) <= compute and sum(s for _, s in got) <= bandwidth
    assert rule.fits(compute, bandwidth, some) == within
    if within:
        assert Cone().fits(compute, bandwidth, some), "the split is one way to keep (10)"


def test_the_cone_accepts_more_than_any_split() -> None:
    some = [(F(9), F(0)), (F(0), F(9))]
    assert Cone().fits(F(10), F(10), some)
    assert not any(Split(F(n, 20)).fits(F(10), F(10), some) for n in range(1, 20))


@pytest.mark.parametrize("rule", sorted(RULES))
def test_grants_of_feasible_placements_pass_the_checker(rule: str) -> None:
    granted = 0
    for seed in range(size(20, 60, 1000)):
        instance = tiny_cells(seed, jobs=5)
        schedule = greedy(instance, seed, rule)
        assert schedule.violations(instance) == [], seed
        pairs = {(row.job, row.server) for row in schedule.placements}
        assert {(grant.job, grant.server) for grant in schedule.grants} == pairs
        granted += len(pairs)
    assert granted > size(20, 60, 1000)


def test_a_split_that_does_not_fit_is_granted_all_the_same_and_refused_by_the_checker() -> None:
    refused = 0
    for seed in range(size(20, 60, 1000)):
        instance = tiny_cells(seed, jobs=3)
        rows = [
            Placement(job.index, node.index, node.servers[0])
            for job in instance.jobs
            for node in job.nodes
            if all(other.servers for other in job.nodes)
        ]
        given = grants(data(rows, instance), instance, RULES["split"](instance))
        broken = {v.constraint for v in schedule_of(Assignment(rows, given), instance).violations(instance)}
        assert broken <= {"storage", "compute", "bandwidth"}, "every job has what it needs"
        refused += bool(broken & {"compute", "bandwidth"})
    assert refused > size(5, 12, 200)


@pytest.mark.parametrize("seed", range(4))
def test_greedy_placements_can_be_served_until_a_server_shrinks(seed: int) -> None:
    instance = tiny_cells(seed, jobs=4, servers=3, most_nodes=3)
    placements, rule = greedy(instance, seed).placements, Cone()
    assert servable(placements, instance, rule)
    for j, here in data(placements, instance).items():
        server = structs.replace(instance.servers[j], storage=sum(here.values()) - F(1, 100))
        full = replace(instance, servers=[server if s.index == j else s for s in instance.servers])
        assert not servable(placements, full, rule)
    assert servable([], instance, rule)
