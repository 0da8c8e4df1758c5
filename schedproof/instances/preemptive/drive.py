"""Simulator of policies on preemptive instances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from schedproof.core.errors import PolicyError
from schedproof.core.runtime.context import Context
from schedproof.core.runtime.deadline import answer_of
from schedproof.core.simulation.policy import (
    ArrivalPolicy,
    BatchPolicy,
    DecidedBy,
    Decisions,
    Hidden,
    drive_arrivals,
    require_decisions,
)
from schedproof.instances.arriving import arrivals
from schedproof.instances.preemptive.instance import Instance
from schedproof.instances.preemptive.intervals import Intervals, Services
from schedproof.instances.preemptive.schedule import Schedule

WORKER, PS = 0, 1  # the kinds of a decision
COLUMNS = ("what", "chunk", "server", "kind", "worker", "starts")  # of a decision, after time and job


def drive(policy: ArrivalPolicy | BatchPolicy, instance: Instance, decided_by: DecidedBy, context: Context) -> Schedule:
    """Run a policy on an instance and pair its starts and stops into intervals.

    A batch policy is offline: it sees all jobs, and ``assign`` returns all `Decisions` at once.

    Raises
    ------
    PolicyError
        For an instance with breaks, if the policy does not support them.
    Interrupted
        If the user interrupts an offline policy; it carries the incumbent schedule.
    """
    if instance.breaks and not getattr(policy, "supports_breaks", False):
        raise PolicyError(
            "the policy does not support breaks: use srtf, tiresias_l, srpt_floating, fifo, easy or sjf, or set "
            "`supports_breaks = True` in a policy that reads `system.calendar`"
        )
    if callable(getattr(policy, "assign", None)):
        assign: Callable[[Instance], Decisions] = policy.assign  # type: ignore[union-attr]
        return answer_of(
            lambda: assign(instance),
            lambda decided: _schedule(require_decisions(decided, COLUMNS), instance, decided_by),
        )
    seen = system(instance), arrivals(instance.jobs), context, COLUMNS
    return _schedule(drive_arrivals(policy, *seen), instance, decided_by)  # type: ignore[arg-type]


def _schedule(decided: Decisions, instance: Instance, decided_by: DecidedBy) -> Schedule:
    rows = {"time": decided.time, "job": decided.job, **decided.columns}
    intervals = Intervals(*_pair(rows, WORKER, Intervals.columns()))
    services = Services(*_pair(rows, PS, Services.columns()))
    return Schedule.by(decided_by, instance, intervals, services)


def system(instance: Instance) -> Hidden:
    """Return the data that an arrival policy knows in advance: all but the jobs."""
    empty = Instance(instance.horizon, instance.servers, ())
    known = ("horizon", "servers", "edges", "cloud", "classes", "restart", "calendar")
    return Hidden.of(instance, *known, qualified=empty.qualified, cloud_delay=empty.cloud_delay)


def _pair(rows: dict[str, np.ndarray], what: int, columns: tuple[str, ...]) -> list[np.ndarray]:
    """Match each start with the stop of the same job and chunk.

    A chunk runs at most once at any time.
    """
    keep = np.flatnonzero(rows["what"] == what)
    order = keep[np.lexsort((rows["starts"][keep], rows["time"][keep], rows["chunk"][keep], rows["job"][keep]))]
    starts = rows["starts"][order].astype(bool)
    begin, finish = order[starts], order[~starts]
    same = begin.size == finish.size and all(np.array_equal(rows[n][begin], rows[n][finish]) for n in ("job", "chunk"))
    if not same or not np.array_equal(starts, np.arange(order.size) % 2 == 0):
        raise PolicyError(
            "the policy's starts and stops of a chunk do not alternate: expected each stop after a start of the chunk"
        )
    times = {"start": rows["time"][begin], "end": rows["time"][finish]}
    return [times[n] if n in times else rows[n][begin].astype(np.int64) for n in columns]
