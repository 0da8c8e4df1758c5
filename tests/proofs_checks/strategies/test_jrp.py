from __future__ import annotations

import pytest

from schedproof.instances.jrp import from_json, to_json
from schedproof.proofs_checks.strategies import jrp as strategies
from schedproof.reference.jrp import cone, data, needs, split, storage_only
from schedproof.reference.jrp_model import optimum, value
from tests.support import size
from tests.tiny.jrp import drawn_cases

SIZE = size(40, 40, 80)
SETTINGS = (
    {},
    {"jobs": 2, "servers": 3, "nodes": 3},
    {"deadlines": True},
    {"deadlines": False},
    {"stored": True},
    {"odd": False},
)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_drawn_object_is_a_valid_tiny_instance(settings):
    found = drawn_cases(strategies.objects(**settings), SIZE // 2, 1)
    for row in found:
        instance = from_json(row)
        nodes = [node for job in instance.jobs for node in job.nodes]
        assert from_json(to_json(instance)).sha256 == instance.sha256
        assert len(instance.jobs) <= settings.get("jobs", 3) and len(instance.servers) <= settings.get("servers", 2)
        assert all(len(job.nodes) <= settings.get("nodes", 2) for job in instance.jobs)
        timed = [job.deadline is not None for job in instance.jobs]
        assert set(timed) <= {settings.get("deadlines", True), settings.get("deadlines", False)}
        if settings.get("stored"):
            assert max(server.storage for server in instance.servers) < strategies.AMPLE
        if not settings.get("odd", True):
            assert all(node.size and node.servers for node in nodes) and all(job.nodes for job in instance.jobs)
            assert all(job.minibatch_work and job.parameter_size for job in instance.jobs)
    assert len({str(row) for row in found}) > SIZE // 4


def test_instances_are_extreme_in_every_way():
    drawn = drawn_cases(strategies.instances(), 2 * SIZE)
    jobs = [job for instance in drawn for job in instance.jobs]
    nodes = [node for job in jobs for node in job.nodes]
    assert any(not job.nodes for job in jobs) and any(job.deadline is None for job in jobs)
    assert any(not job.minibatch_work for job in jobs) and any(not job.parameter_size for job in jobs)
    assert any(not node.size for node in nodes) and any(not node.servers for node in nodes)
    assert any(not server.bandwidth for instance in drawn for server in instance.servers)


def test_each_resource_turns_jobs_away():
    stored = drawn_cases(strategies.storage_instances(), SIZE)
    timed = drawn_cases(strategies.deadline_instances(odd=False), SIZE)
    assert all(optimum(i, cone) == optimum(i, storage_only) for i in stored)
    assert any(optimum(i, storage_only) < len(i.jobs) for i in stored)
    assert all(optimum(i, storage_only) == len(i.jobs) for i in timed if _all_served(i))
    assert any(optimum(i, cone) < len(i.jobs) for i in timed)
    assert any(optimum(i, split) < optimum(i, cone) for i in timed)


def _all_served(instance) -> bool:
    return all(node.servers for job in instance.jobs for node in job.nodes)


def test_a_just_sufficient_server_serves_all_jobs_without_slack():
    found = drawn_cases(strategies.just_enough(), 60)
    for instance, theta in found:
        rows = [(job.index, 0, 0, 1) for job in instance.jobs]
        assert value(instance, rows) == len(instance.jobs)
        wanted = needs(instance, data(instance, rows)[0])
        u = instance.servers[0].compute - sum(c for c, _ in wanted)
        v = instance.servers[0].bandwidth - sum(b for _, b in wanted)
        roots = u * theta
        assert v == u * theta**2 and u * v == roots**2
    assert len({theta for _, theta in found}) == 3


def test_built_rates_equal_the_requested_ones():
    instance = strategies.build([(2, 3, [(1, (1, 0))]), (0, 0, [])], [(1, 2, 3), (4, 5, 6)])
    assert [(job.compute_rate, job.bandwidth_rate) for job in instance.jobs] == [(2, 3), (0, 0)]
    assert instance.jobs[0].nodes[0].servers == (1, 0) and instance.jobs[1].deadline is None
    assert (instance.servers[1].storage, instance.servers[1].compute, instance.servers[1].bandwidth) == (4, 5, 6)
