from __future__ import annotations

import random
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import pytest

from schedproof.core.programs.program import Program
from schedproof.formulations.dmlrs.dorm import Moment, dorm
from schedproof.instances.dmlrs import Instance, Job, from_json
from tests.support import size
from tests.tiny.dmlrs import hand_made, tiny_dmlrs


def small(seed: int) -> Instance:
    """All jobs are present in slot 0."""
    value = tiny_dmlrs(seed, jobs=1 + seed % 3, machines=1 + seed % 3)
    return from_json(value | {"jobs": [job | {"arrival": 0} for job in value["jobs"]]})


def by_trying(instance: Instance, *, theta1: Fraction, theta2: Fraction, held: Mapping[str, int]) -> int | None:
    jobs, total = instance.jobs, {}
    for r in instance.resources:
        if amount := sum((m.capacity[r] for m in instance.machines), Fraction(0)):
            total[r] = amount
    free = {r: sum((instance.free(0, m, r) for m in instance.machines), Fraction(0)) for r in instance.resources}

    def use(job: Job, n: int) -> dict[str, Fraction]:
        return {r: n * job.worker[r] + ceil(n / job.workers_per_ps) * job.ps[r] for r in instance.resources}

    def fits(numbers: tuple[int, ...]) -> bool:
        used = [use(job, n) for job, n in zip(jobs, numbers, strict=True)]
        return all(sum(row[r] for row in used) <= free[r] for r in free)

    def dominant(job: Job) -> str | None:
        size = {r: (job.worker[r] + job.ps[r] / job.workers_per_ps) / total[r] for r in total}
        return max(size, key=lambda r: size[r]) if any(size.values()) else None

    def largest(job: Job, n: int) -> Fraction:
        return max((use(job, n)[r] / total[r] for r in total), default=Fraction(0))

    fair, out = [0] * len(jobs), set()
    while able := [j for j in range(len(jobs)) if j not in out and fair[j] < jobs[j].batch_size]:
        j = min(able, key=lambda j: (largest(jobs[j], fair[j]), j))
        fair[j] += 1
        if not fits(tuple(fair)):
            fair[j] -= 1
            out.add(j)
    most = tuple(job.batch_size for job in jobs)
    wished = [use(job, n) for job, n in zip(jobs, most, strict=True)]
    reach = sum((min(free[r], sum(row[r] for row in wished)) / c for r, c in total.items()), Fraction(0))
    best = None
    for numbers in product(*(range(n + 1) for n in most)):
        loss = used = Fraction(0)
        for job, n, f in zip(jobs, numbers, fair, strict=True):
            if (r := dominant(job)) is not None:
                loss += abs(use(job, n)[r] - use(job, f)[r]) / total[r]
            used += sum((use(job, n)[r] / total[r] for r in total), Fraction(0))
        adjusted = sum(numbers[job.index] != held[job.name] for job in jobs if job.name in held)
        if fits(numbers) and loss <= theta1 * 2 * len(total) and adjusted <= ceil(theta2 * len(held)):
            steps = min(floor(200 * used / reach) if reach else 0, 200 if fits(most) else 198)
            best = max(steps, best or 0)
    return best


def test_the_optimum_equals_enumeration() -> None:
    outcomes = set()
    for seed in range(size(15, 22, 600)):
        rng, instance = random.Random(seed), small(seed)
        thetas = {name: Fraction(rng.randrange(4), 6) for name in ("theta1", "theta2")}
        held = {job.name: rng.randrange(job.batch_size + 1) for job in instance.jobs if rng.random() < 0.6}
        expected = by_trying(instance, **thetas, held=held)
        found = dorm(**thetas).where(held=held).solve(instance)
        outcomes.add(found.ended)
        assert found.ended == ("infeasible" if expected is None else "optimal"), seed
        assert found.objective == (None if expected is None else pytest.approx(expected)), seed
    assert outcomes == {"infeasible", "optimal"}


def cluster(capacity: dict[str, int], *jobs: dict[str, Any], **more: Any) -> Instance:
    return hand_made([capacity], [{"workers_per_ps": 2} | job for job in jobs], 4, **more)


def numbers(program: Program, instance: Instance) -> list[float]:
    found = program.solve(instance)
    assert found.ended == "optimal"
    return [found.values["allocation.workers"].get(job.name, 0) for job in instance.jobs]


def test_the_fairness_loss_binds() -> None:
    instance = cluster({"gpu": 4, "memory": 4}, {"worker": {"gpu": 1}}, {"worker": {"gpu": 1, "memory": 1}})
    assert numbers(dorm(theta1=Fraction("1")), instance) == [0, 4]
    assert numbers(dorm(theta1=Fraction("1/8")), instance) == [1, 3]  # a loss of 1/4 + 1/4 of the 4 that there are
    assert numbers(dorm(theta1=Fraction("0.12")), instance) == [2, 2]
    assert numbers(dorm(theta1=Fraction("0")).drop("fairness_loss"), instance) == [0, 4]


def test_the_bound_on_adjustments_binds() -> None:
    worker = {"worker": {"gpu": 1}}
    instance = cluster({"gpu": 9}, worker, worker, worker)
    held = {"j0": 1, "j1": 1}
    assert numbers(dorm(theta1=Fraction("1"), theta2=Fraction("0")).where(held=held), instance) == [1, 1, 4]
    assert sorted(numbers(dorm(theta1=Fraction("1"), theta2=Fraction("1/2")).where(held=held), instance)) == [1, 4, 4]
    assert sum(numbers(dorm(theta1=Fraction("1"), theta2=Fraction("0.51")).where(held=held), instance)) == 9
    assert sum(numbers(dorm(theta1=Fraction("1")).drop("adjustment_overhead").where(held=held), instance)) == 9


def test_a_job_gets_no_more_than_it_can_use_unless_it_holds_it() -> None:
    instance = cluster({"gpu": 9}, {"worker": {"gpu": 1}}, {"worker": {"gpu": 1}})
    assert numbers(dorm().where(most={"j0": 2}), instance) == [2, 4]
    assert numbers(dorm(theta2=Fraction("0")).where(most={"j0": 2}, held={"j0": 3}), instance) == [3, 4]


def test_parameter_servers_follow_the_workers() -> None:
    job = {"worker": {"gpu": 1}, "ps": {"memory": 1}}
    assert numbers(dorm(), cluster({"gpu": 9, "memory": 1}, job)) == [2]
    assert numbers(dorm(), cluster({"gpu": 9, "memory": 2}, job | {"workers_per_ps": Decimal("1.5")})) == [3]
    found = dorm().solve(cluster({"gpu": 9, "memory": 9}, job | {"batch_size": 3}))
    assert found.values["allocation.ps"] == {"j0": 2}  # a third one would use more of the memory


def test_a_job_that_arrives_later_is_absent() -> None:
    instance = cluster({"gpu": 9}, {"worker": {"gpu": 1}}, {"worker": {"gpu": 1}, "arrival": 2})
    assert numbers(dorm(), instance) == [4, 0]
    assert numbers(dorm(slot=2), instance) == [4, 4]


def test_reserved_amounts_are_not_given() -> None:
    reserved = [[{"gpu": n}] for n in (7, 0, 6, 0)]
    instance = cluster({"gpu": 9}, {"worker": {"gpu": 1}}, reserved=reserved)
    assert [numbers(dorm(slot=t), instance) for t in range(3)] == [[2], [4], [3]]


def test_the_dominant_resource_counts_a_part_of_a_parameter_server() -> None:
    job = {"worker": {"gpu": 1}, "ps": {"memory": 1}}
    instance = cluster({"gpu": 10, "memory": 8}, job, job | {"workers_per_ps": 1}, {"worker": {}, "ps": {}})
    moment = Moment(instance, 0, {}, {})
    assert [moment.dominant(job) for job in instance.jobs] == ["gpu", "memory", None]


@pytest.mark.parametrize("capacity", [{}, {"gpu": 0}, {"memory": 5}])
def test_an_empty_cluster_allocates_no_worker(capacity: dict[str, int]) -> None:
    assert numbers(dorm(), cluster(capacity, {"worker": {"gpu": 1}})) == [0]
    assert dorm().solve(cluster(capacity)).ended == "optimal"
