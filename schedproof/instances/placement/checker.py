"""Independent checker of placement schedules: one function per constraint.

It shares no code with any model or policy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from schedproof.core.data import checking
from schedproof.core.data.checking import Rule, Violation, violation
from schedproof.instances.placement.entities import Task
from schedproof.instances.placement.instance import Instance
from schedproof.instances.placement.schedule import Schedule, Start

LOST = Fraction(1, 2)  # slots without progress when a task resumes after a stop (section V-B)


def violations(schedule: Schedule, instance: Instance, *, preemption: str = "none") -> list[Violation]:
    """Return every broken constraint; if rows are malformed, only these rows.

    Parameters
    ----------
    preemption
        ``none``: a task runs once, to its end (3); ``allowed``: a task may be stopped.
    """
    rules = RULES if preemption == "allowed" else (once, *RULES)
    return checking.violations(schedule, instance, well_formed, rules)


def well_formed(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Tasks and clusters exist, allocations have a duration, 0 <= start <= stop."""
    for row in schedule.starts:
        if not 0 <= row.task < len(instance.tasks):
            yield violation("task_exists", f"task number {row.task}")
            continue
        where = f"{instance.tasks[row.task].name} in slot {row.slot}"
        if not 0 <= row.cluster < len(instance.clusters):
            yield violation("cluster_exists", f"{where} on cluster number {row.cluster}")
        if _slots(row, instance) is None:
            yield violation("allocation_has_a_duration", where)
        if row.slot < 0:
            yield violation("starts_in_time", where, -row.slot)
        if row.until is not None and row.until <= row.slot:
            yield violation("stops_after_start", where, row.slot - row.until + 1)


def once(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(3) A task starts at most once, on one cluster, and runs until it completes."""
    for j, count in sorted(Counter(row.task for row in schedule.starts).items()):
        if count > 1:
            yield violation("once", instance.tasks[j].name, count - 1)
    for row in schedule.starts:
        if row.until is not None:
            yield violation("once", f"{instance.tasks[row.task].name}, which is stopped in slot {row.until}")


def in_turn(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """A task resumes only after a stop and before its completion."""
    for task, stays in _stays(schedule, instance):
        for before, after in pairwise(stays):
            if before.complete or after.row.slot < before.end:
                yield violation("in_turn", f"{task.name} in slot {after.row.slot}", max(1, before.end - after.row.slot))


def every_task(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Every task completes: (1) assumes it, (3) does not state it."""
    complete = {task.index for task, stays in _stays(schedule, instance) if stays[-1].complete}
    for task in instance.tasks:
        if task.index not in complete:
            yield violation("every_task", task.name)


def one_start_each(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(2) A cluster starts at most one task in a slot."""
    for (n, slot), count in sorted(Counter((row.cluster, row.slot) for row in schedule.starts).items()):
        if count > 1:
            yield violation("one_start_each", f"{instance.clusters[n].name} in slot {slot}", count - 1)


def reachable(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(3) A task runs on a cluster of its D_j."""
    for row in schedule.starts:
        task, cluster = instance.tasks[row.task], instance.clusters[row.cluster]
        if cluster.index not in task.clusters:
            yield violation("reachable", f"{task.name} on {cluster.name}")


def after_arrival(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """No task starts before it arrives."""
    for row in schedule.starts:
        task = instance.tasks[row.task]
        if row.slot < task.arrival:
            yield violation("after_arrival", task.name, task.arrival - row.slot)


def capacity(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """(5) The amounts in use on a cluster are within its capacity in each slot."""
    changes: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for _, stays in _stays(schedule, instance):
        for row, end, _ in stays:
            for r, amount in enumerate(row.allocation):
                changes[row.cluster, r] += [(row.slot, amount), (end, -amount)]
    for (n, r), steps in sorted(changes.items()):
        cluster, used = instance.clusters[n], 0
        there = cluster.capacity.get(instance.resources[r], 0)
        for slot, at_once in groupby(sorted(steps), itemgetter(0)):
            used += sum(change for _, change in at_once)
            if used > there:
                yield violation("capacity", f"{instance.resources[r]} of {cluster.name} in slot {slot}", used - there)


def not_in_a_break(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """No task runs on a cluster in its breaks."""
    for task, stays in _stays(schedule, instance):
        for row, end, _ in stays:
            for pause in instance.breaks:
                over = min(end, pause.end) - max(row.slot, pause.start)
                if pause.machine in ("*", instance.clusters[row.cluster].name) and over > 0:
                    yield violation("not_in_a_break", f"{task.name} in slot {max(row.slot, pause.start)}", over)


def horizon(schedule: Schedule, instance: Instance) -> Iterator[Violation]:
    """Every task ends by the horizon."""
    for task, stays in _stays(schedule, instance):
        if stays[-1].end > instance.horizon:
            yield violation("horizon", task.name, stays[-1].end - instance.horizon)


def _slots(row: Start, instance: Instance) -> int | None:
    asked = {name: amount for name, amount in zip(instance.resources, row.allocation, strict=True) if amount}
    for duration in instance.tasks[row.task].durations:
        if {name: amount for name, amount in duration.allocation.items() if amount} == asked:
            return duration.slots
    return None


class Stay(NamedTuple):
    """A row of a schedule, the first slot after it, and whether it ends the task."""

    row: Start
    end: int
    complete: bool


def _stays(schedule: Schedule, instance: Instance) -> list[tuple[Task, list[Stay]]]:
    """Return each started task with its runs by slot.

    The progress of earlier runs determines the duration of the next.
    """
    result: dict[int, list[Stay]] = {}
    done: dict[int, Fraction] = {}
    for row in sorted(schedule.starts, key=lambda row: row.slot):
        slots, lost = _slots(row, instance) or 1, LOST if row.task in result else Fraction(0)
        needs = lost + slots * (1 - done.get(row.task, Fraction(0)))
        end = row.slot + -(-needs.numerator // needs.denominator)
        complete = row.until is None or row.until >= end
        if row.until is not None and not complete:
            end = row.until
            done[row.task] = done.get(row.task, Fraction(0)) + max(Fraction(0), end - row.slot - lost) / slots
        result.setdefault(row.task, []).append(Stay(row, end, complete))
    return [(instance.tasks[j], stays) for j, stays in sorted(result.items())]


RULES: tuple[Rule, ...] = (
    in_turn,
    every_task,
    one_start_each,
    reachable,
    after_arrival,
    capacity,
    not_in_a_break,
    horizon,
)
