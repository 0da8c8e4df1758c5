"""Schedules: JSON there and back, what a bad schedule file is told, and the pairing of starts and stops."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import pytest

import schedproof as sp
from schedproof.core.errors import InputError
from schedproof.core.policy import Decisions
from schedproof.core.reading import parse
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services, from_json
from schedproof.instances.preemptive.drive import COLUMNS, PS, WORKER
from schedproof.instances.preemptive.schedule_file import from_json as read_schedule
from tests.support import size
from tests.tiny.preemptive import driven, instance_of, job, tiny_instance, tiny_preemptive


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_instance(seed, cloud=seed % 2 == 0, ps_types=seed % 3 == 0)
    policy, options = [("srtf", {"speed": "1.5"}), ("batch_sche", {}), ("srtf", {"speed": 1.2})][seed % 3]
    return instance, sp.policy(policy, **options).run(instance, seed).schedule


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    """What reading the written file gives."""
    return parse(msgspec.json.encode(schedule.to_json(instance)))


def test_json_there_and_back() -> None:
    for seed in range(size(20, 100, 500)):
        instance, schedule = drawn(seed)
        again = read_schedule(as_parsed(schedule, instance), instance)
        assert again.intervals.rows() == schedule.intervals.rows(), seed
        assert again.services.rows() == schedule.services.rows(), seed
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
    value = tiny_preemptive(2, cloud=True, ps_types=True)
    value["jobs"][0]["upload_delay"].pop("cloud", None)  # so that BatchSche uses edge and cloud
    value["jobs"][1]["upload_delay"]["cloud"] = 3
    instance = from_json(value)
    parsed = as_parsed(sp.policy("batch_sche").run(instance).schedule, instance)
    read_schedule(parsed, instance)
    expected, spoil = BAD[what]
    spoil(parsed)
    with pytest.raises(InputError) as error:
        read_schedule(parsed, instance)
    assert expected in str(error.value) and "\n" not in str(error.value)


class Scripted:
    """Decides rows (time, chunk, starts, what), all of job 0 on server 0."""

    def __init__(self, rows: list[tuple[int, int, int, int]]) -> None:
        self.rows = rows

    def start(self, system: Any) -> None:
        """It has no use for it."""

    def arrive(self, time: int, jobs: Any) -> None:
        """It has no use for them."""

    def advance(self, until: int) -> Decisions:
        now, self.rows = [r for r in self.rows if r[0] < until], [r for r in self.rows if r[0] >= until]
        time, chunk, starts, what = np.array(now, dtype=np.int64).reshape(-1, 4).T
        zero = np.zeros_like(time)
        named = {"what": what, "chunk": chunk, "starts": starts}
        return Decisions(time, zero, {name: named.get(name, zero) for name in COLUMNS})


TWO_JOBS = instance_of(job("a", chunks=2), job("b", arrival=4))


def test_starts_and_stops_become_intervals() -> None:
    first = [(1, 0, 1, WORKER), (1, 0, 1, PS), (3, 0, 0, WORKER), (3, 0, 1, WORKER)]
    then = [(4, 1, 1, WORKER), (5, 0, 0, WORKER), (6, 1, 0, WORKER), (6, 0, 0, PS)]
    schedule = driven(Scripted(first + then), TWO_JOBS)
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
        driven(Scripted(rows), TWO_JOBS)


def test_objective_and_frame() -> None:
    instance = tiny_instance(7, cloud=False)
    schedule = sp.policy("srtf").run(instance).schedule
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
    assert len(read_schedule(as_parsed(nothing, instance), instance).intervals) == 0
