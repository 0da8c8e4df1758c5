"""Random preemptive schedules of the policies, and the format of their files."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import cache
from typing import Any

import schedproof as sp
from schedproof.core.cards import registry
from schedproof.core.errors import NoSolution, short
from schedproof.core.runtime.files import encode
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services, from_json
from tests.instances.broken import ANY_INTEGER, VERSION, Shape, all_of, drop, integers, put
from tests.instances.preemptive.literal_checker import broken_names
from tests.instances.preemptive.mutations import MUTATIONS, edge_places, with_rows
from tests.instances.schedules import Schedules
from tests.tiny.preemptive import tiny_instance, tiny_preemptive

HUGE = "gpu#" + "9" * 5000  # more digits than Python reads
POLICIES: list[tuple[str, dict[str, Any]]] = [
    ("a_online", {}),
    ("srtf", {}),
    ("a_online", {"speed": "3/2"}),
    ("tiresias_l", {"thresholds": (3, 9)}),
    ("batch_sche", {}),
    ("a_online", {"ps_release": "none", "order": "residual"}),
]


@cache
def good(seed: int) -> tuple[Instance, Schedule]:
    """A feasible schedule; the seed selects cloud, storage and parameter servers."""
    scarce = seed % 3 == 0
    settings: dict[str, Any] = {"jobs": 4 + seed % 4, "servers": 1 + seed % 3, "scarce": scarce}
    settings |= {"cloud": True} if scarce else {}
    settings |= {"restart": seed // 2 % 4}
    name, options = POLICIES[seed % len(POLICIES)]
    instances = [tiny_instance(seed, **settings)]
    if seed % 4 == 2:
        instances.insert(0, tiny_instance(seed, **settings, storage=True, tight=True))
    for instance in instances:
        with suppress(NoSolution):  # no storage left for some job
            return instance, sp.policy(name, **options).run(instance).schedule
    raise AssertionError(seed)


@cache
def feasible(seed: int) -> tuple[Instance, Schedule] | None:
    """Return `good`, unless a job found no free parameter server."""
    instance, schedule = good(seed)
    rules = registry.family("preemptive").rules_among(schedule.options)
    names = {v.constraint for v in schedule.violations(instance, **rules)}
    assert names <= ({"served_while_running"} if seed % 3 == 0 else set()), seed
    return None if names else (instance, schedule)


def next_feasible(seed: int) -> tuple[Instance, Schedule]:
    return next(pair for n in range(seed, seed + 9) if (pair := feasible(n)))


def changed(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
    """Change up to two fields of rows at random to existing values."""
    for _ in range(rng.randrange(3)):
        schedule = changed_once(instance, schedule, rng)
    return schedule


def changed_once(instance: Instance, schedule: Schedule, rng: random.Random) -> Schedule:
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


def file_of_three_rows() -> tuple[Instance, Shape]:
    value = tiny_preemptive(2, cloud=True, ps_types=True)
    value["jobs"][0]["upload_delay"].pop("cloud", None)  # so that BatchSche uses edge and cloud
    value["jobs"][1]["upload_delay"]["cloud"] = 3
    instance = from_json(value)
    file: dict[str, Any] = sp.policy("batch_sche").run(instance).schedule.to_json(instance)
    rows = sorted((row for row in file["intervals"]), key=lambda row: row.worker is None)
    typed = next(row for row in file["parameter_servers"] if row.type is not None)
    file |= {"intervals": [rows[0], rows[-1]], "parameter_servers": [typed], "options": {}}
    worker, service = "expected a worker of ", "parameter_servers[0]"
    return instance, Shape(
        valid=encode(file),
        numbers={
            "version": VERSION,
            "seed": ANY_INTEGER,
            **dict.fromkeys(("chunk", "start", "end"), integers(-(10**12), 10**12)),
        },
        maps={"options": 1},
        optional=frozenset({"worker", "type"}),
        together=frozenset({"worker", "type"}),
        either={"worker": "a string or null", "type": "a string or null"},
        refused=[
            ("intervals[1].job", "nobody", "expected the name of a job"),
            ("intervals[1].server", "nowhere", "expected the name of a server"),
            ("intervals[1].worker", "gpu#0", "expected no worker: the cloud's workers have no names"),
            ("intervals[0].worker = 'None'", drop("intervals[0].worker"), worker),
            *(("intervals[0].worker", name, worker) for name in ("tpu#0", "gpu#99", "gpu#-1", "gpu")),
            (f"intervals[0].worker = {short(HUGE)}", put("intervals[0].worker", HUGE), worker),
            (f"{service}.job", "nobody", "expected the name of a job"),
            (f"{service}.server", "nowhere", "expected the name of a server"),
            (
                f"{service}.type = 'z'",
                all_of(put(f"{service}.server", "edge-0"), put(f"{service}.type", "z")),
                "expected a parameter-server type of",
            ),
            (
                f"{service}.type = 'z'",
                all_of(put(f"{service}.server", "cloud"), put(f"{service}.type", "z")),
                "expected no type: the cloud's parameter servers have no types",
            ),
            *(("options.speed", speed, "options.speed = ") for speed in ("fast", 0, [1])),
            ("options.chunks", "FLOATING", "options.chunks = 'FLOATING': expected one of pinned, floating"),
            ("options.reading", "fluid", "options.reading = 'fluid': expected one of ceil_chunk, ceil_job"),
            ("options.ps_release", "None", "options.ps_release = 'None': expected one of printed, none"),
        ],
    )


SCHEDULES = Schedules(
    drawn=next_feasible,
    content=lambda schedule: (schedule.intervals.rows(), sorted(schedule.services.rows())),
    empty=lambda instance: Schedule.by("nobody", instance, Intervals.of([]), Services.of([])),
    breaks_when_empty=frozenset({"chunk_work"}),
    rows={
        "intervals": frozenset({"job", "chunk", "server", "start", "end"}),
        "parameter_servers": frozenset({"job", "server", "start", "end"}),
    },
    shape=file_of_three_rows,
    mutations=MUTATIONS,
    alone=frozenset({"horizon", "positive_length", "starts_in_time", "chunk_exists", "worker_exists"}),
    literal=broken_names,
    changed=changed,
)
