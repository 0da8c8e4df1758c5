"""FIFO and DRF once more: plain loops over slots, machines and resources, every amount a rational."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import Any

from schedproof.instances.dmlrs import Instance, Schedule, from_json
from schedproof.instances.dmlrs.instance import Job

Amounts = list[dict[str, Fraction]]  # by machine
Stands = dict[int, list[int]]  # machine -> workers, parameter servers


def drive(policy: Any, instance: Instance) -> Schedule:
    """The policy's schedule."""
    result = instance.drive(policy, "test", {}, 0, lambda jobs: None)
    assert isinstance(result, Schedule)
    return result


def cluster(machines: list[dict[str, Any]], jobs: list[dict[str, Any]], horizon: int = 6, **more: Any) -> Instance:
    """An instance whose jobs have one-slot samples, one parameter server that needs nothing, and no communication."""
    usual = {
        "arrival": 0,
        "epochs": 1,
        "samples": 1,
        "batch_size": 4,
        "workers_per_ps": 10,
        "sample_time": 1,
        "model_size": 0,
        "bandwidth_internal": 2,
        "bandwidth_external": 1,
        "worker": {"gpu": 1},
        "ps": {},
        "utility": {"kind": "constant", "value": 1},
    }
    value = {
        "version": 1,
        "family": "dmlrs",
        "horizon": horizon,
        "resources": ["gpu", "memory"],
        "machines": [{"name": f"m{h}", "capacity": capacity} for h, capacity in enumerate(machines)],
        "jobs": [{"name": f"j{n}"} | usual | job for n, job in enumerate(jobs)],
    }
    return from_json(value | more)


def workers(schedule: Schedule, job: int) -> dict[int, int]:
    """Slot -> the workers of a job."""
    found: dict[int, int] = {}
    for row in schedule.placements:
        if row.job == job:
            found[row.slot] = found.get(row.slot, 0) + row.workers
    return found


class Round:
    """Machines that are given things in turn."""

    def __init__(self, free: Amounts) -> None:
        self.free = [dict(row) for row in free]
        self.turn = 0

    def put(self, demand: dict[str, Fraction]) -> int | None:
        """On the next machine in turn that has room."""
        for step in range(len(self.free)):
            h = (self.turn + step) % len(self.free)
            if all(self.free[h][r] >= amount for r, amount in demand.items() if amount):
                for r, amount in demand.items():
                    self.free[h][r] -= amount
                self.turn = h + 1
                return h
        return None

    def worker(self, job: Job, stands: Stands) -> bool:
        """One more worker with the servers that it needs, or nothing."""
        before = [dict(row) for row in self.free], self.turn
        now = sum(row[0] for row in stands.values())
        new = ceil((now + 1) / job.workers_per_ps) - ceil(now / job.workers_per_ps)
        places = [self.put(dict(job.ps)) for _ in range(new)] + [self.put(dict(job.worker))]
        if None in places:
            self.free, self.turn = before
            return False
        for n, h in enumerate(places):
            stands.setdefault(int(h or 0), [0, 0])[n < new] += 1
        return True


def rate(job: Job, stands: Stands) -> Fraction:
    """Samples in a slot, by Fact 1."""
    return sum(row[0] for row in stands.values()) / (job.internal_time if len(stands) == 1 else job.external_time)


def free_in(instance: Instance, slot: int) -> Amounts:
    return [{r: instance.free(slot, machine, r) for r in instance.resources} for machine in instance.machines]


Log = tuple[set[tuple[int, ...]], set[int]]


def literal(
    instance: Instance, most: Callable[[Job], int], allocate: Callable[[int, dict[int, Fraction]], dict[int, Stands]]
) -> Log:
    """Rows (job, slot, machine, workers, ps) and the jobs given up after they started.

    ``allocate`` gets the slot and the samples left of every job that is present, and may remove jobs.
    """
    left: dict[int, Fraction] = {}
    rows, given_up, started = set(), set(), set()

    def too_late(j: int, slots: int) -> bool:
        return left[j] * instance.jobs[j].internal_time > most(instance.jobs[j]) * slots

    for slot in range(instance.horizon):
        for job in instance.jobs:
            if job.arrival == slot:
                left[job.index] = Fraction(job.work)
        for j in [j for j in left if too_late(j, instance.horizon - slot)]:
            del left[j]
        for j, stands in allocate(slot, left).items():
            started.add(j)
            rows |= {(j, slot, h, n, s) for h, (n, s) in stands.items()}
            left[j] -= rate(instance.jobs[j], stands)
        for j in [j for j in left if left[j] <= 0]:
            del left[j]
        for j in [j for j in left if too_late(j, instance.horizon - slot - 1)]:
            given_up |= {j} & started
            del left[j]
    return rows, given_up


def literal_drf(instance: Instance) -> Log:
    """DRF."""
    total = {r: sum(machine.capacity.get(r, Fraction(0)) for machine in instance.machines) for r in instance.resources}

    def share(j: int, stands: Stands) -> Fraction:
        job, n, s = instance.jobs[j], sum(r[0] for r in stands.values()), sum(r[1] for r in stands.values())
        amounts = {r: n * job.worker.get(r, Fraction(0)) + s * job.ps.get(r, Fraction(0)) for r in total}
        return max(amounts[r] / total[r] if total[r] else Fraction(0) for r in total)

    def allocate(slot: int, left: dict[int, Fraction]) -> dict[int, Stands]:
        machines, stands = Round(free_in(instance, slot)), {j: Stands() for j in left}
        enough = {j: min(job.batch_size, ceil(left[j] * job.external_time)) for j in left if (job := instance.jobs[j])}
        open_to = set(left)
        while open_to:
            j = min(open_to, key=lambda j: (share(j, stands[j]), j))
            fitted = machines.worker(instance.jobs[j], stands[j])
            if not fitted or sum(row[0] for row in stands[j].values()) == enough[j]:
                open_to.remove(j)
        return {j: places for j, places in stands.items() if places}

    return literal(instance, lambda job: job.batch_size, allocate)


def literal_fifo(instance: Instance, number: Callable[[Job], int]) -> Log:
    """FIFO with the given numbers of workers."""
    running: dict[int, Stands] = {}

    def stands_for(job: Job, slot: int, beside: dict[int, Stands]) -> Stands | None:
        slots = ceil(job.work * job.external_time / number(job))
        window = [free_in(instance, t) for t in range(slot, min(instance.horizon, slot + slots))]
        free = [{r: min(f[h][r] for f in window) for r in f0} for h, f0 in enumerate(window[0])]
        for j, places in beside.items():
            for h, (n, s) in places.items():
                for r in free[h]:
                    free[h][r] -= n * instance.jobs[j].worker.get(r, Fraction(0))
                    free[h][r] -= s * instance.jobs[j].ps.get(r, Fraction(0))
        machines, stands = Round(free), Stands()
        return stands if all(machines.worker(job, stands) for _ in range(number(job))) else None

    def in_time(job: Job, slot: int, samples: Fraction) -> bool:
        return slot + ceil(job.work / samples) <= instance.horizon

    def allocate(slot: int, left: dict[int, Fraction]) -> dict[int, Stands]:
        for j in [j for j in left if instance.jobs[j].arrival == slot]:
            job = instance.jobs[j]
            if not any(
                in_time(job, t, number(job) / job.internal_time) and stands_for(job, t, {})
                for t in range(slot, instance.horizon)
            ):
                del left[j]
        for j in [j for j in running if j not in left]:
            del running[j]
        for j in sorted(left.keys() - running.keys(), key=lambda j: (instance.jobs[j].arrival, j)):
            stands = stands_for(instance.jobs[j], slot, running)
            if stands is None:
                break
            if in_time(instance.jobs[j], slot, rate(instance.jobs[j], stands)):
                running[j] = stands
            else:
                del left[j]
        return dict(running)

    return literal(instance, number, allocate)
