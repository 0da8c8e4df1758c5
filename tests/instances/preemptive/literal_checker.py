"""A literal checker, slot by slot and chunk by chunk, with loops and sets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.core.cards import registry
from schedproof.instances.preemptive import Instance, Schedule


def _trained(workers: Counter[int], restart: int) -> int:
    """Return a chunk's slots of progress; after a gap its workers first restart."""
    trained, owed = 0, 0
    for t in range(min(workers, default=0), max(workers, default=-1) + 1):
        restarting = min(owed, workers[t])
        owed = owed - restarting if workers[t] else restart
        trained += workers[t] - restarting
    return trained


def broken_names(schedule: Schedule, instance: Instance) -> set[str]:
    found: set[str] = set()
    rules = registry.family("preemptive").rules_among(schedule.options)

    def require(name: str, holds: bool) -> None:
        if not holds:
            found.add(name)

    intervals, services = schedule.intervals.rows(), schedule.services.rows()
    for job in instance.jobs:
        mine = [row for row in intervals if row[0] == job.index]
        ours = [row for row in services if row[0] == job.index]
        in_cloud = bool(mine) and all(row[4] < 0 for row in mine) and all(row[2] < 0 for row in ours)
        need = job.slots(in_cloud=in_cloud, speed=rules["speed"])
        for chunk in range(job.chunks):
            pieces = [row for row in mine if row[1] == chunk]
            require("chunk_stays", len({row[2:5] for row in pieces}) <= 1)
            require("cloud_does_not_preempt", sum(row[4] < 0 for row in pieces) <= 1)
            slots = Counter(t for *_, start, end in pieces for t in range(start, end))
            require("chunk_on_one_worker_at_a_time", all(n == 1 for n in slots.values()))
            require("chunk_work", _trained(slots, instance.restart) == need)
        for _, _, s, kind, _, start, _ in mine:
            server = instance.servers[s]
            delay = job.delay(server)
            typed = server.cloud or list(server.workers)[kind] in job.worker_types
            require("qualified_worker", delay is not None and typed)
            require("after_upload", start >= job.arrival + (delay or 0))
        runs = {t for *_, start, end in mine for t in range(start, end)}
        served = Counter(t for *_, start, end in ours for t in range(start, end))
        require("served_while_running", served == Counter(dict.fromkeys(runs, 1)))
        for _, s, kind, start, _ in ours:
            server = instance.servers[s]
            landed = start >= job.arrival + (job.delay(server) or 0)
            require("parameter_server_has_landed", landed or rules["ps_release"] == "none")
            require(
                "open_parameter_server", job.opens(server, "*" if kind < 0 else list(server.parameter_servers)[kind])
            )

    busy = Counter((row[2:5], t) for row in intervals if row[4] >= 0 for t in range(row[5], row[6]))
    require("one_chunk_per_worker", all(n == 1 for n in busy.values()))
    used = Counter((row[1:3], t) for row in services if row[2] >= 0 for t in range(row[3], row[4]))
    for ((s, kind), _), n in used.items():
        require("parameter_server_capacity", n <= list(instance.servers[s].parameter_servers.values())[kind])
    for server in instance.edges:
        kept = []  # while a job is in the system, the size of its chunks on the server
        for job in instance.jobs:
            mine = [row for row in intervals if row[0] == job.index]
            stored = {row[1] for row in mine if row[2] == server.index}
            alive = range(job.arrival, max((row[6] for row in mine), default=job.arrival))
            kept.append((alive, job.chunk_size * len(stored)))
        for slot in range(instance.horizon if server.storage is not None else 0):
            total = sum((size for alive, size in kept if slot in alive), Fraction(0))
            require("storage", server.storage is not None and total <= server.storage)
    return found
