from __future__ import annotations

from collections import Counter

from schedproof.formulations.dmlrs.schedules import Plan
from schedproof.instances.dmlrs import Placement, Schedule
from schedproof.relaxations.dmlrs.machine_classes import MachineClasses
from schedproof.relaxations.dmlrs.search import Search
from schedproof.relaxations.dmlrs.spreading import PARTS, spread
from tests.relaxations.dmlrs.test_column_generation import scarce, with_equal_machines
from tests.support import size


def shape(plan: Plan) -> dict[int, tuple[int, int, bool]]:
    slots = {row.slot for row in plan.placements}
    mine = {t: [row for row in plan.placements if row.slot == t] for t in slots}
    return {t: (sum(r.workers for r in rows), sum(r.ps for r in rows), len(rows) == 1) for t, rows in mine.items()}


def test_each_part_is_the_same_schedule_on_machines_with_room() -> None:
    moved = 0
    for seed in range(size(6, 24, 300)):
        instance = scarce(seed, machines=3)
        search = Search(instance, MachineClasses.of_instance(instance).merge(), 1)
        followed = search.master.positive_shares()
        assert abs(sum(float(plan.utility) * share for plan, share in followed) - search.master.value) < 1e-6
        parts = list(spread(instance, followed))
        assert len(parts) == PARTS * len(followed)
        for part, (plan, _) in zip(parts, followed * PARTS, strict=True):
            schedule = Schedule.of(part.placements, instance, "test")
            assert not schedule.violations(instance)
            assert (
                schedule.completions(instance) == {plan.job.index: plan.completion} == {part.job.index: part.completion}
            )
            assert shape(part) == shape(plan), seed
            moved += part.placements != plan.placements
    assert moved


def test_parts_go_to_the_least_used_machines() -> None:
    instance = with_equal_machines(1, 4)
    job = next(job for job in instance.jobs if job not in instance.unservable_jobs)
    plan = Plan(job, job.arrival, (Placement(job.index, job.arrival, 0, 1, job.ps_needed(1)),))
    places = Counter(part.placements[0].machine for part in spread(instance, [(plan, 1.0)]))
    assert places == dict.fromkeys(range(4), PARTS // 4)
