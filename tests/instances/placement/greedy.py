"""Feasible schedules by a random greedy algorithm; some tasks are preempted."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from math import ceil

from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.placement import Instance, Schedule, Start, fits


def greedy(instance: Instance, seed: int, *, stop: bool = False) -> Schedule | None:
    """Return a feasible schedule, with preempted tasks if allowed, or None."""
    rng = random.Random(seed)
    used: Counter[tuple[int, int, int]] = Counter()  # (cluster, resource, slot)
    taken: set[tuple[int, int]] = set()
    starts: list[Start] = []
    for task in sorted(instance.tasks, key=lambda _: rng.random()):
        earliest, left, lost = task.arrival, Fraction(1), Fraction(0)
        while left:
            free = []
            for n in task.clusters:
                room = instance.clusters[n].amounts
                for x, slots in task.modes:
                    length = ceil(lost + left * slots)
                    for t in range(earliest, instance.horizon - length + 1):
                        busy = (tuple(used[n, r, u] + x[r] for r in range(len(x))) for u in range(t, t + length))
                        if (n, t) not in taken and all(fits(amounts, room) for amounts in busy):
                            free.append((t, n, x, slots, length))
                            break
            if not free:
                return None
            t, n, x, slots, length = rng.choice(sorted(free)[:2])
            stopped = stop and length > 1 and rng.random() < 0.4
            end = t + (rng.randrange(1, length) if stopped else length)
            starts.append(Start(task.index, n, x, t, end if stopped else None))
            taken.add((n, t))
            used.update({(n, r, u): amount for r, amount in enumerate(x) for u in range(t, end)})
            left = left - max(Fraction(0), end - t - lost) / slots if stopped else Fraction(0)
            earliest, lost = end, Fraction(1, 2)
    options = {"preemption": "allowed"} if stop else {}
    return Schedule.of(starts, instance, DecidedBy("placement.greedy", options, seed))
