from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

import schedproof as sp
from schedproof.core.data.reading import parse
from schedproof.core.errors import PolicyError
from schedproof.core.simulation.policy import Decisions
from schedproof.instances.preemptive import Instance, Intervals, Schedule, Services
from schedproof.instances.preemptive.drive import COLUMNS, PS, WORKER
from tests.tiny.preemptive import driven, instance_of, job, tiny_instance


def drawn(seed: int) -> tuple[Instance, Schedule]:
    instance = tiny_instance(seed, cloud=seed % 2 == 0, ps_types=seed % 3 == 0)
    policy, options = [("srtf", {"speed": "1.5"}), ("batch_sche", {}), ("srtf", {"speed": 1.2})][seed % 3]
    return instance, sp.policy(policy, **options).run(instance, seed).schedule


def as_parsed(schedule: Schedule, instance: Instance) -> Any:
    return parse(msgspec.json.encode(schedule.to_json(instance)))


def test_a_row_names_worker_and_type_where_needed() -> None:
    instance, schedule = drawn(4)
    value = as_parsed(schedule, instance)
    clouds = {server.name for server in instance.servers if server.cloud}
    for row in value["intervals"]:
        assert ("worker" not in row) == (row["server"] in clouds)
    plain = drawn(1)
    assert all("type" not in row for row in as_parsed(plain[1], plain[0])["parameter_servers"])


class Scripted:
    """A policy that returns rows (time, chunk, starts, what) of job 0 on server 0."""

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
    with pytest.raises(PolicyError, match="alternate"):
        driven(Scripted(rows), TWO_JOBS)


def test_objective_and_frame() -> None:
    instance = tiny_instance(7, cloud=False)
    assert Schedule.by("nobody", instance, Intervals.of([]), Services.of([])).preemptions() == 0
    schedule = sp.policy("srtf").run(instance).schedule
    frame = schedule.to_frame(instance)
    ends = [max(schedule.intervals.end[schedule.intervals.job == job.index]) for job in instance.jobs]
    assert frame.completion.tolist() == ends
    assert schedule.objective(instance) == sum(ends) - sum(job.arrival for job in instance.jobs) == frame.jct.sum()
    assert frame.intervals.sum() == len(schedule.intervals)
