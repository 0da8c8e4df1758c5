"""Jobs of one chunk on one server's workers, and a schedule of them that is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule

Row = tuple[int, int, int, Sequence[int]]  # arrival, slots of the chunk, worker, and the slots in which it runs


def timetable(workers: int, rows: Sequence[Row]) -> tuple[Instance, Schedule]:
    """The instance of those jobs, in the order of their arrival, with a parameter server for each; and the schedule."""
    server = {"name": "server", "workers": {"gpu": workers}, "parameter_servers": len(rows)}
    horizon = sum(slots for _, slots, _, _ in rows) + max(arrival for arrival, _, _, _ in rows)
    jobs = [_job(f"job{n}", arrival, slots) for n, (arrival, slots, _, _) in enumerate(rows, 1)]
    head = {"version": 1, "family": "preemptive", "horizon": horizon}
    instance: Instance = Instance.from_json(head | {"servers": [server], "jobs": jobs})
    runs = [(n, worker, begin, end) for n, (*_, worker, when) in enumerate(rows) for begin, end in _without_gaps(when)]
    intervals = Intervals.of((n, 0, 0, 0, worker, begin, end) for n, worker, begin, end in runs)
    services = Services.of((n, 0, 0, begin, end) for n, _, begin, end in runs)
    return instance, Schedule.by("timetable", instance, intervals, services)


def _job(name: str, arrival: int, slots: int) -> dict[str, object]:
    numbers = {"chunks": 1, "epochs": 1, "minibatches": 1, "minibatch_time": slots, "update_time": 0}
    place = {"worker_types": ["gpu"], "upload_delay": {"server": 0}}
    return {"name": name, "arrival": arrival, **numbers, "gradient_size": 0, "bandwidth": 1, **place}


def _without_gaps(slots: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Increasing slots as intervals."""
    for _, group in groupby(enumerate(slots), lambda pair: pair[1] - pair[0]):
        row = [slot for _, slot in group]
        yield row[0], row[-1] + 1
