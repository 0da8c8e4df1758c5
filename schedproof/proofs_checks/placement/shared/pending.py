"""Schedulers that see the first P tasks of each queue: given ones and the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count, cycle

from schedproof.instances.placement import Instance, Mode, Task, fits
from schedproof.proofs_checks.placement.shared.enumeration import latest
from schedproof.proofs_checks.strategies.placement_runs import Choosing

Running = tuple[
    tuple[int, tuple[int, ...], int], ...
]  # cluster, allocation, and the slot at the start of which it ends
Starts = dict[int, tuple[int, int, Mode]]  # task -> cluster, slot and mode


def pending(waiting: Iterable[Task], n: int, window: int) -> list[Task]:
    """The first P waiting tasks in the queue of cluster n, by arrival and file order."""
    return sorted((task for task in waiting if n in task.clusters), key=lambda task: task.arrival)[:window]


def free(instance: Instance, running: Running, n: int) -> tuple[int, ...]:
    here = [allocation for m, allocation, _ in running if m == n]
    return tuple(c - sum(x[r] for x in here) for r, c in enumerate(instance.clusters[n].amounts))


def best(instance: Instance, window: int) -> int:
    """The least total completion time of schedules that start pending tasks only.

    Every start is tried.
    """
    end, everyone = latest(instance), frozenset(task.index for task in instance.tasks)

    @cache
    def rest(slot: int, left: frozenset[int], running: Running) -> float:
        if not left:
            return 0
        if slot > end:
            return float("inf")
        costs = []
        for starts in choices(slot, left, running, 0, ()):
            begun = tuple((n, mode.allocation, slot + mode.slots) for _, n, mode in starts)
            still = tuple(sorted(row for row in running + begun if row[2] > slot + 1))
            cost = sum(slot + mode.slots - instance.tasks[j].arrival for j, _, mode in starts)
            costs.append(cost + rest(slot + 1, left - {j for j, _, _ in starts}, still))
        return min(costs)

    def choices(
        slot: int, left: frozenset[int], running: Running, n: int, made: tuple[tuple[int, int, Mode], ...]
    ) -> Iterator[tuple[tuple[int, int, Mode], ...]]:
        """Each way in which the clusters from n on start at most one pending task each."""
        if n == len(instance.clusters):
            yield made
            return
        yield from choices(slot, left, running, n + 1, made)
        room = free(instance, running, n)
        waiting = [task for task in instance.tasks if task.index in left and task.arrival <= slot]
        for task in pending(waiting, n, window):
            for mode in task.modes:
                if all(j != task.index for j, _, _ in made) and fits(mode.allocation, room):
                    yield from choices(slot, left, running, n + 1, (*made, (task.index, n, mode)))

    return int(rest(0, everyone, ()))


def play(case: Choosing, choose_what_fits: bool, idle: int = 0) -> Starts:
    """The starts of a scheduler, slot by slot.

    Parameters
    ----------
    choose_what_fits
        Whether a cluster chooses among its pending tasks that fit, or among all its pending tasks. A cluster starts
        its choice if the task fits in some mode. If several clusters choose a task, the first cluster on which the task
        fits starts the task.
    idle
        The number of first slots in which the entry "start nothing" was chosen.
    """
    instance, picks, result, used = case.instance, cycle(case.picks), Starts(), Counter[tuple[int, int]]()
    ends: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for slot in count():
        if len(result) == len(instance.tasks):
            return result
        for n, allocation in ends.pop(slot, []):
            used.subtract({(n, r): amount for r, amount in enumerate(allocation)})
        if slot < idle:
            continue
        waiting = [task for task in instance.tasks if task.index not in result and task.arrival <= slot]
        for cluster in instance.clusters:
            n = cluster.index
            room = tuple(c - used[n, r] for r, c in enumerate(cluster.amounts))
            there = pending(waiting, n, case.window)
            if choose_what_fits:
                there = [task for task in there if task.index not in result and _ways(task, room)]
            if not there:
                continue
            task = there[next(picks) % len(there)]
            ways = _ways(task, room)
            if task.index in result or not ways:
                continue
            mode = ways[next(picks) % len(ways)]
            result[task.index] = (n, slot, mode)
            used.update({(n, r): amount for r, amount in enumerate(mode.allocation)})
            ends.setdefault(slot + mode.slots, []).append((n, mode.allocation))
    raise AssertionError("unreachable: the loop over slots has no end")


def _ways(task: Task, room: tuple[int, ...]) -> list[Mode]:
    return [mode for mode in task.modes if fits(mode.allocation, room)]
