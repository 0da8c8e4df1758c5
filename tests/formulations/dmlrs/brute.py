"""Tiny dmlrs questions answered by trying everything, in rationals, with nothing shared with the programs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from schedproof.instances.dmlrs import Instance, Job, from_json

Stand = tuple[tuple[int, int], ...]  # per machine: workers, parameter servers


def stands(instance: Instance, job: Job, slot: int, most_ps: int) -> Iterator[Stand]:
    """Everything that the job may have on the machines in a slot: (2), (4), (5), so many PSs on each at most."""

    def fit(machine: Any) -> list[tuple[int, int]]:
        return [
            (w, s)
            for w in range(job.batch_size + 1)
            for s in range(most_ps + 1)
            if all(
                job.worker.get(r, 0) * w + job.ps.get(r, 0) * s
                <= machine.capacity.get(r, 0) - instance.reserved.get((slot, machine.index, r), 0)
                for r in instance.resources
            )
        ]

    for stand in product(*map(fit, instance.machines)):
        workers, ps = sum(w for w, _ in stand), sum(s for _, s in stand)
        if workers <= job.batch_size and workers <= job.workers_per_ps * ps:
            yield stand


def trained(job: Job, stand: Stand) -> Fraction:
    """Samples trained in a slot, to the letter of (1) and Fact 1."""
    with_workers = {h for h, (w, _) in enumerate(stand) if w}
    with_ps = {h for h, (_, s) in enumerate(stand) if s}
    internal = len(with_workers) == len(with_ps) == 1 and with_workers == with_ps
    bandwidth = job.bandwidth_internal if internal else job.bandwidth_external
    rate = job.sample_time + job.workers_per_ps / job.batch_size * 2 * job.model_size / bandwidth
    return sum(w for w, _ in stand) / rate


def theta(instance: Instance, job: Job, slot: int, samples: Fraction, price: dict[tuple[int, str], int]) -> Any:
    """The least cost of training so many samples in a slot (19); None where they cannot be."""
    costs = [
        sum(
            price[h, r] * (job.worker.get(r, 0) * w + job.ps.get(r, 0) * s)
            for h, (w, s) in enumerate(stand)
            for r in instance.resources
        )
        for stand in stands(instance, job, slot, job.ps_needed(job.batch_size))
        if trained(job, stand) >= samples
    ]
    return min(costs, default=None)


def job_row(name: str, **changes: Any) -> dict[str, Any]:
    """One sample of work, one worker, one slot; c_i = 1 and c_e = 2."""
    row = {
        "name": name,
        "arrival": 0,
        "epochs": 1,
        "samples": 1,
        "batch_size": 1,
        "workers_per_ps": 1,
        "sample_time": 1,
        "model_size": 0,
        "bandwidth_internal": 2,
        "bandwidth_external": 1,
        "worker": {"gpu": 1},
        "ps": {},
        "utility": {"kind": "table", "values": [8, 4, 2, 1]},
    }
    return row | changes


def cluster(*jobs: dict[str, Any], machines: tuple[Any, ...] = (1,), horizon: int = 4, **more: Any) -> Instance:
    """Machines are given by their GPUs, or as capacities; a utility table ends at the horizon."""
    capacities = [m if isinstance(m, dict) else {"gpu": m} for m in machines]
    value = {
        "version": 1,
        "family": "dmlrs",
        "horizon": horizon,
        "resources": ["gpu", "cpu"],
        "machines": [{"name": f"m{h}", "capacity": c} for h, c in enumerate(capacities)],
        "jobs": [row | {"utility": _until(horizon, row["utility"])} for row in jobs],
    }
    return from_json(value | more)


def _until(horizon: int, utility: dict[str, Any]) -> dict[str, Any]:
    return utility | {"values": utility["values"][:horizon]} if utility["kind"] == "table" else utility
