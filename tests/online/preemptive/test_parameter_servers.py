"""A_ps against a literal, slot by slot version of its rules, and the rules one by one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from schedproof.core.policy import FOREVER, Decisions
from schedproof.instances.preemptive import Instance
from schedproof.instances.preemptive.drive import COLUMNS, PS, WORKER, _paired
from schedproof.online.preemptive.parameter_servers import ParameterServers, merge
from tests.support import size
from tests.tiny.preemptive import tiny_instance

Event = tuple[int, int, int]  # time, job, +1 or -1


def pieces(instance: Instance, rng: random.Random) -> dict[int, list[tuple[int, int]]]:
    """Random running intervals of each job's chunks; many touch, so that jobs run on without a gap."""
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


def literal(instance: Instance, rows: dict[int, list[tuple[int, int]]], in_cloud: set[int]) -> set[tuple[int, ...]]:
    """Alg. 5 slot by slot: the PS intervals (job, server, kind, start, end) under the documented choices."""
    classes = [(s, k, kind) for s in instance.edges for k, kind in enumerate(s.parameter_servers)]
    left = {(s.index, k): s.parameter_servers[kind] for s, k, kind in classes}
    held: dict[int, tuple[int, int]] = {}
    since: dict[int, int] = {}
    done, begun = set(), {}

    def take(j: int) -> None:
        job = instance.jobs[j]
        found = None
        if j not in in_cloud:
            places = ((s.index, k) for s, k, kind in classes if job.opens(s, kind) and left[s.index, k])
            found = next(places, None)
        if found is None and instance.cloud is not None and job.opens(instance.cloud, "*"):
            found = (instance.cloud.index, -1)
        if found is None:
            since.setdefault(j, slot)
            return
        since.pop(j, None)
        held[j], begun[j] = found, slot
        if found in left:
            left[found] -= 1

    last = max(end for spans in rows.values() for _, end in spans)
    for slot in range(last + 1):
        running = {j for j, spans in rows.items() if any(a <= slot < b for a, b in spans)}
        for j in [j for j in held if j not in running]:
            place = held.pop(j)
            done.add((j, *place, begun[j], slot))
            if place in left:
                left[place] += 1
        for j in [j for j in since if j not in running]:
            del since[j]
        for j in sorted(since, key=lambda j: (since[j], j)):
            take(j)
        for j in sorted(running - held.keys() - since.keys()):
            take(j)
    return done


def fed(instance: Instance, events: list[Event], cuts: list[int], in_cloud: set[int]) -> Decisions:
    """The same events through the class, in pieces that end at the given times."""
    servers = ParameterServers(instance.system())
    parts, first = [], 0
    for until in [*sorted(cuts), FOREVER]:
        servers.arrive([j for j in instance.jobs if j.index not in servers._open and j.arrival < until], in_cloud)
        last = first
        while last < len(events) and (events[last][0] < until or (events[last][0] == until and events[last][2] < 0)):
            last += 1
        part = servers.serve(*(np.array(events[first:last], dtype=np.int64).reshape(-1, 3).T), until)
        assert np.all(part.time < until)
        parts.append(part)
        first = last
    assert np.all(np.diff(np.concatenate([p.time for p in parts])) >= 0)
    return merge(*parts)


def intervals(decisions: Decisions) -> set[tuple[int, ...]]:
    rows = decisions.columns | {"time": decisions.time, "job": decisions.job}
    columns = _paired(rows, PS, ("job", "server", "kind", "start", "end"))
    return set(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.parametrize("scarce", [False, True])
def test_equals_the_literal_algorithm(scarce: bool) -> None:
    for seed in range(size(20, 150, 1500)):
        rng = random.Random(seed)
        instance = tiny_instance(seed, scarce=scarce, servers=rng.randrange(1, 4), jobs=8)
        rows = pieces(instance, rng)
        cloud = instance.cloud
        in_cloud = {j.index for j in instance.jobs if cloud and cloud.name in j.upload_delay and rng.random() < 0.3}
        events = [e for j, spans in rows.items() for a, b in spans for e in ((a, j, 1), (b, j, -1))]
        events.sort(key=lambda e: (e[0], e[2], rng.random()))
        cuts = rng.sample(range(1, 40), 6)
        assert intervals(fed(instance, events, cuts, in_cloud)) == literal(instance, rows, in_cloud), seed


def test_open_classes_are_those_that_the_job_opens() -> None:
    for seed in range(size(30, 200, 1000)):
        instance = tiny_instance(seed)
        servers = ParameterServers(instance.system())
        labels = [(s, kind) for s in instance.edges for kind in s.parameter_servers]
        for job in instance.jobs:
            expected = sum(1 << q for q, (s, kind) in enumerate(labels) if job.opens(s, kind))
            assert servers.open_classes(job) == expected


def one_server(parameter_servers: int, cloud: bool = False) -> Instance:
    return tiny_instance(1, cloud=cloud, storage=False, ps_types=False, servers=1, jobs=4, scarce=parameter_servers < 4)


def served(instance: Instance, events: list[Event], **options: Any) -> set[tuple[int, ...]]:
    return intervals(fed(instance, events, [], options.get("in_cloud", set())))


def test_a_stop_and_a_start_at_the_same_time_are_no_gap() -> None:
    instance = one_server(4)
    assert served(instance, [(9, 0, 1), (12, 0, -1), (12, 0, 1), (15, 0, -1)]) == {(0, 0, 0, 9, 15)}


def test_the_stop_at_until_waits_for_a_start_that_the_next_call_brings() -> None:
    servers = ParameterServers((instance := one_server(4)).system())
    servers.arrive(instance.jobs)
    assert servers.serve([9, 12], [0, 0], [1, -1], 12).columns["starts"].tolist() == [1]
    assert servers.serve([12], [0], [1], 14).time.size == 0
    assert servers.serve([15], [0], [-1], FOREVER).time.tolist() == [15]


def test_one_parameter_server_serves_all_chunks_of_a_job() -> None:
    instance = one_server(4)
    assert served(instance, [(9, 0, 1), (10, 0, 1), (11, 0, -1), (13, 0, -1)]) == {(0, 0, 0, 9, 13)}


def test_without_a_free_one_the_job_waits_and_takes_the_next() -> None:
    count = (instance := one_server(1)).edges[0].parameter_servers["*"]
    assert count < 4
    starts = [(9, j, 1) for j in range(count + 1)]
    stops = [(12, 0, -1), *((15, j, -1) for j in range(1, count + 1))]
    got = served(instance, starts + stops)
    assert (count, 0, 0, 12, 15) in got and len(got) == count + 1


def test_merge_puts_stops_first_and_keeps_the_time_order() -> None:
    def part(what: int, time: list[int], starts: list[int]) -> Decisions:
        columns = {name: np.zeros(len(time), dtype=np.int64) for name in COLUMNS}
        columns |= {"what": columns["what"] + what, "starts": np.array(starts)}
        return Decisions(np.array(time), np.zeros(len(time), dtype=np.int64), columns)

    both = merge(part(WORKER, [1, 4, 4, 6], [1, 0, 1, 0]), part(PS, [1, 4, 4], [1, 0, 1]))
    assert both.time.tolist() == [1, 1, 4, 4, 4, 4, 6]
    assert both.columns["starts"].tolist() == [1, 1, 0, 0, 1, 1, 0]
    assert both.columns["what"].tolist() == [WORKER, PS, WORKER, PS, WORKER, PS, WORKER]
    assert merge().time.size == 0
