"""Small seeded dmlrs instances."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

from schedproof.core.runtime.context import USUAL
from schedproof.core.simulation.policy import DecidedBy
from schedproof.instances.dmlrs import Instance, Schedule, from_json
from schedproof.instances.dmlrs.drive import drive
from schedproof.proofs_checks.strategies.dmlrs_builders import build_instance, job


def tiny_dmlrs(
    seed: int,
    *,
    jobs: int = 3,
    machines: int = 2,
    horizon: int = 4,
    most_workers: int = 4,
    exact_utilities: bool = True,
    reserved: bool | None = None,
) -> dict[str, Any]:
    """A dmlrs instance as a JSON object, for enumeration; None draws a value.

    Parameters
    ----------
    most_workers
        The largest batch size.
    exact_utilities
        Whether every utility is rational; otherwise some may be sigmoids.
    reserved
        Whether part of the capacity is reserved.
    """
    rng = random.Random(seed)
    names = ["gpu", "memory"][: rng.choice([1, 2, 2])]
    reserved = rng.random() < 0.2 if reserved is None else reserved
    rows = [_tiny_job(rng, n, names, horizon, most_workers, exact_utilities) for n in range(jobs)]
    boxes = [
        {"name": f"m{h}", "capacity": {r: rng.choice([0, 2, 3, 4, 5]) if h else rng.randrange(2, 6) for r in names}}
        for h in range(machines)
    ]
    value: dict[str, Any] = {
        "version": 1,
        "family": "dmlrs",
        "horizon": horizon,
        "resources": names,
        "machines": boxes,
        "jobs": rows,
    }
    if reserved:
        taken = [
            [{r: rng.randrange(c + 1) // 2 for r, c in m["capacity"].items()} for m in boxes] for _ in range(horizon)
        ]
        value["reserved"] = taken
    return value


def _tiny_job(
    rng: random.Random, n: int, names: list[str], horizon: int, most_workers: int, exact_utilities: bool
) -> dict[str, Any]:
    top = rng.randrange(1, 20)
    utilities: list[dict[str, Any]] = [
        {"kind": "constant", "value": top},
        {"kind": "linear", "value": top, "slope": Decimal(rng.randrange(8)) / 2},
        {"kind": "table", "values": sorted((rng.randrange(20) for _ in range(horizon)), reverse=True)},
    ]
    if not exact_utilities:
        utilities.append({"kind": "sigmoid", "theta1": top, "theta2": Decimal(rng.randrange(9)) / 2, "theta3": 2})
    internal = rng.choice([2, 4, 8])
    return {
        "name": f"job-{n}",
        "arrival": rng.randrange(horizon) if n else 0,
        "epochs": rng.randrange(1, 4),
        "samples": rng.randrange(1, 3),
        "batch_size": rng.randrange(1, most_workers + 1),
        "workers_per_ps": rng.choice([1, 2, 3, Decimal("1.5"), Decimal("0.5")]),
        "sample_time": Decimal(rng.choice([2, 4, 5, 8, 10])) / 10,
        "model_size": rng.choice([0, 1, 1, 2]),
        "bandwidth_internal": internal,
        "bandwidth_external": rng.choice([internal, 1, 2]) if internal > 2 else rng.choice([1, 2]),
        "worker": {r: rng.choice([0, 1, 1, 2]) if r != names[0] else rng.choice([1, 1, 2]) for r in names},
        "ps": {r: rng.choice([0, 1, 1]) for r in names},
        "utility": rng.choice(utilities),
    }


def tiny_cluster(seed: int, **settings: Any) -> Instance:
    return from_json(tiny_dmlrs(seed, **settings))


def hand_made(machines: list[dict[str, Any]], jobs: list[dict[str, Any]], horizon: int = 6, **more: Any) -> Instance:
    usual = {"samples": 1, "batch_size": 4, "workers_per_ps": 10, "bandwidth_internal": 2}
    rows = [job(f"j{n}", 1, 1, {"gpu": 1}) | usual | row for n, row in enumerate(jobs)]
    return build_instance([{"gpu": 0, "memory": 0} | capacity for capacity in machines], rows, horizon, **more)


def decided(policy: Any, instance: Instance) -> Schedule:
    """The policy's schedule."""
    return drive(policy, instance, DecidedBy("test", {}, 0), USUAL)


def workers_of(schedule: Schedule, job: int) -> dict[int, int]:
    """Slot -> the workers of a job."""
    found: dict[int, int] = {}
    for row in schedule.placements:
        if row.job == job:
            found[row.slot] = found.get(row.slot, 0) + row.workers
    return found
