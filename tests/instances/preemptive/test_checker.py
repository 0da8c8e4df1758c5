"""The checker accepts what is feasible, rejects what is not and names it, and agrees with a literal checker."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import schedproof as sp
from schedproof.core.errors import NoSolution
from schedproof.instances.preemptive import Instance, Schedule
from tests.instances.mutants import mutants
from tests.instances.preemptive.literal_checker import broken_names
from tests.instances.preemptive.mutations import MUTATIONS, edge_places, with_rows
from tests.support import size
from tests.tiny.preemptive import tiny_instance

POLICIES: list[tuple[str, dict[str, Any]]] = [
    ("a_online", {}),
    ("srtf", {}),
    ("a_online", {"speed": "3/2"}),
    ("tiresias_l", {"thresholds": (3, 9)}),
    ("batch_sche", {}),
]


@cache
def good(seed: int) -> tuple[Instance, Schedule]:
    """A feasible schedule: cloud and edge, storage, typed and scarce parameter servers, by turns."""
    scarce = seed % 3 == 0
    wishes: dict[str, Any] = {"jobs": 4 + seed % 4, "servers": 1 + seed % 3, "scarce": scarce}
    wishes |= {"cloud": True} if scarce else {}
    name, options = POLICIES[seed % len(POLICIES)]
    instances = [tiny_instance(seed, **wishes)]
    if seed % 4 == 2:
        instances.insert(0, tiny_instance(seed, **wishes, storage=True, tight=True))
    for instance in instances:
        with suppress(NoSolution):  # no storage left for some job
            return instance, sp.policy(name, **options).run(instance).schedule
    raise AssertionError(seed)


@cache
def feasible(seed: int) -> tuple[Instance, Schedule] | None:
    """`good`, unless a job found no parameter server free (scarce ones, and the cloud is closed to it)."""
    instance, schedule = good(seed)
    names = {v.constraint for v in schedule.violations(instance)}
    assert names <= ({"served_while_running"} if seed % 3 == 0 else set()), seed
    return None if names else (instance, schedule)


def next_feasible(seed: int) -> tuple[Instance, Schedule]:
    return next(pair for n in range(seed, seed + 9) if (pair := feasible(n)))


def test_policies_schedules_are_accepted() -> None:
    count = size(40, 150, 1000)
    assert sum(feasible(seed) is not None for seed in range(count)) > 0.8 * count


def test_every_mutant_is_rejected_and_the_broken_constraint_named() -> None:
    for mutant in mutants(MUTATIONS, next_feasible, size(50, 200, 1000)):
        seen = {v.constraint for v in mutant.schedule.violations(mutant.instance)}
        assert mutant.constraint in seen, (mutant.name, seen)


def changed(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
    """One field of one row changed at random, feasible or not, to something that exists."""
    work, ps = schedule.intervals.rows(), schedule.services.rows()
    if rng.random() < 0.6:
        at = rng.randrange(len(work))
        row = list(work[at])
        if rng.random() < 0.4:
            places = edge_places(instance)
            row[2:5] = rng.choice([*places, (instance.cloud.index, -1, -1)] if instance.cloud else places)
        else:
            shift = rng.choice([-2, -1, 1, 2])
            row[5], row[6] = row[5] + shift * rng.randrange(2), row[6] + shift * rng.randrange(2)
        if rng.random() < 0.3:
            work = [(*r[:2], *row[2:5], *r[5:]) if list(r[:2]) == row[:2] else r for r in work]
        else:
            work[at] = tuple(row)
    else:
        at = rng.randrange(len(ps))
        row = list(ps[at])
        if rng.random() < 0.5:
            types = [(s.index, k) for s in instance.edges for k in range(len(s.parameter_servers))]
            row[1:3] = rng.choice([*types, (instance.cloud.index, -1)] if instance.cloud else types)
        else:
            row[rng.choice([3, 4])] += rng.choice([-1, 1])
        ps[at] = tuple(row)
    return with_rows(schedule, work, ps)


def test_equals_the_literal_checker_on_random_changes() -> None:
    accepted = 0
    for seed in range(size(40, 200, 2000)):
        rng = random.Random(seed)
        instance, schedule = good(seed % 200)
        for _ in range(rng.randrange(3)):
            schedule = changed(instance, schedule, rng)
        found = {v.constraint for v in schedule.violations(instance)}
        if found & {"horizon", "starts_in_time", "positive_length"}:
            continue
        assert found == broken_names(schedule, instance), seed
        accepted += not found
    assert accepted


def test_floating_chunks_may_move_but_not_outnumber_the_chunks() -> None:
    instance, schedule = next(pair for seed in range(1, 200, 5) if (pair := feasible(seed)) and one_job_with_room(pair))
    floating = replace(schedule, options={"chunks": "floating"})
    work, ps = schedule.intervals.rows(), schedule.services.rows()
    assert floating.violations(instance) == []
    row = one_job_with_room((instance, schedule))
    assert row is not None
    crowd = with_rows(floating, [*work, row], ps)
    assert {v.constraint for v in crowd.violations(instance)} == {"at_most_one_worker_per_chunk"}
    lazy = with_rows(floating, work[1:], ps)
    assert "job_work" in {v.constraint for v in lazy.violations(instance)}


def one_job_with_room(pair: tuple[Instance, Schedule]) -> tuple[int, ...] | None:
    """An interval on a free qualified worker in a slot in which all chunks of its job run elsewhere."""
    instance, schedule = pair
    work = schedule.intervals.rows()
    for job in instance.jobs:
        for t in sorted({r[5] for r in work if r[0] == job.index}):
            if sum(r[0] == job.index and r[5] <= t < r[6] for r in work) < job.chunks:
                continue
            busy = {r[2:5] for r in work if r[5] <= t < r[6]}
            for q, delay in instance.qualified(job):
                place = q.places[-1]
                if place not in busy and t >= job.arrival + delay:
                    return (job.index, 0, *place, t, t + 1)
    return None


@pytest.mark.parametrize(
    "constraint", ["horizon", "positive_length", "starts_in_time", "chunk_exists", "worker_exists"]
)
def test_rows_that_make_no_sense_are_reported_alone(constraint: str) -> None:
    mutation = next(m for c, m in MUTATIONS.values() if c == constraint)
    instance, schedule = good(1)
    spoiled = mutation(instance, schedule, random.Random(0))
    assert {v.constraint for v in spoiled.violations(instance)} == {constraint}
