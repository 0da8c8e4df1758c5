from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest
from msgspec import structs

import schedproof as sp
from schedproof.instances.preemptive import Instance
from schedproof.online.preemptive import worker_lists
from schedproof.online.preemptive.gang_online import GangOnline
from schedproof.online.preemptive.worker_lists import WorkerLists
from tests.support import size
from tests.tiny.preemptive import driven, tiny_instance

CRITICAL = Fraction(1, 8)
Line = list[tuple[int, int, int, int, int]]  # of one worker: remaining, 1/rate, landing, D and job of each chunk


def ends(line: Line, now: int) -> list[int]:
    done = [now]
    for remaining, _, landing, _, _ in line:
        done.append(max(done[-1], landing) + remaining)
    return done[1:]


def cost(lines: list[Line], now: int, slots: int, number: int, delays: list[int], on: Counter[int]) -> Fraction:
    last = Counter[int]()
    for line in lines:
        for (*_, job), end in zip(line, ends(line, now), strict=True):
            last[job] = max(last[job], end)
    total, latest = Fraction(0), now
    for worker, count in on.items():
        line = lines[worker]
        before = [row for row in line if row[1] <= number * slots]
        free = ends(before, now)[-1] if before else now
        latest = max(latest, max(free, now + delays[worker]) + count * slots)
        for (*_, chunks, job), end in list(zip(line, ends(line, now), strict=True))[len(before) :]:
            late = max(0, count * slots - (last[job] - end))
            total += (1 - CRITICAL) * Fraction(count * slots, chunks) + CRITICAL * late
    return latest - now + total


def choices(able: list[int], number: int, deep: int, server: list[int], room: list[int]) -> Iterator[Counter[int]]:
    for workers in combinations_with_replacement(able, number):
        on, stored = Counter(workers), Counter(server[w] for w in workers)
        if max(on.values()) <= deep and all(stored[s] <= room[s] for s in stored):
            yield on


def on_watch(instance: Instance, monkeypatch: pytest.MonkeyPatch) -> int:
    """Compare each choice of a run with all others; return how many waited or delayed."""
    inner, busy = WorkerLists.ask, 0

    def ask(lists: WorkerLists, kernel: Any, chunk: Any, number: int, delay: Any, *more: Any) -> Any:
        nonlocal busy
        least, workers = inner(lists, kernel, chunk, number, delay, *more)
        _, _, server, room, first, _ = more
        rows, state = lists._lists, lists._chunks
        spans = [range(begin, begin + count) for begin, count in zip(rows.begin, rows.size, strict=True)]
        columns = (state.remaining, state.key, state.landing, state.spread, first)
        line = [[tuple(int(column[rows.entry[i]]) for column in columns) for i in span] for span in spans]
        delays = delay[lists.place].tolist()
        able = [w for w, wait in enumerate(delays) if wait >= 0]
        places = Counter(int(server[w]) for w in able)
        deep = next((n for n in range(1, number) if sum(min(room[s], n * places[s]) for s in places) >= number), number)
        about = line, lists._now, chunk.slots, number, delays
        ways = [cost(*about, on) for on in choices(able, number, deep, server.tolist(), room.tolist())]
        assert least == (float(min(ways)) if ways else -1)
        if ways:
            assert float(cost(*about, Counter(workers.tolist()))) == least
            busy += min(ways) > chunk.slots + min(delays[w] for w in able)
        return least, workers

    together = driven(GangOnline(critical=CRITICAL), instance).intervals.rows()
    with monkeypatch.context() as patch:
        patch.setattr(WorkerLists, "ask", ask)
        patch.setattr(GangOnline, "_dispatch_all", lambda policy, jobs: False)
        assert driven(GangOnline(critical=CRITICAL), instance).intervals.rows() == together
    return busy


@pytest.mark.parametrize("compiled", [True, False])
def test_no_choice_costs_less(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not compiled:
        monkeypatch.setattr(worker_lists, "LARGEST_PRODUCT", 0)
    busy = 0
    for seed in range(size(8, 30, 400)):
        instance = tiny_instance(seed, jobs=7, servers=1 + seed % 3)
        jobs = tuple(structs.replace(job, chunks=2 ** (job.index % 3)) for job in instance.jobs)
        servers = tuple(structs.replace(s, storage=None if seed % 2 else s.storage) for s in instance.servers)
        busy += on_watch(Instance(10 * instance.horizon, servers, jobs), monkeypatch)
    assert busy > 5


@pytest.mark.parametrize(("critical", "completions"), [(0, [4, 29, 9]), (1, [4, 20, 13])])
def test_the_weight_of_another_jobs_last_chunk(critical: int, completions: list[int]) -> None:
    # A job of two chunks of 9 arrives at workers with 4, 20 and 0 slots of work. Its second chunk waits for the 4
    # slots, or delays a quarter of the long job by 9, which then completes later by 9.
    server = {"name": "edge", "workers": {"gpu": 6}, "parameter_servers": 9}
    row = {"epochs": 1, "minibatches": 1, "update_time": 0, "gradient_size": 0, "bandwidth": 1}
    row |= {"arrival": 0, "worker_types": ["gpu"], "upload_delay": {"edge": 0}}
    jobs = [
        row | {"name": f"{chunks} x {slots}", "chunks": chunks, "minibatch_time": slots}
        for chunks, slots in ((1, 4), (4, 20), (2, 9))
    ]
    head = {"version": 1, "family": "preemptive", "horizon": 99, "servers": [server], "jobs": jobs}
    run = sp.policy("gang_online", critical=critical).run(Instance.from_json(head))
    assert run.schedule.completions(run.instance).tolist() == completions


def test_it_has_no_guarantee() -> None:
    assert sp.policy("gang_online", speed=2).run(sp.embedded("day")).guarantee.value is None
