"""Jobs of one chunk on the workers of some servers, and a schedule of them that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule

Row = tuple[int, int, int, Sequence[int]]  # arrival, slots of the chunk, worker, and the slots in which it runs


def timetable(delays: Sequence[int], rows: Sequence[Row]) -> tuple[Instance, Schedule]:
    """The instance of those jobs, in the order of their arrival, with a parameter server for each; and the schedule.

    There is a worker for each delay, the slots of an upload to it, in increasing order; those of one delay are on one
    server.
    """
    places = sorted({*delays})
    names = [f"server{n or ''}" for n in range(len(places))]
    servers = [
        {"name": name, "workers": {"gpu": delays.count(delay)}, "parameter_servers": len(rows)}
        for name, delay in zip(names, places, strict=True)
    ]
    horizon = sum(slots for _, slots, _, _ in rows) + max(arrival for arrival, _, _, _ in rows) + places[-1]
    uploads = dict(zip(names, places, strict=True))
    jobs = [_job(f"job{n}", arrival, slots, uploads) for n, (arrival, slots, _, _) in enumerate(rows, 1)]
    head = {"version": 1, "family": "preemptive", "horizon": horizon}
    instance: Instance = Instance.from_json(head | {"servers": servers, "jobs": jobs})
    runs = [(n, worker, begin, end) for n, (*_, worker, when) in enumerate(rows) for begin, end in _without_gaps(when)]
    where = [(places.index(delay), 0, n - delays.index(delay)) for n, delay in enumerate(delays)]
    intervals = Intervals.of((n, 0, *where[worker], begin, end) for n, worker, begin, end in runs)
    services = Services.of((n, 0, 0, begin, end) for n, _, begin, end in runs)
    return instance, Schedule.by("timetable", instance, intervals, services)


def _job(name: str, arrival: int, slots: int, uploads: dict[str, int]) -> dict[str, object]:
    numbers = {"chunks": 1, "epochs": 1, "minibatches": 1, "minibatch_time": slots, "update_time": 0}
    place = {"worker_types": ["gpu"], "upload_delay": uploads}
    return {"name": name, "arrival": arrival, **numbers, "gradient_size": 0, "bandwidth": 1, **place}


def _without_gaps(slots: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Increasing slots as intervals."""
    for _, group in groupby(enumerate(slots), lambda pair: pair[1] - pair[0]):
        row = [slot for _, slot in group]
        yield row[0], row[-1] + 1
