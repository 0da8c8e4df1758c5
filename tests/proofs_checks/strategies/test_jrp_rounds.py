"""The strategies of iterations draw valid instances with optimal vertices, and reach every situation of the claims."""

from __future__ import annotations

from schedproof.core.claim import Case
from schedproof.instances.jrp import from_json, to_json
from schedproof.proofs_checks.jrp import groups, rounds, storage_test
from schedproof.proofs_checks.jrp.literal import present, prune
from schedproof.proofs_checks.strategies import jrp_rounds as strategies
from schedproof.proofs_checks.trials import draw

SIZE = 100


def cases(strategy, count: int = SIZE) -> list[Case]:
    found: list[Case] = []
    draw(strategy, count, 4, found.append)
    return found


def test_every_iteration_has_an_optimal_vertex():
    drawn = cases(strategies.rounds())
    assert all(rounds.read(case) is not None for case in drawn)
    every = {*storage_test.REGIMES, *groups.GROUPS}
    assert [regime.name for regime in every if not any(map(regime.reached, drawn))] == []


def test_groups_reach_what_prune_does():
    drawn = cases(strategies.grouped())
    assert [regime.name for regime in groups.GROUPS if not any(map(regime.reached, drawn))] == []


def test_drawn_instances_are_valid_files():
    for strategy in (strategies.crowded(), strategies.mirrored(), strategies.wide(), strategies.alike()):
        found: list = []
        draw(strategy, 40, 1, found.append)
        for instance in found:
            assert from_json(to_json(instance)).sha256 == instance.sha256
            assert len(instance.jobs) <= 3 and len(instance.servers) <= 3


def test_mirrored_jobs_share_a_priority():
    found: list = []
    draw(strategies.mirrored(), 30, 2, found.append)
    for instance in found:
        y = rounds.read(strategies.solved(instance)).y
        assert present(prune(instance)) == [0, 1]
        assert y[0] == y[1] or 1 in y


def test_built_rates_are_those_asked_for():
    instance = strategies.build([(2, 3, [(1, (1, 0))]), (0, 0, [])], [(1, 2, 3), (4, 5, 6)])
    assert [(job.compute_rate, job.bandwidth_rate) for job in instance.jobs] == [(2, 3), (0, 0)]
    assert instance.jobs[0].nodes[0].servers == (1, 0) and instance.jobs[1].deadline is None
    assert (instance.servers[1].storage, instance.servers[1].compute, instance.servers[1].bandwidth) == (4, 5, 6)
