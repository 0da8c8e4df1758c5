"""Schedules: JSON there and back, what a bad schedule file is told, and the pairing of starts and stops."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import pytest

from schedproof.core.errors import InputError
from schedproof.core.policy import Decisions
from schedproof.core.reading import parse
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services, from_json
from schedproof.instances.preemptive.drive import COLUMNS, PS, WORKER
from schedproof.online.preemptive.batch_sche import batch_sche
from schedproof.online.preemptive.srtf import srtf
from tests.support import size
from tests.tiny.preemptive import tiny_instance, tiny_preemptive


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_instance(seed, cloud=seed % 2 == 0, ps_types=seed % 3 == 0)
    policies = [(srtf(speed="1.5"), {"speed": "1.5"}), (batch_sche(), {}), (srtf(speed=1.2), {"speed": 1.2})]
    policy, options = policies[seed % 3]
    return instance, instance.drive(policy, "policy", options, seed, lambda jobs: None)


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    """What reading the written file gives."""
    return parse(msgspec.json.encode(schedule.to_json(instance)))


def test_json_there_and_back() -> None:
    for seed in range(size(20, 100, 500)):
        instance, schedule = drawn(seed)
        again = Schedule.from_json(as_parsed(schedule, instance), instance)
        for mine, other in ((schedule.intervals, again.intervals), (schedule.services, again.services)):
            for name in mine.COLUMNS:
                assert np.array_equal(getattr(mine, name), getattr(other, name)), (seed, name)
        assert (again.policy, again.seed, again.speed) == (schedule.policy, schedule.seed, schedule.speed)
        assert again.violations(instance) == []
        assert again.objective(instance) == schedule.objective(instance)


def test_the_file_says_what_the_format_says() -> None:
    instance, schedule = drawn(4)
    value = as_parsed(schedule, instance)
    assert {"version", "family", "instance_sha256", "policy", "options", "seed", "software"} < value.keys()
    clouds = {server.name for server in instance.servers if server.cloud}
    for row in value["intervals"]:
        assert ("worker" not in row) == (row["server"] in clouds)
        assert {"job", "chunk", "server", "start", "end"} == row.keys() - {"worker"}
    plain = drawn(1)
    assert all("type" not in row for row in as_parsed(plain[1], plain[0])["parameter_servers"])


def cloud_row(value: Any) -> Any:
    return next(row for row in value["intervals"] if "worker" not in row)


def edge_row(value: Any) -> Any:
    return next(row for row in value["intervals"] if "worker" in row)


BAD: dict[str, tuple[str, Callable[[Any], None]]] = {
    "job": ("name of a job", lambda v: v["intervals"][1].update(job="nobody")),
    "server": ("name of a server", lambda v: v["intervals"][1].update(server="nowhere")),
    "worker in the cloud": ("no worker in the cloud", lambda v: cloud_row(v).update(worker="gpu#0")),
    "no worker on the edge": ("expected a worker of", lambda v: edge_row(v).pop("worker")),
    "worker type": ("expected a worker of", lambda v: edge_row(v).update(worker="tpu#0")),
    "worker number": ("expected a worker of", lambda v: edge_row(v).update(worker="gpu#99")),
    "negative worker number": ("expected a worker of", lambda v: edge_row(v).update(worker="gpu#-1")),
    "no number": ("expected a worker of", lambda v: edge_row(v).update(worker="gpu")),
    "PS job": ("name of a job", lambda v: v["parameter_servers"][0].update(job="nobody")),
    "PS server": ("name of a server", lambda v: v["parameter_servers"][0].update(server="nowhere")),
    "PS type": ("parameter-server type of", lambda v: v["parameter_servers"][0].update(server="edge-0", type="z")),
    "PS type in the cloud": (
        "no type in the cloud",
        lambda v: v["parameter_servers"][0].update(server="cloud", type="z"),
    ),
    "family": ("expected preemptive", lambda v: v.update(family="jrp")),
    "version": ("<= 1", lambda v: v.update(version=2)),
    "another instance": ("this very instance", lambda v: v.update(instance_sha256="0" * 64)),
    "missing key": ("missing the required field", lambda v: v.pop("intervals")),
    "unknown key": ("unknown field", lambda v: v.update(colour="red")),
    "wrong type": ("expected an integer", lambda v: v["intervals"][0].update(start="0")),
    "fraction of a slot": ("expected an integer", lambda v: v["intervals"][0].update(start=Decimal("0.5"))),
    "huge number": ("<=", lambda v: v["intervals"][0].update(end=10**30)),
    "huge chunk": ("<=", lambda v: v["intervals"][0].update(chunk=10**30)),
    "speed": ("speed", lambda v: v["options"].update(speed="fast")),
    "no speed": ("speed", lambda v: v["options"].update(speed=0)),
    "speed of a strange type": ("speed", lambda v: v["options"].update(speed=[1])),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_one_sentence(what: str) -> None:
    instance = tiny_instance(2, cloud=True, ps_types=True)
    value = tiny_preemptive(2, cloud=True, ps_types=True)
    value["jobs"][0]["upload_delay"].pop("cloud", None)  # so that BatchSche uses edge and cloud
    value["jobs"][1]["upload_delay"]["cloud"] = 3
    instance = from_json(value)
    schedule = instance.drive(batch_sche(), "batch_sche", {}, 0, lambda jobs: None)
    parsed = as_parsed(schedule, instance)
    Schedule.from_json(parsed, instance)
    expected, spoil = BAD[what]
    spoil(parsed)
    with pytest.raises(InputError) as error:
        Schedule.from_json(parsed, instance)
    assert expected in str(error.value) and "\n" not in str(error.value)


def decisions(rows: list[tuple[int, int, int, int]]) -> Decisions:
    """From (time, chunk, starts, what), all of job 0 on server 0."""
    time, chunk, starts, what = np.array(rows, dtype=np.int64).T
    zero = np.zeros_like(time)
    named = {"what": what, "chunk": chunk, "starts": starts}
    return Decisions(time, zero, {name: named.get(name, zero) for name in COLUMNS})


def test_starts_and_stops_become_intervals() -> None:
    instance = tiny_instance(1)
    log = [
        decisions([(1, 0, 1, WORKER), (1, 0, 1, PS), (3, 0, 0, WORKER), (3, 0, 1, WORKER)]),
        decisions([(4, 1, 1, WORKER), (5, 0, 0, WORKER), (6, 1, 0, WORKER), (6, 0, 0, PS)]),
    ]
    schedule = Schedule.from_decisions(log, instance, "policy", {}, 0)
    assert list(zip(schedule.intervals.start, schedule.intervals.end, strict=True)) == [(1, 3), (3, 5), (4, 6)]
    assert schedule.preemptions() == 1
    assert list(zip(schedule.services.start, schedule.services.end, strict=True)) == [(1, 6)]


@pytest.mark.parametrize(
    "rows",
    [
        [(1, 0, 1, WORKER)],
        [(1, 0, 0, WORKER), (2, 0, 1, WORKER)],
        [(1, 0, 1, WORKER), (2, 0, 1, WORKER), (3, 0, 0, WORKER), (4, 0, 0, WORKER)],
        [(1, 0, 1, WORKER), (2, 1, 0, WORKER)],
    ],
)
def test_starts_and_stops_that_do_not_alternate_are_refused(rows: list[tuple[int, int, int, int]]) -> None:
    with pytest.raises(ValueError, match="alternate"):
        Schedule.from_decisions([decisions(rows)], tiny_instance(1), "policy", {}, 0)


def test_objective_and_frame() -> None:
    instance = tiny_instance(7, cloud=False)
    schedule = instance.drive(srtf(), "srtf", {}, 0, lambda jobs: None)
    frame = schedule.to_frame(instance)
    ends = [max(schedule.intervals.end[schedule.intervals.job == job.index]) for job in instance.jobs]
    assert frame.completion.tolist() == ends
    assert schedule.objective(instance) == sum(ends) - sum(job.arrival for job in instance.jobs) == frame.jct.sum()
    assert frame.intervals.sum() == len(schedule.intervals)


def test_an_empty_schedule() -> None:
    instance = tiny_instance(7)
    nothing = Schedule(Intervals.of([]), Services.of([]), instance.sha256, "nobody")
    assert nothing.objective(instance) == 0 and nothing.preemptions() == 0
    assert {v.constraint for v in nothing.violations(instance)} == {"chunk_work"}
    assert len(Schedule.from_json(as_parsed(nothing, instance), instance).intervals) == 0
