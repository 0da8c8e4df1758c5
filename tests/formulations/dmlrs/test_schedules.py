from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from schedproof.core.errors import ProgramError, UnknownName
from schedproof.formulations.dmlrs.rdmlrs import rdmlrs
from schedproof.formulations.dmlrs.schedules import Plan, plans
from schedproof.instances.dmlrs import Schedule
from schedproof.reference.dmlrs_schedules import Spot, placements
from tests.formulations.dmlrs.rows import cluster, job_row
from tests.support import size
from tests.tiny.dmlrs import tiny_cluster


def beats(plan: Plan, completion: int, usage: Mapping[Spot, Fraction]) -> bool:
    used = plan.usage()
    return plan.completion <= completion and all(amount <= usage.get(spot, 0) for spot, amount in used.items())


def test_every_schedule_is_dominated_by_a_listed_one() -> None:
    tried = 0
    for seed in range(size(15, 24, 400)):
        instance = tiny_cluster(seed, horizon=2, most_workers=2)
        for job in instance.jobs:
            listed = plans(instance, job)
            slots = [[None, *placements(instance, job, t)] for t in range(job.arrival, instance.horizon)]
            for way in product(*slots):
                parts = [part for part in way if part is not None]
                if sum(part.samples(job) for part in parts) >= job.work:
                    usage = {spot: amount for part in parts for spot, amount in part.use.items()}
                    assert any(beats(plan, parts[-1].slot + 1, usage) for plan in listed), (seed, job.name, way)
                    tried += 1
    assert tried > 500


def test_listed_schedules_are_feasible_and_undominated() -> None:
    listed_in_all = 0
    for seed in range(100, 100 + size(10, 15, 300)):
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
                assert not any(beats(other, plan.completion, plan.usage()) for other in others), (seed, plan)
    assert listed_in_all


def test_schedules_by_hand() -> None:
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


def test_a_job_without_demand_has_schedules() -> None:
    instance = cluster(job_row("free", worker={}, samples=2), machines=(0,))
    assert min(plan.completion for plan in plans(instance, instance.jobs[0])) == 2
    assert all(not plan.usage() for plan in plans(instance, instance.jobs[0]))


def test_too_many_schedules_give_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schedproof.formulations.dmlrs.schedules.MOST_STEPS", 1000)
    instance = cluster(job_row("wide", samples=9, batch_size=20), machines=(20, 20, 20))
    with pytest.raises(ProgramError, match="job 'wide' has more than 1000 candidates: "):
        plans(instance, instance.jobs[0])


def test_an_unknown_set_of_schedules_gives_one_message() -> None:
    with pytest.raises(UnknownName, match="unknown set of schedules 'all'; available: listed"):
        rdmlrs(schedules="all")
