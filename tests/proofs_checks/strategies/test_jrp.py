"""The jrp strategies draw valid, tiny instances, scarce in what they are meant to be."""

from __future__ import annotations

import pytest

from schedproof.core.claim import Case
from schedproof.instances.jrp import from_json, to_json
from schedproof.proofs_checks.jrp.model import cone, data, needs, optimum, split, storage_only, value
from schedproof.proofs_checks.strategies import jrp as strategies
from schedproof.proofs_checks.trials import draw

SIZE = 80


def cases(strategy, count: int = SIZE) -> list[Case]:
    found: list[Case] = []
    draw(strategy, count, 0, found.append)
    return found


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
    found = []
    draw(strategies.objects(**settings), SIZE // 2, 1, found.append)
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


def test_instances_are_odd_in_every_way():
    drawn = [case.instance for case in cases(strategies.cases(), 2 * SIZE)]
    jobs = [job for instance in drawn for job in instance.jobs]
    nodes = [node for job in jobs for node in job.nodes]
    assert any(not job.nodes for job in jobs) and any(job.deadline is None for job in jobs)
    assert any(not job.minibatch_work for job in jobs) and any(not job.parameter_size for job in jobs)
    assert any(not node.size for node in nodes) and any(not node.servers for node in nodes)
    assert any(not server.bandwidth for instance in drawn for server in instance.servers)


def test_each_resource_turns_jobs_away():
    stored, timed = cases(strategies.stored()), cases(strategies.timed(odd=False))
    assert all(optimum(c.instance, cone) == optimum(c.instance, storage_only) for c in stored)
    assert any(optimum(c.instance, storage_only) < len(c.instance.jobs) for c in stored)
    assert all(optimum(c.instance, storage_only) == len(c.instance.jobs) for c in timed if _all_served(c.instance))
    assert any(optimum(c.instance, cone) < len(c.instance.jobs) for c in timed)
    assert any(optimum(c.instance, split) < optimum(c.instance, cone) for c in timed)


def _all_served(instance) -> bool:
    return all(node.servers for job in instance.jobs for node in job.nodes)


def test_a_server_that_is_just_enough_serves_all_jobs_and_has_nothing_left():
    found = []
    draw(strategies.just_enough(), 60, 0, found.append)
    for instance, theta in found:
        rows = [(job.index, 0, 0, 1) for job in instance.jobs]
        assert value(instance, rows) == len(instance.jobs)
        wanted = needs(instance, data(instance, rows)[0])
        u = instance.servers[0].compute - sum(c for c, _ in wanted)
        v = instance.servers[0].bandwidth - sum(b for _, b in wanted)
        roots = u * theta
        assert v == u * theta**2 and u * v == roots**2
    assert len({theta for _, theta in found}) == 3
