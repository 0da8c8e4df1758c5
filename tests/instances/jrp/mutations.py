"""Single-decision changes of a feasible schedule, each with the violated constraint.

A mutation returns the changed schedule, or None if the schedule has no place for it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from schedproof.instances.jrp import Grant, Instance, Placement, Schedule
from tests.instances.schedules import Mutations

LITTLE = Fraction(1, 10**40)
MUTATIONS = Mutations()
breaks = MUTATIONS.breaks


def moved(schedule: Schedule, old: Placement, *new: Placement) -> Schedule:
    """The schedule with one of its placements replaced."""
    return replace(schedule, placements=tuple(sorted([row for row in schedule.placements if row != old] + [*new])))


def granting(schedule: Schedule, old: Grant, *new: Grant) -> Schedule:
    """The schedule with one of its grants replaced."""
    return replace(schedule, grants=tuple(sorted([grant for grant in schedule.grants if grant != old] + [*new])))


def some(rng: random.Random, rows: Iterable[Grant]) -> Grant | None:
    """Return one of the given values, or None."""
    found = list(rows)
    return rng.choice(found) if found else None


def needed(i: Instance, s: Schedule, grant: Grant) -> tuple[Fraction, Fraction]:
    """Return a server's least compute and bandwidth, if each takes all the time."""
    job = i.jobs[grant.job]
    here = (job.nodes[row.node].size for row in s.placements if (row.job, row.server) == (grant.job, grant.server))
    return job.need(sum(here, Fraction(0)))


@breaks("node_exists")
def unknown_job(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    return moved(s, row, row._replace(job=rng.choice([-1, len(i.jobs)])))


@breaks("node_exists")
def unknown_node(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    return moved(s, row, row._replace(node=rng.choice([-1, len(i.jobs[row.job].nodes)])))


@breaks("server_exists")
def unknown_server(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    return moved(s, row, row._replace(server=rng.choice([-1, len(i.servers)])))


@breaks("grant_exists")
def grant_of_an_unknown_server(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = rng.choice(s.grants)
    return granting(s, grant, grant._replace(server=rng.choice([-1, len(i.servers)])))


@breaks("grant_exists")
def grant_to_an_unknown_job(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = rng.choice(s.grants)
    return granting(s, grant, grant._replace(job=rng.choice([-1, len(i.jobs)])))


@breaks("one_grant_each")
def a_grant_in_two_halves(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = rng.choice(s.grants)
    half = grant._replace(compute=grant.compute / 2, bandwidth=grant.bandwidth / 2)
    return granting(s, grant, half, half)


@breaks("one_server_each")
def a_data_node_on_two_servers(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    others = [j for j in i.jobs[row.job].nodes[row.node].servers if j != row.server]
    return moved(s, row, row, row._replace(server=rng.choice(others))) if others else None


@breaks("one_server_each")
def a_data_node_twice_on_one_server(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    return moved(s, row, row, row)


@breaks("assignable")
def a_server_that_the_data_node_does_not_name(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    row = rng.choice(s.placements)
    others = [j for j in range(len(i.servers)) if j not in i.jobs[row.job].nodes[row.node].servers]
    return moved(s, row, row._replace(server=rng.choice(others))) if others else None


@breaks("all_or_none")
def a_data_node_without_a_server(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    rows = [row for row in s.placements if len(i.jobs[row.job].nodes) > 1]
    return moved(s, rng.choice(rows)) if rows else None


@breaks("storage")
def more_data_than_a_server_stores(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    for j in rng.sample(range(len(i.servers)), len(i.servers)):
        rows = [row._replace(server=j) if j in i.jobs[row.job].nodes[row.node].servers else row for row in s.placements]
        if sum(i.jobs[row.job].nodes[row.node].size for row in rows if row.server == j) > i.servers[j].storage:
            return replace(s, placements=tuple(sorted(rows)))
    return None


@breaks("not_negative")
def a_negative_grant(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = some(rng, (g for g in s.grants if 0 in needed(i, s, g)))
    if grant is None:
        return None
    what = "compute" if needed(i, s, grant)[0] == 0 else "bandwidth"
    return granting(s, grant, grant._replace(**{what: -LITTLE}))


@breaks("compute")
def a_little_more_compute_than_there_is(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = rng.choice(s.grants)
    others = sum(g.compute for g in s.grants if g.server == grant.server and g != grant)
    return granting(s, grant, grant._replace(compute=i.servers[grant.server].compute - others + LITTLE))


@breaks("bandwidth")
def a_little_more_bandwidth_than_there_is(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = rng.choice(s.grants)
    others = sum(g.bandwidth for g in s.grants if g.server == grant.server and g != grant)
    return granting(s, grant, grant._replace(bandwidth=i.servers[grant.server].bandwidth - others + LITTLE))


@breaks("completion")
def no_grant_where_one_is_needed(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = some(rng, (g for g in s.grants if any(needed(i, s, g))))
    return granting(s, grant) if grant else None


@breaks("completion")
def a_little_late(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    grant = some(rng, (g for g in s.grants if needed(i, s, g)[0]))
    if grant is None:
        return None
    c, b = needed(i, s, grant)
    just = c / (1 - b / grant.bandwidth) if b else c
    return granting(s, grant, grant._replace(compute=just - LITTLE))


@breaks("completion")
def computing_and_communicating_each_in_all_the_time(i: Instance, s: Schedule, rng: random.Random) -> Schedule | None:
    """Satisfy each term of (10), but not their sum."""
    grant = some(rng, (g for g in s.grants if all(needed(i, s, g))))
    return granting(s, grant, Grant(grant.job, grant.server, *needed(i, s, grant))) if grant else None
