"""Single-decision changes of a feasible schedule, each with the violated constraint.

A mutation returns the changed schedule, or None if the schedule has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

from schedproof.instances.dmlrs import Instance, Placement, Schedule
from tests.instances.schedules import Mutation, Mutations

MUTATIONS = Mutations()
breaks = MUTATIONS.breaks


def with_rows(schedule: Schedule, rows: Iterable[Placement]) -> Schedule:
    return replace(schedule, placements=tuple(sorted(rows)))


def swapped(schedule: Schedule, old: Placement, *new: Placement) -> Schedule:
    """The schedule with one of its rows replaced."""
    rows = list(schedule.placements)
    rows.remove(old)
    return with_rows(schedule, [*rows, *new])


def of_slot(schedule: Schedule, row: Placement) -> list[Placement]:
    return [p for p in schedule.placements if (p.job, p.slot) == (row.job, row.slot)]


def finished(schedule: Schedule) -> list[Placement]:
    return [p for p in schedule.placements if p.job not in schedule.unfinished]


OF_ANY_ROW: dict[str, tuple[str, Callable[[Instance, random.Random], dict[str, int]]]] = {  # the fields that change
    "unknown_job": ("job_exists", lambda i, rng: {"job": rng.choice([-1, len(i.jobs)])}),
    "unknown_machine": ("machine_exists", lambda i, rng: {"machine": rng.choice([-2, -1, len(i.machines)])}),
    "negative_workers": ("counts_not_negative", lambda i, rng: {"workers": -1}),
    "negative_parameter_servers": ("counts_not_negative", lambda i, rng: {"ps": -3}),
    "beyond_the_horizon": ("horizon", lambda i, rng: {"slot": i.horizon + rng.randrange(3)}),
    "before_time": ("horizon", lambda i, rng: {"slot": -1 - rng.randrange(3)}),
}


def with_fields(fields: Callable[[Instance, random.Random], dict[str, int]]) -> Mutation:
    def mutation(i: Instance, s: Schedule, rng: random.Random) -> Schedule:
        row = rng.choice(s.placements)
        return swapped(s, row, replace(row, **fields(i, rng)))

    return mutation


MUTATIONS |= {name: (constraint, with_fields(fields)) for name, (constraint, fields) in OF_ANY_ROW.items()}


@breaks("job_exists")
def unknown_unfinished_job(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    return replace(s, unfinished=s.unfinished | {rng.choice([-1, len(i.jobs)])})


@breaks("one_row_each")
def twice_the_same_row(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    return with_rows(s, [*s.placements, rng.choice(s.placements)])


@breaks("after_arrival")
def before_arrival(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    late = [p for p in s.placements if i.jobs[p.job].arrival > 0]
    if not late:
        return None
    row = rng.choice(late)
    return swapped(s, row, replace(row, slot=i.jobs[row.job].arrival - 1))


@breaks("batch_size")
def more_workers_than_the_batch_allows(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    more = i.jobs[row.job].batch_size + 1 - sum(p.workers for p in of_slot(s, row))
    return swapped(s, row, replace(row, workers=row.workers + more))


@breaks("parameter_servers")
def a_parameter_server_too_few(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    """Each feasible slot here has exactly ceil(workers / gamma) parameter servers."""
    able = [p for p in s.placements if p.ps and sum(q.workers for q in of_slot(s, p))]
    if not able:
        return None
    row = rng.choice(able)
    return swapped(s, row, replace(row, ps=row.ps - 1))


@breaks("capacity")
def one_copy_too_many_for_a_machine(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    choices = [p for p in s.placements if any(i.jobs[p.job].ps.values())]
    if not choices:
        return None
    row = rng.choice(choices)
    machine = i.machines[row.machine]
    resource = next(r for r, amount in i.jobs[row.job].ps.items() if amount)
    many = int(machine.capacity.get(resource, 0) / i.jobs[row.job].ps[resource]) + 1
    return swapped(s, row, replace(row, ps=row.ps + many))


@breaks("work")
def drops_a_slot(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    for row in rng.sample(finished(s), len(finished(s))):
        rest = [p for p in s.placements if p not in of_slot(s, row)]
        job = i.jobs[row.job]
        at_best = sum(p.workers for p in rest if p.job == row.job)
        if row.job in {p.job for p in rest} and not job.done(at_best, 0):
            return with_rows(s, rest)
    return None


@breaks("work")
def hides_that_it_was_given_up(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    return replace(s, unfinished=frozenset()) if s.unfinished else None


@breaks("unfinished")
def calls_a_finished_job_unfinished(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    rows = finished(s)
    return replace(s, unfinished=s.unfinished | {rng.choice(rows).job}) if rows else None


@breaks("work")
def counts_the_internal_rate_though_spread(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    for row in rng.sample(finished(s), len(finished(s))):
        if len(of_slot(s, row)) > 1 or not row.ps or not row.workers or len(i.machines) < 2:
            continue
        job, own = i.jobs[row.job], [p for p in s.placements if p.job == row.job and p.slot != row.slot]
        slots = {p.slot: [q for q in own if q.slot == p.slot] for p in own}
        internal = sum(rows[0].workers for rows in slots.values() if len(rows) == 1)
        external = sum(p.workers for rows in slots.values() if len(rows) > 1 for p in rows)
        if not job.done(internal, external + row.workers):
            other = replace(row, machine=(row.machine + 1) % len(i.machines), workers=0, ps=1)
            return swapped(s, row, replace(row, ps=row.ps - 1), other)
    return None
