from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest
from msgspec import structs

from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import Context, Progress, silent
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.jrp import Assignment, Grant, Instance, Placement, Schedule
from schedproof.instances.jrp.drive import drive
from tests.instances.jrp.greedy import assigned, greedy
from tests.support import size
from tests.tiny.jrp import tiny_cells

F = Fraction


class Greedy:
    """The tests' greedy algorithm as a policy that records its instances."""

    def __init__(self, batches: int | None = None) -> None:
        self.seen: list[Instance] = []
        if batches is not None:
            self.batches = batches

    def assign(self, instance: Instance) -> Assignment:
        self.seen.append(instance)
        return replace(assigned(instance, 1), trace=[{"jobs": len(instance.jobs)}])


def run(policy: Any, instance: Instance, progress: Progress = silent) -> Schedule:
    options = {"batches": getattr(policy, "batches", 1)}
    return drive(policy, instance, DecidedBy("test", options, 3), Context(progress=progress))


def test_without_batches_the_policy_sees_the_whole_instance_once() -> None:
    instance, policy = tiny_cells(4, jobs=5), Greedy()
    steps: list[Any] = []
    schedule = run(policy, instance, lambda message, done=None: steps.append((message, done)))
    (seen,) = policy.seen
    assert (seen.jobs, seen.servers) == (instance.jobs, instance.servers) and steps == [("5 of 5 jobs", 1)]
    expected = greedy(instance, 1)
    assert (schedule.placements, schedule.grants) == (expected.placements, expected.grants)
    assert schedule.trace == ({"jobs": 5},)
    assert (schedule.policy, schedule.options, schedule.seed) == ("test", {"batches": 1}, 3)
    assert schedule.instance_sha256 == instance.sha256


@pytest.mark.parametrize("batches", [1, 2, 3, 7, 50])
def test_every_job_is_in_one_batch_and_batches_have_equal_length(batches: int) -> None:
    instance, policy = tiny_cells(4, jobs=7), Greedy(batches)
    steps: list[Any] = []
    schedule = run(policy, instance, lambda message, done=None: steps.append(done))
    lengths = [len(seen.jobs) for seen in policy.seen]
    assert sum(lengths) == 7 and len(lengths) == min(batches, 7) and max(lengths) - min(lengths) <= 1
    assert steps == pytest.approx([end / 7 for end in accumulate(lengths)])
    assert [job.name for seen in policy.seen for job in seen.jobs] == [job.name for job in instance.jobs]
    if batches > 1:
        assert schedule.trace == tuple({"batch": n, "jobs": jobs} for n, jobs in enumerate(lengths, 1))


def test_a_batch_gets_the_remaining_capacity_and_all_batches_are_feasible() -> None:
    used = 0
    for seed in range(size(15, 36, 600)):
        instance, policy = tiny_cells(seed, jobs=6), Greedy(3)
        schedule = run(policy, instance)
        assert schedule.violations(instance) == [], seed
        ends = [0, 2, 4, 6]
        for n, seen in enumerate(policy.seen):
            for server, left in zip(instance.servers, seen.servers, strict=True):
                before = [g for g in schedule.grants if g.server == server.index and g.job < ends[n]]
                held = [
                    instance.jobs[p.job].nodes[p.node].size
                    for p in schedule.placements
                    if p.server == server.index and p.job < ends[n]
                ]
                assert left.storage == server.storage - sum(held)
                assert left.compute == server.compute - sum(g.compute for g in before)
                assert left.bandwidth == server.bandwidth - sum(g.bandwidth for g in before)
                used += left != server
    assert used > 0


class Greedier(Greedy):
    """A policy that grants twice the needed amounts."""

    def assign(self, instance: Instance) -> Assignment:
        self.seen.append(instance)
        rows = [Placement(job.index, node.index, 0) for job in instance.jobs for node in job.nodes]
        return Assignment(rows, [Grant(0, 0, 2 * instance.servers[0].compute + 1, F(10**9))])


def test_remaining_capacity_is_never_negative() -> None:
    instance = tiny_cells(2, jobs=4, most_nodes=3)
    instance = replace(instance, servers=tuple(structs.replace(s, storage=F(1)) for s in instance.servers))
    policy = Greedier(4)
    schedule = run(policy, instance)
    last = policy.seen[-1].servers[0]
    assert (last.storage, last.compute, last.bandwidth) == (0, 0, 0)
    broken = {v.constraint for v in schedule.violations(instance)}
    assert {"storage", "compute", "bandwidth"} <= broken


class Fixed:
    """A policy with a constant answer."""

    batches = 2

    def __init__(self, placements: list[Any], grants: list[Any]) -> None:
        self.answer = Assignment([Placement(*row) for row in placements], [Grant(*row) for row in grants])

    def assign(self, instance: Instance) -> Assignment:
        return self.answer if instance.jobs[0].name != "k0" else Assignment([], [])


@pytest.mark.parametrize(
    ("placements", "grants"),
    [
        ([(2, 0, 0)], []),  # a batch has two jobs
        ([(-1, 0, 0)], []),  # one of the batch before
        ([(0, 9, 0)], []),
        ([(0, -1, 0)], []),
        ([(0, 0, 3)], []),
        ([(0, 0, -1)], []),
        ([], [(2, 0, F(1), F(1))]),
        ([], [(-1, 0, F(1), F(1))]),
        ([], [(0, 3, F(1), F(1))]),
        ([], [(0, -1, F(1), F(1))]),
    ],
)
def test_a_policy_that_places_unseen_jobs_is_stopped(placements: Any, grants: Any) -> None:
    instance = next(i for i in map(tiny_cells, range(99)) if all(job.nodes for job in i.jobs))
    run(Fixed([(0, 0, 0)], [(1, 2, F(1), F(1))]), instance)
    with pytest.raises(PolicyError, match="placed a job, data node or server that is not in its batch"):
        run(Fixed(placements, grants), instance)


class Mute:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def assign(self, instance: Instance) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [None, [], {}, ([], [])])
def test_an_answer_of_another_kind_stops_the_run(answer: Any) -> None:
    with pytest.raises(PolicyError, match=r"assign of the policy returned .*, expected an Assignment"):
        run(Mute(answer), tiny_cells(1))


def test_an_instance_without_jobs_has_one_empty_batch() -> None:
    instance, policy = tiny_cells(1, jobs=0), Greedy(3)
    schedule = run(policy, instance)
    assert len(policy.seen) == 1 and schedule.objective(instance) == 0 and schedule.violations(instance) == []
