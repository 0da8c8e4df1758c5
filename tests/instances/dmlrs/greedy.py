"""Feasible schedules of every kind by a random greedy algorithm."""

from __future__ import annotations

import random
from fractions import Fraction

from schedproof.instances.dmlrs import Instance, Job, Placement, Schedule

Free = dict[tuple[int, int, str], Fraction]


def greedy(instance: Instance, seed: int, *, give_up: float = 0.3, patience: float = 0.15) -> Schedule:
    """Schedule jobs by arrival, in each slot on one machine or spread.

    Parameters
    ----------
    give_up
        How often a job that misses the horizon keeps its workers as given up, instead of being rejected.
    patience
        How often a job pauses for a slot.
    """
    rng = random.Random(seed)
    free = {
        (t, m.index, r): instance.free(t, m, r)
        for t in range(instance.horizon)
        for m in instance.machines
        for r in instance.resources
    }
    rows: list[Placement] = []
    unfinished = set()
    for job in sorted(instance.jobs, key=lambda job: job.arrival):
        before, mine, internal, external = dict(free), [], 0, 0
        for slot in range(job.arrival, instance.horizon):
            if job.done(internal, external):
                break
            if rng.random() < patience:
                continue
            placed = _place(instance, job, slot, rng.randrange(1, job.batch_size + 1), free, rng)
            workers = sum(row.workers for row in placed)
            if len(placed) == 1:
                internal += workers
            else:
                external += workers
            mine += placed
        if not job.done(internal, external):
            if not mine or rng.random() >= give_up:
                free = before
                continue
            unfinished.add(job.index)
        rows += mine
    return Schedule.of(rows, instance, "greedy", seed=seed, unfinished=frozenset(unfinished))


def _place(instance: Instance, job: Job, slot: int, wish: int, free: Free, rng: random.Random) -> list[Placement]:
    machines = [m.index for m in instance.machines]
    rng.shuffle(machines)
    spread = rng.random() < 0.5
    best: list[Placement] = []
    for some in [machines] if spread else [[h] for h in machines]:
        for workers in range(wish, 0, -1):
            trial = dict(free)
            counts = [_fit(instance, slot, some, job.ps, job.ps_needed(workers), trial)]
            counts.insert(0, _fit(instance, slot, some, job.worker, workers, trial))
            if None in counts:
                continue
            on, ps = counts
            assert on is not None and ps is not None
            rows = [Placement(job.index, slot, h, on.get(h, 0), ps.get(h, 0)) for h in sorted({*on, *ps})]
            if workers > sum(row.workers for row in best):
                best, kept = rows, trial
            break
    if best:
        free.update(kept)
    return best


def _fit(
    instance: Instance, slot: int, machines: list[int], demand: object, count: int, free: Free
) -> dict[int, int] | None:
    placed: dict[int, int] = {}
    for h in machines:
        while sum(placed.values()) < count and all(
            free[slot, h, r] >= demand.get(r, 0)  # type: ignore[attr-defined]
            for r in instance.resources
        ):
            for r in instance.resources:
                free[slot, h, r] -= demand.get(r, 0)  # type: ignore[attr-defined]
            placed[h] = placed.get(h, 0) + 1
    return placed if sum(placed.values()) == count else None
