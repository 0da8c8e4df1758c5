"""Random jrp schedules of the greedy algorithm, and the format of their files."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from schedproof.core.runtime.files import encode
from schedproof.instances.jrp import Assignment, Instance, Schedule
from tests.instances.broken import ANY_INTEGER, LIST, NUMBER, OBJECT, STRING, VERSION, Numbers, Shape, put
from tests.instances.jrp.greedy import greedy
from tests.instances.jrp.literal import broken_names
from tests.instances.jrp.mutations import MUTATIONS
from tests.instances.schedules import Schedules
from tests.tiny.jrp import schedule_of, tiny_cells

SHAPE = frozenset({"node_exists", "server_exists", "grant_exists", "one_grant_each"})
ANY_RATIONAL = Numbers(NUMBER, {float("nan"): "expected a finite number"}, frozenset({STRING, OBJECT, LIST}))


@cache
def good(seed: int) -> tuple[Instance, Schedule]:
    """A nonempty feasible schedule, usually with a trace."""
    for n in range(100):
        instance = tiny_cells(seed + 1000 * n, jobs=2 + seed % 4, servers=2 + seed % 3)
        schedule = greedy(instance, seed, "split" if seed % 3 == 0 else "cone")
        if schedule.placements:
            return instance, replace(schedule, trace=({"round": 1, "accepted": seed},) if seed % 3 else ())
    raise AssertionError(seed)


def file_of_one_row() -> tuple[Instance, Shape]:
    instance, schedule = next((i, s) for i, s in map(good, range(1, 99)) if s.grants)
    value: dict[str, Any] = schedule.to_json(instance)
    value |= {"nodes": value["nodes"][:1], "resources": value["resources"][:1], "trace": [{"round": 1}]}
    ratio = "expected a number, or num/den"
    return instance, Shape(
        valid=encode(value),
        numbers={
            "version": VERSION,
            "seed": ANY_INTEGER,
            "compute": ANY_RATIONAL,
            "bandwidth": ANY_RATIONAL,
        },
        maps={"options": 1, "trace": 1},
        optional=frozenset({"trace"}),
        whole=frozenset({"trace"}),
        refused=[
            ("nodes[0].job", "nobody", "expected the name of a job"),
            ("nodes[0].node", "d99", "expected the name of a data node of "),
            ("nodes[0].server", "x", "expected the name of a server"),
            ("resources[0].job", "x", "expected the name of a job"),
            ("resources[0].server", "x", "expected the name of a server"),
            ("resources[0].compute", "much", ratio),
            ("resources[0].bandwidth", "", ratio),
            ("resources[0].compute", "1e999999999", ratio),
            ("", put("resources[0].compute", {}), "resources[0].compute = {}: expected a number, got an object"),
            ("", put("resources[0].compute", []), "resources[0].compute = []: expected a number, got an array"),
            ("resources[0].compute", "1/0", "expected a denominator > 0"),
            ("resources[0].compute", "9" * 9999 + "/1", "resources[0].compute"),
        ],
    )


def changed(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
    """Move up to three data nodes, or change grants slightly."""
    rows, grants = list(schedule.placements), list(schedule.grants)
    for _ in range(rng.randrange(4)):
        n, g = rng.randrange(len(rows)), rng.randrange(len(grants))
        if rng.random() < 0.5:
            rows[n] = rows[n]._replace(server=rng.randrange(len(instance.servers)))
        else:
            what = rng.choice(["compute", "bandwidth"])
            times = rng.choice([Fraction(9, 10), Fraction(99, 100), Fraction(1001, 1000), Fraction(0), Fraction(-1)])
            grants[g] = grants[g]._replace(**{what: getattr(grants[g], what) * times})
    return replace(schedule, placements=tuple(rows), grants=tuple(grants))


SCHEDULES = Schedules(
    drawn=good,
    content=lambda schedule: schedule,
    empty=lambda instance: schedule_of(Assignment([], []), instance),
    rows={
        "nodes": frozenset({"job", "node", "server"}),
        "resources": frozenset({"job", "server", "compute", "bandwidth"}),
    },
    shape=file_of_one_row,
    mutations=MUTATIONS,
    no_schedule=SHAPE - {"one_grant_each"},
    alone=SHAPE,
    literal=broken_names,
    changed=changed,
)
