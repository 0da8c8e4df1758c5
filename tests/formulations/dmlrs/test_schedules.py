"""The listed schedules: each is one, none is beaten, and every schedule that there is is beaten by one of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from schedproof.core.errors import ProgramError, UnknownName
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.formulations.dmlrs.schedules import Plan, plans
from schedproof.instances.dmlrs import Instance, Job, Schedule
from tests.formulations.dmlrs.brute import Stand, cluster, job_row, stands, trained
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster

Usage = dict[tuple[int, int, str], Fraction]


def use(instance: Instance, job: Job, way: tuple[Stand, ...]) -> Usage:
    """(slot, machine, resource) -> what stands there uses."""
    found: Usage = {}
    for n, stand in enumerate(way):
        for h, (w, s) in enumerate(stand):
            for r in instance.resources:
                amount = job.worker.get(r, Fraction(0)) * w + job.ps.get(r, Fraction(0)) * s
                if amount:
                    found[job.arrival + n, h, r] = amount
    return found


def no_more(one: Usage, other: Usage) -> bool:
    return all(amount <= other.get(place, 0) for place, amount in one.items())


def beats(plan: Plan, completion: int, usage: Usage) -> bool:
    return plan.completion <= completion and no_more(dict(plan.usage()), usage)


def test_every_schedule_that_there_is_is_beaten_by_a_listed_one() -> None:
    tried = 0
    for seed in range(size(15, 40, 400)):
        instance = tiny_cluster(seed, horizon=2, most_workers=2)
        for job in instance.jobs:
            listed = plans(instance, job)
            slots = [list(stands(instance, job, t, job.ps_needed(2))) for t in range(job.arrival, instance.horizon)]
            for way in product(*slots):
                if sum(trained(job, stand) for stand in way) >= job.work:
                    last = max(n for n, stand in enumerate(way) if any(w for w, _ in stand))
                    completion, usage = job.arrival + last + 1, use(instance, job, way)
                    assert any(beats(plan, completion, usage) for plan in listed), (seed, job.name, way)
                    tried += 1
    assert tried > 1000


def test_listed_schedules_are_feasible_and_none_beats_another() -> None:
    listed_in_all = 0
    for seed in range(100, 100 + size(10, 25, 300)):
        instance = tiny_cluster(seed, horizon=3)
        for job in instance.jobs:
            listed = plans(instance, job)[:: 1 + seed % 3][:60]
            listed_in_all += len(listed)
            for plan in listed:
                schedule = Schedule.of(plan.placements, instance, "a plan")
                assert schedule.violations(instance) == [], seed
                assert schedule.completions(instance) == {job.index: plan.completion}
                assert schedule.objective(instance) == plan.utility
                others = (p for p in listed if p is not plan)
                assert not any(beats(other, plan.completion, dict(plan.usage())) for other in others), (seed, plan)
    assert listed_in_all


def test_schedules_by_hand() -> None:
    """Two samples: two workers at once, or one in each of two slots; on one machine, or spread at half the rate."""
    job = job_row("a", samples=2, batch_size=2, model_size=2, workers_per_ps=Fraction("0.5"))
    job |= {"sample_time": Fraction(1, 2), "bandwidth_internal": 2, "bandwidth_external": 1}
    instance = cluster(job, machines=(2, 1), horizon=2)
    only = instance.jobs[0]
    assert (only.internal_time, only.external_time) == (1, Fraction(3, 2))
    found = {
        (plan.completion, tuple((p.slot, p.machine, p.workers) for p in plan.placements if p.workers))
        for plan in plans(instance, only)
    }
    assert found == {
        (1, ((0, 0, 2),)),
        (2, ((1, 0, 2),)),
        *((2, ((0, h, 1), (1, k, 1))) for h in (0, 1) for k in (0, 1)),
    }


def test_a_job_that_demands_nothing_has_schedules_too() -> None:
    instance = cluster(job_row("free", worker={}, samples=2), machines=(0,))
    assert min(plan.completion for plan in plans(instance, instance.jobs[0])) == 2
    assert all(not plan.usage() for plan in plans(instance, instance.jobs[0]))


def test_too_many_schedules_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.formulations.dmlrs.schedules.MOST", 1000)
    instance = cluster(job_row("wide", samples=9, batch_size=20), machines=(20, 20, 20))
    with pytest.raises(ProgramError, match="is for tiny instances: 'wide' has more than 1000 to look at"):
        plans(instance, instance.jobs[0])


def test_an_unknown_set_of_schedules_is_one_sentence() -> None:
    with pytest.raises(UnknownName, match="there is no set of schedules 'all'; there is: listed"):
        rdmlrs(schedules="all")
