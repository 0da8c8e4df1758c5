"""Single-decision changes of a feasible schedule, each with the violated constraint.

Rows are (job, chunk, server, kind, worker, start, end) and (job, server, kind, start, end). A mutation returns the
changed rows, or None if the schedule has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import wraps

from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services
from tests.instances.schedules import Mutations

Rows = list[tuple[int, ...]]
Spoiled = tuple[Rows, Rows]
OnRows = Callable[[Instance, Rows, Rows, random.Random], "Spoiled | None"]

MUTATIONS = Mutations()


def with_rows(schedule: Schedule, work: Iterable[tuple[int, ...]], ps: Iterable[tuple[int, ...]]) -> Schedule:
    return replace(schedule, intervals=Intervals.of(work), services=Services.of(ps))


def breaks(constraint: str) -> Callable[[OnRows], OnRows]:
    """Register a mutation under its name with the constraint that it breaks."""

    def register(spoil: OnRows) -> OnRows:
        @wraps(spoil)
        def mutation(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule | None:
            if constraint == "parameter_server_has_landed" and schedule.options.get("ps_release") == "none":
                return None  # a constraint that this schedule is not judged by
            spoiled = spoil(instance, schedule.intervals.rows(), schedule.services.rows(), rng)
            return None if spoiled is None else with_rows(schedule, *spoiled)

        MUTATIONS.breaks(constraint)(mutation)
        return spoil

    return register


def pick(rng: random.Random, rows: Rows) -> tuple[int, ...] | None:
    return rng.choice(rows) if rows else None


def swapped(rows: Rows, old: tuple[int, ...], *new: tuple[int, ...]) -> Rows:
    """The rows with one of them replaced."""
    at = rows.index(old)
    return rows[:at] + list(new) + rows[at + 1 :]


def chunk_moved(rows: Rows, row: tuple[int, ...], place: tuple[int, int, int]) -> Rows:
    return [(*r[:2], *place, *r[5:]) if r[:2] == row[:2] else r for r in rows]


def edge_places(instance: Instance) -> Rows:
    return [place for q in instance.classes for place in q.places]


@breaks("after_upload")
def starts_before_it_landed(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    new = i.jobs[row[0]].arrival + (i.jobs[row[0]].delay(i.servers[row[2]]) or 0) - 1
    return None if new < 0 else (swapped(work, row, (*row[:5], new, new + row[6] - row[5])), ps)


@breaks("parameter_server_has_landed")
def serves_before_it_landed(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    types = [(s, k) for s in i.servers for k in ([-1] if s.cloud else range(len(s.parameter_servers)))]
    late = [
        (row, (row[0], s.index, k, *row[3:]))
        for row in ps
        for s, k in types
        if (delay := i.jobs[row[0]].delay(s)) is not None and row[3] < i.jobs[row[0]].arrival + delay
    ]
    if not late:
        return None
    old, new = rng.choice(late)
    return work, swapped(ps, old, new)


@breaks("one_chunk_per_worker")
def overlaps_its_predecessor(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    pairs = [(a, b) for a in work for b in work if a is not b and a[4] >= 0 and a[2:5] == b[2:5] and a[6] <= b[5]]
    if not pairs:
        return None
    a, b = rng.choice(pairs)
    return swapped(work, b, (*b[:5], a[6] - 1, a[6] - 1 + b[6] - b[5])), ps


@breaks("chunk_stays")
def moves_a_piece(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    chunks = [r[:2] for r in work]
    row = pick(rng, [r for r in work if chunks.count(r[:2]) > 1])
    other = pick(rng, [place for place in edge_places(i) if row and place != row[2:5]])
    return (swapped(work, row, (*row[:2], *other, *row[5:])), ps) if row and other else None


@breaks("chunk_stays")
def moves_on_halfway(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in work if r[6] - r[5] > 1])
    other = pick(rng, [place for place in edge_places(i) if row and place != row[2:5]])
    if not row or not other:
        return None
    half = row[5] + 1
    return swapped(work, row, (*row[:6], half), (*row[:2], *other, half, row[6])), ps


@breaks("chunk_work")
def drops_the_first_slot(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    return swapped(work, row, *([(*row[:5], row[5] + 1, row[6])] if row[6] - row[5] > 1 else [])), ps


@breaks("chunk_work")
def trains_a_slot_too_long(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in work if r[6] < i.horizon])
    return (swapped(work, row, (*row[:6], row[6] + 1)), ps) if row else None


@breaks("chunk_work")
def keeps_the_cloud_rate_without_its_server(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    outside = {r[0] for r in work if r[4] >= 0}
    slower = [r for r in ps if r[0] not in outside and i.jobs[r[0]].slots() > i.jobs[r[0]].slots(in_cloud=True)]
    row = pick(rng, slower)
    place = (i.edges[0].index, 0)
    return (work, swapped(ps, row, (row[0], *place, *row[3:]))) if row and i.edges[0].parameter_servers else None


@breaks("served_while_running")
def drops_a_service(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    return work, swapped(ps, rng.choice(ps))


@breaks("served_while_running")
def serves_a_slot_too_long(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in ps if r[4] < i.horizon])
    return (work, swapped(ps, row, (*row[:4], row[4] + 1))) if row else None


@breaks("served_while_running")
def serves_a_slot_too_late(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in ps if r[4] - r[3] > 1])
    return (work, swapped(ps, row, (*row[:3], row[3] + 1, row[4]))) if row else None


@breaks("served_while_running")
def serves_twice(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    return work, [*ps, rng.choice(ps)]


@breaks("parameter_server_capacity")
def one_service_too_many(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    places = [(s.index, k, n) for s in i.edges for k, n in enumerate(s.parameter_servers.values())]
    choices = []
    for s, k, count in places:
        here = [r for r in ps if r[1:3] == (s, k)]
        for row in (r for r in ps if r[1:3] != (s, k)):
            if any(sum(r[3] <= t < r[4] for r in here) == count for t in range(row[3], row[4])):
                choices.append((row, (row[0], s, k, *row[3:])))
    if not choices:
        return None
    old, new = rng.choice(choices)
    return work, swapped(ps, old, new)


@breaks("open_parameter_server")
def closed_parameter_server(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(ps)
    places = [(s, k, kind) for s in i.edges for k, kind in enumerate(s.parameter_servers)]
    shut = [(s.index, k) for s, k, kind in places if not i.jobs[row[0]].opens(s, kind)]
    if i.cloud and i.cloud.name not in i.jobs[row[0]].upload_delay:
        shut.append((i.cloud.index, -1))
    place = pick(rng, shut)
    return (work, swapped(ps, row, (row[0], *place, *row[3:]))) if place else None


@breaks("qualified_worker")
def unqualified_worker(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    able = {(q.server.index, q.type) for q, _ in i.qualified(i.jobs[row[0]])}
    places = [p for p in edge_places(i) if (p[0], list(i.servers[p[0]].workers)[p[1]]) not in able]
    if i.cloud and i.cloud_delay(i.jobs[row[0]]) is None:
        places.append((i.cloud.index, -1, -1))
    place = pick(rng, places)
    return (chunk_moved(work, row, (place[0], place[1], place[2])), ps) if place else None


@breaks("storage")
def overfull_storage(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    done = {j: max(r[6] for r in work if r[0] == j) for j in {r[0] for r in work}}
    homes = {r[:2]: r[2] for r in work}
    choices = []
    for server in (s for s in i.edges if s.storage is not None):
        for row in work:
            job = i.jobs[row[0]]
            there = [j for (j, _), s in homes.items() if s == server.index]
            used = sum((i.jobs[j].chunk_size for j in there if i.jobs[j].arrival <= job.arrival < done[j]), Fraction(0))
            if row[2] != server.index and used + job.chunk_size > server.storage:
                choices += [(row, place) for place in edge_places(i) if place[0] == server.index]
    if not choices:
        return None
    row, (s, k, n) = rng.choice(choices)
    return chunk_moved(work, row, (s, k, n)), ps


@breaks("cloud_does_not_preempt")
def preempted_in_the_cloud(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in work if r[4] < 0 and r[6] - r[5] > 1 and r[6] < i.horizon])
    return (swapped(work, row, (*row[:6], row[5] + 1), (*row[:5], row[5] + 2, row[6] + 1)), ps) if row else None


@breaks("chunk_on_one_worker_at_a_time")
def trained_twice_at_once(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    return [*work, rng.choice(work)], ps


@breaks("horizon")
def beyond_the_horizon(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    return swapped(work, row, (*row[:5], i.horizon + 1 - row[6] + row[5], i.horizon + 1)), ps


@breaks("starts_in_time")
def before_time(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(ps)
    return work, swapped(ps, row, (*row[:3], -1, row[4]))


@breaks("positive_length")
def no_length(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    return swapped(work, row, (*row[:6], row[5])), ps


@breaks("chunk_exists")
def unknown_chunk(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = rng.choice(work)
    return swapped(work, row, (row[0], i.jobs[row[0]].chunks, *row[2:])), ps


@breaks("worker_exists")
def unknown_worker(i: Instance, work: Rows, ps: Rows, rng: random.Random) -> Spoiled | None:
    row = pick(rng, [r for r in work if r[4] >= 0])
    if not row:
        return None
    count = list(i.servers[row[2]].workers.values())[row[3]]
    return chunk_moved(work, row, (row[2], row[3], count)), ps
