"""The points of a schedule in JRP with (10) or its linear relaxations."""

from __future__ import annotations

from typing import Any

from schedproof.instances.jrp import Instance, Schedule


def to_point(schedule: Schedule, instance: Instance, **parameters: Any) -> dict[str, dict[Any, Any]]:
    """Return the accepted jobs, the data nodes' servers and the jobs' resources."""
    jobs, servers = instance.jobs, [server.name for server in instance.servers]
    return {
        "admit.accepted": {jobs[k].name: 1 for k in schedule.accepted_jobs(instance)},
        "assign.placed": {(jobs[k].name, jobs[k].nodes[i].name, servers[j]): 1 for k, i, j in schedule.placements},
        "allocate.compute": {(jobs[k].name, servers[j]): compute for k, j, compute, _ in schedule.grants},
        "allocate.bandwidth": {(jobs[k].name, servers[j]): bandwidth for k, j, _, bandwidth in schedule.grants},
    }
