"""From solved models of the dmlrs programs to a Schedule: integer counts of the jobs that are admitted."""

from __future__ import annotations

from typing import Any

from schedproof.instances.dmlrs import Instance, Placement, Schedule


def placed_schedule(model: Any, instance: Instance) -> Schedule:
    """The schedule of a solved DMLRS; parameter servers in a slot without workers do nothing and are left out."""
    place, jobs = model.placement, {job.name: job.index for job in instance.jobs}
    machines = {machine.name: machine.index for machine in instance.machines}
    busy = {(i, t) for (i, _, t), workers in place.workers.items() if workers.value}
    return Schedule.of(
        (
            Placement(jobs[i], t, machines[h], round(workers.value or 0), round(place.ps[i, h, t].value or 0))
            for (i, h, t), workers in place.workers.items()
            if (i, t) in busy
        ),
        instance,
        model.local_name,
    )
