"""The optimum of (1)-(8) and of its LP, exactly, for tiny instances.

The module shares no code with the program or the bound. The optimum is by recursion over slots: in each slot every
cluster starts one waiting task with one of its modes, or none. The LP is written row by row in rationals and solved by
`schedproof.reference.simplex`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from schedproof.instances.placement import Instance
from schedproof.reference import simplex

Running = tuple[tuple[int, int, tuple[int, ...]], ...]  # (first slot after the run, cluster, allocation) of each run
Choice = tuple[int, int, tuple[int, ...], int]  # a task, a cluster, an allocation, its slots


def optimum(instance: Instance, *, closed: bool = False) -> int | None:
    """Return the least total completion time by the horizon, or ``None``.

    Parameters
    ----------
    closed
        Whether a task also holds its resources in the slot of its completion, as printed in (5).
    """
    room = [[cluster.capacity.get(name, 0) for name in instance.resources] for cluster in instance.clusters]

    @cache
    def least_cost(t: int, waiting: frozenset[int], running: Running) -> int | None:
        if not waiting:
            return 0
        if t == instance.horizon:
            return None
        held = tuple(run for run in running if run[0] > t)
        ways = [[None, *choices(instance, waiting, n, t)] for n in range(len(room))]
        costs = []
        for together in product(*ways):
            chosen = [choice for choice in together if choice is not None]
            after = waiting - {task for task, *_ in chosen}
            now = held + tuple((t + slots + closed, n, amounts) for _, n, amounts, slots in chosen)
            if len(after) == len(waiting) - len(chosen) and fits(now):
                cost = sum(t + slots - instance.tasks[task].arrival for task, _, _, slots in chosen)
                if (rest := least_cost(t + 1, after, tuple(sorted(now)))) is not None:
                    costs.append(cost + rest)
        return min(costs, default=None)

    def fits(now: Running) -> bool:
        return all(
            sum(amounts[r] for _, where, amounts in now if where == n) <= there
            for n, amounts_there in enumerate(room)
            for r, there in enumerate(amounts_there)
        )

    return least_cost(0, frozenset(range(len(instance.tasks))), ())


def choices(instance: Instance, waiting: frozenset[int], cluster: int, t: int) -> Iterator[Choice]:
    """Yield the possible starts of a cluster in a slot, by task and horizon."""
    for j in sorted(waiting):
        task = instance.tasks[j]
        if task.arrival <= t and cluster in task.clusters:
            for row in task.durations:
                if t + row.slots <= instance.horizon:
                    yield j, cluster, tuple(row.allocation.get(name, 0) for name in instance.resources), row.slots


def linear_relaxation(instance: Instance, last: int) -> Fraction | None:
    """Return the optimum of the time-indexed LP with ends by ``last``, or ``None``.

    An unstarted part of a task costs more than any start, so that all parts start if possible.

    Raises
    ------
    ArithmeticError
        If the cost of unstarted parts is too small.
    """
    columns = [
        (choice, t)
        for task in instance.tasks
        for n in range(len(instance.clusters))
        for t in range(task.arrival, last)
        for choice in choices(instance, frozenset({task.index}), n, t)
        if t + choice[3] <= last and fits_empty_cluster(instance, choice)
    ]
    costs = [t + slots - instance.tasks[j].arrival for (j, _, _, slots), t in columns]
    dearest = Fraction(10**6 * (last + 1))
    rows, sides = [], []
    for j in range(len(instance.tasks)):
        rows.append([Fraction(choice[0] == j) for choice, _ in columns])
        sides.append(Fraction(1))
    for n, cluster in enumerate(instance.clusters):
        for t in range(last):
            rows.append([Fraction((choice[1], start) == (n, t)) for choice, start in columns])
            sides.append(Fraction(1))
            for r, name in enumerate(instance.resources):
                busy = [choice[1] == n and start <= t < start + choice[3] for choice, start in columns]
                rows.append([Fraction(here * choice[2][r]) for here, (choice, _) in zip(busy, columns, strict=True)])
                sides.append(Fraction(cluster.capacity.get(name, 0)))
    kept = [i for i, row in enumerate(rows) if any(row)]
    rows, sides = [rows[i] for i in kept], [sides[i] for i in kept]
    point, _ = simplex.solve([dearest - cost for cost in costs], rows, sides)
    if sum(point) < len(instance.tasks):
        largest, _ = simplex.solve([Fraction(1)] * len(columns), rows, sides)
        if sum(largest) > sum(point):
            raise ArithmeticError("a task that can start is not wholly started")
        return None
    return simplex.dot([Fraction(cost) for cost in costs], point)


def fits_empty_cluster(instance: Instance, choice: Choice) -> bool:
    there = instance.clusters[choice[1]].capacity
    return all(amount <= there.get(name, 0) for name, amount in zip(instance.resources, choice[2], strict=True))
