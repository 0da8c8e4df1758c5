from __future__ import annotations

import random
from typing import Any

import pytest

from schedproof.core.errors import SchedproofError
from schedproof.core.simulation.policy import FOREVER
from schedproof.instances.preemptive import Instance, from_json
from schedproof.instances.preemptive.drive import PS, WORKER, system
from schedproof.online.preemptive.parameter_servers import ParameterServers, Row
from schedproof.reference.preemptive_parameter_servers import Release, a_ps
from tests.support import size
from tests.tiny.preemptive import job as job_row
from tests.tiny.preemptive import tiny_instance

Event = tuple[int, int, int]  # time, job, +1 or -1


def pieces(instance: Instance, rng: random.Random) -> dict[int, list[tuple[int, int]]]:
    found = {}
    for job in instance.jobs:
        rows = []
        for _ in range(job.chunks):
            start = job.arrival + rng.randrange(6)
            for _ in range(rng.randrange(1, 4)):
                end = start + rng.randrange(1, 4)
                rows.append((start, end))
                start = end + rng.choice([0, 0, 2])
        found[job.index] = rows
    return found


def by_reference(
    instance: Instance, spans: dict[int, list[tuple[int, int]]], in_cloud: set[int], ps_release: Release
) -> set[tuple[int, ...]]:
    """Return Alg. 5's service rows, adjacent ones merged."""
    runs = [(j, a, b) for j, mine in spans.items() for a, b in mine]
    rows, _ = a_ps(instance, runs, in_cloud, ps_release=ps_release)
    joined: list[tuple[int, ...]] = []
    for *who, start, end in sorted(rows):
        if joined and joined[-1][:3] == tuple(who) and joined[-1][4] == start:
            start = joined.pop()[3]
        joined.append((*who, start, end))
    return set(joined)


def fed(
    instance: Instance, events: list[Event], cuts: list[int], in_cloud: set[int], ps_release: str = "printed"
) -> list[Row]:
    servers = ParameterServers(system(instance), ps_release)
    rows: list[Row] = []
    first = 0
    for until in [*sorted(cuts), FOREVER]:
        servers.arrive([j for j in instance.jobs if j.index not in servers._open and j.arrival < until], in_cloud)
        last = first
        while last < len(events) and (events[last][0] < until or (events[last][0] == until and events[last][2] < 0)):
            last += 1
        part = servers.serve(events[first:last], until)
        assert all(time < until for time, *_ in part)
        rows += part
        first = last
    assert [time for time, *_ in rows] == sorted(time for time, *_ in rows)
    return rows


def landing(instance: Instance, service: tuple[int, ...]) -> int:
    return instance.jobs[service[0]].delay(instance.servers[service[1]]) or 0


def intervals(rows: list[Row]) -> set[tuple[int, ...]]:
    """Return (job, server, type, start, end) of every service."""
    found = set()
    since: dict[int, tuple[int, ...]] = {}
    for time, job, server, kind, starts in rows:
        if starts:
            assert job not in since, "one parameter server at a time"
            since[job] = (job, server, kind, time)
        else:
            assert since[job][:3] == (job, server, kind)
            found.add((*since.pop(job), time))
    assert not since
    return found


@pytest.mark.parametrize("scarce", [False, True])
@pytest.mark.parametrize("ps_release", ["printed", "none"])
def test_equals_the_reference(scarce: bool, ps_release: Release) -> None:
    hurried = 0
    for seed in range(size(20, 90, 1500)):
        rng = random.Random(seed)
        instance = tiny_instance(seed, scarce=scarce, servers=rng.randrange(1, 4), jobs=8)
        rows = pieces(instance, rng)
        cloud = instance.cloud
        in_cloud = {j.index for j in instance.jobs if cloud and cloud.name in j.upload_delay and rng.random() < 0.3}
        events = [e for j, spans in rows.items() for a, b in spans for e in ((a, j, 1), (b, j, -1))]
        events.sort(key=lambda e: (e[0], e[2], rng.random()))
        cuts = rng.sample(range(1, 40), 6)
        found = intervals(fed(instance, events, cuts, in_cloud, ps_release))
        assert found == by_reference(instance, rows, in_cloud, ps_release), seed
        early = [r for r in found if r[3] < instance.jobs[r[0]].arrival + landing(instance, r)]
        assert ps_release == "none" or not early
        hurried += len(early)
    assert hurried or ps_release == "printed", "no instance in which a parameter server had to wait"


def test_open_classes_are_those_that_the_job_opens() -> None:
    for seed in range(size(30, 120, 1000)):
        instance = tiny_instance(seed)
        servers = ParameterServers(system(instance))
        labels = [(s, kind) for s in instance.edges for kind in s.parameter_servers]
        labels += [] if instance.cloud is None else [(instance.cloud, "*")]
        for job in instance.jobs:
            expected: dict[int | None, int] = {}
            for q, (s, kind) in enumerate(labels):
                if job.opens(s, kind):
                    expected[job.delay(s)] = expected.get(job.delay(s), 0) | 1 << q
            assert servers.open_classes(job) == expected


def one_server(parameter_servers: int, cloud: bool = False) -> Instance:
    return tiny_instance(1, cloud=cloud, storage=False, ps_types=False, servers=1, jobs=4, scarce=parameter_servers < 4)


def served(instance: Instance, events: list[Event], **options: Any) -> set[tuple[int, ...]]:
    return intervals(fed(instance, events, [], options.get("in_cloud", set())))


def test_a_stop_and_a_start_at_the_same_time_are_no_gap() -> None:
    instance = one_server(4)
    assert served(instance, [(9, 0, 1), (12, 0, -1), (12, 0, 1), (15, 0, -1)]) == {(0, 0, 0, 9, 15)}


def test_the_stop_at_until_waits_for_a_start_that_the_next_call_brings() -> None:
    instance = one_server(4)
    servers = ParameterServers(system(instance))
    servers.arrive(instance.jobs)
    assert [starts for *_, starts in servers.serve([(9, 0, 1), (12, 0, -1)], 12)] == [1]
    assert servers.serve([(12, 0, 1)], 14) == []
    assert [time for time, *_ in servers.serve([(15, 0, -1)], FOREVER)] == [15]


def test_one_parameter_server_serves_all_chunks_of_a_job() -> None:
    instance = one_server(4)
    assert served(instance, [(9, 0, 1), (10, 0, 1), (11, 0, -1), (13, 0, -1)]) == {(0, 0, 0, 9, 13)}


def test_without_a_free_server_the_job_waits_for_the_next() -> None:
    count = (instance := one_server(1)).edges[0].parameter_servers["*"]
    assert count < 4
    starts = [(9, j, 1) for j in range(count + 1)]
    stops = [(12, 0, -1), *((15, j, -1) for j in range(1, count + 1))]
    got = served(instance, starts + stops)
    assert (count, 0, 0, 12, 15) in got and len(got) == count + 1


def test_a_waiting_job_takes_the_next_landing_server() -> None:
    # The upload to e-0 ends at 1, to e-1 at 4. A job that runs from 0 is served from 1 on.
    edges = [{"name": f"e-{n}", "workers": {"gpu": 1}, "parameter_servers": 1} for n in (0, 1)]
    jobs = [job_row("a", upload_delay={"e-0": 1, "e-1": 4}), job_row("b", upload_delay={"e-0": 1, "e-1": 4})]
    instance = from_json({"version": 1, "family": "preemptive", "horizon": 9, "servers": edges, "jobs": jobs})
    events = [(0, 0, 1), (0, 1, 1), (6, 0, -1), (6, 1, -1)]
    assert intervals(fed(instance, events, [3], set())) == {(0, 0, 0, 1, 6), (1, 1, 0, 4, 6)}
    assert intervals(fed(instance, events, [3], set(), "none")) == {(0, 0, 0, 0, 6), (1, 1, 0, 0, 6)}
    with pytest.raises(SchedproofError, match="unknown ps_release 'PRINTED'"):
        fed(instance, events, [3], set(), "PRINTED")


def test_both_kinds_of_rows_are_in_time_order_with_stops_first() -> None:
    instance = one_server(4)
    servers = ParameterServers(system(instance))
    servers.arrive(instance.jobs)
    rows = [(9, 1, 0, 0, 0), (12, 0, 0, 0, 0), (12, 1, 1, 0, 1), (15, 0, 1, 0, 1)]  # time, starts, job, chunk, worker
    both = servers.complete(rows, [(0, 0, 0), (0, 0, 1)], FOREVER)
    assert both.time.tolist() == [9, 9, 12, 12, 12, 12, 15, 15]
    assert both.job.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert both.columns["starts"].tolist() == [1, 1, 0, 0, 1, 1, 0, 0]
    assert both.columns["what"].tolist() == [WORKER, PS] * 4
    assert both.columns["worker"].tolist() == [0, 0, 0, 0, 1, 0, 1, 0]
    assert servers.complete([], [], FOREVER).time.size == 0
