"""The batch game (section IV-B): batches of jobs share the remaining resources."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from schedproof.core.errors import PolicyError, short
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import BatchPolicy, DecidedBy, require_methods
from schedproof.instances.jrp.entities import NOTHING
from schedproof.instances.jrp.instance import Instance
from schedproof.instances.jrp.schedule import Assignment, Grant, Placement, Schedule


class Remaining:
    """The remaining resources of each server; negative if it is overfull."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.amounts = [[server.storage, server.compute, server.bandwidth] for server in instance.servers]

    def take(self, assignment: Assignment) -> None:
        """Subtract the placed data and the granted compute and bandwidth."""
        for k, i, j in assignment.placements:
            self.amounts[j][0] -= self._instance.jobs[k].nodes[i].size
        for grant in assignment.grants:
            self.amounts[grant.server][1] -= grant.compute
            self.amounts[grant.server][2] -= grant.bandwidth

    def rows(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """Return storage, compute and bandwidth of each server, at least 0."""
        return [(max(s, NOTHING), max(c, NOTHING), max(b, NOTHING)) for s, c, b in self.amounts]


def drive(policy: BatchPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a batch policy on ``policy.batches`` batches; it returns `Assignment`s.

    Batches split the jobs in file order; their sizes differ by at most one. The policy sees one batch at a time, and
    the resources that earlier batches have not used.
    """
    require_methods(policy, "assign")
    batches = min(getattr(policy, "batches", 1), max(1, len(instance.jobs)))
    ends = [len(instance.jobs) * n // batches for n in range(batches + 1)]
    rest = Remaining(instance)
    placements: list[Placement] = []
    grants: list[Grant] = []
    trace: list[Mapping[str, Any]] = []
    for batch, (start, end) in enumerate(pairwise(ends), 1):
        answer = policy.assign(instance.part(range(start, end), rest.rows()))
        if not isinstance(answer, Assignment):
            raise PolicyError(f"assign of the policy returned {short(answer)}, expected an Assignment")
        here = Assignment(
            [row._replace(job=row.job + start) for row in answer.placements],
            [row._replace(job=row.job + start) for row in answer.grants],
        )
        _require_shown(here, instance, start, end)
        rest.take(here)
        placements += here.placements
        grants += here.grants
        trace += [row if batches == 1 else {"batch": batch, **row} for row in answer.trace]
        context.progress(f"{end} of {len(instance.jobs)} jobs", end / max(1, len(instance.jobs)))
    return Schedule.of(Assignment(placements, grants, trace), instance, decided_by)


def _require_shown(assignment: Assignment, instance: Instance, start: int, end: int) -> None:
    servers = range(len(instance.servers))
    placed = (k in range(start, end) and i in range(len(instance.jobs[k].nodes)) for k, i, _ in assignment.placements)
    granted = (grant.job in range(start, end) and grant.server in servers for grant in assignment.grants)
    if not (all(placed) and all(granted) and all(row.server in servers for row in assignment.placements)):
        raise PolicyError("the policy placed a job, data node or server that is not in its batch")
