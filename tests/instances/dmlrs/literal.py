"""A literal DMLRS checker with loops over jobs, slots and machines."""

from __future__ import annotations

from schedproof.instances.dmlrs import Instance, Schedule


def broken_names(schedule: Schedule, instance: Instance) -> set[str]:
    w = {(p.job, p.slot, p.machine): p.workers for p in schedule.placements}
    s = {(p.job, p.slot, p.machine): p.ps for p in schedule.placements}
    machines = range(len(instance.machines))
    found: set[str] = set()

    def require(name: str, holds: bool) -> None:
        if not holds:
            found.add(name)

    for job in instance.jobs:
        internal = external = 0
        holds_anything = False
        for t in range(instance.horizon):
            workers = [w.get((job.index, t, h), 0) for h in machines]
            ps = [s.get((job.index, t, h), 0) for h in machines]
            busy = [h for h in machines if workers[h] or ps[h]]
            holds_anything |= bool(busy)
            require("after_arrival", t >= job.arrival or not busy)
            require("batch_size", sum(workers) <= job.batch_size)
            require("parameter_servers", sum(workers) <= job.workers_per_ps * sum(ps))
            if len(busy) == 1:
                internal += sum(workers)
            else:
                external += sum(workers)
        if holds_anything and job.index not in schedule.unfinished:
            require("work", job.done(internal, external))
        elif holds_anything:
            require("unfinished", not job.done(internal, external))
    grid = instance.grid
    for t in range(instance.horizon):
        for h in machines:
            used = sum(
                w.get((job.index, t, h), 0) * grid.worker(job) + s.get((job.index, t, h), 0) * grid.ps(job)
                for job in instance.jobs
            )
            require("capacity", bool((used <= grid.at(t)[h]).all()))
    return found
