"""Simulator of policies on dmlrs instances."""

from __future__ import annotations

from collections.abc import Callable

from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.core.simulation.policy import (
    ArrivalPolicy,
    BatchPolicy,
    DecidedBy,
    Decisions,
    Hidden,
    drive_arrivals,
    rows_of,
)
from schedproof.instances.arriving import arrivals
from schedproof.instances.dmlrs.extremes import extremes
from schedproof.instances.dmlrs.instance import Instance
from schedproof.instances.dmlrs.schedule import Placement, Schedule

GIVEN_UP = -1  # in place of a machine: the policy gives up the job
COLUMNS = ("machine", "workers", "ps")  # of a decision, after time (the slot) and job


def drive(policy: ArrivalPolicy | BatchPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a policy on an instance and collect its placements.

    A batch policy is offline: it sees all jobs, and ``assign`` returns all placements at once.

    Raises
    ------
    Interrupted
        If the user interrupts an offline policy; it carries the incumbent schedule.
    """
    if callable(getattr(policy, "assign", None)):
        assign: Callable[[Instance], object] = policy.assign  # type: ignore[union-attr]
        return answer_of(
            lambda: assign(instance), lambda rows: Schedule.of(rows_of(rows, Placement), instance, decided_by)
        )
    decided = drive_arrivals(policy, system(instance), arrivals(instance.jobs), context, COLUMNS)  # type: ignore[arg-type]
    return schedule_of(decided, instance, decided_by)


def system(instance: Instance) -> Hidden:
    """Return the data that an arrival policy knows in advance: cluster and extremes."""
    cluster = Instance(instance.horizon, instance.resources, instance.machines, (), instance.reserved)
    known = ("horizon", "resources", "machines", "reserved", "grid")
    return Hidden.of(instance, *known, cluster=cluster, extremes=lambda variant: extremes(instance, variant))


def schedule_of(decided: Decisions, instance: Instance, decided_by: DecidedBy) -> Schedule:
    """Return the schedule of decisions, each a placement or `GIVEN_UP`."""
    columns = decided.job, decided.time, *(decided.columns[name] for name in COLUMNS)
    rows = [Placement(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    placed = (row for row in rows if row.machine != GIVEN_UP)
    unfinished = frozenset(row.job for row in rows if row.machine == GIVEN_UP)
    return Schedule.of(placed, instance, decided_by, unfinished=unfinished)
