"""Optima of tiny instances by enumeration of clusters, modes and starts.

A task may also be left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from schedproof.instances.placement import Instance, Mode, Task

Value = tuple[int, ...]  # compared from the first on
Cost = Callable[[Task, "tuple[int, Mode] | None"], "Value | None"]  # of a slot and a mode, or of None: left out


def completion_time(task: Task, start: tuple[int, Mode] | None) -> Value | None:
    """phi_j, counted from the arrival; the task must be scheduled."""
    return None if start is None else (start[0] + start[1].slots - task.arrival,)


def latest(instance: Instance) -> int:
    """A horizon that suffices: the last arrival plus all longest modes.

    If a schedule ends later, its last tasks can run one after the other in their modes, and each completes earlier.
    """
    longest = (max((mode.slots for mode in task.modes), default=0) for task in instance.tasks)
    return max((task.arrival for task in instance.tasks), default=0) + sum(longest)


def least_cost(
    instance: Instance, cost: Cost = completion_time, held: int = 0, horizon: int | None = None
) -> Value | None:
    """The least sum of the tasks' costs over all schedules that (2)-(8) allow.

    The result is None if no schedule is allowed.

    Parameters
    ----------
    cost
        A function of a task's completion; None forbids the schedule.
    held
        The number of slots after its last slot in which a task still holds resources: 0 for [start, end), 1 for
        [start, end].
    horizon
        The latest completion, in place of the instance's.
    """
    end = instance.horizon if horizon is None else horizon
    options = [sorted(_options(instance, task, cost, end), key=lambda row: row[0]) for task in instance.tasks]
    if not all(options):
        return None
    rest = [0] * (len(options) + 1)  # of the first entries, what the tasks from there on cost at least
    for j in reversed(range(len(options))):
        rest[j] = rest[j + 1] + options[j][0][0][0]
    used: Counter[tuple[int, int, int]] = Counter()  # cluster, resource and slot
    begun: set[tuple[int, int]] = set()  # cluster and slot
    best: list[Value] = []

    def extend(j: int, so_far: Value) -> None:
        if best and so_far[0] + rest[j] > best[-1][0]:
            return
        if j == len(options):
            if not best or so_far < best[-1]:
                best.append(so_far)
            return
        for value, place in options[j]:
            total = tuple(a + b for a, b in zip(so_far, value, strict=True))
            if place is None:
                extend(j + 1, total)
                continue
            n, slot, mode = place
            spots = [(n, r, u) for r in range(len(mode.allocation)) for u in range(slot, slot + mode.slots + held)]
            room = instance.clusters[n].amounts
            if (n, slot) in begun or any(used[spot] + mode.allocation[spot[1]] > room[spot[1]] for spot in spots):
                continue
            begun.add((n, slot))
            used.update({spot: mode.allocation[spot[1]] for spot in spots})
            extend(j + 1, total)
            used.subtract({spot: mode.allocation[spot[1]] for spot in spots})
            begun.remove((n, slot))

    extend(0, (0,) * len(options[0][0][0]) if options else (0,))
    return best[-1] if best else None


def _options(instance: Instance, task: Task, cost: Cost, end: int) -> list[tuple[Value, tuple[int, int, Mode] | None]]:
    result: list[tuple[Value, tuple[int, int, Mode] | None]] = []
    for n in task.clusters:
        for mode in instance.usable(task, instance.clusters[n]):
            for slot in range(task.arrival, end - mode.slots + 1):
                if (value := cost(task, (slot, mode))) is not None:
                    result.append((value, (n, slot, mode)))
    if (value := cost(task, None)) is not None:
        result.append((value, None))
    return result
