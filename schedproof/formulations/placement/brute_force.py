"""Program (1)-(8) by enumeration of all starts of the tasks, in integers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.core.errors import ProgramError
from schedproof.core.runtime.context import Context
from schedproof.core.simulation.policy import DecidedBy
from schedproof.core.solvers.status import Outcome
from schedproof.instances.placement import Instance, Schedule, Start, Task

MOST_TRIED = 3_000_000  # starts, some ten seconds


def by_brute_force(instance: Instance, *, must_start: bool, longer: int, context: Context) -> Outcome:
    """Return the optimum of (1)-(8) by enumeration, with `second_route`'s options.

    Raises
    ------
    ProgramError
        When the instance is not tiny.
    """
    search = Search(instance, must_start, longer, context)
    search.tasks(0, 0)
    if search.best is None:
        return Outcome("time_limit" if search.over else "infeasible")
    value = Fraction(search.least)
    by = DecidedBy("placement.exact", {}, 0)
    return Outcome(
        "feasible" if search.over else "optimal",
        float(value),
        None if search.over else float(value),
        exact=None if search.over else value,
        schedule=Schedule.of(search.best, instance, by) if must_start else None,
    )


class Search:
    """Depth first, task by task, each task's starts by completion.

    The search prunes a start if the incumbent costs no more than this start plus the shortest modes of all later tasks,
    each on arrival.
    """

    def __init__(self, instance: Instance, must_start: bool, longer: int, context: Context) -> None:
        self._instance, self._must_start, self._longer, self._context = instance, must_start, longer, context
        self._used = [[[0] * (instance.horizon + 1) for _ in instance.resources] for _ in instance.clusters]
        self._launched = Counter[tuple[int, int]]()  # (cluster, slot)
        shortest = [instance.shortest(task) or 0 if must_start else 0 for task in instance.tasks]
        self._rest = [sum(shortest[j:]) for j in range(len(shortest) + 1)]  # of the tasks from j on
        self._require_tiny(sum(self._count(task) for task in instance.tasks))
        self._starts = [self._starts_of(task) for task in instance.tasks]
        self._here: list[Start] = []
        self._tried = 0
        self.least, self.over = instance.horizon * len(instance.tasks) + 1, False
        self.best: list[Start] | None = None

    def tasks(self, j: int, cost: int) -> None:
        self.over = self.over or self._context.over
        if self.over or cost + self._rest[j] >= self.least:
            return
        if j == len(self._instance.tasks):
            self.least, self.best = cost, list(self._here)
            return
        if not self._must_start:
            self.tasks(j + 1, cost)
        task = self._instance.tasks[j]
        for end, start in self._starts[j]:
            self._tried += 1
            self._require_tiny(self._tried)
            if cost + end - task.arrival + self._rest[j + 1] >= self.least:
                break
            held = range(start.slot, end + self._longer)
            if not self._launched[start.cluster, start.slot] and self._fits(start, held):
                self._add(start, held, 1)
                self.tasks(j + 1, cost + end - task.arrival)
                self._add(start, held, -1)

    def _require_tiny(self, tried: int) -> None:
        if tried > MOST_TRIED:
            raise ProgramError(f"the instance has more than {MOST_TRIED} starts: brute force is for tiny instances")

    def _count(self, task: Task) -> int:
        last = self._instance.horizon + 1 - task.arrival
        modes = (mode for n in task.clusters for mode in self._instance.usable(task, self._instance.clusters[n]))
        return sum(max(0, last - mode.slots) for mode in modes)

    def _starts_of(self, task: Task) -> list[tuple[int, Start]]:
        return sorted(
            (t + mode.slots, Start(task.index, n, mode.allocation, t))
            for n in task.clusters
            for mode in self._instance.usable(task, self._instance.clusters[n])
            for t in self._instance.starts(task, n, mode, self._instance.horizon)
        )

    def _fits(self, start: Start, held: range) -> bool:
        amounts, used = self._instance.clusters[start.cluster].amounts, self._used[start.cluster]
        return all(used[r][t] + x <= amounts[r] for r, x in enumerate(start.allocation) for t in held)

    def _add(self, start: Start, held: range, times: int) -> None:
        (self._here.append(start) if times > 0 else self._here.pop())
        self._launched[start.cluster, start.slot] += times
        for r, x in enumerate(start.allocation):
            for t in held:
                self._used[start.cluster][r][t] += times * x
