"""A literal checker of (6)-(13) with x, y and r as dense tables."""

from __future__ import annotations

from fractions import Fraction

from schedproof.instances.jrp import Instance, Schedule


def broken_names(schedule: Schedule, instance: Instance) -> set[str]:
    """Return the violated constraints; rows must exist, each grant once."""
    servers, zero = range(len(instance.servers)), Fraction(0)
    r_c = {(g.job, g.server): g.compute for g in schedule.grants}
    r_b = {(g.job, g.server): g.bandwidth for g in schedule.grants}
    found: set[str] = set()

    def require(name: str, holds: bool) -> None:
        if not holds:
            found.add(name)

    stored = [zero for _ in servers]
    for k, job in enumerate(instance.jobs):
        counts = []
        for j, server in enumerate(instance.servers):
            data = zero
            for i, node in enumerate(job.nodes):
                x = schedule.placements.count((k, i, j))
                require("assignable", x == 0 or server.index in node.servers)
                data += x * node.size
            stored[j] += data
            compute, bandwidth = r_c.get((k, j), zero), r_b.get((k, j), zero)
            require("not_negative", compute >= 0 and bandwidth >= 0)
            if job.deadline is not None and data:
                rounds = job.epochs * data / job.minibatch_size  # iterations, (2)
                work, bits = rounds * job.minibatch_work, rounds * job.parameter_size / job.sync_period  # (2), (3)
                possible = (not work or compute > 0) and (not bits or bandwidth > 0)
                require("completion", possible)
                if possible:
                    time = (work / compute if work else 0) + (bits / bandwidth if bits else 0)
                    require("completion", time <= job.deadline)
        for i in range(len(job.nodes)):
            counts.append(sum(schedule.placements.count((k, i, j)) for j in servers))
        require("one_server_each", all(count <= 1 for count in counts))
        require("all_or_none", all(counts) or not any(counts))
    for j, server in enumerate(instance.servers):
        require("storage", stored[j] <= server.storage)
        require("compute", sum(amount for (_, at), amount in r_c.items() if at == j) <= server.compute)
        require("bandwidth", sum(amount for (_, at), amount in r_b.items() if at == j) <= server.bandwidth)
    return found
