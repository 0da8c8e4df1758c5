"""Single-decision changes of a feasible schedule, each with the violated constraint.

A mutation returns the changed schedule, or None if the schedule has no place for it.
"""

from __future__ import annotations

import random
from dataclasses import replace

from schedproof.instances.placement import Instance, Schedule, Start, fits
from tests.instances.schedules import Mutations

MUTATIONS = Mutations()
breaks = MUTATIONS.breaks


def swapped(schedule: Schedule, old: Start, *new: Start) -> Schedule:
    """The schedule with one of its rows replaced."""
    rows = [row for row in schedule.starts if row != old] + [*new]
    return replace(schedule, starts=tuple(sorted(rows, key=lambda row: (row.slot, row.cluster, row.task))))


def last_runs(schedule: Schedule) -> list[Start]:
    return [row for row in schedule.starts if row.until is None]


@breaks("task_exists")
def unknown_task(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    return swapped(s, row, row._replace(task=rng.choice([-1, len(i.tasks)])))


@breaks("cluster_exists")
def unknown_cluster(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    return swapped(s, row, row._replace(cluster=rng.choice([-1, len(i.clusters)])))


@breaks("allocation_has_a_duration")
def an_allocation_that_the_task_does_not_list(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    return swapped(s, row, row._replace(allocation=(row.allocation[0], 99)))


@breaks("starts_in_time")
def a_start_before_slot_0(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    rows = [row for row in s.starts if i.tasks[row.task].arrival == 0]
    row = rng.choice(rows) if rows else None
    return swapped(s, row, row._replace(slot=-1)) if row else None


@breaks("stops_after_start")
def a_stop_before_the_start(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    return swapped(s, row, row._replace(until=row.slot - rng.randrange(2)))


@breaks("once")
def a_task_that_is_stopped_though_none_may_be(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    ends = s.completions(i)
    return None if s.options else swapped(s, row, row._replace(until=ends[row.task]))


@breaks("once")
def a_task_that_starts_twice(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    return None if s.options else swapped(s, row, row, row._replace(slot=s.completions(i)[row.task]))


@breaks("in_turn")
def a_task_that_goes_on_when_it_is_complete(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(last_runs(s))
    return swapped(s, row, row, row._replace(slot=s.completions(i)[row.task]))


@breaks("in_turn")
def a_task_on_two_clusters_at_once(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    others = [n for n in i.tasks[row.task].clusters if n != row.cluster]
    return swapped(s, row, row, row._replace(cluster=rng.choice(others))) if others else None


@breaks("every_task")
def a_task_left_out(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(last_runs(s))
    return swapped(s, row)


@breaks("every_task")
def a_task_stopped_for_good(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    rows = [row for row in last_runs(s) if s.completions(i)[row.task] > row.slot + 1]
    row = rng.choice(rows) if rows else None
    return swapped(s, row, row._replace(until=row.slot + 1)) if row else None


@breaks("one_start_each")
def two_starts_of_a_cluster_in_a_slot(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    one = rng.choice(s.starts)
    others = [row for row in s.starts if row.task != one.task]
    other = rng.choice(others) if others else None
    return swapped(s, other, other._replace(cluster=one.cluster, slot=one.slot, until=None)) if other else None


@breaks("reachable")
def a_cluster_that_the_task_cannot_reach(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    others = [n for n in range(len(i.clusters)) if n not in i.tasks[row.task].clusters]
    return swapped(s, row, row._replace(cluster=rng.choice(others))) if others else None


@breaks("after_arrival")
def a_start_before_the_arrival(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    rows = [row for row in s.starts if i.tasks[row.task].arrival]
    row = rng.choice(rows) if rows else None
    return swapped(s, row, row._replace(slot=i.tasks[row.task].arrival - 1)) if row else None


@breaks("capacity")
def a_mode_larger_than_the_cluster(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.starts)
    room = i.clusters[row.cluster].amounts
    larger = [mode.allocation for mode in i.tasks[row.task].modes if not fits(mode.allocation, room)]
    return swapped(s, row, row._replace(allocation=rng.choice(larger))) if larger else None


@breaks("capacity")
def more_in_a_slot_than_there_is(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    for one in rng.sample(s.starts, len(s.starts)):
        room = i.clusters[one.cluster].amounts
        for row in s.starts:
            both = tuple(map(sum, zip(one.allocation, row.allocation, strict=True)))
            if row.task != one.task and not fits(both, room):
                return swapped(s, row, row._replace(cluster=one.cluster, slot=one.slot, until=None))
    return None


@breaks("horizon")
def a_task_that_ends_after_the_horizon(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(last_runs(s))
    return swapped(s, row, row._replace(slot=i.horizon))
