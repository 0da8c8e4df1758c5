"""A literal checker that plays runs in half slots; for tiny schedules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from schedproof.instances.placement import Instance, Schedule, Start


def broken_names(schedule: Schedule, instance: Instance) -> set[str]:
    found: set[str] = set()
    use: Counter[tuple[int, int, int]] = Counter()
    launched: Counter[tuple[int, int]] = Counter()
    for task in instance.tasks:
        rows = sorted((row for row in schedule.starts if row.task == task.index), key=lambda row: row.slot)
        if schedule.options.get("preemption", "none") == "none" and (len(rows) > 1 or any(r.until for r in rows)):
            found.add("once")
        progress, complete, last = Fraction(0), False, None
        for number, row in enumerate(rows):
            if last is not None and (complete or row.slot < last):
                found.add("in_turn")
            if row.slot < task.arrival:
                found.add("after_arrival")
            if row.cluster not in task.clusters:
                found.add("reachable")
            launched[row.cluster, row.slot] += 1
            last, complete, made = played(row, dict(task.modes)[row.allocation], progress, number > 0)
            progress += 0 if complete else made
            for t in range(row.slot, last):
                use.update({(row.cluster, r, t): amount for r, amount in enumerate(row.allocation)})
        if not complete:
            found.add("every_task")
        if last is not None and last > instance.horizon:
            found.add("horizon")
    if any(count > 1 for count in launched.values()):
        found.add("one_start_each")
    if any(amount > instance.clusters[n].amounts[r] for (n, r, _), amount in use.items()):
        found.add("capacity")
    return found


def played(row: Start, slots: int, progress: Fraction, again: bool) -> tuple[int, bool, Fraction]:
    """Return a run's end, completion and progress.

    A resumed run loses its first half slot.
    """
    made, half = Fraction(0), 0
    while progress + made < 1:
        if half % 2 == 0 and row.until == row.slot + half // 2:
            return row.until, False, made
        if half or not again:
            made += Fraction(1, 2 * slots)
        half += 1
    return row.slot + (half + 1) // 2, True, made
