"""Instances with a given schedule of their jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule

Turn = tuple[int, int]  # a worker and a slot
Row = tuple[int, int, Sequence[Sequence[Turn]]]  # arrival, slots of a chunk, and where and when each chunk runs


def timetable(delays: Sequence[int], rows: Sequence[Row]) -> tuple[Instance, Schedule]:
    """Return an instance with these jobs, by arrival, and their schedule.

    Each job has a parameter server. Each upload delay (in slots, increasing) has a worker; workers of equal delay are
    on the same server.
    """
    places = sorted({*delays})
    names = [f"server{n or ''}" for n in range(len(places))]
    servers = [
        {"name": name, "workers": {"gpu": delays.count(delay)}, "parameter_servers": len(rows)}
        for name, delay in zip(names, places, strict=True)
    ]
    work = sum(slots * len(chunks) for _, slots, chunks in rows)
    horizon = work + max(arrival for arrival, _, _ in rows) + places[-1]
    uploads = dict(zip(names, places, strict=True))
    jobs = [_job(f"job{n}", arrival, slots, len(chunks), uploads) for n, (arrival, slots, chunks) in enumerate(rows, 1)]
    head = {"version": 1, "family": "preemptive", "horizon": horizon}
    instance: Instance = Instance.from_json(head | {"servers": servers, "jobs": jobs})
    where = [(places.index(delay), 0, n - delays.index(delay)) for n, delay in enumerate(delays)]
    chunks = [(n, c, turns) for n, (*_, each) in enumerate(rows) for c, turns in enumerate(each)]
    intervals = Intervals.of((n, c, *where[w], *span) for n, c, turns in chunks for w, *span in _without_gaps(turns))
    slots = ([(0, slot) for slot in sorted({slot for turns in each for _, slot in turns})] for *_, each in rows)
    services = Services.of((n, 0, *span) for n, each in enumerate(slots) for span in _without_gaps(each))
    moves = any(len({worker for worker, _ in turns}) > 1 for *_, turns in chunks)
    options = {"chunks": "floating"} if moves else {}
    return instance, Schedule.by("timetable", instance, intervals, services, options=options)


def _job(name: str, arrival: int, slots: int, chunks: int, uploads: dict[str, int]) -> dict[str, object]:
    numbers = {"chunks": chunks, "epochs": 1, "minibatches": 1, "minibatch_time": slots, "update_time": 0}
    place = {"worker_types": ["gpu"], "upload_delay": uploads}
    return {"name": name, "arrival": arrival, **numbers, "gradient_size": 0, "bandwidth": 1, **place}


def _without_gaps(turns: Sequence[Turn]) -> Iterator[tuple[int, int, int]]:
    for _, group in groupby(enumerate(turns), lambda pair: (pair[1][0], pair[1][1] - pair[0])):
        row = [turn for _, turn in group]
        yield row[0][0], row[0][1], row[-1][1] + 1
