"""FIFO and DRF as plain loops over slots, machines and resources, in rationals.

Versions of this algorithm: docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil

from schedproof.instances.dmlrs import Instance, Job

ZERO = Fraction(0)
Amounts = list[dict[str, Fraction]]  # by machine
Held = dict[int, list[int]]  # machine -> workers, parameter servers
Log = tuple[set[tuple[int, ...]], set[int]]  # rows (job, slot, machine, workers, ps); jobs dropped after their start


class Round:
    def __init__(self, free: Amounts) -> None:
        self.free = [dict(row) for row in free]
        self.turn = 0

    def put(self, demand: dict[str, Fraction]) -> int | None:
        for step in range(len(self.free)):
            h = (self.turn + step) % len(self.free)
            if all(self.free[h][r] >= amount for r, amount in demand.items() if amount):
                for r, amount in demand.items():
                    self.free[h][r] -= amount
                self.turn = h + 1
                return h
        return None

    def worker(self, job: Job, held: Held) -> bool:
        before = [dict(row) for row in self.free], self.turn
        now = sum(row[0] for row in held.values())
        new = ceil((now + 1) / job.workers_per_ps) - ceil(now / job.workers_per_ps)
        places = [self.put(job.ps) for _ in range(new)] + [self.put(job.worker)]
        if None in places:
            self.free, self.turn = before
            return False
        for n, h in enumerate(places):
            held.setdefault(int(h or 0), [0, 0])[n < new] += 1
        return True


def rate(job: Job, held: Held) -> Fraction:
    return sum(row[0] for row in held.values()) / (job.internal_time if len(held) == 1 else job.external_time)


def free_in(instance: Instance, slot: int) -> Amounts:
    return [{r: instance.free(slot, machine, r) for r in instance.resources} for machine in instance.machines]


def slot_by_slot(
    instance: Instance,
    max_workers: Callable[[Job], int],
    allocate: Callable[[int, dict[int, Fraction]], dict[int, Held]],
) -> Log:
    """Run the loop over slots.

    Parameters
    ----------
    most
        The largest number of workers that a job may have in a slot.
    allocate
        A function of the slot and of the present jobs' remaining samples; it may remove jobs.
    """
    rest: dict[int, Fraction] = {}
    rows: set[tuple[int, ...]] = set()
    given_up, started = set[int](), set[int]()

    def too_late(j: int, slots: int) -> bool:
        return rest[j] * instance.jobs[j].internal_time > max_workers(instance.jobs[j]) * slots

    for slot in range(instance.horizon):
        for job in instance.jobs:
            if job.arrival == slot:
                rest[job.index] = Fraction(job.work)
        for j in [j for j in rest if too_late(j, instance.horizon - slot)]:
            del rest[j]
        for j, held in allocate(slot, rest).items():
            started.add(j)
            rows |= {(j, slot, h, n, s) for h, (n, s) in held.items()}
            rest[j] -= rate(instance.jobs[j], held)
        for j in [j for j in rest if rest[j] <= 0]:
            del rest[j]
        for j in [j for j in rest if too_late(j, instance.horizon - slot - 1)]:
            given_up |= {j} & started
            del rest[j]
    return rows, given_up


def drf(instance: Instance) -> Log:
    total = {r: sum((machine.capacity.get(r, ZERO) for machine in instance.machines), ZERO) for r in instance.resources}

    def share(j: int, held: Held) -> Fraction:
        job, n, s = instance.jobs[j], sum(r[0] for r in held.values()), sum(r[1] for r in held.values())
        amounts = {r: n * job.worker.get(r, ZERO) + s * job.ps.get(r, ZERO) for r in total}
        return max(amounts[r] / total[r] if total[r] else ZERO for r in total)

    def allocate(slot: int, rest: dict[int, Fraction]) -> dict[int, Held]:
        machines, held = Round(free_in(instance, slot)), {j: Held() for j in rest}
        enough = {j: min(job.batch_size, ceil(rest[j] * job.external_time)) for j in rest if (job := instance.jobs[j])}
        open_to = set(rest)
        while open_to:
            j = min(open_to, key=lambda j: (share(j, held[j]), j))
            fitted = machines.worker(instance.jobs[j], held[j])
            if not fitted or sum(row[0] for row in held[j].values()) == enough[j]:
                open_to.remove(j)
        return {j: places for j, places in held.items() if places}

    return slot_by_slot(instance, lambda job: job.batch_size, allocate)


def fifo(instance: Instance, number: Callable[[Job], int]) -> Log:
    running: dict[int, Held] = {}

    def places_for(job: Job, slot: int, beside: dict[int, Held]) -> Held | None:
        slots = ceil(job.work * job.external_time / number(job))
        window = [free_in(instance, t) for t in range(slot, min(instance.horizon, slot + slots))]
        free = [{r: min(f[h][r] for f in window) for r in f0} for h, f0 in enumerate(window[0])]
        for j, places in beside.items():
            for h, (n, s) in places.items():
                for r in free[h]:
                    free[h][r] -= n * instance.jobs[j].worker.get(r, ZERO) + s * instance.jobs[j].ps.get(r, ZERO)
        machines, held = Round(free), Held()
        return held if all(machines.worker(job, held) for _ in range(number(job))) else None

    def in_time(job: Job, slot: int, samples: Fraction) -> bool:
        return slot + ceil(job.work / samples) <= instance.horizon

    def allocate(slot: int, rest: dict[int, Fraction]) -> dict[int, Held]:
        for j in [j for j in rest if instance.jobs[j].arrival == slot]:
            job = instance.jobs[j]
            if not any(
                in_time(job, t, number(job) / job.internal_time) and places_for(job, t, {})
                for t in range(slot, instance.horizon)
            ):
                del rest[j]
        for j in [j for j in running if j not in rest]:
            del running[j]
        for j in sorted(rest.keys() - running.keys(), key=lambda j: (instance.jobs[j].arrival, j)):
            held = places_for(instance.jobs[j], slot, running)
            if held is None:
                break
            if in_time(instance.jobs[j], slot, rate(instance.jobs[j], held)):
                running[j] = held
            else:
                del rest[j]
        return dict(running)

    return slot_by_slot(instance, number, allocate)
